/** The part of the history's port that keeps, proves and lets go. */
import type { BackupStore } from './backup/store.ts'
import type { EvidenceStore } from './evidence/store.ts'
import type { ExportStore } from './exports/store.ts'
import type { RetentionStore } from './retention/store.ts'

export interface KeepingStore {
  readonly backup: BackupStore
  readonly retention: RetentionStore
  readonly exporting: ExportStore
  readonly evidence: EvidenceStore
}
