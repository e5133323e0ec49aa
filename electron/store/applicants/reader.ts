/** Applicants for display: the list, one applicant, its timeline. */
import {
  maxLookAlikes,
  maxMatchingApplicants,
  type ApplicantAnswers,
  type ApplicantCounts,
  type ApplicantCursor,
  type ApplicantDetail,
  type ApplicantList,
  type ApplicantListQuery,
  type ApplicantOrder,
  type ApplicantSummary,
  type DecisionAnswer,
  type DecisionMade,
  type MatchingApplicants,
  type MatchingApplicantsQuery,
  type TimelineEntry,
  type TimelinePage,
  type TimelineQuery
} from '#contract/applicants/applicants.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { applicantFieldOf, type OperationId } from '#contract/verification/operations.ts'
import type { RecordDetail } from '#contract/history/records.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { ApplicantStatus } from '#contract/applicants/status.ts'
import { periodsOf } from '#contract/applicants/relationships.ts'
import { reviewDays, reviewEdges } from '#contract/applicants/reviews.ts'
import type { OwnDecision } from '#wire/history/applicants.ts'
import type {
  AnswerReceivedPlain,
  AskedSealed,
  AssigneeSealed,
  DecisionPlain,
  DecisionSealed,
  DuePlain,
  NotedSealed,
  NoteSealed,
  ExpirySealed,
  RelationshipPlain,
  ReviewPlain,
  ReviewSealed,
  RiskPlain,
  TagsSealed
} from '#wire/history/applicant-payloads.ts'
import { Answers } from './answers.ts'
import { ChecklistVersions } from './checklists.ts'
import type { ApplicantIds } from './ids.ts'
import type { ApplicantFacts } from './facts.ts'
import { FourEyes } from './four-eyes.ts'
import { lineOf, type NameSearch } from './name-search.ts'
import {
  codeOfApplicant,
  relationshipOf,
  reviewClassOfRow,
  stateOfApplicant,
  type ApplicantProjection,
  type ApplicantRow
} from '../projections/applicants.ts'
import { ApplicantOrders, compareListed, cursorAfter, isAfter, type Listed } from './orders.ts'
import { streams, type Streams } from './streams.ts'
import { uuidBytes } from '#kit/bytes.ts'
import { fingerprintOf } from '#wire/evidence/keys.ts'
import { finder, likeness, spellings } from '#kit/text/folding.ts'
import type { Catalogue } from '../projections/catalogue.ts'
import type { Dictionary } from '../projections/dictionary.ts'
import type { NamesProjection } from '../projections/names.ts'
import type { PackPlain } from '#wire/history/evidence.ts'
import { inAuditTrail } from '../events/event-index.ts'
import type { Events } from '../events/events.ts'
import type { Db } from '#wire/sqlite/files.ts'
import type { RowPages } from '../batches/row-pages.ts'
import type { Reader } from '../records/reader.ts'
import type { Subjects } from '../storage/subjects.ts'

/** Up to this number, search hits are looked up individually; beyond, the list is scanned. */
const fewHits = 5000
/** Older ones have been replaced. */
const mostDecisions = 100
const latest: ApplicantCursor = { at: Number.MAX_SAFE_INTEGER, ref: Number.MAX_SAFE_INTEGER }

export interface ApplicantParts {
  readonly history: Db
  readonly subjects: Subjects
  readonly reader: Reader
  readonly events: Events
  readonly projection: ApplicantProjection
  readonly catalogue: Catalogue
  readonly ids: ApplicantIds
  readonly names: NamesProjection
  readonly nameSearch: NameSearch
  readonly facts: ApplicantFacts
  readonly dictionary: Dictionary
  readonly rowPages: Pick<RowPages, 'among'>
  /** Legal holds, by their subjects. */
  readonly holds: {
    of(subject: number): ApplicantDetail['hold']
    all(): readonly { readonly subject: number }[]
  }
}

interface LastRow {
  readonly operation: OperationId
  readonly at: number
  readonly connection: number
}
interface Place {
  readonly seq: number
  readonly record?: number
  readonly linked?: boolean
}

/** Whether a list is filtered by what has to be in memory for it. */
export const needsFacts = ({
  due,
  relationships,
  countries,
  assignees,
  connections,
  withoutDetails
}: MatchingApplicantsQuery): boolean =>
  [due, relationships, countries, assignees, connections].some((values) => values?.length) || withoutDetails === true

