/** The store itself, synchronous and without a worker: opens the three files and runs groups of writes. */
import { existsSync, rmSync, statSync } from 'node:fs'
import { failed, failure, type Failure } from '#contract/failures.ts'
import { ok, type Result } from '#contract/result.ts'
import type { KnownHead } from '../audit/walk.ts'
import { ApplicantIds } from './applicants-ids.ts'
import { WorkQueue } from './applicants-queue.ts'
import { Applicants } from './applicants.ts'
import { Proofs } from './audit-proofs.ts'
import { Walk } from './audit-walk.ts'
import { Audit } from './audit.ts'
import { Batches } from './batches.ts'
import { CatalogueReader } from './catalogue-read.ts'
import { genesis, verifyChain, type ChainVerdict, type Head } from './chain.ts'
import { loadColumns, setRow, type Columns } from './columns.ts'
import { Erasure } from './erasure.ts'
import { EvidenceCollector } from './evidence.ts'
import { Events } from './events.ts'
import * as files from './files.ts'
import { Indexer } from './indexer.ts'
import { dropKeptLogs, keepLog, keepLogs, putLogsBack } from './kept-logs.ts'
import { migrate, type Migration } from './migrate.ts'
import { Queries } from './queries.ts'
import { Reader } from './reader.ts'
import { Restored } from './restored.ts'
import { historyMigrations, searchMigrations, subjectMigrations } from './schema.ts'
import { derivedKey } from './seal.ts'
import { Snapshots } from './snapshot.ts'
import { Subjects } from './subjects.ts'
import { Writer } from './writer.ts'

export interface EngineOptions {
  readonly folder: string
  /** 32 bytes as 64 hex digits; undefined keeps everything in memory for this sitting. */
  readonly masterKey: string | undefined
  /** Wall clock at opening, in Unix milliseconds. */
  readonly now: number
  /** The head that the keychain holds. */
  readonly anchor?: KnownHead
}

/** A write, run within the group's transaction. */
export type Write<T> = (writer: Writer) => Result<T, Failure>

/** Bytes up to which a file is read through at every start; a larger one is checked on demand. */
const checkedWhole = 16 * 1024 * 1024

/** Last events whose chain is checked at every start; the whole chain is checked on demand. */
const checkedAtStart = 1000

const migrationsOf: Readonly<Record<files.FileName, readonly Migration[]>> = {
  history: historyMigrations,
  subjects: subjectMigrations,
  search: searchMigrations
}

export class Engine {
  readonly queries: Queries
  readonly writer: Writer
  readonly indexer: Indexer
  readonly columns: Columns
  readonly batches: Batches
  readonly events: Events
  readonly applicants: Applicants
  readonly applicantIds: ApplicantIds
  readonly queue: WorkQueue
  readonly catalogue: CatalogueReader
  readonly audit: Audit
  readonly proofs: Proofs
  readonly walk: Walk
  readonly erasure: Erasure
  readonly evidence: EvidenceCollector
  readonly reader: Reader
  readonly snapshots: Snapshots
  readonly restored: Restored
  /** For the benchmarks, which run bare SQL beside the store. */
  readonly dbs: Readonly<Record<files.FileName, files.Db>>
  private readonly subjects: Subjects
  private head: Head
  private readonly keychainAnchor: KnownHead | undefined
  /** Opened on a full disk: every write is refused before anything is touched. */
  readonly readOnly: boolean

