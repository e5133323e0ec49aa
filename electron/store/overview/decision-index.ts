/**
 * Every decision, and when every item of the queue waited, in memory: figures of any period then take milliseconds. It is read when figures
 * are first asked for.
 */
import type { DecidedSet } from '#contract/applicants/applicants.ts'
import type { EventKind } from '#contract/evidence/event-kinds.ts'
import type { AssigneeSealed, DecisionPlain, DuePlain } from '#wire/history/applicant-payloads.ts'
import type { ColleagueCases } from '#wire/history/colleagues.ts'
import type { Db } from '#wire/sqlite/files.ts'
import { signerOf } from '#contract/app/signatures.ts'
import { inAuditTrail } from '../events/event-index.ts'
import type { ErasedPlain } from '#wire/history/erasure.ts'
import { followedAtOnce, Follower, type Kept, type News } from '../events/follower.ts'
import type { Events } from '../events/events.ts'
import type { CatalogueReader } from '../projections/catalogue-reader.ts'
import type { Dictionary } from '../projections/dictionary.ts'
import type { Subjects } from '../storage/subjects.ts'
import { codeOfApplicant } from '../projections/applicants.ts'
import { codeOfState, startOf, type RecordColumns } from '../projections/columns.ts'
import { evidenceEvent } from '../projections/evidence-rule.ts'
import type { FourEyes } from '../applicants/four-eyes.ts'
import { Colleagues } from './colleagues.ts'
import { flags, lookedBits, replay, type CaseEvent, type Decided, type Waited } from './decision-replay.ts'
import { never, RowTable } from './row-table.ts'

export interface IndexParts {
  readonly history: Db
  readonly columns: RecordColumns
  readonly events: Events
  readonly subjects: Subjects
  readonly dictionary: Dictionary
  readonly catalogue: CatalogueReader
  readonly fourEyes: Pick<FourEyes, 'answerOf'>
}

const unknown = codeOfState('unknown')

const decisionColumns = (capacity: number) => ({
  at: new Float64Array(capacity),
  event: new Float64Array(capacity),
  took: new Float64Array(capacity),
  message: new Uint32Array(capacity),
  set: new Uint32Array(capacity),
  connection: new Uint16Array(capacity),
  reviewer: new Uint16Array(capacity),
  decision: new Uint8Array(capacity),
  flags: new Uint8Array(capacity)
})
const waitedColumns = (capacity: number) => ({
  from: new Float64Array(capacity),
  until: new Float64Array(capacity),
  since: new Float64Array(capacity),
  due: new Float64Array(capacity),
  message: new Uint32Array(capacity),
  connection: new Uint16Array(capacity),
  reviewer: new Uint16Array(capacity)
})

interface RecordRow {
  readonly subject: number
  readonly record: number
  readonly evidence: number | null
  readonly at: number
  readonly resolvedAt: number | null
  readonly connection: number
  readonly message: number | null
}
interface NotedRow {
  readonly subject: number
  readonly seq: number
  readonly at: number
  readonly kind: EventKind
  readonly record: number | null
  readonly plain: string
}

/** An answer is evidence when it has arrived, a resolution when it was made. */
const evidenceOf = (record: string): string =>
  `SELECT r.subject, r.seq AS record, ${evidenceEvent} AS evidence, r.started_at + coalesce(r.took, 0) AS at,
     (SELECT e.at FROM event e WHERE e.seq = r.resolved) AS resolvedAt, r.connection, r.message ${record}`

