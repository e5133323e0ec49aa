/**
 * Data management: backups, the recovery key, retention, legal holds, erasure, exports. All times are Unix milliseconds, all sizes bytes.
 */
import { z } from 'zod'
import type { Failure } from './failures.ts'
import { rule } from './field-issues.ts'
import type { OperationId } from './operations.ts'
import { maxApplicantIdLength } from './verification.ts'
import { historyFilterSchema, type HistoryState } from './records.ts'

const applicantId = z.string().min(1).max(maxApplicantIdLength)
const reason = z.string().trim().min(1, rule('reason-missing')).max(2000)

// --- backups -------------------------------------------------------------------------------------

/** A backup's folder name: its time in UTC and four hex digits. */
export const backupIdSchema = z.string().regex(/^\d{8}T\d{9}Z-[0-9a-f]{4}$/)
export const backupSchema = z.strictObject({ id: backupIdSchema })

/** A kept backup. One that was not verified is never listed as whole. */
export interface Backup {
  readonly id: string
  readonly at: number
  /** Of both files together. */
  readonly bytes: number
  readonly events: number
  readonly records: number
  /** The chain's head in it, hex. */
  readonly head: string
  /** `whole`: as it was verified. `invalid`: its files are not those that were verified; `unreadable`: it cannot be read at all. */
  readonly state: 'whole' | 'invalid' | 'unreadable'
  /** Why it is invalid or unreadable. */
  readonly failure?: Failure
}

export interface BackupList {
  readonly folder: string
  /** Newest first. */
  readonly backups: readonly Backup[]
  /** When the last one by schedule failed, why; absent once one has succeeded. */
  readonly lastFailure?: Failure
}

export interface Restored {
  /** The folder in which the files that were there before are kept; absent where there were none. */
  readonly setAside?: string
  /** Keys of applicants and of single wordings that were destroyed after the backup was made, and stay destroyed. */
  readonly erasedAgain: number
  /** What is held until a person confirms, because it may have been sent since the backup was made. */
  readonly held: {
    /** Whether the files that were set aside say all that was sent. */
    readonly known: boolean
    /** Different checks that they say were sent. */
    readonly sent: number
    readonly batches: number
    /** Rows of those batches whose outcome is unknown now. */
    readonly rows: number
  }
  readonly history: HistoryState
}

// --- recovery key --------------------------------------------------------------------------------

export interface RecoveryState {
  /** Whether a sealed copy of the master key lies in the history folder. */
  readonly exists: boolean
  readonly createdAt?: number
  /** Whether somebody has shown that a copy of the key exists. */
  readonly confirmed: boolean
}
/** Of the key that was made at that moment. */
export const recoveryConfirmSchema = z.strictObject({ createdAt: z.number().int().nonnegative() })

/** The one answer that carries a secret: shown once, to be copied by the person, and stored nowhere. */
export interface RecoveryKey {
  /** 56 characters in groups of four separated by dashes; the end of it is a checksum. */
  readonly key: string
  readonly createdAt: number
}
export const recoveryOpenSchema = z.strictObject({ key: z.string().min(1).max(500) })

// --- retention -----------------------------------------------------------------------------------

export const maxRetentionDays = 36_500
/** Days by connection id; a connection that is not named keeps its records indefinitely. */
export const retentionDaysSchema = z.record(z.string().max(64), z.number().int().min(1).max(maxRetentionDays))

/** A subject (an applicant, or a check that names none) whose every record is past its connection's days. */
export interface RetentionLine {
  /** Absent where the checks name no applicant. */
  readonly applicantId?: string
  readonly records: number
  readonly oldest: number
  readonly newest: number
  readonly connections: readonly string[]
  /** A legal hold keeps it, whatever its age. */
  readonly held: boolean
}

/** What a run would erase now. Nothing is changed by looking. */
export interface RetentionPlan {
  readonly at: number
  /** At most `maxRetentionLines`, oldest first; the totals count all. */
  readonly lines: readonly RetentionLine[]
  readonly subjects: number
  readonly records: number
  readonly heldSubjects: number
  readonly heldRecords: number
}
export const maxRetentionLines = 1000

