/** Copies of documents: what core tells the history of them, and the events that record them. */
import type { DocumentType } from '#contract/documents/documents.ts'
import type { FailureCode } from '#contract/failures/failures.ts'

/** Keys for the files of one subject, derived from its own. */
export interface CopyKeys {
  /** Digest of the subject's key, hex: a record that begins under another key refuses the copies. */
  readonly under: string
  readonly content: Uint8Array
  readonly name: Uint8Array
}

export interface KeptPlain {
  readonly operator: string
  readonly field: string
  /** Before the request was sent. */
  readonly when: 'before'
}
export interface KeptSealed {
  readonly type: DocumentType
  readonly bytes: number
  /** Hex. */
  readonly sha256: string
  /** Of its file. */
  readonly name: string
}
export interface MissedPlain {
  readonly field: string
  /** The code of the failure. */
  readonly reason: FailureCode
}

/** What was copied, and what could not be, before a record begins. */
export interface CopiedDocuments extends Pick<CopyKeys, 'under'> {
  readonly kept: readonly (KeptSealed & { readonly field: string })[]
  readonly missed: readonly MissedPlain[]
}

/** A copy and the keys that open it. */
export interface KeptFile extends KeptSealed {
  /** Unix milliseconds. */
  readonly at: number
  readonly keys: CopyKeys
}
