/**
 * Data management: backups, the recovery key, retention, legal holds, erasure, exports. All times are Unix
 * milliseconds, all sizes bytes.
 */
import { catalogueQuerySchema } from '../applicants/applicants.ts'
import { auditFilterSchema } from '../evidence/audit.ts'
import { batchListQuerySchema } from '../batches/batches.ts'
import { z } from 'zod'
import type { Failure } from '../failures/failures.ts'
import { rule } from '../verification/field-issues.ts'
import { civilDateSchema, type Relationship } from '../applicants/relationships.ts'
import type { OperationId } from '../verification/operations.ts'
import type { TeamErasure } from '../team/erasures.ts'
import { maxApplicantIdLength } from '../verification/verification.ts'
import type { SinceBackup } from './since-backup.ts'
import type { HistoryState } from '../history/records.ts'
import { historyFilterSchema } from '../history/queries.ts'

const applicantId = z.string().min(1).max(maxApplicantIdLength)
const reason = z.string().trim().min(1, rule('reason-missing')).max(2000)

// --- backups -------------------------------------------------------------------------------------

/** A backup's folder name: its time in UTC and four hex digits. */
export const backupIdSchema = z.string().regex(/^\d{8}T\d{9}Z-[0-9a-f]{4}$/)
export const backupSchema = z.strictObject({ id: backupIdSchema })

/** A backup. One that was not verified is never listed as whole. */
export interface Backup {
  readonly id: string
  readonly at: number
  /** Total of both files. */
  readonly bytes: number
  readonly events: number
  readonly records: number
  /** Head of the chain in the backup, hex. */
  readonly head: string
  /** Copies of documents that it names. Their sealed files are in `documents/`, not in the backup. */
  readonly documents: number
  /** `whole`: as verified. `invalid`: the files are not those that were verified; `unreadable`: it cannot be read. */
  readonly state: 'whole' | 'invalid' | 'unreadable'
  /** Why it is invalid or unreadable. */
  readonly failure?: Failure
}

export interface BackupList {
  readonly folder: string
  /** Newest first. */
  readonly backups: readonly Backup[]
  /** Why the last scheduled backup failed; absent once one has succeeded. */
  readonly lastFailure?: Failure
}

export interface Restored {
  /** The folder with the previous files; absent if there were none. */
  readonly setAside?: string
  /** Number of keys (of applicants and single messages) destroyed after the backup was created; they stay destroyed. */
  readonly erasedAgain: number
  /** What is held until a user confirms, because it may have been sent since the backup was created. */
  readonly held: {
    /** Whether the files that were set aside contain everything that was sent. */
    readonly known: boolean
    /** Number of distinct verifications that they contain. */
    readonly sent: number
    readonly batches: number
    /** Rows of these batches whose outcome is now unknown. */
    readonly rows: number
  }
  /** Copies of documents that the restored history has, and how many of their files are missing; absent if that cannot be determined. */
  readonly documents?: { readonly files: number; readonly missing: number }
  /** What the replaced history contains since the backup; absent if that cannot be determined. */
  readonly since?: SinceBackup
  readonly history: HistoryState
}

// --- recovery key --------------------------------------------------------------------------------

export interface RecoveryState {
  /** Whether the history folder contains an encrypted copy of the master key. */
  readonly exists: boolean
  readonly createdAt?: number
  /** Whether the user has confirmed having a copy of the key. */
  readonly confirmed: boolean
  /** Whether the key is sealed for the organisation; `due`: a policy asks for it, and it is not. */
  readonly escrow?: 'sealed' | 'due'
}
/** Identifies the key by its creation time. */
export const recoveryConfirmSchema = z.strictObject({ createdAt: z.number().int().nonnegative() })

/** The only answer that contains a secret: shown once for the user to copy, and not stored. */
export interface RecoveryKey {
  /** 56 characters in groups of four separated by dashes; the last ones are a checksum. */
  readonly key: string
  readonly createdAt: number
  /** Fingerprint (hex) of the organisation's public key for which it was sealed. */
  readonly escrowedFor?: string
}
export const recoveryOpenSchema = z.strictObject({ key: z.string().min(1).max(500) })

// --- retention -----------------------------------------------------------------------------------

export const maxRetentionDays = 36_500
/** Days by connection id; `*` stands for all that are not listed, and for applicants without records. Without it, these are kept indefinitely. */
export const retentionDaysSchema = z.record(z.string().max(64), z.number().int().min(1).max(maxRetentionDays))

export const retentionStarts = ['newest-record', 'relationship'] as const
export const maxRetentionYears = 100