/** Whether a row passes the filters by review, risk and expiry. */
function reviewFilter(
  { reviews, risks, expired }: MatchingApplicantsQuery,
  now: number
): (row: Pick<ApplicantRow, 'review_at' | 'risk' | 'relationship' | 'expires'>) => boolean {
  const edges = reviewEdges(now)
  const classes = reviews?.length ? new Set(reviews) : undefined
  const wanted = risks?.length ? new Set(risks) : undefined
  return (row) =>
    (!classes || classes.has(reviewClassOfRow(row, edges))) &&
    (!wanted || wanted.has(row.risk ?? '')) &&
    (!expired || (row.expires !== null && row.expires < edges.today))
}

export class ApplicantReader {
  readonly checklists: ChecklistVersions
  private readonly parts: ApplicantParts
  private readonly streams: Streams
  private readonly orders: ApplicantOrders
  private readonly ofStates
  private readonly answersOf: Answers
  private readonly fourEyes: FourEyes
  private readonly own
  private readonly links
  private readonly eventsOf
  private readonly packsOf
  private readonly decisionsAbout
  private readonly lastAssignment
  private readonly lastReview
  private readonly relationships
  private readonly after
  private readonly lastRecord
  private readonly linkedCount
  private readonly subjectOf
  private readonly operationsOf
  private readonly someReviews
  private readonly someRated
  private readonly someExpired

  constructor(parts: ApplicantParts) {
    const { history } = parts
    this.parts = parts
    this.checklists = new ChecklistVersions(history)
    this.streams = streams(history)
    this.orders = new ApplicantOrders(history, parts.ids, this.streams, parts.projection)
    this.ofStates = history.prepare('SELECT state, count FROM applicant_count').raw()
    this.answersOf = new Answers(parts)
    this.fourEyes = new FourEyes(parts)
    this.own = history.prepare(
      'SELECT seq AS record, begun AS seq FROM record WHERE subject = ? AND begun < ? ORDER BY record.seq DESC LIMIT ?'
    )
    this.links = history.prepare(
      `SELECT r.seq AS record, r.begun AS seq FROM applicant_link l JOIN record r ON r.seq = l.record
       WHERE l.subject = ? AND r.begun < ? ORDER BY l.record DESC LIMIT ?`
    )
    this.eventsOf = history.prepare(
      'SELECT event AS seq FROM applicant_event WHERE subject = ? AND event < ? ORDER BY event DESC LIMIT ?'
    )
    this.packsOf = history.prepare(
      `SELECT seq FROM event WHERE kind = 'pack.made' AND ${inAuditTrail} AND subject = ? AND seq < ?
        ORDER BY seq DESC LIMIT ?`
    )
    this.decisionsAbout = history.prepare(
      `SELECT e.seq, e.at, lower(hex(e.hash)) AS hash, e.plain FROM applicant_event a JOIN event e ON e.seq = a.event
       WHERE a.subject = ? AND e.kind = 'decision.made' ORDER BY a.event DESC LIMIT ${mostDecisions}`
    )
    this.lastAssignment = history
      .prepare(
        `SELECT e.seq FROM applicant_event a JOIN event e ON e.seq = a.event
         WHERE a.subject = ? AND e.kind = 'assignee.changed' ORDER BY a.event DESC LIMIT 1`
      )
      .pluck()
    this.lastReview = history
      .prepare(
        `SELECT e.at FROM applicant_event a JOIN event e ON e.seq = a.event
         WHERE a.subject = ? AND e.kind = 'review.recorded' ORDER BY a.event DESC LIMIT 1`
      )
      .pluck()
    this.relationships = history
      .prepare(
        `SELECT e.plain FROM applicant_event a JOIN event e ON e.seq = a.event
         WHERE a.subject = ? AND e.kind = 'relationship.changed' ORDER BY a.event`
      )
      .pluck()
    this.after = history
      .prepare(
        `SELECT e.kind FROM applicant_event a JOIN event e ON e.seq = a.event WHERE a.subject = ? AND a.event > ?
           AND e.kind IN ('decision.made', 'challenge.recorded') ORDER BY a.event LIMIT 1`
      )
      .pluck()
    this.lastRecord = history.prepare(
      `SELECT o.id AS operation, r.started_at AS at, r.connection FROM record r JOIN operation o ON o.ref = r.operation
       WHERE r.seq = max(coalesce((SELECT max(seq) FROM record WHERE subject = @subject), 0),
         coalesce((SELECT max(record) FROM applicant_link WHERE subject = @subject), 0))`
    )
    this.subjectOf = history.prepare(
      'SELECT r.seq, r.subject, o.id AS operation FROM record r JOIN operation o ON o.ref = r.operation WHERE r.id = ?'
    )
    this.linkedCount = history.prepare('SELECT count(*) FROM applicant_link WHERE subject = ?').pluck()
    const some = (where: string) => history.prepare(`SELECT * FROM applicant WHERE ${where} LIMIT ${fewHits + 1}`)
    this.someReviews = some('review_at >= ? AND review_at < ?')
    this.someRated = some('risk IN (SELECT value FROM json_each(?))')
    this.someExpired = some('expires < ?')
    this.operationsOf = history.prepare(
      'SELECT o.id, count(*) AS count FROM record r JOIN operation o ON o.ref = r.operation WHERE r.subject = ? GROUP BY o.id'
    )
  }

