/** The part of the history's port that keeps, proves and lets go. */
import type { BackupStore } from './backup.ts'
import type { EvidenceStore } from './evidence.ts'
import type { ExportStore } from './exports.ts'
import type { RetentionStore } from './erasure.ts'

export interface DataManagementStore {
  readonly backup: BackupStore
  readonly retention: RetentionStore
  readonly exporting: ExportStore
  readonly evidence: EvidenceStore
}
