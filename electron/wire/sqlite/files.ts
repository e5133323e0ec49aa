/** The history's three encrypted files: their names, how to open them, and the meaning of SQLite's errors. */
import Database from 'better-sqlite3-multiple-ciphers'
import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { basename, join } from 'node:path'
import { failed, failure, type Failure, type FailureDetails } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { ownFolders } from '../files/own-names.ts'
import { assertRegular, makeFolderSync } from '../files/regular.ts'

export type Db = InstanceType<typeof Database>

/** Evidence, its keys, and the derived index; see docs/decisions/0002-history-files.md. */
export const fileNames = { history: 'history.db', subjects: 'subjects.db', search: 'search.db' } as const
export type FileName = keyof typeof fileNames

/** Suffixes of the files that SQLite may create. */
export const companions = ['', '-wal', '-shm', '-journal'] as const

export const historyFolder = (dataFolder: string): string => join(dataFolder, ownFolders.history)
export const pathOf = (folder: string, name: FileName): string => join(folder, fileNames[name])

const plainHeader = 'SQLite format 3'

/** Encryption, durability and cache size of a file. */
export interface Tuning {
  /** Of each page, with its authentication; AES-256-CBC with HMAC-SHA-512 (`sqlcipher`) if absent. */
  readonly cipher?: 'aegis'
  readonly synchronous: 'FULL' | 'NORMAL'
  readonly cacheMiB: number
  /** Pages of 4 KiB in the write-ahead log after which they are moved to the file; SQLite's 1,000 if absent. */
  readonly checkpointPages?: number
}

/**
 * Durability and cache size of each file. The index may lose its last changes, since it is caught up from the
 * evidence; it has the cheaper cipher, since nobody opens it with another tool, and its log may grow, since a batch
 * changes the same pages many times. A long batch writes much and reads little, so `writingMiB` is enough for it.
 */
const tuning: Readonly<Record<FileName, Tuning & { readonly writingMiB: number }>> = {
  history: { synchronous: 'FULL', cacheMiB: 128, writingMiB: 4 },
  subjects: { synchronous: 'FULL', cacheMiB: 32, writingMiB: 4 },
  search: { cipher: 'aegis', synchronous: 'NORMAL', cacheMiB: 192, writingMiB: 8, checkpointPages: 4000 }
}

/** Asserts that a file's key is exactly 64 hex digits: SQLite treats an empty or odd key as "no encryption". */
export function assertKey(hexKey: string): void {
  if (!/^[0-9a-f]{64}$/i.test(hexKey)) throw new Error('a file key has exactly 64 hex digits')
}

/**
 * Opens (or creates) one encrypted file and holds its lock while it is open. Throws SQLite's errors; `failureOf`
 * turns them into failures.
 *
 * @param hexKey Undefined for a history in memory, for this session only.
 */
export const openFile = (folder: string, name: FileName, hexKey: string | undefined): Db =>
  openEncrypted(folder, fileNames[name], hexKey, tuning[name])

/** Like `openFile`, for a file of another part with a name of its own. */
export function openEncrypted(folder: string, fileName: string, hexKey: string | undefined, tuned: Tuning): Db {
  if (hexKey === undefined) return prepare(new Database(':memory:'), tuned)
  assertKey(hexKey)
  makeFolderSync(folder)
  const path = join(folder, fileName)
  ownFile(path)
  const db = new Database(path, { timeout: 300 })
  try {
    db.pragma(`cipher='${tuned.cipher ?? 'sqlcipher'}'`)
    db.pragma(`key="x'${hexKey}'"`)
    db.pragma('locking_mode=EXCLUSIVE')
    prepare(db, tuned)
    // The first write takes the lock and creates the header, so that both are tested before any record.
    db.exec('BEGIN IMMEDIATE; COMMIT')
    return db
  } catch (error) {
    closeQuietly(db)
    throw error
  }
}

/** Throws `EFTYPE` for anything but regular files: SQLite would wait for a pipe indefinitely. */
export function assertFiles(path: string): void {
  for (const companion of companions) assertRegular(path + companion)
}