  /** The row of a known applicant. */
  find(applicantId: string): ApplicantRow | undefined {
    const subject = this.parts.subjects.ofApplicant(applicantId)
    return subject === undefined ? undefined : this.parts.projection.row(subject)
  }

  /** The applicant of a record. */
  ofRecord(id: string): RecordDetail['applicant'] {
    const bytes = uuidBytes(id)
    const record =
      bytes &&
      (this.subjectOf.get(bytes) as
        | { readonly seq: number; readonly subject: number; readonly operation: OperationId }
        | undefined)
    if (!record) return undefined
    const linked = this.parts.projection.linked(record.seq)
    const applicant = this.parts.subjects.applicantOf(linked ?? record.subject)
    if (applicant === undefined) return undefined
    return { id: applicant, local: applicantFieldOf(record.operation) === undefined, linked: linked !== undefined }
  }

  tags(row: ApplicantRow): readonly string[] {
    return row.tags === null ? [] : (this.parts.events.get<unknown, TagsSealed>(row.tags).sealed?.tags ?? [])
  }

  summary(row: ApplicantRow, id: string): ApplicantSummary {
    const names = this.parts.names.of(row.subject)
    return {
      id,
      ...names,
      ...(names && { details: true }),
      lastAt: row.last_at,
      checks: row.checks,
      state: stateOfApplicant(row.state),
      proposal: this.fourEyes.proposalOf(row),
      ...(stateOfApplicant(row.state) === 'outdated' && this.isChallenged(row) && { challenged: true as const }),
      tags: this.tags(row),
      due: row.due ?? undefined,
      assignee: this.assignee(row.subject),
      ...this.last(row.subject),
      relationship: relationshipOf(row),
      risk: row.risk ?? undefined,
      ...(row.review_at !== null && row.review_cause && { review: { at: row.review_at, cause: row.review_cause } })
    }
  }

  /** What is known of each of some IDs, in their order. */
  statuses(ids: readonly string[]): (ApplicantStatus | null)[] {
    return ids.map((id) => {
      const row = this.find(id)
      if (!row) return null
      const relationship = relationshipOf(row)
      const recorded = (relationship ? this.relationships.all(row.subject) : []) as string[]
      const periods = periodsOf(recorded.map((plain) => JSON.parse(plain) as RelationshipPlain))
      return { id, firstAt: row.first_at, relationship, periods, ...this.last(row.subject) }
    })
  }

  private last(subject: number): Pick<ApplicantSummary, 'last'> {
    const { operation, at, connection } = (this.lastRecord.get({ subject }) ?? {}) as Partial<LastRow>
    const { name } = this.parts.dictionary.connections.get(connection ?? 0) ?? {}
    return operation === undefined || at === undefined || name === undefined
      ? {}
      : { last: { operation, at, connection: name } }
  }

  /** Undefined if the applicant was erased. */
  summaryOf(row: ApplicantRow): ApplicantSummary | undefined {
    const id = this.parts.subjects.applicantOf(row.subject)
    return id === undefined ? undefined : this.summary(row, id)
  }

  list({ order = { by: 'activity' }, limit, after, ...filters }: ApplicantListQuery, now = Date.now()): ApplicantList {
    const found: ApplicantSummary[] = []
    let last: Listed | undefined
    for (const { row, id } of this.listed(filters, order, after, now)) {
      if (found.length === limit) return { applicants: found, next: last && cursorAfter(order, last) }
      found.push(this.summary(row, id))
      last = { row, id }
    }
    return { applicants: found }
  }

