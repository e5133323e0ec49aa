/** The history's interface for evidence packs. */
import type { EvidenceAbout, RedactionProfile } from '#contract/evidence/evidence.ts'
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import type { EventLinks, ShownValue } from '#kit/hashing/values.ts'

type Answer<T> = Promise<Result<T, Failure>>

/** A part of an event, or a response, opened; digests in hex. */
export interface ProvenPart {
  /** Digest of its values. */
  readonly values: string
  /** All values with their salts, by name; null if its key was destroyed. */
  readonly entries: readonly ShownValue[] | null
}
/** An event with everything that proves it; hashes in hex. */
export interface ProvenEvent {
  readonly version: 1
  readonly seq: number
  readonly at: number
  readonly kind: string
  readonly subject: number | null
  readonly record: number | null
  readonly links: EventLinks
  /** Its entries are never null. */
  readonly plain: ProvenPart
  readonly sealed: ProvenPart | null
  readonly previous: string
  readonly hash: string
  /** Inclusion of its hash in the tree (RFC 9162). */
  readonly path: readonly string[]
}
export interface ProvenBody {
  readonly version: 1
  readonly record: number
  readonly part: ProvenPart
}

export interface PackRequest {
  readonly about: EvidenceAbout
  readonly profile: RedactionProfile
  readonly operator: string
  readonly at: number
}

/** A series that a pack contains completely: `id` is a number, or the batch's ID. */
export type CompleteSeries = readonly [
  kind: 'subject' | 'record' | 'batch',
  id: number | string,
  count: number,
  last: number
]

/** The plain part of `pack.made`. */
export interface PackPlain {
  readonly operator: string
  readonly about: EvidenceAbout['kind']
  /** Of the record or batch; absent for an applicant, whose ID is personal data. */
  readonly id?: string
  readonly profile: RedactionProfile
  readonly series: readonly CompleteSeries[]
}
export interface PackSealed {
  readonly applicantId?: string
}

/** The content of a pack. */
export interface Evidence {
  /** The hash of event 1, which names the audit trail, and its inclusion proof. */
  readonly origin: { readonly leaf: string; readonly path: readonly string[] }
  /** The tree, whose last event is this pack's `pack.made`. */
  readonly head: { readonly seq: number; readonly hash: string; readonly root: string }
  /** By number; the last one is this pack's `pack.made`. */
  readonly events: readonly ProvenEvent[]
  readonly bodies: readonly ProvenBody[]
  readonly records: number
  /** The tree of the pack that this installation made before, with a consistency proof; null if there is none. */
  readonly earlier: { readonly size: number; readonly root: string; readonly path: readonly string[] } | null
}

export interface EvidenceStore {
  /** Appends `pack.made` and collects everything about a subject up to it. Failure: `evidence-nothing`. */
  make(request: PackRequest): Answer<Evidence>
}
