/** The store itself, synchronous and without a worker: opens the three files and runs groups of writes. */
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { SinceBackup } from '#contract/data-management/since-backup.ts'
import type { KnownHead } from '#wire/history/audit-walk.ts'
import { ApplicantIds } from '../applicants/ids.ts'
import { ApplicantFacts } from '../applicants/facts.ts'
import { NameSearch } from '../applicants/name-search.ts'
import { WorkQueue } from '../applicants/queue.ts'
import { Approvals } from '../applicants/approvals.ts'
import { Applicants } from '../applicants/applicants.ts'
import { Proofs } from '../audit/proofs.ts'
import { Walk } from '../audit/walk.ts'
import { Audit } from '../audit/audit.ts'
import { Batches } from '../batches/batches.ts'
import { RowPages } from '../batches/row-pages.ts'
import { WantedCopies } from '../batches/wanted.ts'
import { BatchSharing } from '../batches/sharing.ts'
import { CatalogueReader } from '../projections/catalogue-reader.ts'
import { sinceEvent } from '../events/at-restore.ts'
import { genesis, verifyChain, type ChainVerdict } from '#wire/history/chain.ts'
import type { Head } from '#wire/history/events.ts'
import { codeOfState, RecordColumns } from '../projections/columns.ts'
import { Erasure } from '../erasure/erasure.ts'
import { Packs } from '../evidence/packs.ts'
import { Outgoing } from '../exchange/outgoing.ts'
import { OwnQueue } from '../exchange/own-queue.ts'
import { DecisionFiguresReader } from '../overview/decision-figures.ts'
import { DecisionIndex } from '../overview/decision-index.ts'
import { OverviewReader } from '../overview/overview.ts'
import { Events } from '../events/events.ts'
import * as files from '#wire/sqlite/files.ts'
import { Indexer, indexTableNames } from '../search/indexer.ts'
import { NoteTexts } from '../search/note-texts.ts'
import { SpendGuard } from '../search/spend-guard.ts'
import { Queries } from '../search/queries.ts'
import { DocumentCopies } from '../records/document-copies.ts'
import { DocumentFiles } from '../records/document-files.ts'
import { DocumentNotes } from '../records/document-notes.ts'
import { Reader } from '../records/reader.ts'
import { Restored } from '../records/restored.ts'
import { Snapshots } from '../storage/snapshot.ts'
import { Subjects, type KnownApplicant } from '../storage/subjects.ts'
import { Writer } from '../records/writer.ts'

/** A write, run within the group's transaction. */
export type Write<T> = (writer: Writer) => Result<T, Failure>

/** Files up to this many bytes are checked completely at every start; larger ones on demand. */
const checkedWhole = 16 * 1024 * 1024

/** Number of last events whose chain is checked at every start; the whole chain is checked on demand. */
const checkedAtStart = 1000

export class Engine {
  readonly queries: Queries
  readonly writer: Writer
  readonly indexer: Indexer
  readonly columns: RecordColumns
  readonly batches: Batches
  readonly rowPages: RowPages
  readonly batchSharing: BatchSharing
  readonly events: Events
  readonly applicants: Applicants
  readonly applicantIds: ApplicantIds
  readonly applicantFacts: ApplicantFacts
  readonly nameSearch: NameSearch
  readonly queue: WorkQueue
  readonly overview: OverviewReader
  readonly catalogue: CatalogueReader
  readonly audit: Audit
  readonly proofs: Proofs
  readonly walk: Walk
  readonly erasure: Erasure
  readonly packs: Packs
  readonly reader: Reader
  readonly documents: DocumentNotes
  readonly copies: DocumentCopies
  readonly wantedCopies: WantedCopies
  readonly documentFiles: DocumentFiles
  readonly snapshots: Snapshots
  readonly restored: Restored
  /** For the benchmarks, which run plain SQL for comparison. */
  readonly dbs: Readonly<Record<files.FileName, files.Db>>
  private readonly subjects: Subjects
  private readonly countChanges
  private head: Head
  private readonly keychainAnchor: KnownHead | undefined
  /** Opened on a full disk: every write is refused before anything is changed. */
  readonly readOnly: boolean

