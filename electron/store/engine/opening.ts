/** Opens the three files or reports why not; renames and deletes nothing on disk except an invalid index. */
import type { EngineOptions } from '#wire/history/engine-options.ts'
import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import * as files from '#wire/sqlite/files.ts'
import type { Db } from '#wire/sqlite/files.ts'
import { dropKeptLogs, keepLog, keepLogs, putLogsBack } from '../storage/kept-logs.ts'
import { prepare } from '#wire/sqlite/schema.ts'
import { indexTableNames } from '../search/indexer.ts'
import { schemas } from './schema.ts'
import { derivedKey, masterBytes } from '#kit/sealing/seal.ts'
import { Engine, readThrough } from './engine.ts'

export interface OpenedEngine {
  readonly engine: Engine
  /** Number of open intents of an earlier run that became "unknown"; 0 if the history is open read-only. */
  readonly interrupted: number
}

/**
 * Opens or creates the history; on a full disk, opens an existing one read-only. Expected failures are values;
 * renames and deletes nothing on disk except an invalid index.
 */
export function openEngine(options: EngineOptions): Result<OpenedEngine, Failure> {
  const master = options.masterKey === undefined ? undefined : masterBytes(options.masterKey)
  try {
    const opened = openAs(options, master, false)
    if (opened.ok || opened.failure.code !== 'disk-full' || master === undefined) return opened
    const reading = openAs(options, master, true)
    return reading.ok ? reading : opened
  } finally {
    // The files have their own keys, and nothing needs this one any more.
    master?.fill(0)
  }
}

/**
 * @param reading For a full disk. SQLite itself needs no space: the files have a single connection, so the index of a
 * log is rebuilt in memory. What the store writes when opening (copies of logs, and the completion of what an
 * interruption left open) is left for the opening that has space.
 */
function openAs(options: EngineOptions, master: Buffer | undefined, reading: boolean): Result<OpenedEngine, Failure> {
  const { folder, now } = options
  const hexKeyOf = (name: files.FileName): string | undefined =>
    master && derivedKey(master, files.fileNames[name]).toString('hex')
  const opened: Partial<Record<files.FileName, files.Db>> = {}
  const onDisk = master !== undefined
  let kept = false
  const giveUp = (failure: Failure): Result<never, Failure> => {
    for (const db of Object.values(opened)) files.closeQuietly(db)
    if (kept)
      files.guarded(folder, () => (failure.code === 'history-busy' ? dropKeptLogs(folder) : putLogsBack(folder)))
    return { ok: false, failure }
  }
  const orphan = missingPartner(folder, onDisk)
  if (orphan && !(options.anchor === undefined && !reading && neverUsed(folder, hexKeyOf('history'))))
    return giveUp(orphan)
  const logs = onDisk ? files.guarded(folder, () => keepLogs(folder, reading)) : ok(undefined)
  if (!logs.ok) return logs
  kept = onDisk
  for (const name of ['history', 'subjects', 'search'] as const) {
    const result = openOne(folder, name, hexKeyOf(name), reading)
    if (!result.ok)
      return giveUp(
        result.failure.code === 'history-damaged' ? keyOrDamage(folder, name, result.failure, hexKeyOf) : result.failure
      )
    opened[name] = result.value
  }
  const dbs = opened as Record<files.FileName, files.Db>
  const result = files.guarded(files.pathOf(folder, 'history'), () => {
    const engine = new Engine(
      dbs,
      master ? derivedKey(master, 'digest') : derivedKey(Buffer.alloc(32), 'session'),
      options.anchor,
      reading
    )
    if (reading) return { engine, interrupted: ok(0) }
    const finished = engine.erasure.finish(now)
    return { engine, interrupted: finished.ok ? engine.interruptOpen(now) : finished }
  })
  if (!result.ok) return giveUp(result.failure)
  const { engine, interrupted } = result.value
  if (!interrupted.ok) return giveUp(interrupted.failure)
  if (onDisk) files.guarded(folder, () => dropKeptLogs(folder))
  return ok({ engine, interrupted: interrupted.value })
}

/** Evidence without its keys, or the reverse, is a loss to report, not a reason to create a new file. */
function missingPartner(folder: string, onDisk: boolean): Failure | undefined {
  if (!onDisk) return undefined
  // A first start on a full disk leaves an empty file, which counts as none.
  const holds = (name: files.FileName): boolean => {
    const found = statSync(files.pathOf(folder, name), { throwIfNoEntry: false })
    return found !== undefined && !(found.isFile() && found.size === 0)
  }
  const there = { history: holds('history'), subjects: holds('subjects') }
  if (there.history === there.subjects) return undefined
  const [missing, file] = there.history ? (['subjects', 'history'] as const) : (['history', 'subjects'] as const)
  return failure('history-damaged', {
    reason: 'partner-missing',
    part: files.fileNames[missing],
    file: files.pathOf(folder, file)
  })
}

/** Bytes of evidence without a single event, and then some. */
const mostUnused = 1024 * 1024