  constructor(dbs: Readonly<Record<files.FileName, files.Db>>, digestKey: Buffer, anchor?: KnownHead, readOnly = false) {
    this.keychainAnchor = anchor
    this.readOnly = readOnly
    this.dbs = dbs
    const { history, search } = dbs
    this.snapshots = new Snapshots(dbs)
    this.subjects = new Subjects(dbs.subjects)
    this.head = (history.prepare('SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1').get() as Head | undefined) ?? genesis
    this.checkTail()
    this.writer = new Writer(history, this.subjects, this.head, digestKey)
    const { dictionary } = this.writer
    const reader = (this.reader = new Reader(history, this.subjects, dictionary))
    this.columns = loadColumns(history)
    this.indexer = new Indexer(search, history, reader, digestKey)
    this.restored = new Restored(dbs.subjects)
    this.batches = new Batches({ history, subjects: this.subjects, reader, indexer: this.indexer, columns: this.columns, restored: this.restored })
    this.erasure = new Erasure({
      dbs, reader, subjects: this.subjects, indexer: this.indexer,
      commit: (write) => this.commit([write])[0] ?? failed('internal', { detail: 'a write was not answered' })
    })
    this.events = new Events(history, this.subjects)
    this.applicantIds = new ApplicantIds(dbs.subjects)
    const { applicants: projection, catalogue } = this.writer
    this.applicants = new Applicants({ history, subjects: this.subjects, reader, events: this.events, projection, catalogue, ids: this.applicantIds })
    this.queue = new WorkQueue({ history, columns: this.columns, reader, applicants: this.applicants.read })
    this.catalogue = new CatalogueReader({ history, events: this.events, dictionary, subjects: this.subjects })
    this.audit = new Audit(history, this.subjects, dictionary)
    this.proofs = new Proofs(history)
    this.evidence = new EvidenceCollector({ history, subjects: this.subjects, proofs: this.proofs })
    this.walk = new Walk(history, this.subjects)
    this.queries = new Queries({ history, search, columns: this.columns, reader, indexer: this.indexer, dictionary, subjects: this.subjects, restored: this.restored })
  }

  /** The subject of an applicant who is known here. */
  readonly subjectOf = (applicantId: string): number | undefined => this.subjects.ofApplicant(applicantId)

  /** Small files are read through; the anchored head must still be there, and the last events must chain up. */
  private checkTail(): void {
    for (const db of [this.dbs.history, this.dbs.subjects]) readThrough(db)
    this.checkChain()
    this.checkKeys()
  }

  /** A key is durable before what is sealed with it: a file of keys that knows fewer subjects than the evidence is an older one. */
  private checkKeys(): void {
    const { history } = this.dbs
    const named = history.prepare('SELECT max(coalesce((SELECT max(subject) FROM record), 0), coalesce((SELECT max(subject) FROM event WHERE seq > ?), 0))').pluck()
    const newest = named.get(this.head.seq - checkedAtStart) as number
    if (newest > this.subjects.last) throw new files.DamageError(`its file of keys is older: it knows ${this.subjects.last} subjects of ${newest}`)
  }

  private checkChain(): void {
    const { history } = this.dbs
    for (const { seq, hash } of this.knownHeads()) {
      const there = history.prepare('SELECT hash FROM event WHERE seq = ?').pluck().get(seq) as Buffer | undefined
      if (!there) throw new files.DamageError(`its last ${seq - this.head.seq} events or more are missing`)
      if (there.toString('hex') !== hash) throw new files.DamageError('its events are not those that were recorded')
    }
    const from = Math.max(0, this.head.seq - checkedAtStart)
    const before = from === 0 ? genesis : (history.prepare('SELECT seq, hash FROM event WHERE seq = ?').get(from) as Head | undefined)
    const verdict = before ? verifyChain(history, undefined, before) : undefined
    if (!verdict?.intact) throw new files.DamageError(`its chain of events breaks at event ${verdict?.at ?? from}`)
  }

  /** What a verification goes up to, and the heads from outside the evidence that it must contain. */
  anchors(): { readonly until: number; readonly known: readonly KnownHead[] } {
    return { until: this.walk.size, known: this.knownHeads() }
  }

  private knownHeads(): KnownHead[] {
    const anchor = this.subjects.anchor()
    const own = anchor && anchor.seq > 0 ? [{ seq: anchor.seq, hash: anchor.hash.toString('hex') }] : []
    return this.keychainAnchor ? [...own, this.keychainAnchor] : own
  }

  /** The last event that is durable; seq 0 where there is none. */
  get last(): KnownHead {
    return { seq: this.head.seq, hash: this.head.hash.toString('hex') }
  }