  /** All that match the filters of the list; none if there are more than `limit`. */
  matching(filters: MatchingApplicantsQuery, limit = maxMatchingApplicants, now = Date.now()): MatchingApplicants {
    const ids: string[] = []
    for (const { id } of this.listed(filters, { by: 'activity' }, undefined, now)) {
      if (ids.length === limit) return { ids: [], more: true }
      ids.push(id)
    }
    return { ids, more: false }
  }

  /** For the filters of a list. */
  counts({ search, ...filter }: MatchingApplicantsQuery, now = Date.now()): ApplicantCounts {
    const isFound = finder(search)
    const hits = isFound && search !== undefined ? this.holding(search, Infinity) : undefined
    const tagged = isFound && this.parts.facts.tagged(isFound)
    const fits = (subject: number): boolean => {
      if (!isFound || hits?.has(subject) === false) return false
      // Of many, those that once had another name are not left out: each would have to be opened.
      if (hits && hits.size > fewHits) return true
      const id = this.parts.subjects.applicantOf(subject)
      return id !== undefined && (isFound(id) || this.isNamed(subject, isFound) || tagged?.has(subject) === true)
    }
    const among = this.inBatch(filter)
    if (!isFound) return this.parts.facts.counts(filter, among && ((subject) => among.has(subject)), now)
    return this.parts.facts.counts(filter, (subject) => among?.has(subject) !== false && fits(subject), now)
  }

  /** Those to whom a batch sent something; undefined for all. */
  private inBatch({ batch, messages }: MatchingApplicantsQuery): ReadonlySet<number> | undefined {
    return batch === undefined ? undefined : this.parts.rowPages.among(batch, messages)
  }

  /** Those that a filter needs to have been looked up; undefined for all. */
  private passing(query: MatchingApplicantsQuery, now: number): ReadonlySet<number> | undefined {
    const among = this.inBatch(query)
    const facts = needsFacts(query) ? this.parts.facts.passing(query, now) : undefined
    return among && facts ? new Set([...among].filter((each) => facts.has(each))) : (among ?? facts)
  }

  /** The applicants that match, in their order, from a position on. */
  private *listed(
    query: MatchingApplicantsQuery,
    order: ApplicantOrder,
    after: ApplicantCursor | undefined,
    now: number
  ): Generator<{ readonly row: ApplicantRow; readonly id: string }> {
    const { search, states, tags } = query
    const isFound = finder(search)
    const passing = this.passing(query, now)
    const tag = tags?.length ? new Set(tags) : undefined
    const wanted = states?.length ? new Set(states.map(codeOfApplicant)) : undefined
    const isDue = reviewFilter(query, now)
    const rows = isFound
      ? this.candidates(search, wanted, tag !== undefined, passing, order, after)
      : (this.byReview(query, order, after, now) ??
        this.candidates(undefined, wanted, tag !== undefined, passing, order, after))
    for (const row of rows) {
      if ((wanted && !wanted.has(row.state)) || !isDue(row)) continue
      if (passing?.has(row.subject) === false) continue
      if (tag !== undefined && row.tags === null) continue
      const id = this.parts.subjects.applicantOf(row.subject)
      if (id === undefined || (isFound && !this.isHit(id, row, isFound))) continue
      if (tag !== undefined && !this.tags(row).some((each) => tag.has(each))) continue
      yield { row, id }
    }
  }

  private isHit(id: string, row: ApplicantRow, isFound: (text: string) => boolean): boolean {
    return (
      isFound(id) ||
      this.isNamed(row.subject, isFound) ||
      (row.tags !== null && this.tags(row).some((tag) => isFound(tag)))
    )
  }

  private isNamed(subject: number, isFound: (text: string) => boolean): boolean {
    const names = this.parts.names.of(subject)
    return names !== undefined && isFound(lineOf(names))
  }

  /** Subjects whose id, name, date of birth or tags may contain a text; undefined if they are too many. */
  private holding(search: string, most = fewHits): ReadonlySet<number> | undefined {
    const needles = spellings(search)
    const [ids, names] = [this.parts.ids, this.parts.nameSearch].map((texts) => texts.holding(needles, most))
    const isFound = finder(search)
    const tagged = isFound ? this.parts.facts.tagged(isFound) : new Set<number>()
    return ids && names && tagged.size <= most ? new Set([...ids, ...names, ...tagged]) : undefined
  }