/** A subject (an applicant, or a verification that names none) of whom everything is past its retention. */
export interface RetentionLine {
  /** Absent if the verifications name no applicant. */
  readonly applicantId?: string
  readonly records: number
  readonly oldest: number
  readonly newest: number
  readonly connections: readonly string[]
  /** From which its years have passed; absent where the days of connections decided. */
  readonly relationship?: Relationship
  /** Retained whatever its age: by a legal hold, or by a colleague. */
  readonly held: boolean
  /** The colleague whose installation has a legal hold, a relationship that is not over for the years, or a newer verification. */
  readonly colleague?: string
}

/** What a retention run would erase now. Computing it changes nothing. */
export interface RetentionPlan {
  readonly at: number
  /** At most `maxRetentionLines`, oldest first; the totals count all. */
  readonly lines: readonly RetentionLine[]
  readonly subjects: number
  readonly records: number
  readonly heldSubjects: number
  readonly heldRecords: number
  /** Applicants without a recorded relationship, who are never due; absent if the relationship decides nothing. */
  readonly undated?: number
  /** Holds whose last day has passed, oldest first. They hold until a person lifts them. */
  readonly passed: readonly LegalHold[]
  /** Whom and what the run would erase, including lines beyond the maximum: SHA-256, hex. */
  readonly digest: string
}
/** Of a retention that counts from the relationship: numbers of applicants, and of legal holds. */
export interface RetentionDue {
  /** Past their years, not erased and under no hold. */
  readonly overdue: number
  /** Without a recorded relationship: never due. */
  readonly undated: number
  /** Holds whose last day has passed. */
  readonly passed: number
}
export const maxRetentionLines = 1000

export const retentionRunSchema = z.strictObject({
  /** Of the plan that was displayed: if it would erase anybody or anything else now, nothing is erased. */
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  reason
})

// --- data of the applicant -----------------------------------------------------------------------

export const applicantDataSchema = z.strictObject({ applicantId })
export const applicantDataSaveSchema = z.strictObject({
  applicantId,
  /** Of what was read: if the data is different now, nothing is saved. */
  digest: z.string().regex(/^[0-9a-f]{64}$/)
})
/** Whose, and the digest of what a person has read of it. */
export type ApplicantDataOrder = z.output<typeof applicantDataSaveSchema>
/** A part of the text: labels with their values. */
export interface ApplicantDataSection {
  readonly title: string
  readonly rows: readonly (readonly [label: string, value: string])[]
}
/** What the file with an applicant's data would have, for a person to read before it is saved. */
export interface ApplicantData {
  readonly requests: number
  readonly answers: number
  readonly copies: number
  /** Copies that are missing or damaged: they are named, and not in the file. */
  readonly unreadable: number
  /** Of the copies that are in the file. */
  readonly bytes: number
  /** The text of the PDF. */
  readonly sections: readonly ApplicantDataSection[]
  /** SHA-256, hex. */
  readonly digest: string
}

// --- letter of explanation -----------------------------------------------------------------------

/** What the letter would say, for a person to read before it is saved. */
export interface ExplanationLetter {
  readonly title: string
  readonly rows: ApplicantDataSection['rows']
  /** Wordings of the reasons, in their order. */
  readonly reasons: readonly string[]
  /** How to challenge the decision. */
  readonly challenge: string
  /** SHA-256, hex. */
  readonly digest: string
}

// --- legal hold ----------------------------------------------------------------------------------

export const liftSchema = z.strictObject({ applicantId, reason })
export const holdSchema = liftSchema.extend({
  /** The last day on which it holds, as the order says; a person lifts it all the same. */
  until: civilDateSchema.optional(),
  /** Of the order: its authority and number. */
  reference: z.string().trim().max(200).optional()
})
export type HoldDraft = z.output<typeof holdSchema>
export interface LegalHold {
  readonly applicantId: string
  readonly reason: string
  readonly until?: string
  readonly reference?: string
  readonly at: number
  readonly by: string
}

// --- erasure -------------------------------------------------------------------------------------

export const erasureSchema = z.strictObject({ applicantId })
export const erasureRunSchema = z.strictObject({
  applicantId,
  /** The applicant id, typed again. */
  confirmation: z.string().max(maxApplicantIdLength),
  reason
})

/** Records listed individually, newest first; the total includes the others. */
export const maxMentions = 200
/** A record of another applicant, or of none, whose request or response contains the id. */
export interface MentioningRecord {
  readonly id: string
  readonly startedAt: number
  readonly operation: OperationId
  /** The record's applicant, if it names one. */
  readonly applicantId?: string
  /** It names no applicant, so it can be linked and is then included in the erasure. */
  readonly linkable: boolean
}
/** Where the id occurs in data that the erasure does not remove. */
export interface Mentions {
  readonly total: number
  readonly records: readonly MentioningRecord[]
  /** Notes, decisions and reasons of others. */
  readonly notes: number
  /** Rows of batches of others. */
  readonly batchRows: number
  /** Not everything was searched: there may be more. */
  readonly more: boolean
}

