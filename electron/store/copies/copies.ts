/** Copies of the evidence and its keys: created, checked, and cleared of erased data. */
import Database from 'better-sqlite3-multiple-ciphers'
import { createHash } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readSync, rmSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { assertRegular } from '#wire/files/regular.ts'
import type { CheckedCopy } from '#wire/history/backup.ts'
import { verifyChain } from '#wire/history/chain.ts'
import type { Head } from '#wire/history/events.ts'
import {
  assertFiles,
  companions,
  closeQuietly,
  DamageError,
  failureOf,
  fileNames,
  isPlain,
  ownFile,
  pathOf,
  type Db,
  type FileName
} from '#wire/sqlite/files.ts'
import { versionOf } from '#wire/sqlite/schema.ts'
import { namedFiles } from '../records/document-files.ts'
import { forgetSentSince } from '../records/restored.ts'
import { schemas } from '../engine/schema.ts'
import { derivedKey, keyDigest, masterBytes, type MasterKey } from '#kit/sealing/seal.ts'
import { keepLogs, putLogsBack } from '../storage/kept-logs.ts'
import { copied } from '../storage/snapshot.ts'

function hexKey(masterKey: MasterKey, name: FileName): string {
  const master = masterBytes(masterKey)
  try {
    return derivedKey(master, fileNames[name]).toString('hex')
  } finally {
    master.fill(0)
  }
}

/**
 * Creates a backup from a copy that nobody else has open (`snapshot.ts`). `VACUUM INTO` keeps the encryption, omits
 * unused pages, and verifies the HMAC of every page that it reads. Failures: `backup-failed`, `disk-full`.
 */
export function rewriteCopy(from: string, to: string, masterKey: MasterKey): Result<CheckedCopy, Failure> {
  try {
    for (const name of copied) {
      const path = pathOf(to, name)
      const db = openCopy(pathOf(from, name), hexKey(masterKey, name), false)
      try {
        // The only user of the file: needs no shared-memory file.
        db.pragma('locking_mode=EXCLUSIVE')
        ownFile(path)
        db.prepare('VACUUM INTO ?').run(path)
      } finally {
        closeQuietly(db)
      }
      syncFile(path)
      if (isPlain(path)) throw new Error('a backup was made without encryption')
    }
  } catch (error) {
    for (const name of copied) rmSync(pathOf(to, name), { force: true })
    const known = failureOf(error, from)
    if (!known) throw error
    return known.code === 'disk-full' ? failed('disk-full') : failed('backup-failed', { cause: known })
  }
  const checked = checkCopy(to, masterKey)
  return checked.ok ? checked : failed('backup-failed', { reason: 'copy-invalid' })
}

/** Checks a whole copy. Never writes to it. */
export function checkCopy(folder: string, masterKey: MasterKey): Result<CheckedCopy, Failure> {
  const dbs: Partial<Record<FileName, Db>> = {}
  try {
    for (const name of copied) {
      const path = pathOf(folder, name)
      if (!existsSync(path)) return failed('backup-invalid', { reason: 'file-missing', file: fileNames[name] })
      const db = (dbs[name] = openCopy(path, hexKey(masterKey, name), true))
      if (versionOf(db) !== schemas[name].version) return failed('backup-invalid', { reason: 'newer' })
      if (db.pragma('integrity_check(1)', { simple: true }) !== 'ok')
        return failed('backup-invalid', { reason: 'file-damaged', file: fileNames[name] })
    }
    const { history, subjects } = dbs as Record<(typeof copied)[number], Db>
    const anchor = subjects.prepare('SELECT seq, hash FROM anchor').get() as Head | undefined
    const verdict = verifyChain(history, anchor)
    if (!verdict.intact) return failed('backup-invalid', { reason: 'chain', event: verdict.at })
    const records = history.prepare('SELECT count(*) FROM record').pluck().get() as number
    const bytes = copied.reduce((sum, name) => sum + statSync(pathOf(folder, name)).size, 0)
    return ok({
      events: verdict.events,
      records,
      head: verdict.head,
      sha256: fileDigest(pathOf(folder, 'history')),
      bytes,
      documents: namedFiles(history)
    })
  } catch (error) {
    const known = failureOf(error, folder)
    if (!known) throw error
    return failed('backup-invalid', known.code === 'history-damaged' ? { reason: 'damaged' } : { cause: known })
  } finally {
    for (const db of Object.values(dbs)) closeQuietly(db)
  }
}

const unopened = (file: string): Result<never, Failure> =>
  failed('backup-invalid', { reason: 'other-key', file: basename(file) })

/** Subjects whose key has one of these digests. */
export function destroyedIn(db: Db, digests: readonly string[]): number[] {
  const gone = new Set(digests)
  return (db.prepare('SELECT ref, key FROM subject').all() as { ref: number; key: Buffer }[]).flatMap(({ ref, key }) =>
    gone.has(keyDigest(key)) ? [ref] : []
  )
}

