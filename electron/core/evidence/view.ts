/** What windows, pages and cases show of a pack, whichever version of the format it has. */
import type { EvidenceAbout, RedactionProfile } from '#contract/evidence/evidence.ts'
import type { SignedWords } from './format-1/pack.ts'

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
  /** Of the sealed part; null if there is none or it is withheld. */
  readonly commitment: string | null
  readonly entries: readonly Entry[]
  /** Of the response that it ended with. */
  readonly response: readonly Entry[]
}

export interface PackView {
  readonly version: 1 | 2
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
  readonly countersignatures: readonly SignedWords[]
  /** Who made the pack and, if it shows a decision, who made the last one; null if withheld. */
  readonly names: readonly (string | null)[]
  /** Names of sealed parts that were erased. */
  readonly erased: readonly string[]
}