export interface ErasurePreview {
  readonly applicantId: string
  readonly records: number
  /** Verifications without an applicant that were linked to this one; they are erased with it. */
  readonly linked: number
  readonly batchRows: number
  readonly oldest: number
  readonly newest: number
  /** The legal hold that prevents it. */
  readonly hold?: LegalHold
  /** The colleague whose legal hold prevents it. */
  readonly heldBy?: string
  /** Backups that contain the key and will be rewritten. */
  readonly backups: number
  readonly mentions: Mentions
  /** Other applicants whose IDs look like this one. They stay. */
  readonly lookAlikes: readonly string[]
  /** Paths of interrupted exports' files that could not be removed yet. They may contain anybody's data. */
  readonly leftovers: readonly string[]
}

/** What was erased, without identifying whose data it was. */
export interface ErasureReceipt {
  /** UUID of the erasure. */
  readonly id: string
  readonly at: number
  /** Absent if the audit trail that names the operator was replaced. */
  readonly by?: string
  readonly cause: 'request' | 'retention'
  /** Numbers of the erased subjects in this history, empty if it was replaced; they identify nobody by themselves. */
  readonly subjects: readonly number[]
  readonly records: number
  readonly batchRows: number
  /** Copies of documents whose files were deleted; absent for none. */
  readonly documents?: number
  /** Of these, files that could not be deleted, which nobody can open. */
  readonly documentsNotDeleted?: number
  readonly backupsRewritten: number
  /** Folder names of copies that could not be opened and may still contain a key. */
  readonly copiesNotReached: readonly string[]
  /** Copies still have to be cleared; at the next start at the latest. */
  readonly copiesPending?: boolean
  /** Number and hash of its event in the chain. */
  readonly event: number
  readonly head: string
  /** The event is in an audit trail that a restore or a new history replaced; its files were set aside. */
  readonly replaced?: boolean
  /** Who in the team has acknowledged it; absent without one, and where that is not known now. */
  readonly team?: TeamErasure
}

// --- exports -------------------------------------------------------------------------------------

export const exportFormats = ['csv', 'xlsx', 'jsonl'] as const
export type ExportFormat = (typeof exportFormats)[number]
/** Rows that can be selected one by one for an export or a change. */
export const maxSelectedRows = 1000
export const exportHistorySchema = z.strictObject({
  /** Chosen by the window, so that it can follow the progress and stop the export. */
  exportId: z.uuid(),
  filter: historyFilterSchema,
  /** Only these records, whatever the filter is. */
  ids: z.array(z.uuid()).min(1).max(maxSelectedRows).optional(),
  format: z.enum(exportFormats)
})
export const exportApplicantsSchema = z.strictObject({
  exportId: z.uuid(),
  /** Only these applicants. */
  ids: z.array(applicantId).min(1).max(maxSelectedRows).optional(),
  format: z.enum(exportFormats)
})
export const exportBatchesSchema = z.strictObject({
  exportId: z.uuid(),
  /** As in the list of batches. */
  search: batchListQuerySchema.shape.search,
  /** Only these batches. */
  ids: z.array(z.uuid()).min(1).max(maxSelectedRows).optional(),
  format: z.enum(exportFormats)
})
export type BatchExport = z.output<typeof exportBatchesSchema>
export const exportCatalogueSchema = z.strictObject({
  exportId: z.uuid(),
  filter: catalogueQuerySchema.pick({
    operations: true,
    statuses: true,
    meanings: true,
    fresh: true,
    month: true,
    merge: true,
    search: true,
    applicantId: true
  }),
  /** Only these messages, among those of the filter. */
  ids: z.array(z.number().int().positive()).min(1).max(maxSelectedRows).optional(),
  format: z.enum(exportFormats)
})
export type CatalogueExport = z.output<typeof exportCatalogueSchema>
export const exportAuditSchema = z.strictObject({
  exportId: z.uuid(),
  filter: auditFilterSchema,
  format: z.enum(exportFormats)
})
export const exportStopSchema = z.strictObject({ exportId: z.uuid() })

export interface Exported {
  readonly path: string
  readonly rows: number
  readonly bytes: number
  readonly sha256: string
  /** The head of the chain that the file contains. */
  readonly head: { readonly seq: number; readonly hash: string }
  /** Cells that were cut at the 32,767 characters that a cell of a workbook holds. */
  readonly cut: number
}
/** Sent about four times a second. `total` is absent if it is not known in advance. */
export interface ExportProgress {
  readonly exportId: string
  readonly done: number
  readonly total?: number
}
