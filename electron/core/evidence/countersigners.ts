/**
 * Whose countersignatures a pack contains. A valid signature does not identify its key's owner: anyone can add one
 * under any name, so only keys named by the reader count. `verify.mjs` does the same independently.
 */
import {
  standingOf,
  type Countersignature,
  type EvidenceFinding,
  type HeldCountersignature
} from '#contract/evidence/evidence.ts'
import { fingerprintOf } from '#wire/evidence/keys.ts'
import type { SignedWords } from './pack/pack.ts'
import { secondPerson } from '#contract/evidence/second-person.ts'
import type { PackView } from './pack/view.ts'

/** A countersignature for windows, with its key's fingerprint. */
export const shownCountersignature = ({ by, key, at, agrees, note }: SignedWords): Countersignature => ({
  by,
  key: fingerprintOf(key),
  at,
  agrees,
  note
})

/** All countersignatures of a pack, each with whether its name is that of a second person. */
export function heldCountersignatures({
  countersignatures,
  names
}: Pick<PackView, 'countersignatures' | 'names'>): HeldCountersignature[] {
  return countersignatures.map((each) => ({
    ...shownCountersignature(each),
    secondPerson: secondPerson(each.by, names)
  }))
}

/**
 * Whether enough of the countersigners named by the reader agree.
 *
 * @param named Fingerprints, each once.
 * @param required How many of them must agree.
 */
export function countersignersFinding(
  held: readonly Countersignature[],
  named: readonly string[],
  required: number
): EvidenceFinding {
  const against = named.flatMap((key) => {
    const standing = standingOf(key, held)
    return standing === 'agrees' ? [] : [`${key} ${standing}`]
  })
  const agreeing = named.length - against.length
  if (agreeing < required)
    return {
      what: 'countersigners',
      passed: false,
      detail: `Of the keys of countersigners that you named, ${agreeing} agree and ${required} must: ${against.join('; ')}.`
    }
  const warning = against.length > 0
  return {
    what: 'countersigners',
    passed: true,
    ...(warning && { warning }),
    detail: `Of the keys of countersigners that you named, ${agreeing} agree${warning ? `: ${against.join('; ')}` : ''}.`
  }
}
