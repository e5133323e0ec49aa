/** Packs about many people at once, for an authority that orders them. */
import { z } from 'zod'
import { applicantIdSchema } from '../applicants/applicant-id.ts'
import type { Failure } from '../failures/failures.ts'
import type { PackDocuments } from './evidence.ts'

/** People of one export. */
export const maxAuthorityPersons = 10_000

export const authorityExportSchema = z.strictObject({
  applicantIds: z.array(applicantIdSchema).min(1).max(maxAuthorityPersons),
  /** Who gets it, and by which law or order. Sealed with the data of each person. */
  recipient: z.string().trim().min(1).max(500),
  basis: z.string().trim().min(1).max(2000),
  documents: z.boolean()
})
export type AuthorityOrder = z.output<typeof authorityExportSchema>
/** Who gets a pack, and by which law or order. */
export type Receiver = Pick<AuthorityOrder, 'recipient' | 'basis'>

/** What became of one ID. */
export interface AuthorityEntry {
  readonly id: string
  /** `not-found`: no applicant here has the ID, or the person was erased. `not-packed`: `failure` says why. */
  readonly result: 'packed' | 'not-found' | 'not-packed'
  readonly file?: string
  readonly sha256?: string
  readonly records?: number
  readonly documents?: PackDocuments
  readonly failure?: Failure
}
export interface AuthorityExport {
  readonly folder: string
  /** Its table; written last, so that a folder without one is unfinished. */
  readonly index: string
  readonly entries: readonly AuthorityEntry[]
}