  constructor(
    dbs: Readonly<Record<files.FileName, files.Db>>,
    digestKey: Buffer,
    anchor?: KnownHead,
    readOnly = false
  ) {
    this.keychainAnchor = anchor
    this.readOnly = readOnly
    this.dbs = dbs
    const { history, search } = dbs
    this.snapshots = new Snapshots(dbs)
    this.subjects = new Subjects(dbs.subjects)
    this.countChanges = dbs.subjects.prepare('SELECT total_changes()').pluck()
    this.head =
      (history.prepare('SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1').get() as Head | undefined) ?? genesis
    this.checkTail()
    this.writer = new Writer(history, this.subjects, this.head, digestKey)
    const { dictionary } = this.writer
    const reader = (this.reader = new Reader(history, this.subjects, dictionary))
    this.columns = new RecordColumns(history)
    this.events = new Events(history, this.subjects)
    const notes = new NoteTexts(history, this.events)
    this.indexer = new Indexer(search, history, reader, notes, digestKey)
    this.restored = new Restored(dbs.subjects)
    const guard = new SpendGuard({ reader, indexer: this.indexer, restored: this.restored, writer: this.writer })
    this.batches = new Batches({ history, subjects: this.subjects, reader, guard, restored: this.restored })
    this.batchSharing = new BatchSharing(history, this.subjects, this.batches.read)
    this.documentFiles = new DocumentFiles({ history, subjects: this.subjects })
    this.copies = new DocumentCopies({ history, subjects: this.subjects, events: this.events })
    const { subjects, batches, copies } = this
    this.wantedCopies = new WantedCopies({ history, subjects, batches, copies })
    this.erasure = new Erasure({
      dbs,
      reader,
      subjects: this.subjects,
      indexer: this.indexer,
      ...{ notes, copies: this.copies },
      commit: (write) => this.commit([write])[0] ?? failed('internal', { reason: 'write-unanswered' })
    })
    this.rowPages = new RowPages({
      history,
      subjects: this.subjects,
      reader,
      events: this.events,
      batches: this.batches.read
    })
    this.documents = new DocumentNotes(history, this.subjects, this.events)
    this.applicantIds = new ApplicantIds(dbs.subjects)
    const { applicants: projection, catalogue, names } = this.writer
    this.nameSearch = new NameSearch(names)
    this.applicantFacts = new ApplicantFacts({ history, events: this.events, names, dictionary })
    this.applicants = new Applicants({
      history,
      subjects: this.subjects,
      reader,
      events: this.events,
      projection,
      catalogue,
      ids: this.applicantIds,
      names,
      nameSearch: this.nameSearch,
      facts: this.applicantFacts,
      dictionary,
      rowPages: this.rowPages,
      holds: this.erasure.holds
    })
    this.queue = new WorkQueue({
      history,
      columns: this.columns,
      reader,
      events: this.events,
      subjects: this.subjects,
      dictionary,
      projection,
      names,
      applicants: this.applicants.read,
      rowPages: this.rowPages
    })
    this.overview = new OverviewReader({ history, columns: this.columns, dictionary, batches: this.batches.read })
    this.catalogue = new CatalogueReader({ history, events: this.events, dictionary, subjects: this.subjects })
    this.audit = new Audit(history, this.subjects, dictionary)
    this.proofs = new Proofs(history)
    this.packs = new Packs({ history, subjects: this.subjects, proofs: this.proofs })
    this.walk = new Walk(dbs, this.subjects)
    this.queries = new Queries({
      history,
      search,
      columns: this.columns,
      reader,
      indexer: this.indexer,
      dictionary,
      subjects: this.subjects,
      restored: this.restored,
      guard,
      catalogue: this.catalogue,
      ...{ names, nameSearch: this.nameSearch, notes }
    })
  }

  private figures: DecisionFiguresReader | undefined
  /** Made when figures are first asked for. */
  get decisions(): DecisionFiguresReader {
    const { columns, events, subjects, catalogue, reader } = this
    const { fourEyes } = this.applicants
    const { history } = this.dbs
    const { dictionary, names } = this.writer
    return (this.figures ??= new DecisionFiguresReader({
      index: new DecisionIndex({ history, columns, events, subjects, dictionary, catalogue, fourEyes }),
      dictionary,
      catalogue,
      reader,
      subjects,
      names
    }))
  }

