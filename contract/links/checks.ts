/**
 * Checks of links before a paid verification: whether the service will find a usable document behind each. A check asks
 * the servers of the links, never the eKYC service, and blocks nothing: a person decides.
 */
import type { SeenDocument } from '../documents/documents.ts'
import type { Failure, LinkFinding } from '../failures/failures.ts'
import type { OperationId } from '../verification/operations.ts'

/** The links of a form as they are now. */
export interface LinkCheckOrder {
  readonly connectionId: string
  readonly operation: OperationId
  readonly input: Readonly<Record<string, string>>
  /** The applicant on whose page the form is, for an operation that names none. */
  readonly applicantId?: string | undefined
}

/** An earlier record of the same connection whose link had the same file when it was checked. */
export interface SameFile {
  readonly recordId: string
  /** Unix milliseconds. */
  readonly startedAt: number
  readonly applicantId?: string
}

/** What a check found behind one link. */
export interface LinkCheck {
  readonly field: string
  readonly document?: SeenDocument & { readonly width?: number; readonly height?: number }
  /** Why there is no document. */
  readonly failure?: Failure
  readonly findings: readonly LinkFinding[]
  /** The newest one; of another applicant if there is one. */
  readonly sameFile?: SameFile
}

/** Whether a person should look before sending. */
export const standsOut = ({ failure, findings }: Pick<LinkCheck, 'failure' | 'findings'>): boolean =>
  failure !== undefined || findings.length > 0