/** Number of destroyed keys that a copy of subjects.db still holds. */
export function holdsOf(file: string, masterKey: MasterKey, digests: readonly string[]): Result<number, Failure> {
  if (!existsSync(file) || isPlain(file)) return unopened(file)
  let db: Db | undefined
  try {
    db = openCopy(file, hexKey(masterKey, 'subjects'), false)
    return ok(destroyedIn(db, digests).length)
  } catch (error) {
    const known = failureOf(error, file)
    if (!known) throw error
    return known.code === 'disk-full' ? failed('disk-full') : unopened(file)
  } finally {
    if (db) closeQuietly(db)
  }
}

/**
 * Those of some names of files of documents that the history in a folder has. Its log after a crash is part of it, and stays as it is.
 * Failure: `backup-invalid`.
 */
export function namesAmong(
  folder: string,
  masterKey: MasterKey,
  files: readonly string[]
): Result<readonly string[], Failure> {
  const path = pathOf(folder, 'history')
  let db: Db | undefined
  try {
    if (!existsSync(path) || isPlain(path)) return unopened(path)
    keepLogs(folder)
    db = openCopy(path, hexKey(masterKey, 'history'), false)
    db.pragma('locking_mode=EXCLUSIVE')
    if (versionOf(db) !== schemas.history.version) return failed('backup-invalid', { reason: 'newer' })
    const among = db.prepare('SELECT name FROM document_file WHERE name IN (SELECT value FROM json_each(?))').pluck()
    return ok(among.all(JSON.stringify(files)) as string[])
  } catch (error) {
    if (!failureOf(error, folder) && !(error instanceof Error && 'code' in error)) throw error
    return unopened(path)
  } finally {
    if (db) closeQuietly(db)
    putLogsBack(folder)
  }
}

/** Removes subjects from a copy of subjects.db; the freed space is overwritten, and no log retains them. */
export function forgetIn(file: string, masterKey: MasterKey, digests: readonly string[]): Result<number, Failure> {
  if (!existsSync(file) || isPlain(file)) return unopened(file)
  let db: Db | undefined
  try {
    db = openCopy(file, hexKey(masterKey, 'subjects'), false)
    db.pragma('secure_delete=ON')
    const found = destroyedIn(db, digests)
    const remove = db.prepare('DELETE FROM subject WHERE ref = ?')
    // The digest of a message is removed with its key, because its text could be guessed from it.
    const wordings = db.prepare('DELETE FROM message WHERE subject NOT IN (SELECT ref FROM subject)')
    // The copy's own audit trail may not contain the erasure.
    const note = db.prepare('INSERT OR IGNORE INTO taken VALUES (?)')
    db.transaction(() => {
      for (const ref of found) {
        remove.run(ref)
        note.run(ref)
      }
      wordings.run()
      if (db) forgetSentSince(db, found.length > 0)
    }).immediate()
    // Always: this also cleans a copy whose row was removed but whose log remained after a crash.
    db.exec('VACUUM')
    db.pragma('wal_checkpoint(TRUNCATE)')
    if (db.pragma('integrity_check(1)', { simple: true }) !== 'ok') throw new DamageError({ reason: 'rewritten' })
    return ok(found.length)
  } catch (error) {
    const known = failureOf(error, file)
    if (!known) throw error
    return known.code === 'disk-full' ? failed('disk-full') : unopened(file)
  } finally {
    if (db) {
      try {
        db.pragma('journal_mode=DELETE')
      } catch {
        // It may not have been opened at all.
      }
      closeQuietly(db)
      for (const companion of companions.slice(1)) rmSync(file + companion, { force: true })
      syncFile(file)
    }
  }
}

/** @param readonly For a copy on a read-only disk. */
function openCopy(path: string, key: string, readonly: boolean): Db {
  assertFiles(path)
  const db = new Database(path, { readonly, fileMustExist: true, timeout: 300 })
  try {
    db.pragma(`cipher='sqlcipher'`)
    db.pragma(`key="x'${key}'"`)
    db.pragma('temp_store=MEMORY')
    db.pragma('trusted_schema=OFF')
    db.prepare('SELECT count(*) FROM sqlite_schema').get()
    return db
  } catch (error) {
    closeQuietly(db)
    throw error
  }
}

function syncFile(path: string): void {
  const descriptor = openSync(path, 'r+')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** SHA-256 of a file, read in pieces. */
export function fileDigest(path: string): string {
  const hash = createHash('sha256')
  const piece = Buffer.alloc(1024 * 1024)
  assertRegular(path)
  const descriptor = openSync(path, 'r')
  try {
    for (let read = readSync(descriptor, piece); read > 0; read = readSync(descriptor, piece))
      hash.update(piece.subarray(0, read))
  } finally {
    closeSync(descriptor)
  }
  return hash.digest('hex')
}