  /** The rows that may match a filter by review, risk or expiry, as one of these finds them; undefined if none finds few. */
  private byReview(
    { reviews, risks, expired }: MatchingApplicantsQuery,
    order: ApplicantOrder,
    after: ApplicantCursor | undefined,
    now: number
  ): Iterable<ApplicantRow> | undefined {
    const edges = reviewEdges(now)
    const days = reviews?.length ? reviewDays(reviews, edges) : undefined
    const rated = risks?.length && !risks.includes('') ? [...new Set(risks)] : undefined
    if (days && order.by === 'review') return this.orders.rows(order, after, { days, risks: rated })
    for (const rows of [
      days && this.someReviews.all(days.from, days.until),
      rated && this.someRated.all(JSON.stringify(rated)),
      expired && this.someExpired.all(edges.today)
    ] as (ApplicantRow[] | undefined)[])
      if (rows && rows.length <= fewHits) return this.sorted(rows, order, after)
    return undefined
  }

  /** The rows that may match, in their order, from a position on. */
  private candidates(
    search: string | undefined,
    wanted: ReadonlySet<number> | undefined,
    tagged: boolean,
    passing: ReadonlySet<number> | undefined,
    order: ApplicantOrder,
    after: ApplicantCursor | undefined
  ): Iterable<ApplicantRow> {
    const { projection } = this.parts
    const newestFirst = order.by === 'activity' && !order.reversed
    const hits = search === undefined ? undefined : this.holding(search)
    if (hits)
      return this.sorted(
        [...hits].flatMap((ref) => projection.row(ref) ?? []),
        order,
        after
      )
    // Few have a tag, and few may be in the wanted states: these are sorted, instead of reading all for them.
    if (passing && passing.size <= fewHits)
      return this.sorted(
        [...passing].flatMap((ref) => projection.row(ref) ?? []),
        order,
        after
      )
    if (tagged)
      return newestFirst ? this.streams.tagged(after ?? latest) : this.sorted(this.streams.tagged(latest), order, after)
    if (newestFirst) return this.streams.newest(after ?? latest, wanted && [...wanted])
    if (wanted && this.countOf(wanted) <= fewHits)
      return this.sorted(this.streams.newest(latest, [...wanted]), order, after)
    return this.orders.rows(order, after)
  }

  private countOf(wanted: ReadonlySet<number>): number {
    return (this.ofStates.all() as [number, number][]).reduce(
      (sum, [state, count]) => sum + (wanted.has(state) ? count : 0),
      0
    )
  }

  private sorted(
    rows: Iterable<ApplicantRow>,
    order: ApplicantOrder,
    after: ApplicantCursor | undefined
  ): ApplicantRow[] {
    const compare = compareListed(order)
    const listed = [...rows].flatMap((row) => {
      const id = this.parts.subjects.applicantOf(row.subject)
      return id === undefined ? [] : [{ row, id }]
    })
    return listed
      .filter((each) => !after || isAfter(order, each, after))
      .sort(compare)
      .map(({ row }) => row)
  }

  show(applicantId: string): Result<ApplicantDetail, Failure> {
    const row = this.find(applicantId)
    return row ? ok(this.detail(row, applicantId)) : failed('applicant-missing')
  }

  /** See the interface. */
  alike(ids: readonly string[]): string[][] {
    return ids.map((id) => this.othersLike(id).slice(0, maxLookAlikes))
  }

  private othersLike(id: string): string[] {
    const { subjects } = this.parts
    return subjects
      .alike(likeness(id))
      .flatMap((subject) => subjects.applicantOf(subject) ?? [])
      .filter((other) => other !== id)
  }

  detail(row: ApplicantRow, id: string): ApplicantDetail {
    const linkedOperations = (
      this.operationsOf.all(row.subject) as { id: Parameters<typeof applicantFieldOf>[0]; count: number }[]
    ).filter(({ id: operation }) => applicantFieldOf(operation) === undefined)
    return {
      ...this.summary(row, id),
      firstAt: row.first_at,
      local: linkedOperations.reduce((sum, { count }) => sum + count, this.linkedCount.get(row.subject) as number),
      // Those with a page of their own.
      lookAlikes: this.othersLike(id)
        .filter((other) => this.find(other) !== undefined)
        .slice(0, maxLookAlikes),
      evidence: row.evidence,
      reviewedAt: this.lastReview.get(row.subject) as number | undefined,
      hold: this.parts.holds.of(row.subject),
      decision: row.decision === null ? undefined : this.decision(row.decision, row),
      unread: this.parts.catalogue.readingsFor(row.subject).filter(({ means }) => means === undefined).length
    }
  }

