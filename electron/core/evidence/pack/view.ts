/** What windows, pages and cases show of a pack. */
import type { EvidenceAbout, RedactionProfile } from '#contract/evidence/evidence.ts'
import type { ShownValue } from '#kit/hashing/values.ts'
import { erasedParts } from './events.ts'
import { isErased, type Content, type ContentEvent, type OpenedPack, type SealedPart } from './pack.ts'
import { partsOf, plainOf } from './reading.ts'

const nameOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Who made the pack; null if withheld. */
const makerOf = (made: ContentEvent): string | null => nameOf(plainOf(made, 'operator'))

/** Who made the pack, and who made the last decision in it, if there is one; null if withheld. */
function namesInvolved({ events }: Content, made: ContentEvent): (string | null)[] {
  const decision = events.findLast(({ kind }) => kind === 'decision.made')
  return [makerOf(made), ...(decision ? [nameOf(plainOf(decision, 'operator'))] : [])]
}

/** Label and value; the value is null if it is withheld or erased. */
export interface Entry {
  readonly label: string
  readonly value: string | null
}

export interface EventView {
  readonly seq: number
  readonly at: number
  readonly kind: string
  readonly record: number | null
  readonly hash: string
  readonly previous: string
  /** Length of its inclusion proof. */
  readonly steps: number
  readonly entries: readonly Entry[]
  /** Of the response that it ended with. */
  readonly response: readonly Entry[]
}

export interface PackView {
  readonly about: EvidenceAbout | { readonly kind: EvidenceAbout['kind']; readonly id: null }
  readonly profile: RedactionProfile
  readonly records: number
  readonly madeAt: number
  /** Null if withheld. */
  readonly madeBy: string | null
  readonly console: string
  /** Public key of the signer, hex. */
  readonly key: string
  /** Identifies the signed pack, hex. */
  readonly digest: string
  readonly tree: { readonly size: number; readonly root: string }
  readonly events: readonly EventView[]
  /** Who made the pack and, if it shows a decision, who made the last one; null if withheld. */
  readonly names: readonly (string | null)[]
  /** Names of sealed parts that were erased. */
  readonly erased: readonly string[]
}

const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
const entryOf = ([, label, value]: ShownValue): Entry => ({ label, value: written(value) })

function partEntries(part: SealedPart): Entry[] {
  if (isErased(part)) return [{ label: 'sealed data', value: null }]
  const { shown, withheld } = part
  return [
    ...shown.map(entryOf),
    ...(withheld.length > 0
      ? [{ label: `${withheld.length} ${withheld.length === 1 ? 'value' : 'values'}`, value: null }]
      : [])
  ]
}

/** @param made The event that records the pack. */
export function viewOf({ content, digest }: Omit<OpenedPack, 'file'>, made: ContentEvent): PackView {
  const bodies = new Map(content.bodies.map((body) => [body.record, body]))
  return {
    about: content.about,
    profile: content.profile,
    records: content.events.filter(({ kind }) => kind === 'record.begun').length,
    madeAt: made.at,
    madeBy: makerOf(made),
    console: content.console,
    key: content.signer.key,
    digest,
    tree: { root: content.root, size: content.size },
    names: namesInvolved(content, made),
    erased: erasedParts(content),
    events: content.events.map((event) => {
      const { seq, at, kind, record, hash, previous, path } = event
      const body = kind === 'record.ended' && record !== null ? bodies.get(record) : undefined
      return {
        seq,
        at,
        kind,
        record,
        hash,
        previous,
        steps: path.length,
        entries: partsOf(event).flatMap(partEntries),
        response: body ? partEntries(body) : []
      }
    })
  }
}
