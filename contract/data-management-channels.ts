/** The part of the surface that keeps, proves and lets go: requests with their size limits, and their answers. */
import { z } from 'zod'
import {
  caseListSchema,
  countersignSchema,
  evidenceMakeSchema,
  saveVerifierSchema,
  type CountersignedCase,
  type EvidenceKey,
  type EvidenceMade,
  type EvidenceVerdict,
  type OpenedCase
} from './evidence.ts'
import {
  backupSchema,
  erasureRunSchema,
  erasureSchema,
  exportApplicantsSchema,
  exportHistorySchema,
  exportStopSchema,
  holdSchema,
  recoveryConfirmSchema,
  recoveryOpenSchema,
  retentionRunSchema,
  type Backup,
  type BackupList,
  type ErasurePreview,
  type ErasureReceipt,
  type Exported,
  type LegalHold,
  type RecoveryKey,
  type RecoveryState,
  type Restored,
  type RetentionPlan
} from './data-management.ts'
import type { HistoryState } from './records.ts'

const nothing = z.undefined()
const kibibyte = 1024

export const dataManagementChannels = {
  'backups.list': { input: nothing, maxBytes: kibibyte },
  'backups.create': { input: nothing, maxBytes: kibibyte },
  'backups.check': { input: backupSchema, maxBytes: kibibyte },
  'backups.restore': { input: backupSchema, maxBytes: kibibyte },
  'recovery.state': { input: nothing, maxBytes: kibibyte },
  'recovery.create': { input: nothing, maxBytes: kibibyte },
  'recovery.confirm': { input: recoveryConfirmSchema, maxBytes: kibibyte },
  'recovery.open': { input: recoveryOpenSchema, maxBytes: 2 * kibibyte },
  'retention.plan': { input: nothing, maxBytes: kibibyte },
  'retention.run': { input: retentionRunSchema, maxBytes: 16 * kibibyte },
  'holds.list': { input: nothing, maxBytes: kibibyte },
  'holds.place': { input: holdSchema, maxBytes: 16 * kibibyte },
  'holds.lift': { input: holdSchema, maxBytes: 16 * kibibyte },
  'erasure.preview': { input: erasureSchema, maxBytes: 4 * kibibyte },
  'erasure.run': { input: erasureRunSchema, maxBytes: 16 * kibibyte },
  'erasure.receipts': { input: nothing, maxBytes: kibibyte },
  'erasure.saveReceipt': { input: z.strictObject({ id: z.uuid() }), maxBytes: kibibyte },
  'exports.history': { input: exportHistorySchema, maxBytes: 32 * kibibyte },
  'exports.applicants': { input: exportApplicantsSchema, maxBytes: kibibyte },
  'exports.stop': { input: exportStopSchema, maxBytes: kibibyte },
  'evidence.create': { input: evidenceMakeSchema, maxBytes: 4 * kibibyte },
  'evidence.check': { input: nothing, maxBytes: kibibyte },
  'evidence.publicKey': { input: nothing, maxBytes: kibibyte },
  'evidence.savePublicKey': { input: nothing, maxBytes: kibibyte },
  'evidence.saveVerifier': { input: saveVerifierSchema, maxBytes: kibibyte },
  'cases.open': { input: nothing, maxBytes: kibibyte },
  'cases.countersign': { input: countersignSchema, maxBytes: 16 * kibibyte },
  'cases.import': { input: nothing, maxBytes: kibibyte },
  'cases.list': { input: caseListSchema, maxBytes: 4 * kibibyte }
} as const

/** Where an answer may be null, the person was asked for a file or a place and chose none. */
export interface DataManagementAnswers {
  'backups.list': BackupList
  'backups.create': Backup
  'backups.check': Backup
  /** The present files are set aside, not deleted; the history is open again afterwards. */
  'backups.restore': Restored
  'recovery.state': RecoveryState
  /** Shown once. A key that was made before is void from now on. */
  'recovery.create': RecoveryKey
  'recovery.confirm': RecoveryState
  'recovery.open': HistoryState
  'retention.plan': RetentionPlan
  'retention.run': ErasureReceipt
  'holds.list': readonly LegalHold[]
  'holds.place': readonly LegalHold[]
  'holds.lift': readonly LegalHold[]
  'erasure.preview': ErasurePreview
  'erasure.run': ErasureReceipt
  /** Newest first. */
  'erasure.receipts': readonly ErasureReceipt[]
  'erasure.saveReceipt': { readonly path: string } | null
  'exports.history': Exported | null
  'exports.applicants': Exported | null
  /** False where it had ended already. */
  'exports.stop': boolean
  'evidence.create': EvidenceMade | null
  'evidence.check': EvidenceVerdict | null
  'evidence.publicKey': EvidenceKey
  'evidence.savePublicKey': { readonly path: string } | null
  'evidence.saveVerifier': { readonly path: string } | null
  'cases.open': OpenedCase | null
  'cases.countersign': { readonly path: string } | null
  'cases.import': CountersignedCase | null
  'cases.list': readonly CountersignedCase[]
}
