/** Channels of backups, retention, erasure, exports and evidence. Null: the user cancelled a file dialog. */
import { z } from 'zod'
import { maxBatchText } from '../batches/rows.ts'
import {
  applicantDataSaveSchema,
  applicantDataSchema,
  backupSchema,
  erasureRunSchema,
  erasureSchema,
  exportApplicantsSchema,
  exportAuditSchema,
  exportBatchesSchema,
  exportCatalogueSchema,
  exportHistorySchema,
  exportStopSchema,
  holdSchema,
  liftSchema,
  recoveryConfirmSchema,
  recoveryOpenSchema,
  retentionRunSchema,
  type ApplicantData,
  type ExplanationLetter,
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
import {
  caseAnswerSchema,
  caseAskSchema,
  maxApprovalText,
  evidenceAboutSchema,
  evidenceMakeSchema,
  saveVerifierSchema,
  type EvidenceKey,
  type EvidenceMade,
  type EvidenceVerdict,
  type ImportedApproval,
  type OpenedCase
} from '../evidence/evidence.ts'
import { authorityExportSchema, type AuthorityExport } from '../evidence/authority.ts'
import { visitSchema } from '../evidence/audit.ts'
import type { CopiedFiles } from '../documents/documents.ts'
import type { HistoryState } from '../history/records.ts'
import type { SinceBackup } from './since-backup.ts'
import type { CopyAmount } from '../documents/documents.ts'
import { channel, kibibyte, nothing, type SavedFile } from '../ipc/channel.ts'

export const dataManagementChannels = {
  'backups.list': channel<BackupList>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'It lists times, sizes and counts of backups.' }
  }),
  'backups.create': channel<Backup>()({ input: nothing, maxBytes: kibibyte, late: 'take', leaves: ['export.made'] }),
  'backups.check': channel<Backup>()({
    input: backupSchema,
    maxBytes: kibibyte,
    late: 'take',
    leaves: ['evidence.verified']
  }),
  /** What restoring it would carry over or leave behind; null if that cannot be determined. */
  'backups.since': channel<SinceBackup | null>()({
    input: backupSchema,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'It returns numbers only.' }
  }),
  /** Sets the current files aside without deleting them; the history is open again afterwards. */
  'backups.restore': channel<Restored>()({
    input: backupSchema,
    maxBytes: kibibyte,
    late: 'take',
    leaves: ['setting.changed']
  }),
  /** Copies the sealed files of documents to a folder that the user chooses, as far as they are not there. */
  'backups.documents': channel<CopiedFiles | null>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: ['export.made'],
    when: 'A folder was chosen.'
  }),
  'recovery.state': channel<RecoveryState>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'It says whether there is a recovery key.' }
  }),
  /** Shown once. A previous key becomes invalid. */
  'recovery.create': channel<RecoveryKey>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: ['setting.changed']
  }),
  'recovery.confirm': channel<RecoveryState>()({
    input: recoveryConfirmSchema,
    maxBytes: kibibyte,
    late: 'take',
    leaves: ['setting.changed']
  }),
  'recovery.open': channel<HistoryState>()({
    input: recoveryOpenSchema,
    maxBytes: 2 * kibibyte,
    late: 'take',
    leaves: ['setting.changed']
  }),
  'retention.plan': channel<RetentionPlan>()({
    input: nothing,
    maxBytes: kibibyte,
    views: () => ({ what: 'retention' })
  }),
  'retention.run': channel<ErasureReceipt>()({
    input: retentionRunSchema,
    maxBytes: 16 * kibibyte,
    late: 'take',
    leaves: ['subject.erased']
  }),
  'holds.list': channel<readonly LegalHold[]>()({
    input: z.strictObject({ visit: visitSchema }),
    maxBytes: kibibyte,
    views: () => ({ what: 'holds' })
  }),
  'holds.place': channel<readonly LegalHold[]>()({
    input: holdSchema,
    maxBytes: 16 * kibibyte,
    leaves: ['hold.placed']
  }),
  'holds.lift': channel<readonly LegalHold[]>()({
    input: liftSchema,
    maxBytes: 16 * kibibyte,
    leaves: ['hold.lifted']
  }),
  'erasure.preview': channel<ErasurePreview>()({
    input: erasureSchema,
    maxBytes: 4 * kibibyte,
    views: ({ applicantId }) => ({ what: 'erasure', about: { applicantId } })
  }),
  'erasure.run': channel<ErasureReceipt>()({
    input: erasureRunSchema,
    maxBytes: 16 * kibibyte,
    late: 'take',
    leaves: ['subject.erased']
  }),
  /** Newest first. */
  'erasure.receipts': channel<readonly ErasureReceipt[]>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'A receipt contains no personal data.' }
  }),
  'erasure.saveReceipt': channel<SavedFile>()({
    input: z.strictObject({ id: z.uuid() }),
    maxBytes: kibibyte,
    late: 'take',
    leaves: ['export.made']
  }),
  'exports.history': channel<Exported | null>()({
    input: exportHistorySchema,
    maxBytes: 96 * kibibyte,
    late: 'take',
    leaves: ['export.made']
  }),
  'exports.applicants': channel<Exported | null>()({
    input: exportApplicantsSchema,
    maxBytes: 512 * kibibyte,
    late: 'take',
    leaves: ['export.made']
  }),
  'exports.batches': channel<Exported | null>()({
    input: exportBatchesSchema,
    maxBytes: 64 * kibibyte,
    late: 'take',
    leaves: ['export.made']
  }),
  'exports.catalogue': channel<Exported | null>()({
    input: exportCatalogueSchema,
    maxBytes: 32 * kibibyte,
    late: 'take',
    leaves: ['export.made']
  }),
  /** The events of a filter, oldest first, up to the last one at the start. */
  'exports.audit': channel<Exported | null>()({
    input: exportAuditSchema,
    maxBytes: 8 * kibibyte,
    late: 'take',
    leaves: ['export.made']
  }),
  /** All requests about an applicant, their answers and the copies of documents, as *Data of the applicant* would save them. */
  'exports.readApplicantData': channel<ApplicantData>()({
    input: applicantDataSchema,
    maxBytes: 4 * kibibyte,
    views: ({ applicantId }) => ({ what: 'applicant', about: { applicantId } })
  }),
  'exports.applicantData': channel<Exported | null>()({
    input: applicantDataSaveSchema,
    maxBytes: 4 * kibibyte,
    late: 'take',
    leaves: ['export.made']
  }),
  /** The letter that explains the standing decision to the applicant, as it would be saved. Failures: `letter-not-saved`. */
  'exports.readLetter': channel<ExplanationLetter>()({
    input: applicantDataSchema,
    maxBytes: 4 * kibibyte,
    views: ({ applicantId }) => ({ what: 'applicant', about: { applicantId } })
  }),
  'exports.letter': channel<Exported | null>()({
    input: applicantDataSaveSchema,
    maxBytes: 4 * kibibyte,
    late: 'take',
    leaves: ['export.made']
  }),
  /** False if it had already ended. */
  'exports.stop': channel<boolean>()({
    input: exportStopSchema,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'A stopped export leaves no file.' }
  }),
  'evidence.create': channel<EvidenceMade | null>()({
    input: evidenceMakeSchema,
    maxBytes: 4 * kibibyte,
    leaves: ['pack.made', 'export.made'],
    // An applicant's timeline names its packs.
    announces: (_, made) => (made ? 'data-management-changed' : undefined)
  }),
  /** The copies of documents that would go with a pack. */
  'evidence.documents': channel<CopyAmount>()({
    input: evidenceAboutSchema,
    maxBytes: 4 * kibibyte,
    leaves: { none: 'A number and a size; the page that asks is recorded.' }
  }),
  /** A pack for each person, in a new or empty folder that the user chooses. Null if cancelled. */
  'evidence.authority': channel<AuthorityExport | null>()({
    input: authorityExportSchema,
    maxBytes: 8 * 1024 * kibibyte,
    late: 'take',
    leaves: ['pack.made', 'export.made'],
    announces: (_, made) => (made ? 'data-management-changed' : undefined)
  }),
  'evidence.check': channel<EvidenceVerdict | null>()({
    input: nothing,
    maxBytes: kibibyte,
    leaves: ['evidence.verified']
  }),
  /** Verifies the text of a pack that was dropped; files that it names are not looked for. */
  'evidence.checkText': channel<EvidenceVerdict>()({
    input: z.strictObject({ name: z.string().max(255), text: z.string().max(maxBatchText) }),
    maxBytes: 3 * maxBatchText,
    leaves: ['evidence.verified']
  }),
  'evidence.publicKey': channel<EvidenceKey>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'A public key contains no personal data.' }
  }),
  'evidence.savePublicKey': channel<SavedFile>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'A public key contains no personal data.' }
  }),
  'evidence.saveVerifier': channel<SavedFile>()({
    input: saveVerifierSchema,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'The verifier is public.' }
  }),
  'cases.open': channel<OpenedCase | null>()({ input: nothing, maxBytes: kibibyte, leaves: ['view.opened'] }),
  'cases.ask': channel<EvidenceMade | null>()({
    input: caseAskSchema,
    maxBytes: 16 * kibibyte,
    leaves: ['approval.asked', 'pack.made', 'export.made'],
    announces: (_, made) => (made ? 'evidence-changed' : undefined)
  }),
  'cases.answer': channel<SavedFile>()({
    input: caseAnswerSchema,
    maxBytes: 16 * kibibyte,
    leaves: ['approval.answered']
  }),
  /** From a file that the user chooses, or the text of one that was dropped. */
  'cases.import': channel<ImportedApproval | null>()({
    input: z.strictObject({ text: z.string().max(maxApprovalText).optional() }),
    maxBytes: 4 * maxApprovalText,
    leaves: ['approval.received'],
    announces: (_, imported) => (imported ? 'evidence-changed' : undefined)
  })
}
