/** The countersignatures of a pack, and whether there are as many as it must have. */
import {
  agreeingPersons,
  type EvidenceFinding,
  type HeldCountersignature,
  type SecondPerson
} from '#contract/evidence/evidence.ts'
import { canonical } from '#kit/hashing/canonical-json.ts'
import type { KeyObject } from 'node:crypto'
import { fingerprintOf, isWorthless, keyOfSigner } from '#wire/evidence/keys.ts'
import { demand, finding } from '../refusal.ts'
import { envelopeFits, sealEnvelope } from '#wire/evidence/dsse.ts'
import { countersignatureType, fileText, type ContentEvent, type OpenedPack, type SignedWords } from './pack.ts'
import { plainOf } from './reading.ts'

/** Checks each countersignature by itself. */
export function checkCountersignatures({ content, countersignatures, file }: OpenedPack): void {
  demand(
    new Set(file.countersignatures.map(canonical)).size === file.countersignatures.length,
    'countersignature-twice'
  )
  for (const [index, { key }] of countersignatures.entries()) {
    const envelope = file.countersignatures[index]
    demand(!isWorthless(key), 'key-worthless')
    demand(key !== content.signer.key, 'countersignature-own')
    demand(
      envelope !== undefined && envelope.signatures[0]?.keyid === fingerprintOf(key) && envelopeFits(envelope, key),
      'countersignature-wrong'
    )
  }
}

/** How many a pack must have; it is always shown. */
export function requiredOf(made: ContentEvent): number {
  const required = plainOf(made, 'countersignatures')
  const isCount = typeof required === 'number' && Number.isInteger(required) && required >= 0
  demand(isCount, 'value-missing', { event: made.seq, name: 'countersignatures' })
  return required
}

/** What the countersignatures show by themselves, and whether there are enough: if not, the pack is intact, but not verified. */
export function countersignatureFindings(all: readonly HeldCountersignature[], required: number): EvidenceFinding[] {
  const of = (wanted: SecondPerson): number => all.filter(({ secondPerson }) => secondPerson === wanted).length
  const against = all.filter(({ agrees }) => !agrees).length
  const [held, second] = [all.length, of('yes')]
  const isPlain = against === 0 && second === held
  const agreeing = agreeingPersons(all)
  return [
    ...(held > 0 && isPlain ? [finding('countersigned', { held, agreeing: held })] : []),
    ...(isPlain
      ? []
      : [
          finding('countersigned-doubtfully', {
            held,
            agreeing: held - against,
            against,
            second,
            same: of('no'),
            unknown: of('unknown')
          })
        ]),
    ...(required === 0
      ? []
      : [
          agreeing >= required
            ? finding('countersignatures-enough', { required, agreeing })
            : finding('countersignatures-missing', { required, agreeing })
        ])
  ]
}

/** The file with one more countersignature. */
export function countersigned({ file, digest }: OpenedPack, words: Omit<SignedWords, 'key'>, key: KeyObject): string {
  const text = canonical({ ...words, key: keyOfSigner(key), pack: digest })
  return fileText({
    ...file,
    countersignatures: [...file.countersignatures, sealEnvelope(countersignatureType, text, key)]
  })
}