export class DecisionIndex implements Kept {
  /** Incremented with each change. */
  version = 0
  readonly decided = new RowTable(decisionColumns)
  readonly waited = new RowTable(waitedColumns)
  /** Names of reviewers by their numbers; 0 is nobody. */
  names: string[] = ['']
  /** Sets of decisions by their numbers; 0 is none. */
  sets: (DecidedSet | undefined)[] = [undefined]
  /** IDs of messages by their numbers here; 0 is none. */
  messages: number[] = [0]
  readonly colleagues: Colleagues
  private readonly parts: IndexParts
  private readonly subjects
  private readonly own
  private readonly byHand
  private readonly noted
  private readonly follower: Follower
  private readonly ofRecords
  private readonly erased
  private readonly resolvedAt
  private readonly subjectOf
  private nameNumbers = new Map([['', 0]])
  private setNumbers = new Map<string, number>()
  private messageNumbers = new Map([[0, 0]])
  /** What was noted about records: due dates and who handles them. */
  private recordNotes: Map<number, CaseEvent[]> | undefined
  /** The event that erased each erased subject. */
  private erasures: Map<number, number> | undefined
  private counted = 0

  constructor(parts: IndexParts) {
    const { history } = parts
    this.parts = parts
    this.colleagues = new Colleagues(parts.dictionary, parts.catalogue)
    this.subjects = history.prepare('SELECT subject FROM applicant WHERE subject > ? ORDER BY subject LIMIT ?').pluck()
    this.own = history.prepare(evidenceOf('FROM record r WHERE r.subject BETWEEN ? AND ?'))
    this.byHand = history.prepare(
      evidenceOf(`FROM record r WHERE r.seq IN (SELECT e.record FROM applicant_event p JOIN event e ON e.seq = p.event
        WHERE p.subject = ? AND e.kind = 'link.made')`)
    )
    this.noted = history.prepare(
      `SELECT p.subject, e.seq, e.at, e.kind, e.record, e.plain FROM applicant_event p JOIN event e ON e.seq = p.event
       WHERE p.subject BETWEEN ? AND ? ORDER BY p.subject, p.event`
    )
    this.follower = new Follower(history, this)
    this.ofRecords = history.prepare(
      `SELECT seq, at, kind, record, plain FROM event WHERE kind IN ('due.changed', 'assignee.changed') AND ${inAuditTrail}
         AND record IS NOT NULL AND seq > ? ORDER BY seq`
    )
    this.erased = history.prepare(
      `SELECT seq, plain FROM event WHERE kind = 'subject.erased' AND ${inAuditTrail} ORDER BY seq`
    )
    this.resolvedAt = history
      .prepare('SELECT e.at FROM record r JOIN event e ON e.seq = r.resolved WHERE r.seq = ?')
      .pluck()
    this.subjectOf = history.prepare('SELECT subject FROM record WHERE seq = ?').pluck()
  }

  forget(): void {
    this.follower.forget()
  }

  /** Brings everything up to date, for some milliseconds; true if it is. All records must have been read. */
  warm(milliseconds: number): boolean {
    return this.follower.warm(milliseconds)
  }

  drop(): void {
    for (const table of [this.decided, this.waited]) table.clear()
    this.names = ['']
    this.nameNumbers = new Map([['', 0]])
    this.sets = [undefined]
    this.setNumbers = new Map()
    this.messages = [0]
    this.messageNumbers = new Map([[0, 0]])
    this.colleagues.forget()
    this.recordNotes = undefined
    this.erasures = undefined
    this.counted = 0
    this.version += 1
  }

  /** Whether the records that it needs are in memory. */
  get canLoad(): boolean {
    return this.parts.columns.isWhole
  }

  /** How far the first reading is; undefined once everything is known. */
  get counting(): { readonly counted: number; readonly of: number } | undefined {
    const { columns } = this.parts
    if (!columns.isWhole) return { counted: 0, of: columns.last }
    return this.follower.isLoaded ? undefined : { counted: Math.min(this.counted, columns.last), of: columns.last }
  }

  load(after: number): number | undefined {
    const found = this.subjects.all(after, followedAtOnce) as number[]
    const [first, last] = [found[0], found.at(-1)]
    if (first !== undefined && last !== undefined) this.read(found, first, last)
    if (found.length === followedAtOnce) return last
    this.loadUnknown()
    return undefined
  }

