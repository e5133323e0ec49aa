/** The history's interface for backups, with and without an open history. */
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import type { SinceBackup } from '#contract/data-management/since-backup.ts'
import type { KnownHead } from './audit-walk.ts'

/** Two files that were checked completely and found intact. */
export interface CheckedCopy {
  readonly events: number
  readonly records: number
  /** Head of the chain, hex. */
  readonly head: string
  /** SHA-256 of history.db, hex; this file does not change again. */
  readonly sha256: string
  readonly bytes: number
  /** The sealed files of documents that it names; `names` is the SHA-256 (hex) over their sorted names, a line each. */
  readonly documents: { readonly count: number; readonly bytes: number; readonly names: string }
}

export interface BackupStore {
  /**
   * Copies both files, as they are at one moment, into an empty folder and checks the copies. The history can be read
   * and written meanwhile. Needs the disk space of a second copy while it runs. Failures: `backup-failed`,
   * `disk-full`, `history-not-on-file`.
   */
  make(folder: string): Promise<Result<CheckedCopy, Failure>>
  /** What the history contains since an event, a backup's last one; null if it does not contain that event. */
  since(head: KnownHead): Promise<Result<SinceBackup | null, Failure>>
}

/** A restored copy that is not in place yet, and the files that may contain requests sent since its backup. */
export interface RestoreOrder {
  /** The copy's folder. */
  readonly folder: string
  /** 32 bytes, or 64 hex digits. */
  readonly masterKey: string | Uint8Array
  /** When the backup was created, and when it is restored; Unix milliseconds. */
  readonly backupAt: number
  readonly now: number
  /** The last event of the backup, its hash in hex, and its number of records. */
  readonly head: { readonly seq: number; readonly hash: string; readonly records: number }
  /** Folders of histories that may have been written to since the backup. */
  readonly candidates: readonly string[]
  /** Digests of the keys that were destroyed, hex. */
  readonly erased: readonly string[]
}

/** What a restored copy holds for confirmation. */
export interface HeldRestore {
  /** Whether every request since the backup is known. */
  readonly known: boolean
  /** Number of distinct verifications that other files contain since the backup. */
  readonly sent: number
  readonly batches: number
  /** Rows of these batches that became unknown. */
  readonly rows: number
  /** What the history that was replaced contains since the backup; absent if it did not open, or does not continue from it. */
  readonly since?: SinceBackup
}

/** Calls that need no open history; they use files other than the current ones. Keys stay the caller's. */
export interface CopyStore {
  /** Creates a verified backup from byte copies of the files. Failures: `backup-failed`, `disk-full`. */
  rewrite(from: string, to: string, masterKey: string | Uint8Array): Promise<Result<CheckedCopy, Failure>>
  /** Checks a copy completely: every page, the whole chain, the anchor, the keys. Failure: `backup-invalid`. */
  check(folder: string, masterKey: string | Uint8Array): Promise<Result<CheckedCopy, Failure>>
  /** Number of these destroyed keys that a copy of subjects.db still holds. Failure: as `forget`. */
  holds(file: string, masterKey: string | Uint8Array, digests: readonly string[]): Promise<Result<number, Failure>>
  /**
   * Removes subjects from a copy of subjects.db, leaving no byte of their keys.
   *
   * @param digests Hex digests of destroyed keys, from `keyDigest`.
   * @returns The number removed. Failure: `backup-invalid` if the file does not open with this key.
   */
  forget(file: string, masterKey: string | Uint8Array, digests: readonly string[]): Promise<Result<number, Failure>>
  /**
   * Those of some names of files of documents that the history in a folder has, erased ones included. Failure: `backup-invalid` if it does
   * not open with this key.
   */
  names(
    folder: string,
    masterKey: string | Uint8Array,
    files: readonly string[]
  ): Promise<Result<readonly string[], Failure>>
  /** Holds everything in a restored copy that could send again. Failures: those of opening the copy. */
  hold(order: RestoreOrder): Promise<Result<HeldRestore, Failure>>
  end(): void
}
