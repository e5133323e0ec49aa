/** What backups ask of the history, and of a worker that has no history open. */
import type { Failure } from '#contract/failures.ts'
import type { Result } from '#contract/result.ts'

/** A pair of files that was read through and found whole. */
export interface CheckedCopy {
  readonly events: number
  readonly records: number
  /** The chain's head, hex. */
  readonly head: string
  /** SHA-256 of history.db, hex: it never changes again. */
  readonly sha256: string
  readonly bytes: number
}

export interface BackupStore {
  /**
   * Copies both files, as they are at one moment, into an empty folder and reads the copies through before it
   * answers. The history is read and written meanwhile. Needs the space of a second copy for as long as it
   * runs. Failures: `backup-failed`, `disk-full`, `keeping-not-on-file`.
   */
  make(folder: string): Promise<Result<CheckedCopy, Failure>>
}

/** A restored copy that has not taken its place, and the files that may know what was sent since its backup. */
export interface RestoreOrder {
  /** The copy's folder. */
  readonly folder: string
  /** 64 hex digits. */
  readonly masterKey: string
  /** When the backup was made, and when it is restored; Unix milliseconds. */
  readonly backupAt: number
  readonly now: number
  /** The last event of the backup, its hash in hex, and its records. */
  readonly head: { readonly seq: number; readonly hash: string; readonly records: number }
  /** Folders of histories that may have been written to since the backup. */
  readonly candidates: readonly string[]
}

/** What a restored copy holds back. */
export interface HeldRestore {
  /** Whether every request since the backup is known. */
  readonly known: boolean
  /** Different checks that other files say were sent since. */
  readonly sent: number
  readonly batches: number
  /** Rows of those batches that are unknown now. */
  readonly rows: number
}

/** Calls that need no open history: over files that are not the present ones. */
export interface CopyStore {
  /** Makes a verified backup out of plain copies of the files. Failures: `backup-failed`, `disk-full`. */
  rewrite(from: string, to: string, masterKey: string): Promise<Result<CheckedCopy, Failure>>
  /** Reads a copy through: every page, the whole chain, the anchor, the keys. Failure: `backup-invalid`. */
  check(folder: string, masterKey: string): Promise<Result<CheckedCopy, Failure>>
  /** How many of these destroyed keys a copy of subjects.db holds. Failure: as `forget`. */
  holds(file: string, masterKey: string, digests: readonly string[]): Promise<Result<number, Failure>>
  /**
   * Takes subjects out of a copy of subjects.db, so that no byte of their keys is left in it.
   *
   * @param digests Hex digests of destroyed keys, as `keyDigest` makes them.
   * @returns How many were in it. Failure: `backup-invalid` where it does not open with this key.
   */
  forget(file: string, masterKey: string, digests: readonly string[]): Promise<Result<number, Failure>>
  /** Holds in a restored copy what could send again. Failures: those of opening the copy. */
  hold(order: RestoreOrder): Promise<Result<HeldRestore, Failure>>
  end(): void
}