  get records(): number {
    return this.writer.lastRecord
  }

  get behind(): number {
    return this.indexer.behind(this.head.seq)
  }

  /** Whether the index is so far behind that writes must wait for it. */
  get pressed(): boolean {
    return this.indexer.pressed(this.head.seq)
  }

  /**
   * Runs writes as one transaction of each file. All are durable when this returns, or none is and
   * each has the same failure. Subjects go first: no record may be durable before its key.
   */
  commit<T>(writes: readonly Write<T>[]): Result<T, Failure>[] {
    if (this.readOnly) return writes.map(() => failed('history-read-only'))
    const { history, subjects } = this.dbs
    const { writer } = this
    const before = { head: writer.head, lastRecord: writer.lastRecord }
    try {
      subjects.exec('BEGIN IMMEDIATE')
      history.exec('BEGIN IMMEDIATE')
      const results = writes.map((write) => write(writer))
      const newSubjects = subjects.prepare('SELECT total_changes()').pluck().get() as number
      if (newSubjects !== this.subjectChanges) this.subjects.rememberAnchor(this.head)
      subjects.exec('COMMIT')
      this.subjectChanges = subjects.prepare('SELECT total_changes()').pluck().get() as number
      history.exec('COMMIT')
      this.head = writer.head
      for (const done of writer.aftermath) {
        setRow(this.columns, done.row)
        this.indexer.note(done)
      }
      writer.aftermath = []
      return results
    } catch (error) {
      for (const db of [history, subjects]) if (db.inTransaction) db.exec('ROLLBACK')
      writer.head = before.head
      writer.lastRecord = before.lastRecord
      writer.aftermath = []
      writer.dictionary.reload()
      const known = files.failureOf(error, files.fileNames.history)
      if (!known) throw error
      return writes.map(() => ({ ok: false, failure: known }))
    }
  }
  private subjectChanges = 0

  /** Turns the open intents of an earlier run into "unknown"; returns how many there were. */
  interruptOpen(now: number): Result<number, Failure> {
    const open = this.dbs.history.prepare('SELECT lower(hex(id)) FROM record WHERE state = 0').pluck().all() as string[]
    if (this.restored.hasExpired(now)) this.commit([() => ok(this.restored.forgetExpired(now))])
    if (open.length === 0 && !this.batches.interrupted) return ok(0)
    const ending = { outcome: 'unknown', endedAt: now, failure: failure('interrupted') } as const
    const dashed = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    const finishes = open.map((hex) => (writer: Writer): Result<null, Failure> => writer.finish(dashed(hex), ending))
    const results = this.commit([...finishes, (writer) => this.batches.recover(now, writer)])
    return results.find((result) => !result.ok) ?? ok(open.length)
  }

  /** Tunes the index for a great many writes, and merges what they left into few segments afterwards. */
  bulk(on: boolean): void {
    const { search } = this.dbs
    search.exec(`INSERT INTO trigram(trigram, rank) VALUES ('hashsize', ${on ? 64 * 1024 * 1024 : 1024 * 1024})`)
    if (!on) search.exec(`INSERT INTO trigram(trigram) VALUES ('optimize')`)
  }

  /** Walks the whole chain; 100,000 events take well under a second. */
  verify(): ChainVerdict {
    return verifyChain(this.dbs.history, this.subjects.anchor())
  }

  /** SQLite's own check of every page of the evidence and the keys; reads both files whole. `ok` where nothing is wrong. */
  integrity(): string {
    const faulty = [this.dbs.history, this.dbs.subjects].map(integrityOf).find((verdict) => verdict !== 'ok')
    return faulty ?? 'ok'
  }

  /** Makes the caches small for a great many writes, and gives them their size again afterwards. */
  writing(much: boolean): void {
    for (const name of ['history', 'subjects', 'search'] as const) {
      files.sizeCache(this.dbs[name], name, much)
      if (much) this.dbs[name].pragma('shrink_memory')
    }
  }

