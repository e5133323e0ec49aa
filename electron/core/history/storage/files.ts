/** The history's three encrypted files: their names, how one is opened, and what SQLite's errors mean. */
import Database from 'better-sqlite3-multiple-ciphers'
import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { basename, join } from 'node:path'
import { failed, failure, type Failure, type FailureDetails } from '#contract/failures.ts'
import { ok, type Result } from '#contract/result.ts'
import { assertRegular, makeFolderSync } from '#core/files/regular.ts'

export type Db = InstanceType<typeof Database>

/** Evidence, its subjects' keys, and the derived index; see docs/decisions/0002-history-files.md. */
export const fileNames = { history: 'history.db', subjects: 'subjects.db', search: 'search.db' } as const
export type FileName = keyof typeof fileNames

/** What SQLite may leave beside a file. */
export const companions = ['', '-wal', '-shm', '-journal'] as const

export const historyFolder = (dataFolder: string): string => join(dataFolder, 'history')
export const pathOf = (folder: string, name: FileName): string => join(folder, fileNames[name])

const plainHeader = 'SQLite format 3'

/**
 * Durability and cache of each file. The index may lose its last moments: it is caught up from the evidence.
 * Who writes much reads little again: a long batch gets by with `writingMiB`.
 */
const tuning: Readonly<Record<FileName, { synchronous: 'FULL' | 'NORMAL'; cacheMiB: number; writingMiB: number }>> = {
  history: { synchronous: 'FULL', cacheMiB: 128, writingMiB: 16 },
  subjects: { synchronous: 'FULL', cacheMiB: 32, writingMiB: 8 },
  search: { synchronous: 'NORMAL', cacheMiB: 192, writingMiB: 32 }
}

/** A file's key: exactly 64 hex digits, since SQLite takes an empty or odd key for "no encryption". */
export function assertKey(hexKey: string): void {
  if (!/^[0-9a-f]{64}$/i.test(hexKey)) throw new Error('a file key has exactly 64 hex digits')
}

/**
 * Opens (or makes) one encrypted file and takes its lock for as long as it is open.
 * Throws SQLite's own errors; `failureOf` turns them into sentences.
 *
 * @param hexKey Undefined for a history in memory, kept for this session only.
 */
export function openFile(folder: string, name: FileName, hexKey: string | undefined): Db {
  if (hexKey === undefined) return prepare(new Database(':memory:'), name)
  assertKey(hexKey)
  makeFolderSync(folder)
  ownFile(pathOf(folder, name))
  const db = new Database(pathOf(folder, name), { timeout: 300 })
  try {
    db.pragma(`cipher='sqlcipher'`)
    db.pragma(`key="x'${hexKey}'"`)
    db.pragma('locking_mode=EXCLUSIVE')
    prepare(db, name)
    // The first write takes the lock and makes the header, so that both can be looked at before any record.
    db.exec('BEGIN IMMEDIATE; COMMIT')
    return db
  } catch (error) {
    closeQuietly(db)
    throw error
  }
}

/** Throws `EFTYPE` where anything else than files is there: SQLite would wait for a pipe without end. */
export function assertFiles(path: string): void {
  for (const companion of companions) assertRegular(path + companion)
}

/** Makes an empty file for its owner alone where there is none: SQLite takes it for a new database, and gives its logs the same rights. */
export function ownFile(path: string): void {
  assertFiles(path)
  if (!existsSync(path)) closeSync(openSync(path, 'wx', 0o600))
}

function prepare(db: Db, name: FileName): Db {
  // Nothing that a query sorts may reach an unencrypted temporary file.
  db.pragma('temp_store=MEMORY')
  db.pragma('journal_mode=WAL')
  db.pragma(`synchronous=${tuning[name].synchronous}`)
  sizeCache(db, name, false)
  db.pragma('secure_delete=ON')
  db.pragma('trusted_schema=OFF')
  return db
}

/** Gives a file's cache its size; a smaller one lets go of what is beyond it. */
export function sizeCache(db: Db, name: FileName, writing: boolean): void {
  db.pragma(`cache_size=-${tuning[name][writing ? 'writingMiB' : 'cacheMiB'] * 1024}`)
}

/** Whether a file on disk is plain SQLite: never true for ours, and then nothing may be written to it. */
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
    // Closing a damaged file may fail; what matters was said before.
  }
}

/** What contradicts what in the stored bytes; or the code of SQLite's error. */
export type Damage = DistributiveOmit<FailureDetails<'history-damaged'>, 'file'>
type DistributiveOmit<Whole, Name extends string> = Whole extends { readonly cause: unknown } ? never : Whole extends unknown ? Omit<Whole, Name> : never

/** Thrown inside the store where stored bytes contradict each other. */
export class DamageError extends Error {
  readonly damage: Damage
  constructor(damage: Damage) {
    super(Object.values(damage).join(' '))
    this.damage = damage
  }
}

/** SQLite's own code of an error, or empty. */
export const sqliteCode = (error: unknown): string => {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined
  return typeof code === 'string' ? code : ''
}

/** Whether an error says that the file's bytes are not what was written. */
export function isDamage(error: unknown): boolean {
  return error instanceof DamageError || /^SQLITE_(CORRUPT|NOTADB|IOERR_(DATA|SHORT_READ|CORRUPTFS)|IOERR$)/.test(sqliteCode(error))
}

/** The failure for an error met at a file, or undefined where the error is a bug. */
export function failureOf(error: unknown, file: string): Failure | undefined {
  const code = sqliteCode(error)
  if (error instanceof DamageError) return failure('history-damaged', { ...error.damage, file } as FailureDetails<'history-damaged'>)
  if (isDamage(error)) return failure('history-damaged', { errno: code, file })
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) return failure('history-busy')
  if (code === 'SQLITE_FULL' || code === 'ENOSPC') return failure('disk-full')
  if (/^SQLITE_(CANTOPEN|READONLY|PERM|AUTH|IOERR)/.test(code)) return failure('history-unavailable', { reason: 'file', file, errno: code })
  if (/^E[A-Z]+$/.test(code)) return failure('history-unavailable', { reason: 'file', file: basename(file), errno: code })
  return undefined
}

/** Runs something that touches a file; expected errors become failures, bugs are thrown on. */
export function guarded<T>(file: string, work: () => T): Result<T, Failure> {
  try {
    return ok(work())
  } catch (error) {
    const known = failureOf(error, file)
    if (!known) throw error
    return known.code === 'history-busy' ? failed('history-busy') : { ok: false, failure: known }
  }
}