  private ofTeam: Approvals | undefined
  /** Made when a team asks first. */
  get approvals(): Approvals {
    return (this.ofTeam ??= new Approvals({
      history: this.dbs.history,
      subjects: this.subjects,
      events: this.events,
      projection: this.writer.applicants,
      onAnswered: (subject) => this.applicants.onAnswered(subject)
    }))
  }

  private toTeam: Outgoing | undefined
  /** Made when a team asks first. */
  get outgoing(): Outgoing {
    return (this.toTeam ??= new Outgoing(this.dbs.history, this.subjects, this.applicants.fourEyes))
  }

  private claimed: OwnQueue | undefined
  /** Likewise. */
  get ownQueue(): OwnQueue {
    return (this.claimed ??= new OwnQueue(this.dbs.history, this.subjects, this.events))
  }

  /** The subject of a known applicant. */
  readonly subjectOf = (applicantId: string): number | undefined => this.subjects.ofApplicant(applicantId)

  /** Takes over applicants with their keys from another file of this history. */
  readonly adopt = (applicant: KnownApplicant): void => this.subjects.adopt(applicant)

  /** Checks small files completely, that the anchored head is present, and that the last events are chained. */
  private checkTail(): void {
    for (const db of [this.dbs.history, this.dbs.subjects]) readThrough(db)
    this.checkChain()
    this.checkKeys()
  }

  /**
   * A key is durable before anything is sealed with it, so a key file with fewer subjects than the evidence is
   * outdated.
   */
  private checkKeys(): void {
    const { history } = this.dbs
    const named = history
      .prepare(
        'SELECT max(coalesce((SELECT max(subject) FROM record), 0), coalesce((SELECT max(subject) FROM event WHERE seq > ?), 0))'
      )
      .pluck()
    const newest = named.get(this.head.seq - checkedAtStart) as number
    if (newest > this.subjects.last)
      throw new files.DamageError({ reason: 'keys-older', found: this.subjects.last, count: newest })
  }

  private checkChain(): void {
    const { history } = this.dbs
    for (const { seq, hash } of this.knownHeads()) {
      const there = history.prepare('SELECT hash FROM event WHERE seq = ?').pluck().get(seq) as Buffer | undefined
      if (!there) throw new files.DamageError({ reason: 'events-missing', count: seq - this.head.seq })
      if (there.toString('hex') !== hash) throw new files.DamageError({ reason: 'events-changed' })
    }
    const from = Math.max(0, this.head.seq - checkedAtStart)
    const before =
      from === 0
        ? genesis
        : (history.prepare('SELECT seq, hash FROM event WHERE seq = ?').get(from) as Head | undefined)
    const verdict = before ? verifyChain(history, undefined, before) : undefined
    if (!verdict?.intact) throw new files.DamageError({ reason: 'chain', number: verdict?.at ?? from })
  }

  /**
   * The last event that a verification of the audit trail covers, and the heads from outside the evidence that it
   * must contain.
   */
  anchors(): { readonly until: number; readonly known: readonly KnownHead[] } {
    return { until: this.walk.size, known: this.knownHeads() }
  }

  /** What was recorded since an event; null if this history does not contain it. */
  since({ seq, hash }: KnownHead): SinceBackup | null {
    const there =
      seq === 0
        ? genesis.hash
        : (this.dbs.history.prepare('SELECT hash FROM event WHERE seq = ?').pluck().get(seq) as Buffer | undefined)
    return there?.toString('hex') === hash ? sinceEvent(this.dbs.history, seq) : null
  }

  private knownHeads(): KnownHead[] {
    const anchor = this.subjects.anchor()
    const own = anchor && anchor.seq > 0 ? [{ seq: anchor.seq, hash: anchor.hash.toString('hex') }] : []
    return this.keychainAnchor ? [...own, this.keychainAnchor] : own
  }

