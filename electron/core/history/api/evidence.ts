/** The history's interface for evidence packs and four-eyes cases. */
import type { EvidenceAbout } from '#contract/evidence.ts'
import type { Failure } from '#contract/failures.ts'
import type { Result } from '#contract/result.ts'

type Answer<T> = Promise<Result<T, Failure>>

/** A sealed payload, opened: its salt in hex and its text. */
export interface OpenedPayload {
  readonly salt: string
  readonly text: string
}

/** An event with everything that proves it; hashes in hex. */
export interface ProvenEvent {
  readonly seq: number
  readonly at: number
  readonly kind: string
  readonly subject: number | null
  readonly record: number | null
  readonly plain: string
  readonly commitment: string | null
  readonly previous: string
  readonly hash: string
  /** Inclusion of its hash in the tree (RFC 9162). */
  readonly path: readonly string[]
  /** Null if there is none or its key was destroyed. */
  readonly payload: OpenedPayload | null
}
export interface ProvenBody {
  readonly record: number
  readonly commitment: string
  readonly payload: OpenedPayload | null
}
export interface Evidence {
  readonly head: { readonly seq: number; readonly hash: string; readonly root: string }
  readonly records: number
  readonly events: readonly ProvenEvent[]
  readonly bodies: readonly ProvenBody[]
}

/** What is stored of an imported countersignature. */
export interface SignedCase {
  readonly about: EvidenceAbout
  /** The last event about the subject that the pack contained. */
  readonly evidence: number
  /** SHA-256 of the signed pack, hex. */
  readonly pack: string
  readonly countersignature: { readonly by: string; readonly key: string; readonly at: number; readonly agrees: boolean; readonly note: string }
}

export interface EvidenceStore {
  /** Failure: `evidence-nothing`. */
  collect(about: EvidenceAbout): Answer<Evidence>
  /** Numbers of the events that are missing from the chain or have another hash in it. */
  differing(events: readonly { readonly seq: number; readonly hash: string }[]): Answer<readonly number[]>
  addCase(signed: SignedCase, operator: string, at: number): Answer<null>
  /** The author of the decision that was current at an event; null if there was none. */
  author(about: EvidenceAbout, until: number): Answer<string | null>
  /** `names`: of the user who imported it and whose key had created it, and of the author of the decision in it. */
  cases(): Answer<readonly (SignedCase & { readonly importedAt: number; readonly newer: number; readonly names: readonly string[] })[]>
}