export const retentionRunSchema = z.strictObject({
  /** The plan's totals as the person saw them: where they differ now, nothing is erased. */
  subjects: z.number().int().nonnegative(),
  records: z.number().int().nonnegative(),
  reason
})

// --- legal hold ----------------------------------------------------------------------------------

export const holdSchema = z.strictObject({ applicantId, reason })
export interface LegalHold {
  readonly applicantId: string
  readonly reason: string
  readonly at: number
  readonly by: string
}

// --- erasure -------------------------------------------------------------------------------------

export const erasureSchema = z.strictObject({ applicantId })
export const erasureRunSchema = z.strictObject({
  applicantId,
  /** The applicant id, typed once more. */
  confirmation: z.string().max(maxApplicantIdLength),
  reason
})

/** Records that are named one by one, newest first; the total counts the others as well. */
export const maxMentions = 200
/** A record of somebody else, or of nobody, whose request or response holds the id. */
export interface MentioningRecord {
  readonly id: string
  readonly startedAt: number
  readonly operation: OperationId
  /** Whose record it is, where it names an applicant. */
  readonly applicantId?: string
  /** It names no applicant, so that it can be linked, and then goes with the erasure. */
  readonly linkable: boolean
}
/** Where the id stands in what would stay: the erasure does not reach it. */
export interface Mentions {
  readonly total: number
  readonly records: readonly MentioningRecord[]
  /** Notes, decisions and reasons that belong to others. */
  readonly notes: number
  /** Rows of batches that belong to others. */
  readonly batchRows: number
  /** Not everything was looked through: there may be more. */
  readonly more: boolean
}

export interface ErasurePreview {
  readonly applicantId: string
  readonly records: number
  /** Checks that name no applicant and were linked to this one; they go with it. */
  readonly linked: number
  readonly batchRows: number
  readonly oldest: number
  readonly newest: number
  /** The hold that forbids it. */
  readonly hold?: LegalHold
  /** Kept backups that hold the key and will be rewritten. */
  readonly backups: number
  readonly mentions: Mentions
  /** Files of interrupted exports that could not be removed so far: their paths. They may hold anybody's data. */
  readonly leftovers: readonly string[]
}

/** What was erased, without a word about whom. */
export interface ErasureReceipt {
  /** UUID of the erasure. */
  readonly id: string
  readonly at: number
  /** Absent where the audit trail that names the person was replaced. */
  readonly by?: string
  readonly cause: 'request' | 'retention'
  /** Numbers of the erased subjects in this history, none where it was replaced; say nothing by themselves. */
  readonly subjects: readonly number[]
  readonly records: number
  readonly batchRows: number
  readonly backupsRewritten: number
  /** Copies that could not be opened and so may still hold a key: folder names. */
  readonly copiesNotReached: readonly string[]
  /** Kept copies are still to be cleared: at the next start at the latest. */
  readonly copiesPending?: boolean
  /** Number and hash of the event that stands in the chain for it. */
  readonly event: number
  readonly head: string
  /** The event is in a audit trail that a restore or a new history replaced; its files were set aside. */
  readonly replaced?: boolean
}

// --- exports -------------------------------------------------------------------------------------

export const exportFormats = ['csv', 'jsonl'] as const
export type ExportFormat = (typeof exportFormats)[number]
export const exportHistorySchema = z.strictObject({
  /** Chosen by the window, so that its progress can be followed and it can be stopped. */
  exportId: z.uuid(),
  filter: historyFilterSchema,
  format: z.enum(exportFormats)
})
export const exportApplicantsSchema = z.strictObject({ exportId: z.uuid(), format: z.enum(exportFormats) })
export const exportStopSchema = z.strictObject({ exportId: z.uuid() })

export interface Exported {
  readonly path: string
  readonly rows: number
  readonly bytes: number
  readonly sha256: string
  /** The chain's head that the file names. */
  readonly head: { readonly seq: number; readonly hash: string }
}
/** Told about four times a second. `total` is absent where it is not known beforehand. */
export interface ExportProgress {
  readonly exportId: string
  readonly done: number
  readonly total?: number
}
