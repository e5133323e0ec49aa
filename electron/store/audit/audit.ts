/** Reads the audit trail for display, and appends to it. */
import type { AuditEvent, AuditPage } from '#contract/evidence/audit.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { EventsAfter, TimestampedQuery } from '#wire/history/audit.ts'
import type { AuditNote } from '#wire/history/audit-notes.ts'
import { groupOf, kindsOf, wordsOf, type Names } from '#contract/evidence/event-sentences.ts'
import { uuidBytes, uuidText } from '#kit/bytes.ts'
import type { Dictionary } from '../projections/dictionary.ts'
import type { EventRow } from '../events/events.ts'
import type { Db } from '#wire/sqlite/files.ts'
import type { Subjects } from '../storage/subjects.ts'
import type { Writer } from '../records/writer.ts'
import { AuditMatcher, type Matches } from './audit-filter.ts'

/** The kinds excluded from the partial index, whose condition repeats them; they are found by scanning. */
const checks = `('record.begun', 'record.ended')`
const columns = 'seq, at, kind, subject, record, plain, sealed, hash'
/** Milliseconds that a search reads for one page, and the rows that it reads at a time. */
const searchTime = 25
const searchBlock = 400
/** Where a list begins: before or after an event. */
interface Start {
  readonly seq: number
  readonly step: 1 | -1
}

export class Audit {
  private readonly subjects: Subjects
  private readonly dictionary: Dictionary
  private readonly matcher: AuditMatcher
  private readonly all
  private readonly ofChecks
  private readonly ofKind
  private readonly atTime
  private readonly last
  private readonly idOfRecord
  private readonly recordOf
  private readonly linkOf
  private readonly viewCount
  private readonly batchName
  private readonly hashOf
  private readonly connectionOf

  constructor(history: Db, subjects: Subjects, dictionary: Dictionary) {
    this.subjects = subjects
    this.dictionary = dictionary
    this.matcher = new AuditMatcher(history, subjects, dictionary, this.names)
    const bothWays = (where: string) => ({
      down: history.prepare(`SELECT ${columns} FROM event WHERE ${where} seq < ? ORDER BY seq DESC LIMIT ?`),
      up: history.prepare(`SELECT ${columns} FROM event WHERE ${where} seq > ? ORDER BY seq LIMIT ?`)
    })
    this.all = bothWays('')
    this.ofChecks = bothWays(`kind IN ${checks} AND`)
    this.ofKind = bothWays(`kind = ? AND kind NOT IN ${checks} AND`)
    this.atTime = history.prepare('SELECT at FROM event WHERE seq = ?').pluck()
    this.last = history.prepare('SELECT coalesce(max(seq), 0) FROM event').pluck()
    this.idOfRecord = history.prepare('SELECT id FROM record WHERE seq = ?').pluck()
    this.recordOf = history.prepare('SELECT seq, subject FROM record WHERE id = ?')
    this.hashOf = history.prepare('SELECT lower(hex(hash)) FROM event WHERE seq = ?').pluck()
    this.connectionOf = history.prepare('SELECT connection FROM record WHERE seq = ?').pluck()
    this.linkOf = history.prepare('SELECT subject FROM applicant_link WHERE record = ?').pluck()
    const views = kindsOf(['views']).map((kind) => `'${kind}'`)
    this.viewCount = history
      .prepare(`SELECT count(*) FROM event WHERE kind IN (${views.join(', ')}) AND kind NOT IN ${checks}`)
      .pluck()
    this.batchName = history.prepare("SELECT json_extract(draft, '$.name') FROM batch WHERE id = ?").pluck()
  }

  /**
   * Appends an event that does not belong to a record. A view of something that no longer exists is recorded without
   * a number.
   */
  note(writer: Writer, note: AuditNote): Result<{ readonly seq: number }, Failure> {
    const { kind, at, operator, plain, about } = note
    const bytes = about && 'recordId' in about ? uuidBytes(about.recordId) : undefined
    const record = bytes && (this.recordOf.get(bytes) as { readonly seq: number; readonly subject: number } | undefined)
    const subject = about && 'applicantId' in about ? this.subjects.ofApplicant(about.applicantId) : record?.subject
    const key = subject === undefined ? undefined : this.subjects.key(subject)
    const payload = 'sealed' in note ? note.sealed : undefined
    const seq = writer.append(
      {
        at: Math.trunc(at),
        kind,
        subject: subject ?? null,
        record: record?.seq ?? null,
        plain: { ...plain, operator }
      },
      key && payload && { key, payload }
    )
    return ok({ seq })
  }

  page(query: TimestampedQuery): AuditPage {
    const page = this.pageOf(query)
    return query.before === undefined && !query.after ? { ...page, views: this.viewCount.get() as number } : page
  }

  private pageOf(query: TimestampedQuery): AuditPage {
    const { groups, kinds, limit, before, after, at, timestamps = false } = query
    const jump = at === undefined ? undefined : this.newestAt(at) + 1
    const start: Start =
      after === undefined ? { seq: before ?? jump ?? Number.MAX_SAFE_INTEGER, step: -1 } : { seq: after, step: 1 }
    const some = wantedKinds(groups && kindsOf(groups), kinds)
    const matches = this.matcher.of(query)
    if (matches) return this.search(some, matches, start, limit, timestamps)
    const rows = this.rows(some, start, limit + 1)
    const events = rows.slice(0, limit).map((row) => this.event(row, timestamps))
    return { events, older: rows.length > limit, ...(rows.length > limit && { next: events.at(-1)?.seq }) }
  }