/**
 * Whether the evidence is there without its keys and has no event: a first start was interrupted between the creation of the
 * two files, and nothing can be lost. Reads a copy, since closing a refused file would change it.
 */
function neverUsed(folder: string, hexKey: string | undefined): boolean {
  const path = files.pathOf(folder, 'history')
  let place: string | undefined
  try {
    const sizes = ['', '-wal'].map((companion) => statSync(path + companion, { throwIfNoEntry: false })?.size ?? 0)
    if (sizes[0] === 0 || sizes.some((size) => size > mostUnused)) return false
    files.assertFiles(path)
    place = mkdtempSync(join(folder, '.unused-'))
    for (const companion of ['', '-wal'])
      if (existsSync(path + companion)) copyFileSync(path + companion, files.pathOf(place, 'history') + companion)
    const db = files.openFile(place, 'history', hexKey)
    try {
      const isMade = db.prepare("SELECT count(*) FROM sqlite_master WHERE name = 'event'").pluck().get() !== 0
      return !isMade || db.prepare('SELECT count(*) FROM event').pluck().get() === 0
    } finally {
      files.closeQuietly(db)
    }
  } catch {
    // Another key, damage, or no space: not certain, so it stays a loss to report.
    return false
  } finally {
    if (place !== undefined) rmSync(place, { recursive: true, force: true })
  }
}

function openOne(
  folder: string,
  name: files.FileName,
  hexKey: string | undefined,
  reading: boolean
): Result<files.Db, Failure> {
  const path = files.pathOf(folder, name)
  const prepared = (): Result<files.Db, Failure> => {
    const result = files.guarded(path, () => files.openFile(folder, name, hexKey))
    if (!result.ok) return result
    const db = result.value
    // Now that the file is locked, nobody else writes to its log.
    if (hexKey !== undefined && name !== 'search') files.guarded(path, () => keepLog(folder, name, reading))
    const guarded = files.guarded(path, () => prepare(db, schemas[name], reading))
    const outcome = guarded.ok ? guarded.value : guarded
    // The evidence and its keys are checked once they are open; an invalid index is detected here, where it is
    // rebuilt.
    const verdict =
      outcome.ok && name === 'search'
        ? files.guarded(path, () => {
            readThrough(db)
            if (!reading) setMerging(db)
          })
        : outcome
    if (verdict.ok) return ok(db)
    files.closeQuietly(db)
    return verdict
  }
  // The header is read while the file is closed: closing any descriptor of a file drops a process's locks on it.
  const open = (): Result<files.Db, Failure> => {
    if (hexKey === undefined) return prepared()
    const usable = files.guarded(path, () => files.assertFiles(path))
    if (!usable.ok) return usable
    const fresh = !existsSync(path)
    if (!fresh && files.isPlain(path)) return failed('history-damaged', { reason: 'unencrypted', file: path })
    const result = prepared()
    if (!fresh || !result.ok) return result
    files.closeQuietly(result.value)
    if (files.isPlain(path)) throw new Error('a history file was made without encryption')
    return prepared()
  }
  const first = open()
  if (reading) {
    // An index that cannot be read is rebuilt in memory.
    if (name === 'search' && !first.ok && first.failure.code !== 'history-busy')
      return openOne(folder, name, undefined, false)
    if (first.ok && name !== 'search') first.value.pragma('query_only=ON')
    return first
  }
  // The index is derived: it contains nothing that the other two files do not.
  if (name !== 'search' || first.ok || !['history-damaged', 'history-newer'].includes(first.failure.code)) return first
  for (const companion of files.companions) rmSync(path + companion, { force: true })
  return open()
}

/**
 * SQLite reports a wrong key and a damaged first page alike. If the key opens the other file, the key is right and
 * this file is damaged.
 */
function keyOrDamage(
  folder: string,
  name: files.FileName,
  damage: Failure,
  hexKeyOf: (name: files.FileName) => string | undefined
): Failure {
  const other = name === 'history' ? 'subjects' : 'history'
  const witness = files.guarded(files.pathOf(folder, other), () => files.openFile(folder, other, hexKeyOf(other)))
  if (witness.ok) files.closeQuietly(witness.value)
  const keyFits = witness.ok || name === 'subjects' || witness.failure.code === 'history-busy'
  return keyFits ? damage : failure('history-key-wrong')
}

/**
 * Segments of a size that are merged into one. With FTS5's own number, 4, each text is written more often, and the last
 * rows of a long batch cost more than the first. With more, a search has to look into more segments.
 */
const mergedAtOnce = 8

/** Sets it if the file does not have it yet, which keeps it. */
function setMerging(search: Db): void {
  for (const table of indexTableNames) {
    const present = search.prepare(`SELECT v FROM ${table}_config WHERE k = 'automerge'`).pluck().get()
    if (present !== mergedAtOnce)
      search.exec(`INSERT INTO ${table}(${table}, rank) VALUES ('automerge', ${mergedAtOnce})`)
  }
}
