/** A table of relationships, risk classes and expiry dates of applicants, such as another system writes. */
import { z } from 'zod'
import type { FieldFault } from '../failures/failures.ts'

/** Its headings, in any order; a cell that is empty changes nothing. */
export const importColumns = ['applicant_id', 'relationship', 'on', 'risk', 'document', 'document_expires'] as const
export type ImportColumn = (typeof importColumns)[number]

/** Characters of a table. */
export const maxImportText = 64 * 1024 * 1024
/** Lines with a fault that are named one by one; their number counts all. */
export const maxImportFaults = 1000

export const applicantImportSchema = z.strictObject({
  /** Comma, semicolon or tab between cells. */
  text: z.string().max(maxImportText),
  /** Says what would change, and changes nothing. */
  dryRun: z.boolean()
})

export interface ImportFault {
  /** From 1, the headings included. */
  readonly line: number
  readonly column: ImportColumn
  readonly fault: FieldFault
}

export interface ApplicantsImported {
  /** Below the headings, without empty ones. */
  readonly lines: number
  readonly changed: number
  readonly same: number
  /** If there are any, nothing is changed. At most `maxImportFaults`, in the order of the lines. */
  readonly faults: readonly ImportFault[]
  readonly faulty: number
}