/**
 * Creates an empty file readable only by its owner, if there is none: SQLite treats it as a new database and gives
 * its logs the same permissions.
 */
export function ownFile(path: string): void {
  assertFiles(path)
  if (!existsSync(path)) closeSync(openSync(path, 'wx', 0o600))
}

function prepare(db: Db, { synchronous, cacheMiB, checkpointPages }: Tuning): Db {
  // Query results must not reach an unencrypted temporary file.
  db.pragma('temp_store=MEMORY')
  db.pragma('journal_mode=WAL')
  db.pragma(`synchronous=${synchronous}`)
  db.pragma(`cache_size=-${cacheMiB * 1024}`)
  if (checkpointPages !== undefined) db.pragma(`wal_autocheckpoint=${checkpointPages}`)
  db.pragma('secure_delete=ON')
  db.pragma('trusted_schema=OFF')
  return db
}

/** Sets a file's cache size; a smaller one frees what exceeds it. */
export function sizeCache(db: Db, name: FileName, writing: boolean): void {
  db.pragma(`cache_size=-${tuning[name][writing ? 'writingMiB' : 'cacheMiB'] * 1024}`)
}

/** Whether a file on disk is unencrypted SQLite. Veridesk never creates such a file, and must not write to one. */
export function isPlain(path: string): boolean {
  if (!existsSync(path)) return false
  assertRegular(path)
  const header = Buffer.alloc(plainHeader.length)
  const descriptor = openSync(path, 'r')
  try {
    readSync(descriptor, header, 0, header.length, 0)
  } finally {
    closeSync(descriptor)
  }
  return header.toString('latin1') === plainHeader
}

export function closeQuietly(db: Db): void {
  try {
    db.close()
  } catch {
    // Closing a damaged file may fail; the cause has been reported before.
  }
}

/** The contradiction in the stored bytes, or the code of SQLite's error. */
export type Damage = DistributiveOmit<FailureDetails<'history-damaged'>, 'file'>
type DistributiveOmit<Whole, Name extends string> = Whole extends { readonly cause: unknown }
  ? never
  : Whole extends unknown
    ? Omit<Whole, Name>
    : never

/** Thrown inside the store when stored bytes contradict each other. */
export class DamageError extends Error {
  readonly damage: Damage
  constructor(damage: Damage) {
    super(Object.values(damage).join(' '))
    this.damage = damage
  }
}

/** SQLite's error code, or empty. */
export const sqliteCode = (error: unknown): string => {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined
  return typeof code === 'string' ? code : ''
}

/** Whether an error means that the file's bytes are not those that were written. */
export function isDamage(error: unknown): boolean {
  return (
    error instanceof DamageError ||
    /^SQLITE_(CORRUPT|NOTADB|IOERR_(DATA|SHORT_READ|CORRUPTFS)|IOERR$)/.test(sqliteCode(error))
  )
}

/** The failure for an error on a file, or undefined if the error is a bug. */
export function failureOf(error: unknown, file: string): Failure | undefined {
  const code = sqliteCode(error)
  if (error instanceof DamageError)
    return failure('history-damaged', { ...error.damage, file } as FailureDetails<'history-damaged'>)
  if (isDamage(error)) return failure('history-damaged', { errno: code, file })
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) return failure('history-busy')
  if (code === 'SQLITE_FULL' || code === 'ENOSPC') return failure('disk-full')
  if (/^SQLITE_(CANTOPEN|READONLY|PERM|AUTH|IOERR)/.test(code))
    return failure('history-unavailable', { reason: 'file', file, errno: code })
  if (/^E[A-Z]+$/.test(code))
    return failure('history-unavailable', { reason: 'file', file: basename(file), errno: code })
  return undefined
}

/** Runs an operation on a file; expected errors become failures, bugs are rethrown. */
export function guarded<T>(file: string, work: () => T): Result<T, Failure> {
  try {
    return ok(work())
  } catch (error) {
    const known = failureOf(error, file)
    if (!known) throw error
    return known.code === 'history-busy' ? failed('history-busy') : { ok: false, failure: known }
  }
}
