/** Reads what waits for a user: one entry for each applicant or unknown outcome, decrypted. */
import { dayLength, dueOfIso, isoDue, today } from '#contract/applicants/due-dates.ts'
import { maxReviewRemindDays, type QueueKind, type QueueMeaning } from '#contract/applicants/queue-kinds.ts'
import { gravest } from '#contract/applicants/standing.ts'
import type { AssigneeSealed, MessageSealed, TagsSealed } from '#wire/history/applicant-payloads.ts'
import { codeOfApplicant } from '../projections/applicants.ts'
import { codeOfState, isUnresolved, startOf, type Columns, type RecordColumns } from '../projections/columns.ts'
import { inAuditTrail } from '../events/event-index.ts'
import type { Events } from '../events/events.ts'
import type { Reader } from '../records/reader.ts'
import type { Db } from '#wire/sqlite/files.ts'
import type { Subjects } from '../storage/subjects.ts'
import type { NamesProjection } from '../projections/names.ts'
import { lineOf } from './name-search.ts'
import { answeredColumns, standingOf, type Answered, type AnsweredRow } from './standing.ts'

export interface Waiting {
  /** The applicant's subject, or the record's seq below zero. */
  readonly ref: number
  readonly kind: QueueKind
  readonly since: number
  readonly due: number | undefined
  /** The day of the review, of an item of that kind. */
  readonly review: number | undefined
  readonly applicant: string | undefined
  /** The applicant's name and date of birth, as a search compares them. */
  readonly named: string | undefined
  readonly tags: readonly string[]
  readonly assignee: string | undefined
  readonly check: LastCheck | undefined
  /** The standing answers, the newest first; items that were answered alike share the list. */
  readonly standing: readonly Said[]
  /** IDs of the batches that sent something about them. */
  readonly batches: readonly string[]
}
/** An operation and what it was answered, as in `LastCheck`. */
export type Said = Pick<Answered, 'operation' | 'said'>
export interface LastCheck {
  readonly seq: number
  readonly at: number
  /** Numbers as in the columns. */
  readonly operation: number
  readonly state: number
  readonly status: number
  /** Number of the answer's message in the catalogue, or the HTTP status below zero if it is not there; undefined without an answer. */
  readonly said: number | undefined
  readonly message: string | undefined
}

export interface EntryParts {
  readonly history: Db
  readonly columns: RecordColumns
  readonly reader: Reader
  readonly events: Events
  readonly subjects: Subjects
  readonly names: NamesProjection
}

export const kindOfState = new Map<number, Exclude<QueueKind, 'unresolved' | 'review'>>([
  [codeOfApplicant('none'), 'open'],
  [codeOfApplicant('escalate'), 'escalated'],
  [codeOfApplicant('outdated'), 'outdated'],
  [codeOfApplicant('returned'), 'returned']
])
/** Without evidence there is nothing to decide on; such an applicant is listed only if a user set a due date. */
export const noEvidence = codeOfApplicant('no-evidence')

/** The condition of an applicant who waits, a review aside. @param of The table's name before its columns. */
export const waits = (of: string): string =>
  `(${of}state IN (${[...kindOfState.keys()].join(', ')}) OR (${of}state = ${noEvidence} AND ${of}due IS NOT NULL))`

/** Reviews before this day are in memory: those that may be asked for on a day. */
const horizonOf = (now: number): string => isoDue(today(now) + (maxReviewRemindDays + 1) * dayLength)

interface Row extends AnsweredRow {
  readonly subject: number
  readonly state: number
  readonly since: number
  readonly due: number | null
  readonly review_at: string | null
  readonly tags: number | null
  readonly last: number
  readonly wording: number | null
  readonly assigned: number | null
  readonly batches: string | null
}

const noBatches: readonly string[] = []
const nothingSaid: readonly Said[] = []
/** What an item reads as: the gravest of its standing answers. */
export type Judged = { readonly answer: Said; readonly means: QueueMeaning } | undefined