  /** Who an applicant is assigned to. */
  assignee(subject: number): string | undefined {
    const event = this.lastAssignment.get(subject) as number | undefined
    return event === undefined ? undefined : this.parts.events.get<unknown, AssigneeSealed>(event).sealed?.assignee
  }

  private decision(event: number, row: ApplicantRow): DecisionMade {
    const { seq, at, plain, sealed } = this.parts.events.get<DecisionPlain, DecisionSealed>(event)
    const { operator, decision, evidence, records, readings, checklist, set, seen, requires } = plain
    return {
      seq,
      at,
      operator,
      decision,
      reasons: sealed?.reasons ?? [],
      note: sealed?.note ?? '',
      evidence,
      records,
      readings,
      checklist: this.checklists.answered(checklist, decision, sealed?.checks),
      set,
      outdated: evidence < row.evidence,
      ...(this.isChallenged({ subject: row.subject, decision: seq }) && { challenged: true as const }),
      ...(seen && { seen }),
      ...(sealed?.focus && { focus: sealed.focus }),
      ...(requires === 1 && { proposed: true as const, answer: this.secondAnswer(event, row) })
    }
  }

  /** Whether the applicant challenged a decision before the next one. */
  isChallenged({ subject, decision }: Pick<ApplicantRow, 'subject' | 'decision'>): boolean {
    return decision !== null && this.after.get(subject, decision) === 'challenge.recorded'
  }

  private secondAnswer(decision: number, row: ApplicantRow): DecisionAnswer | undefined {
    // Of the decision that stands, no answer counts that came after newer evidence.
    const event = row.decision === decision ? row.answer : this.fourEyes.answerTo(row.subject, decision)?.event
    if (event == null) return undefined
    const { plain, sealed } = this.parts.events.get<AnswerReceivedPlain, AskedSealed>(event)
    return { at: plain.at, by: plain.by, agrees: plain.agrees, note: sealed?.note ?? '' }
  }

  timeline({ applicantId, limit, before = Number.MAX_SAFE_INTEGER }: TimelineQuery): Result<TimelinePage, Failure> {
    const row = this.find(applicantId)
    if (!row) return failed('applicant-missing')
    const asked = [row.subject, before, limit + 1] as const
    const places: Place[] = [
      ...(this.own.all(...asked) as Place[]),
      ...(this.links.all(...asked) as Place[]).map((place) => ({ ...place, linked: true })),
      ...(this.eventsOf.all(...asked) as Place[]),
      ...(this.packsOf.all(...asked) as Place[])
    ].sort((a, b) => b.seq - a.seq)
    return ok({ entries: places.slice(0, limit).map((place) => this.entry(place, row)), older: places.length > limit })
  }

  /** The same of several, in their order. */
  decisionsOf(applicantIds: readonly string[]): readonly (readonly OwnDecision[])[] {
    return applicantIds.map((applicantId) => this.decisions(applicantId))
  }

  /** Newest first. */
  decisions(applicantId: string): readonly OwnDecision[] {
    const row = this.find(applicantId)
    const made = row
      ? (this.decisionsAbout.all(row.subject) as {
          readonly seq: number
          readonly at: number
          readonly hash: string
          readonly plain: string
        }[])
      : []
    return made.map(({ seq, at, hash, plain }) => {
      const { operator, decision, supersedes = [], requires } = JSON.parse(plain) as DecisionPlain
      const isOpen = row !== undefined && requires === 1 && this.secondAnswer(seq, row)?.agrees !== true
      return {
        seq,
        at,
        hash,
        operator,
        decision,
        supersedes,
        ...(isOpen && { proposed: true as const }),
        ...(row && this.isChallenged({ subject: row.subject, decision: seq }) && { challenged: true as const })
      }
    })
  }

  answers(applicantId: string): Result<ApplicantAnswers, Failure> {
    const row = this.find(applicantId)
    return row ? ok(this.answersOf.of(row.subject)) : failed('applicant-missing')
  }

