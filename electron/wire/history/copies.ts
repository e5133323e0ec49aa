/** Copies of documents: what core tells the history of them, and the events that record them. */
import type { CopyFault, CopyTime, DocumentType } from '#contract/documents/documents.ts'
import type { FailureCode } from '#contract/failures/failures.ts'
import type { OperationId } from '#contract/verification/operations.ts'

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
  readonly when: CopyTime
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
  readonly kept: readonly (KeptSealed & CopySpeed & { readonly field: string })[]
  readonly missed: readonly MissedPlain[]
}

/** What estimates of copies are made from; in no event. */
export interface CopySpeed {
  /** Milliseconds in which the document was fetched and sealed; absent where that was not measured. */
  readonly took?: number
}

/** A copy for a record that has begun, sealed `under` the key of its subject. */
export interface LaterCopy extends KeptSealed, CopySpeed, Pick<CopyKeys, 'under'> {
  readonly recordId: string
  readonly field: string
  readonly when: Exclude<CopyTime, 'before'>
}

/** A document of a row whose record has begun without a copy. */
export interface WantedCopy {
  readonly recordId: string
  readonly field: string
  readonly batchId: string
  readonly row: number
  readonly operation: OperationId
  /** Of the row, with its whole links. */
  readonly cells: readonly string[]
  readonly keys: CopyKeys
  /** The copy that the row has from an earlier attempt. */
  readonly earlier?: KeptSealed
}

/** What copies of a row are sealed with, before its record begins, and those that it has from earlier attempts, by field. */
export interface RowCopies {
  readonly keys: CopyKeys
  readonly earlier: Readonly<Record<string, KeptSealed>>
}

/** The form of a sealed file: its head, the document and its length in whole blocks, and the tag. */
export const sealedForm = { magic: 'VDCOPY01', nonce: 12, salt: 16, length: 4, block: 64 * 1024, tag: 16 } as const

/** Bytes of the sealed file of a document: they tell only the number of blocks. */
export function sealedBytes(document: number): number {
  const { magic, nonce, salt, length, block, tag } = sealedForm
  return magic.length + nonce + Math.ceil((salt + length + document) / block) * block + tag
}

/** A sealed file, and what its content is checked with. */
export interface CheckedFile {
  readonly name: string
  readonly keys: CopyKeys
}

/** What a check found of a file; without a fault it is as it was sealed. */
export interface FoundFile {
  readonly name: string
  readonly fault?: CopyFault
}

/** Numbers of files; `checked` includes those with a fault. */
export interface CheckedCounts {
  readonly checked: number
  readonly missing: number
  readonly damaged: number
}

/** A copy and the keys that open it. */
export interface KeptFile extends KeptSealed {
  readonly when: CopyTime
  /** What was last found of it. */
  readonly fault?: CopyFault
  /** Unix milliseconds. */
  readonly at: number
  readonly keys: CopyKeys
}