  close(): void {
    this.walk.close()
    try {
      // An older one is as true; a disk that is full keeps nobody from closing.
      if (this.dbs.history.open && !this.readOnly) files.guarded(files.fileNames.subjects, () => this.subjects.rememberAnchor(this.head))
    } finally {
      for (const db of Object.values(this.dbs)) files.closeQuietly(db)
      this.snapshots.release()
    }
  }
}

const integrityOf = (db: files.Db): string => db.pragma('integrity_check(1)', { simple: true }) as string

/** Reads every page of a file that is small enough for each start. Throws where one is not what was written. */
function readThrough(db: files.Db): void {
  const bytes = db.prepare('SELECT page_count * page_size FROM pragma_page_count, pragma_page_size').pluck().get() as number
  const verdict = bytes <= checkedWhole ? integrityOf(db) : 'ok'
  if (verdict !== 'ok') throw new files.DamageError(verdict)
}

export interface OpenedEngine {
  readonly engine: Engine
  /** Open intents of an earlier run that were turned into "unknown"; 0 where the history is open for reading only. */
  readonly interrupted: number
}

/**
 * Opens or makes the history; on a full disk, one that is there for reading only. Expected failures are values; nothing
 * on disk is renamed or deleted but a faulty index.
 */
export function openEngine(options: EngineOptions): Result<OpenedEngine, Failure> {
  const opened = openAs(options, false)
  if (opened.ok || opened.failure.code !== 'disk-full' || options.masterKey === undefined) return opened
  const reading = openAs(options, true)
  return reading.ok ? reading : opened
}

/**
 * @param reading On a full disk. What SQLite does itself needs no room: the files are held by their one connection, so
 *   that what a log holds is found again in memory. What the store does at an opening, copies of logs and all that an
 *   end in between left to be written, is left for the opening that has room.
 */
function openAs(options: EngineOptions, reading: boolean): Result<OpenedEngine, Failure> {
  const { folder, masterKey, now } = options
  if (masterKey !== undefined) files.assertKey(masterKey)
  const master = masterKey === undefined ? undefined : Buffer.from(masterKey, 'hex')
  const hexKeyOf = (name: files.FileName): string | undefined => master && derivedKey(master, files.fileNames[name]).toString('hex')
  const opened: Partial<Record<files.FileName, files.Db>> = {}
  const onDisk = master !== undefined
  let kept = false
  const giveUp = (failure: Failure): Result<never, Failure> => {
    for (const db of Object.values(opened)) files.closeQuietly(db)
    if (kept) files.guarded(folder, () => (failure.code === 'history-busy' ? dropKeptLogs(folder) : putLogsBack(folder)))
    return { ok: false, failure }
  }
  const orphan = missingPartner(folder, onDisk)
  if (orphan) return giveUp(orphan)
  const keeping = onDisk ? files.guarded(folder, () => keepLogs(folder, reading)) : ok(undefined)
  if (!keeping.ok) return keeping
  kept = onDisk
  for (const name of ['history', 'subjects', 'search'] as const) {
    const result = openOne(folder, name, hexKeyOf(name), now, reading)
    if (!result.ok) return giveUp(result.failure.code === 'history-damaged' ? keyOrDamage(folder, name, result.failure, hexKeyOf) : result.failure)
    opened[name] = result.value
  }
  const dbs = opened as Record<files.FileName, files.Db>
  const result = files.guarded(files.pathOf(folder, 'history'), () => {
    const engine = new Engine(dbs, master ? derivedKey(master, 'digest') : derivedKey(Buffer.alloc(32), 'sitting'), options.anchor, reading)
    if (reading) return { engine, interrupted: ok(0) }
    const finished = engine.erasure.finish()
    return { engine, interrupted: finished.ok ? engine.interruptOpen(now) : finished }
  })
  if (!result.ok) return giveUp(result.failure)
  const { engine, interrupted } = result.value
  if (!interrupted.ok) return giveUp(interrupted.failure)
  if (onDisk) files.guarded(folder, () => dropKeptLogs(folder))
  return ok({ engine, interrupted: interrupted.value })
}