  private entry({ seq, record, linked = false }: Place, row: ApplicantRow): TimelineEntry {
    if (record !== undefined) {
      const summary = this.parts.reader.summary(record)
      const reading = this.answersOf.reading(record)
      const local = linked || applicantFieldOf(summary.operation) === undefined
      return { kind: 'check', seq, at: summary.startedAt, record: summary, local, linked, reading }
    }
    return this.noted(seq, row)
  }

  private noted(seq: number, row: ApplicantRow): TimelineEntry {
    const event = this.parts.events.get<DuePlain, TagsSealed & AssigneeSealed>(seq)
    const { at, plain, sealed } = event
    const { operator } = plain
    switch (event.kind) {
      case 'decision.made':
        return { kind: 'decision', seq, at, decision: this.decision(seq, row) }
      case 'tags.changed':
        return { kind: 'tags', seq, at, operator, tags: sealed?.tags ?? [] }
      case 'due.changed':
        return { kind: 'due', seq, at, operator, due: plain.due }
      case 'assignee.changed':
        return { kind: 'assignee', seq, at, operator, assignee: sealed?.assignee ?? null }
      case 'approval.asked':
      case 'approval.answered':
      case 'approval.received':
        return this.approval(seq, row)
      case 'pack.made':
        return this.pack(seq)
      case 'link.made':
        return { kind: 'link', seq, at, operator, recordId: this.idOf(event.record) }
      case 'link.removed':
        return { kind: 'unlink', seq, at, operator, recordId: this.idOf(event.record) }
      default:
        return this.written(seq)
    }
  }

  /** What was recorded about the person as a customer; else a note. */
  private written(seq: number): TimelineEntry {
    const { kind, at, plain, sealed } = this.parts.events.get<
      RelationshipPlain & RiskPlain & ReviewPlain,
      NotedSealed & NoteSealed & ExpirySealed & ReviewSealed
    >(seq)
    const { operator, state, on, class: risk, months, outcome, next, checklist } = plain
    const entry = { seq, at, operator, note: sealed?.note ?? '' }
    if (kind === 'review.recorded') {
      const answered = this.checklists.answered(checklist, 'review', sealed?.checks)
      return {
        kind: 'review',
        ...entry,
        outcome,
        ...(next !== null && { next }),
        ...(answered && { checklist: answered })
      }
    }
    if (kind === 'expiry.noted') {
      const { document = '', expires = '' } = sealed ?? {}
      return { kind: 'expiry', seq, at, operator, document, expires }
    }
    if (kind === 'risk.rated') return { kind: 'risk', ...entry, risk, months }
    if (kind === 'relationship.changed') return { kind: 'relationship', ...entry, state, on }
    return {
      kind: kind === 'challenge.recorded' ? 'challenge' : 'note',
      seq,
      at,
      operator,
      text: sealed?.text ?? ''
    }
  }

  private idOf(record: number | null): string {
    return this.parts.reader.summary(record ?? 0).id
  }

  private pack(seq: number): TimelineEntry {
    const { at, plain } = this.parts.events.get<PackPlain>(seq)
    const { about, operator } = plain
    return { kind: 'pack', seq, at, operator, about: about === 'record' ? about : 'applicant' }
  }

  /** A request for approval, its answer here, or the answer of a colleague. */
  private approval(seq: number, row: ApplicantRow): TimelineEntry {
    const { events } = this.parts
    const { kind, at, plain, sealed } = events.get<DuePlain & AnswerReceivedPlain, AskedSealed>(seq)
    const { operator, scope, asked, agrees, by, signer, at: signedAt, void: isVoid } = plain
    const entry = { kind: 'approval', seq, at, operator, note: sealed?.note ?? '' } as const
    if (kind === 'approval.answered') return { ...entry, agrees }
    // Without a team, the scope is the origin of this audit trail.
    const byFile = scope === events.get(1).hash.toString('hex') && { byFile: true as const }
    if (kind === 'approval.asked') {
      const isOver = Math.max(row.evidence, row.decision ?? 0) > seq
      return { ...entry, ...byFile, ...(isOver && { void: true as const }) }
    }
    const received = { agrees, by, key: fingerprintOf(signer), signedAt, asked: asked[1] }
    return { ...entry, ...received, ...byFile, ...(isVoid && { void: true as const }) }
  }
}
