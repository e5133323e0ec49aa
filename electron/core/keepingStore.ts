/** The part of the history's port that keeps, proves and lets go. */
import type { BackupStore } from './backup/store.ts'

export interface KeepingStore {
  readonly backup: BackupStore
}