  /** Every unknown outcome, resolved or not. */
  private loadUnknown(): void {
    const columns = this.parts.columns.all()
    for (let seq = 1; seq <= columns.last; seq += 1) if (columns.state[seq] === unknown) this.readRecord(seq)
  }

  follow({ events, subjects, records }: News): void {
    if (events.some(({ kind, record }) => record !== null && (kind === 'due.changed' || kind === 'assignee.changed')))
      this.recordNotes = undefined
    for (const subject of subjects) {
      const found = this.subjects.all(subject - 1, 1) as number[]
      if (found[0] === subject) this.read(found, subject, subject)
      else this.set(subject, [])
    }
    for (const record of records) this.readRecord(record)
    this.version += 1
  }

  /** Reads applicants again. @param subjects Those between the first and the last number. */
  private read(subjects: readonly number[], first: number, last: number): void {
    const all = new Map<number, CaseEvent[]>(subjects.map((subject) => [subject, []]))
    for (const row of this.own.all(first, last) as RecordRow[]) {
      this.counted += 1
      const evidence = this.evidenceFrom(row)
      if (evidence) all.get(row.subject)?.push(evidence)
    }
    const linking = new Set<number>()
    for (const row of this.noted.all(first, last) as NotedRow[]) {
      const event = this.eventOf(row)
      if (!event) continue
      all.get(row.subject)?.push(event)
      if (event.kind === 'linked') linking.add(row.subject)
    }
    for (const subject of linking)
      for (const row of this.byHand.all(subject) as RecordRow[]) {
        const evidence = this.evidenceFrom(row)
        if (evidence) all.get(subject)?.push(evidence)
      }
    for (const [subject, events] of all) this.set(subject, events)
  }

  private set(subject: number, events: CaseEvent[]): void {
    const { decided, waited } = replay(events.sort((a, b) => a.seq - b.seq))
    this.decided.replace(subject, decided.map(decidedRow))
    this.waited.replace(subject, waited.map(waitedRow))
  }

  /** Takes what colleagues decided; what waits is this installation's alone. @returns The version of what is known of them. */
  take(page: ColleagueCases | undefined): number {
    const { colleagues } = this
    if (!page) return colleagues.version
    if (page.whole) {
      for (const ref of colleagues.refs()) this.decided.replace(ref, [])
      colleagues.forget()
    }
    const numbers = {
      reviewer: (operator: string) => this.numberOf(signerOf(operator).name),
      message: (id: number) => this.messageOf(id)
    }
    for (const each of page.cases) {
      const { ref, events } = colleagues.read(each, numbers)
      this.decided.replace(ref, replay(events).decided.map(decidedRow))
    }
    colleagues.version = page.version
    this.version += 1
    return page.version
  }

  /** An unknown outcome waits from its start until it is resolved, whatever its applicant does. */
  private readRecord(seq: number): void {
    const columns = this.parts.columns.all()
    if (columns.state[seq] !== unknown) return
    const [from, until] = [startOf(columns, seq), (this.resolvedAt.get(seq) as number | undefined) ?? never]
    const connection = columns.connection[seq] ?? 0
    let now: Waited = { from, until, since: from, due: never, connection, message: 0, assignee: 0 }
    const all: Waited[] = []
    // What was noted about a record goes with its applicant; what is noted later stays.
    const erasedAt = this.erasureOf(this.subjectOf.get(seq) as number)
    for (const event of this.notesOf(seq).filter((note) => note.seq > erasedAt)) {
      const changed =
        event.kind === 'due'
          ? { due: event.due ?? never }
          : event.kind === 'assigned'
            ? { assignee: event.assignee }
            : {}
      all.push({ ...now, until: Math.min(until, event.at) })
      now = { ...now, ...changed, from: Math.max(from, event.at) }
    }
    this.waited.replace(-seq, [...all, now].filter((each) => each.until > each.from).map(waitedRow))
  }

