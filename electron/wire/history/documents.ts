/** The history's interface for documents that checks of links saw. */
import type { SeenDocument } from '#contract/documents/documents.ts'
import type { Failure } from '#contract/failures/failures.ts'
import type { SameFile } from '#contract/links/checks.ts'
import type { Result } from '#contract/failures/result.ts'
import type { Hand } from './applicants.ts'

export interface DocumentStore {
  /** For each SHA-256 (hex), in order: the newest records of a connection for which a check saw that file. */
  seen(connectionId: string, files: readonly string[]): Promise<Result<readonly (readonly SameFile[])[], Failure>>
  /** Keeps a document with the record of its link. Failure: `record-missing`. */
  note(recordId: string, field: string, document: SeenDocument, by: Hand): Promise<Result<null, Failure>>
}