  /** The last durable event; seq 0 if there is none. */
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
   * Runs writes as one transaction per file. All are durable when this returns, or none is and each has the same
   * failure. Subjects are committed first: no record may be durable before its key.
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
      const newSubjects = this.countChanges.get() as number
      if (newSubjects !== this.subjectChanges) this.subjects.rememberAnchor(this.head)
      subjects.exec('COMMIT')
      this.subjectChanges = this.countChanges.get() as number
      history.exec('COMMIT')
      this.head = writer.head
      for (const done of writer.postCommit) {
        this.columns.set(done.row)
        this.indexer.note(done)
      }
      writer.postCommit = []
      return results
    } catch (error) {
      for (const db of [history, subjects]) if (db.inTransaction) db.exec('ROLLBACK')
      writer.head = before.head
      writer.lastRecord = before.lastRecord
      writer.postCommit = []
      writer.dictionary.reload()
      writer.names.reload()
      this.proofs.forgetAfter(before.head.seq)
      const known = files.failureOf(error, files.fileNames.history)
      if (!known) throw error
      return writes.map(() => ({ ok: false, failure: known }))
    }
  }
  private subjectChanges = 0

  /** Changes the open intents of an earlier run to "unknown"; returns their number. */
  interruptOpen(now: number): Result<number, Failure> {
    const open = this.dbs.history
      .prepare(`SELECT lower(hex(id)) FROM record WHERE state = ${codeOfState('open')}`)
      .pluck()
      .all() as string[]
    if (this.restored.hasExpired(now)) this.commit([() => ok(this.restored.forgetExpired(now))])
    if (open.length === 0 && !this.batches.interrupted) return ok(0)
    const ending = { outcome: 'unknown', endedAt: now, failure: failure('interrupted') } as const
    const dashed = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    const finishes = open.map(
      (hex) =>
        (writer: Writer): Result<null, Failure> =>
          writer.finish(dashed(hex), ending)
    )
    const results = this.commit([...finishes, (writer) => this.batches.recover(now, writer)])
    return results.find((result) => !result.ok) ?? ok(open.length)
  }

  /** Prepares the index for many writes (true); afterwards merges its segments (false). */
  bulk(on: boolean): void {
    const { search } = this.dbs
    for (const table of indexTableNames) {
      search.exec(`INSERT INTO ${table}(${table}, rank) VALUES ('hashsize', ${on ? 64 * 1024 * 1024 : 1024 * 1024})`)
      if (!on) search.exec(`INSERT INTO ${table}(${table}) VALUES ('optimize')`)
    }
  }

  /** Verifies the whole chain; 100,000 events take well under a second. */
  verify(): ChainVerdict {
    return verifyChain(this.dbs.history, this.subjects.anchor())
  }

  /**
   * SQLite's check of every page of the evidence and the keys; reads both files completely. `ok` if nothing is wrong.
   */
  integrity(): string {
    const invalid = [this.dbs.history, this.dbs.subjects].map(integrityOf).find((verdict) => verdict !== 'ok')
    return invalid ?? 'ok'
  }

  /** Shrinks the caches for a large number of writes, and restores their size afterwards. */
  writing(much: boolean): void {
    for (const name of ['history', 'subjects', 'search'] as const) {
      files.sizeCache(this.dbs[name], name, much)
      if (much) this.dbs[name].pragma('shrink_memory')
    }
  }

  close(): void {
    try {
      // An index that is behind is also valid, so a full disk does not prevent closing.
      if (this.dbs.search.open && !this.dbs.search.memory && !this.readOnly)
        files.guarded(files.fileNames.search, () => this.indexer.finish(this.head.seq))
      // An older anchor is also valid, so a full disk does not prevent closing.
      if (this.dbs.history.open && !this.readOnly)
        files.guarded(files.fileNames.subjects, () => this.subjects.rememberAnchor(this.head))
    } finally {
      for (const db of Object.values(this.dbs)) files.closeQuietly(db)
      this.snapshots.release()
    }
  }
}

const integrityOf = (db: files.Db): string => db.pragma('integrity_check(1)', { simple: true }) as string

/** Checks every page of a file if it is small enough for every start. Throws if the content is damaged. */
export function readThrough(db: files.Db): void {
  const bytes = db
    .prepare('SELECT page_count * page_size FROM pragma_page_count, pragma_page_size')
    .pluck()
    .get() as number
  const verdict = bytes <= checkedWhole ? integrityOf(db) : 'ok'
  if (verdict !== 'ok') throw new files.DamageError({ reason: 'integrity', finding: String(verdict) })
}