/** Evidence without its subjects' keys, or the reverse, is a loss to be told of, not a reason for a new file. */
function missingPartner(folder: string, onDisk: boolean): Failure | undefined {
  if (!onDisk) return undefined
  // A first start on a full disk leaves an empty file: it is as good as none.
  const holds = (name: files.FileName): boolean => {
    const found = statSync(files.pathOf(folder, name), { throwIfNoEntry: false })
    return found !== undefined && !(found.isFile() && found.size === 0)
  }
  const there = { history: holds('history'), subjects: holds('subjects') }
  if (there.history === there.subjects) return undefined
  const [missing, file] = there.history ? (['subjects', 'history'] as const) : (['history', 'subjects'] as const)
  return failure('history-damaged', { detail: `${files.fileNames[missing]} is missing beside it`, file: files.pathOf(folder, file) })
}

function openOne(folder: string, name: files.FileName, hexKey: string | undefined, now: number, reading: boolean): Result<files.Db, Failure> {
  const path = files.pathOf(folder, name)
  const migrated = (): Result<files.Db, Failure> => {
    const result = files.guarded(path, () => files.openFile(folder, name, hexKey))
    if (!result.ok) return result
    const db = result.value
    // Now that the file is held, nobody else writes into its log.
    if (hexKey !== undefined && name !== 'search') files.guarded(path, () => keepLog(folder, name, reading))
    const copy = hexKey === undefined ? undefined : { folder, name, hexKey, at: now }
    const guarded = files.guarded(path, () => migrate(db, migrationsOf[name], copy, reading))
    const outcome = guarded.ok ? guarded.value : guarded
    // The evidence and its keys are read through once they are open; a faulty index is found here, where it is made anew.
    const verdict = outcome.ok && name === 'search' ? files.guarded(path, () => readThrough(db)) : outcome
    if (verdict.ok) return ok(db)
    files.closeQuietly(db)
    return verdict
  }
  // The header is read while the file is closed: closing any descriptor of a file drops a process's locks on it.
  const open = (): Result<files.Db, Failure> => {
    if (hexKey === undefined) return migrated()
    const usable = files.guarded(path, () => files.assertFiles(path))
    if (!usable.ok) return usable
    const fresh = !existsSync(path)
    if (!fresh && files.isPlain(path)) return failed('history-damaged', { detail: 'it is not encrypted', file: path })
    const result = migrated()
    if (!fresh || !result.ok) return result
    files.closeQuietly(result.value)
    if (files.isPlain(path)) throw new Error('a history file was made without encryption')
    return migrated()
  }
  const first = open()
  if (reading) {
    // What cannot be read of the index is found anew, in memory.
    if (name === 'search' && !first.ok && first.failure.code !== 'history-busy') return openOne(folder, name, undefined, now, false)
    if (first.ok && name !== 'search') first.value.pragma('query_only=ON')
    return first
  }
  // The index is derived: a faulty one holds nothing that the other two files do not hold.
  if (name !== 'search' || first.ok || !['history-damaged', 'history-newer'].includes(first.failure.code)) return first
  for (const companion of files.companions) rmSync(path + companion, { force: true })
  return open()
}

/**
 * SQLite says the same of a wrong key and of a damaged first page. The other file knows: if the key
 * opens it, the key is right and the file is damaged.
 */
function keyOrDamage(folder: string, name: files.FileName, damage: Failure, hexKeyOf: (name: files.FileName) => string | undefined): Failure {
  const other = name === 'history' ? 'subjects' : 'history'
  const witness = files.guarded(files.pathOf(folder, other), () => files.openFile(folder, other, hexKeyOf(other)))
  if (witness.ok) files.closeQuietly(witness.value)
  const keyFits = witness.ok || name === 'subjects' || witness.failure.code === 'history-busy'
  return keyFits ? damage : failure('history-key-wrong')
}