  /** Events after a number, as they are, for log forwarding. */
  after(seq: number, most: number): EventsAfter {
    const rows = this.rows(undefined, { seq, step: 1 }, most)
    return {
      hash: this.hashOf.get(seq) as string | undefined,
      last: this.last.get() as number,
      events: rows.map(({ seq: number, at, kind, record, plain, hash }) => {
        const ref = record === null ? undefined : (this.connectionOf.get(record) as number | undefined)
        const id = ref === undefined ? undefined : this.dictionary.connections.get(ref)?.id
        return {
          seq: number,
          at,
          kind,
          record,
          plain,
          hash: hash.toString('hex'),
          ...(id !== undefined && { connectionId: id })
        }
      })
    }
  }

  /** Reads until a page is full or its time is over. */
  private search(
    kinds: readonly string[] | undefined,
    matches: Matches,
    { seq, step }: Start,
    limit: number,
    timestamps: boolean
  ): AuditPage {
    const until = performance.now() + searchTime
    const events: AuditEvent[] = []
    for (let from = seq; ;) {
      const rows = this.rows(kinds, { seq: from, step }, searchBlock)
      for (const row of rows) {
        if (!matches(row)) continue
        events.push(this.event(row, timestamps))
        if (events.length === limit) return { events, older: true, next: row.seq }
      }
      const last = rows.at(-1)?.seq
      if (last === undefined || rows.length < searchBlock) return { events, older: false }
      from = last
      if (performance.now() > until) return { events, older: true, next: from }
    }
  }

  /** The newest event at or before a time. Events are almost in the order of their times, so binary search finds it. */
  private newestAt(at: number): number {
    let low = 0
    let high = this.last.get() as number
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((this.atTime.get(middle) as number) <= at) low = middle
      else high = middle - 1
    }
    return low
  }

  private rows(kinds: readonly string[] | undefined, { seq, step }: Start, limit: number): EventRow[] {
    const way = step < 0 ? 'down' : 'up'
    if (!kinds) return this.all[way].all(seq, limit) as EventRow[]
    const rows = kinds
      .filter((kind) => !checks.includes(`'${kind}'`))
      .flatMap((kind) => this.ofKind[way].all(kind, seq, limit) as EventRow[])
    const begunOrEnded = kinds.filter((kind) => checks.includes(`'${kind}'`))
    if (begunOrEnded.length > 0) rows.push(...this.verifications(begunOrEnded, { seq, step }, limit))
    return rows.sort((a, b) => step * (a.seq - b.seq)).slice(0, limit)
  }

  /** Events of verifications, of one or both kinds; most events are among them, so they are found by scanning. */
  private verifications(kinds: readonly string[], { seq, step }: Start, limit: number): EventRow[] {
    const found: EventRow[] = []
    for (let from = seq; found.length < limit;) {
      const rows = this.ofChecks[step < 0 ? 'down' : 'up'].all(from, limit) as EventRow[]
      found.push(...rows.filter(({ kind }) => kinds.includes(kind)))
      const last = rows.at(-1)
      if (!last || rows.length < limit) break
      from = last.seq
    }
    return found.slice(0, limit)
  }

  private event(
    { seq, at, kind, subject, record, plain: json, sealed, hash }: EventRow,
    timestamps: boolean
  ): AuditEvent {
    const plain = JSON.parse(json) as Readonly<Record<string, unknown>>
    const id = record === null ? undefined : (this.idOfRecord.get(record) as Buffer | undefined)
    const linked = record === null ? undefined : (this.linkOf.get(record) as number | undefined)
    const applicant = subject === null ? undefined : this.subjects.applicantOf(subject)
    return {
      seq,
      at,
      kind,
      group: groupOf(kind),
      words: wordsOf(kind, plain, this.names),
      operator: typeof plain['operator'] === 'string' ? plain['operator'] : undefined,
      recordId: id && uuidText(id),
      applicantId: applicant ?? (linked === undefined ? undefined : this.subjects.applicantOf(linked)),
      ...this.thing(kind, plain),
      erased: sealed !== null && subject !== null && this.subjects.key(subject) === undefined,
      hash: hash.toString('hex'),
      ...(timestamps &&
        kind === 'head.timestamped' && {
          timestamp: { checkpoint: String(plain['checkpoint']), token: String(plain['token']) }
        })
    }
  }

  /** What an event is about that is no person's. */
  private thing(
    kind: string,
    plain: Readonly<Record<string, unknown>>
  ): Pick<AuditEvent, 'batch' | 'setting' | 'connection'> {
    const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
    const batch = text(kind.startsWith('batch.') ? plain['id'] : plain['batchId'])
    if (batch !== undefined) return { batch: { id: batch, name: text(this.batchName.get(batch)) } }
    if (kind === 'setting.changed' && plain['action'] === undefined) return { setting: text(plain['name']) }
    return { connection: text(plain['connection']) }
  }

  private readonly names: Names = { connection: (ref) => this.connectionName(ref) }

  private connectionName(ref: unknown): string {
    const name = typeof ref === 'number' ? this.dictionary.connections.get(ref)?.name : undefined
    return name === undefined ? 'a connection' : `“${name}”`
  }
}

/** The kinds of some groups, of a list, or of both; undefined for all. */
function wantedKinds(
  ofGroups: readonly string[] | undefined,
  kinds: readonly string[] | undefined
): readonly string[] | undefined {
  const groups = ofGroups?.length ? ofGroups : undefined
  const list = kinds?.length ? kinds : undefined
  return groups && list ? list.filter((kind) => groups.includes(kind)) : (list ?? groups)
}

/** `event-missing`, with the number of events. */
export const eventMissing = (size: number): { readonly ok: false; readonly failure: Failure } =>
  failed('event-missing', { size })