  /** The event that erased a subject; before every other one if it is not erased. */
  private erasureOf(subject: number): number {
    if (this.parts.subjects.key(subject) !== undefined) return -Infinity
    this.erasures ??= new Map(
      (this.erased.all() as { readonly seq: number; readonly plain: string }[]).flatMap(({ seq, plain }) =>
        (JSON.parse(plain) as ErasedPlain).subjects.map((each) => [each, seq] as const)
      )
    )
    return this.erasures.get(subject) ?? Infinity
  }

  private notesOf(record: number): readonly CaseEvent[] {
    if (!this.recordNotes) {
      this.recordNotes = new Map()
      for (const row of this.ofRecords.all(0) as NotedRow[]) {
        const event = this.eventOf(row)
        if (!event || row.record === null) continue
        const notes = this.recordNotes.get(row.record) ?? []
        this.recordNotes.set(row.record, [...notes, event])
      }
    }
    return this.recordNotes.get(record) ?? []
  }

  private eventOf({ seq, at, kind, record, plain }: NotedRow): CaseEvent | undefined {
    switch (kind) {
      case 'decision.made': {
        const { decision, operator, evidence, due, set, requires, seen } = JSON.parse(plain) as DecisionPlain
        // Work is assigned to names: who decides is counted under the same.
        const reviewer = this.numberOf(signerOf(operator).name)
        const made = { decision, reviewer, evidence, due: due ?? null, set: this.setOf(set), proposed: requires === 1 }
        return { seq, at, kind: 'decided', ...made, looked: lookedBits(seen, set) }
      }
      case 'approval.received': {
        const answer = this.parts.fourEyes.answerOf({ seq, plain })
        return answer && { seq, at, kind: 'answered', ...answer }
      }
      case 'challenge.recorded':
        return { seq, at, kind: 'challenged' }
      case 'due.changed':
        return { seq, at, kind: 'due', due: (JSON.parse(plain) as DuePlain).due }
      case 'assignee.changed': {
        const { assignee = '' } = this.parts.events.get<unknown, AssigneeSealed>(seq).sealed ?? {}
        return { seq, at, kind: 'assigned', assignee: this.numberOf(assignee) }
      }
      case 'link.made':
      case 'link.removed':
        return record === null ? undefined : { seq, at, kind: kind === 'link.made' ? 'linked' : 'unlinked', record }
      default:
        return undefined
    }
  }

  private numberOf(name: string): number {
    const number = this.nameNumbers.get(name)
    if (number !== undefined) return number
    this.nameNumbers.set(name, this.names.length)
    return this.names.push(name) - 1
  }

  /** What made a record evidence; undefined if it is none. */
  private evidenceFrom({ record, evidence, at, resolvedAt, connection, message }: RecordRow): CaseEvent | undefined {
    if (evidence === null) return undefined
    const newest = { connection, message: this.messageOf(message ?? 0) }
    return { seq: evidence, at: Math.trunc(resolvedAt ?? at), kind: 'evidence', record, newest }
  }

  private messageOf(id: number): number {
    const number = this.messageNumbers.get(id)
    if (number !== undefined) return number
    this.messageNumbers.set(id, this.messages.length)
    return this.messages.push(id) - 1
  }

  private setOf(set: DecidedSet | undefined): number {
    if (!set) return 0
    const number = this.setNumbers.get(set.id)
    if (number !== undefined) return number
    this.setNumbers.set(set.id, this.sets.length)
    return this.sets.push(set) - 1
  }
}

const decidedRow = ({ took, overturned, open, decision, looked, ...row }: Decided) => ({
  ...row,
  took: took ?? 0,
  decision: codeOfApplicant(decision),
  flags: (overturned ? flags.overturned : 0) | (took === undefined ? 0 : flags.timed) | (open ? flags.open : 0) | looked
})
const waitedRow = ({ assignee, ...row }: Waited) => ({ ...row, reviewer: assignee })
