/** Numbered migrations that start with a verified copy. */
import Database from 'better-sqlite3-multiple-ciphers'
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { DamageError, fileNames, ownFile, type Db, type FileName } from './files.ts'

export interface Migration {
  /** From 1, without gaps; the file's `user_version` afterwards. */
  readonly version: number
  readonly name: string
  /** The reason for the step, for future readers. */
  readonly why: string
  up(db: Db): void
}

export const versionOf = (db: Db): number => db.pragma('user_version', { simple: true }) as number

/**
 * Migrates a file to the newest version. A file with content is copied first, and the copy is checked and synced before the
 * first step. Each step is one transaction together with its version number: a failing step leaves the file at the
 * previous version, and the error is rethrown.
 *
 * @param reading Read-only: a file that needs a step fails with `disk-full`.
 * @returns The copy's path, if one was made. Fails with `history-newer` before changing anything.
 */
export function migrate(
  db: Db,
  migrations: readonly Migration[],
  copy?: {
    readonly folder: string
    readonly name: Exclude<FileName, 'search'>
    readonly hexKey: string
    readonly at: number
  },
  reading = false
): Result<string | undefined, Failure> {
  const present = versionOf(db)
  const newest = migrations.length
  if (present > newest) return failed('history-newer', { version: present, supported: newest })
  if (present === newest) return ok(undefined)
  // The queries do not fit a file of an older version.
  if (reading) return failed('disk-full')
  const kept = present > 0 && copy ? verifiedCopy(db, copy, present) : undefined
  for (const step of migrations.slice(present)) {
    db.transaction(() => {
      step.up(db)
      db.pragma(`user_version=${step.version}`)
    }).immediate()
  }
  return ok(kept)
}

/**
 * `VACUUM INTO` keeps the key; SQLite's backup interface would fail on an encrypted file. It does not sync what it writes, and
 * leaves a partial file if it is interrupted. So the copy gets its name once it is complete, verified and synced: a partial
 * one could not be restored, and an erasure could not reach the keys in it.
 */
function verifiedCopy(
  db: Db,
  {
    folder,
    name,
    hexKey,
    at
  }: {
    readonly folder: string
    readonly name: Exclude<FileName, 'search'>
    readonly hexKey: string
    readonly at: number
  },
  version: number
): string {
  const path = join(
    folder,
    `${fileNames[name]}.before-version-${version + 1}-${new Date(at).toISOString().replaceAll(/[:.]/g, '-')}`
  )
  const unfinished = join(folder, `${fileNames[name]}.unfinished-copy`)
  for (const companion of ['', '-journal']) rmSync(unfinished + companion, { force: true })
  ownFile(unfinished)
  db.prepare('VACUUM INTO ?').run(unfinished)
  const copy = new Database(unfinished, { readonly: true })
  try {
    copy.pragma(`cipher='sqlcipher'`)
    copy.pragma(`key="x'${hexKey}'"`)
    const verdict = copy.pragma('integrity_check', { simple: true })
    if (verdict !== 'ok') throw new DamageError({ reason: 'upgrade-copy' })
    if (versionOf(copy) !== version) throw new DamageError({ reason: 'upgrade-copy' })
  } finally {
    copy.close()
  }
  sync(unfinished, 'r+')
  renameSync(unfinished, path)
  // Windows cannot open a folder, and writes its names with the file.
  if (process.platform !== 'win32') sync(folder, 'r')
  return path
}

function sync(path: string, flags: string): void {
  const descriptor = openSync(path, flags)
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