const rows = (where: string, which = ''): string => `
  SELECT q.*, r.message AS wording FROM (
    SELECT a.subject, a.state, a.due, a.review_at, a.tags,
      CASE a.state
        WHEN ${codeOfApplicant('escalate')} THEN (SELECT at FROM event WHERE seq = a.decision)
        WHEN ${codeOfApplicant('outdated')} THEN (SELECT at FROM event WHERE seq = a.evidence)
        WHEN ${codeOfApplicant('returned')} THEN (SELECT at FROM event WHERE seq = a.answer)
        ELSE a.first_at
      END AS since,
      max(coalesce((SELECT max(seq) FROM record WHERE subject = a.subject), 0),
          coalesce((SELECT max(record) FROM applicant_link WHERE subject = a.subject), 0)) AS last,
      (SELECT e.seq FROM applicant_event p JOIN event e ON e.seq = p.event
        WHERE p.subject = a.subject AND e.kind = 'assignee.changed' ORDER BY p.event DESC LIMIT 1) AS assigned,
      (SELECT group_concat(batch) FROM (
        SELECT batch FROM record WHERE subject = a.subject AND batch IS NOT NULL
        UNION SELECT r.batch FROM applicant_link l JOIN record r ON r.seq = l.record
          WHERE l.subject = a.subject AND r.batch IS NOT NULL)) AS batches,${answeredColumns}
    FROM applicant a
    WHERE ${where} AND (${waits('a.')} OR a.review_at < ?)
    ${which}
  ) q LEFT JOIN record r ON r.seq = q.last`

export class QueueEntries {
  private readonly parts: EntryParts
  private readonly after
  private readonly one
  private readonly between
  private readonly linkOf
  private readonly subjectOf
  private readonly dueOf
  private readonly assignments
  private readonly wordingOf
  private readonly meaningOf
  private readonly batchOf
  /** Texts of messages by their number; most items share a few. */
  private wordings = new Map<number, string | undefined>()
  /** Interpretations by the number of the message. */
  private meanings = new Map<number, QueueMeaning>()
  /** Lists of standing answers by what they say, each kept once, and what each is read as. */
  private lists = new Map<string, readonly Said[]>()
  private judged = new Map<readonly Said[], Judged>()
  /** IDs of batches, each kept once. */
  private batchIds = new Map<string, string>()
  /** The last assignment of each record. */
  private assigned: Map<number, number> | undefined
  private horizon = horizonOf(Date.now())

  constructor(parts: EntryParts) {
    const { history } = parts
    this.parts = parts
    this.after = history.prepare(`${rows('a.subject > ?', 'ORDER BY a.subject LIMIT ?')} ORDER BY q.subject`)
    this.one = history.prepare(rows('a.subject = ?'))
    this.between = history.prepare(rows('a.review_at >= ?'))
    this.linkOf = history.prepare('SELECT subject FROM applicant_link WHERE record = ?').pluck()
    this.subjectOf = history.prepare('SELECT subject FROM record WHERE seq = ?').pluck()
    this.dueOf = history.prepare('SELECT due FROM record_due WHERE record = ?').pluck()
    this.assignments = history
      .prepare(
        `SELECT record, max(seq) FROM event WHERE kind = 'assignee.changed' AND ${inAuditTrail} AND record IS NOT NULL GROUP BY record`
      )
      .raw()
    this.wordingOf = history.prepare('SELECT event FROM message WHERE subject = ?').pluck()
    this.meaningOf = history
      .prepare(
        `SELECT json_extract(e.plain, '$.means') FROM message m JOIN event e ON e.seq = m.reading WHERE m.subject = ?`
      )
      .pluck()
    this.batchOf = history.prepare('SELECT batch FROM record WHERE seq = ?').pluck()
  }

  /** Drops the texts in memory. */
  forget(): void {
    this.wordings = new Map()
    this.meanings = new Map()
    this.lists = new Map()
    this.judged = new Map()
    this.assigned = undefined
  }

  /** Notes that a message was interpreted. */
  onRead(message: number): void {
    this.meanings.delete(message)
    this.judged = new Map()
  }

  /** What the organisation makes of a message. */
  meaning(said: number): QueueMeaning {
    const known = this.meanings.get(said)
    if (known !== undefined) return known
    const found = (this.meaningOf.get(said) as QueueMeaning | undefined) ?? 'unreviewed'
    this.meanings.set(said, found)
    return found
  }

  /** What an item reads as; undefined without a standing answer. */
  judge({ standing }: Waiting): Judged {
    if (!this.judged.has(standing))
      this.judged.set(
        standing,
        gravest(standing, ({ said }) => this.meaning(said))
      )
    return this.judged.get(standing)
  }

  private listOf(answers: readonly Said[]): readonly Said[] {
    const name = answers.map(({ operation, said }) => `${operation}:${said}`).join()
    const known = this.lists.get(name) ?? answers.map(({ operation, said }) => ({ operation, said }))
    this.lists.set(name, known)
    return known
  }

  private batchesOf(ids: string | null | undefined): readonly string[] {
    if (!ids) return noBatches
    return ids.split(',').map((id) => {
      const known = this.batchIds.get(id) ?? id
      this.batchIds.set(id, known)
      return known
    })
  }

  /** Waiting applicants with a higher subject, in order; `last` is the subject to continue from. */
  applicants(subject: number, limit: number): { readonly entries: Waiting[]; readonly last: number | undefined } {
    const found = this.after.all(subject, this.horizon, limit) as Row[]
    return {
      entries: found.flatMap((row) => this.applicantOf(row) ?? []),
      last: found.length < limit ? undefined : found.at(-1)?.subject
    }
  }

  applicant(subject: number): Waiting | undefined {
    const row = this.one.get(subject, this.horizon) as Row | undefined
    return row && this.applicantOf(row)
  }

  /** Those whose review may be asked for at a time, and which earlier calls did not return. */
  reviews(now: number): Waiting[] {
    const [from, until] = [this.horizon, horizonOf(now)]
    if (until <= from) return []
    this.horizon = until
    return (this.between.all(from, until) as Row[]).flatMap((row) => this.applicantOf(row) ?? [])
  }

  private applicantOf(row: Row): Waiting | undefined {
    const applicant = this.parts.subjects.applicantOf(row.subject)
    if (applicant === undefined) return undefined
    const kind = kindOfState.get(row.state) ?? (row.state === noEvidence && row.due !== null ? 'open' : 'review')
    const review = kind === 'review' ? dueOfIso(row.review_at ?? '') : undefined
    return {
      ref: row.subject,
      kind,
      since: review ?? row.since,
      due: row.due ?? review,
      review,
      applicant,
      named: this.named(row.subject),
      tags: row.tags === null ? [] : (this.parts.events.get<unknown, TagsSealed>(row.tags).sealed?.tags ?? []),
      assignee: this.assignee(row.assigned),
      check: row.last === 0 ? undefined : this.check(this.parts.columns.all(), row.last, row.wording),
      standing: this.listOf(standingOf(row)),
      batches: this.batchesOf(row.batches)
    }
  }

  private named(subject: number): string | undefined {
    const names = this.parts.names.of(subject)
    return names && lineOf(names)
  }

  private assignee(event: number | null | undefined): string | undefined {
    return event == null ? undefined : this.parts.events.get<unknown, AssigneeSealed>(event).sealed?.assignee
  }

  private check(columns: Columns, seq: number, wording: number | null): LastCheck {
    const state = columns.state[seq] ?? 0
    const [status, isAnswer] = [columns.status[seq] ?? 0, state === codeOfState('answered')]
    return {
      seq,
      at: startOf(columns, seq),
      operation: columns.operation[seq] ?? 0,
      state,
      status,
      said: isAnswer ? (wording ?? -status) : undefined,
      message: wording !== null ? this.wording(wording) : isAnswer ? this.parts.reader.summary(seq).message : undefined
    }
  }

  private wording(message: number): string | undefined {
    if (!this.wordings.has(message)) {
      const event = this.wordingOf.get(message) as number | undefined
      this.wordings.set(
        message,
        event === undefined ? undefined : this.parts.events.get<unknown, MessageSealed>(event).sealed?.message
      )
    }
    return this.wordings.get(message)
  }

  /** Every unresolved unknown outcome. */
  *unresolved(): Generator<Waiting> {
    const columns = this.parts.columns.all()
    if (columns.unresolved === 0) return
    for (let seq = 1; seq <= columns.last; seq += 1) {
      const entry = this.record(seq)
      if (entry) yield entry
    }
  }

  /** The entry of a record, if its outcome is unknown and unresolved. */
  record(seq: number): Waiting | undefined {
    const columns = this.parts.columns.all()
    if (!isUnresolved(columns, seq)) return undefined
    this.assigned ??= new Map(this.assignments.all() as [number, number][])
    const subject = (this.linkOf.get(seq) ?? this.subjectOf.get(seq)) as number
    return {
      ref: -seq,
      kind: 'unresolved',
      since: startOf(columns, seq),
      due: (this.dueOf.get(seq) as number | undefined) ?? undefined,
      review: undefined,
      applicant: this.parts.subjects.applicantOf(subject),
      named: this.named(subject),
      tags: [],
      assignee: this.assignee(this.assigned.get(seq)),
      check: this.check(columns, seq, null),
      standing: nothingSaid,
      batches: this.batchesOf(this.batchOf.get(seq) as string | null | undefined)
    }
  }

  /** Notes that a record was assigned by this event. */
  onAssigned(record: number, event: number): void {
    this.assigned?.set(record, event)
  }
}
