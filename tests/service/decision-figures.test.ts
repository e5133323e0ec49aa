/**
 * The figures of decisions compared with a slow count: a model notes what is done, step by step, and the queue is read after each step. Random
 * sequences of verifications, decisions, due dates, assignments, links, challenges, resolutions and erasures.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decisions, type Decision } from '#contract/applicants/applicants.ts'
import { today } from '#contract/applicants/due-dates.ts'
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import { applicantFieldOf, operationIds } from '#contract/verification/operations.ts'
import type { DecisionFigures, DecisionListQuery, DecisionQuery } from '#contract/overview/decisions.ts'
import type { Engine } from '#store/engine/engine.ts'
import { DecisionFiguresReader } from '#store/overview/decision-figures.ts'
import { DecisionIndex } from '#store/overview/decision-index.ts'
import { Subjects } from '#store/storage/subjects.ts'
import type { Writer } from '#store/records/writer.ts'
import { answer, connectionNamed, intentOf, lost, opened } from './history-fixtures.ts'

const start = Date.UTC(2025, 9, 10)
const hour = 3_600_000
const day = 24 * hour
const connections = ['a', 'b'].map((letter) =>
  connectionNamed(letter.toUpperCase(), `00000000-0000-4000-8000-00000000000${letter}`)
)
const applicants = ['APP-1', 'APP-2', 'APP-3'] as const
const people = ['anna', 'bert'] as const
const messages = ['Fine', 'No match'] as const
const withoutApplicant = operationIds.find((id) => applicantFieldOf(id) === undefined)
const all = <T>(values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values)

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('verified' as const),
      applicant: all(applicants),
      connection: all([0, 1]),
      message: all(messages),
      ending: all(['answered', 'answered', 'technical', 'lost'] as const)
    })
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('decided' as const),
      applicant: all(applicants),
      decision: all(decisions),
      by: all(people),
      due: fc.option(all([0, 1, 3]), { nil: undefined })
    })
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('due' as const),
      applicant: all(applicants),
      due: all([null, -1, 0, 2])
    })
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('assigned' as const),
      applicant: all(applicants),
      to: all([null, ...people])
    })
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('linked' as const), applicant: all(applicants), connection: all([0, 1]) })
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('challenged' as const), applicant: all(applicants) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('unlinked' as const), which: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('resolved' as const),
      which: fc.nat(),
      as: all(['processed', 'not-processed'] as const)
    })
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('due of a record' as const), which: fc.nat(), due: all([-1, 1]) })
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('erased' as const), applicant: all(applicants) }) }
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** One of each kind, as chance may leave out what needs something before it. */
const [applicant] = applicants
const oneOfEach: Step[] = [
  { kind: 'verified', applicant, connection: 0, message: 'Fine', ending: 'lost' },
  { kind: 'due of a record', which: 0, due: 1 },
  { kind: 'resolved', which: 0, as: 'processed' },
  { kind: 'verified', applicant, connection: 1, message: 'Fine', ending: 'answered' },
  { kind: 'due', applicant, due: 2 },
  { kind: 'assigned', applicant, to: 'anna' },
  { kind: 'linked', applicant, connection: 0 },
  { kind: 'decided', applicant, decision: 'approve', by: 'anna', due: undefined },
  { kind: 'unlinked', which: 0 },
  { kind: 'decided', applicant, decision: 'decline', by: 'bert', due: undefined },
  { kind: 'challenged', applicant },
  { kind: 'decided', applicant, decision: 'approve', by: 'anna', due: undefined },
  { kind: 'erased', applicant }
]

interface Evidence {
  readonly seq: number
  readonly at: number
  readonly connection: string
  readonly message: string | undefined
}
interface Made {
  readonly applicant: string
  readonly at: number
  readonly decision: Decision
  readonly by: string
  readonly evidence: number
  readonly newest: Evidence | undefined
  readonly first: number | undefined
}
/** An item of the queue as it was; what an erasure takes is taken from here as well. */
interface Item {
  readonly applicant: string | undefined
  readonly isRecord: boolean
  readonly since: number
  due: number | undefined
  by: string
}
interface Waited {
  readonly at: number
  items: Item[]
}

const write = <T>(engine: Engine, job: (writer: Writer) => Result<T, Failure>): Result<T, Failure> =>
  engine.commit([job])[0] as Result<T, Failure>

/** What was done, as it is known from outside. */
class Model {
  readonly engine = opened()
  made: Made[] = []
  readonly waited: Waited[] = []
  private readonly evidence = new Map<string, Evidence[]>()
  private readonly first = new Map<string, number>()
  private readonly unknown: { readonly id: string; applicant: string | undefined; readonly evidence: Evidence }[] = []
  private links: { readonly id: string; readonly applicant: string; readonly evidence: Evidence }[] = []
  private readonly lost: string[] = []
  private record = 0
  now = start

  perform(each: Step): boolean {
    this.now += hour
    const took = this.act(each)
    this.now += hour
    const { items } = this.engine.queue.page({ limit: 200 }, this.now)
    this.waited.push({
      at: this.now,
      items: items.map((item) => ({
        applicant: item.kind === 'unresolved' ? item.applicantId : item.applicant.id,
        isRecord: item.kind === 'unresolved',
        since: item.since,
        due: item.due,
        by: item.assignee ?? ''
      }))
    })
    return took
  }

  private act(each: Step): boolean {
    const { engine, now: at } = this
    const by = (operator = 'tester') => ({ at, operator })
    switch (each.kind) {
      case 'verified':
        return this.verify(each)
      case 'linked': {
        const evidence = this.begin(undefined, each.connection, 'Fine', 'answered')
        this.now += 1
        const linked = write(engine, (writer) =>
          engine.applicants.link(writer, evidence.id, each.applicant, { ...by(), at: this.now })
        )
        if (!linked.ok) return false
        this.links.push({ id: evidence.id, applicant: each.applicant, evidence: evidence.evidence })
        this.hold(each.applicant, evidence.evidence, this.now)
        return true
      }
      case 'unlinked': {
        const [link] = this.links.splice(each.which % Math.max(1, this.links.length), 1)
        if (!link) return false
        const removed = write(engine, (writer) => engine.applicants.unlink(writer, link.id, by()))
        if (removed.ok)
          this.evidence.set(
            link.applicant,
            (this.evidence.get(link.applicant) ?? []).filter((one) => one !== link.evidence)
          )
        return removed.ok
      }
      case 'resolved': {
        const [open] = this.unknown.splice(each.which % Math.max(1, this.unknown.length), 1)
        if (!open) return false
        const resolved = write(engine, (writer) => writer.resolve(open.id, each.as, '', by()))
        if (each.as === 'processed' && resolved.ok && open.applicant !== undefined)
          this.hold(open.applicant, { ...open.evidence, at }, at)
        return resolved.ok
      }
      case 'decided':
        return this.decide(each)
      case 'due':
        return write(engine, (writer) =>
          engine.applicants.due(
            writer,
            { applicantId: each.applicant, due: each.due === null ? null : today(at) + each.due * day },
            by()
          )
        ).ok
      case 'due of a record': {
        const recordId = this.lost[each.which % Math.max(1, this.lost.length)]
        return (
          recordId !== undefined &&
          write(engine, (writer) => engine.applicants.due(writer, { recordId, due: today(at) + each.due * day }, by()))
            .ok
        )
      }
      case 'assigned':
        return write(engine, (writer) =>
          engine.applicants.assign(writer, { applicantId: each.applicant, assignee: each.to }, by())
        ).ok
      case 'challenged':
        return write(engine, (writer) =>
          engine.applicants.challenge(writer, { applicantId: each.applicant, text: 'Not my photo' }, by())
        ).ok
      case 'erased':
        return this.erase(each.applicant)
    }
  }

  private begin(
    applicant: string | undefined,
    connection: number,
    message: string,
    ending: 'answered' | 'technical' | 'lost'
  ) {
    const { engine, now: startedAt } = this
    const intent = intentOf({
      operation: applicant === undefined ? withoutApplicant! : 'validate-applicant-id-document',
      ...(applicant !== undefined && { applicant }),
      connection: connections[connection]!,
      startedAt
    })
    const begun = write(engine, (writer) => writer.begin(intent))
    if (!begun.ok) throw new Error(begun.failure.code)
    const { id } = begun.value
    const took = 60_000
    const endedAt = startedAt + took
    const result =
      ending === 'lost'
        ? { ...lost, endedAt, took }
        : { ...answer(message, ending === 'technical' ? 503 : 200), endedAt, took }
    write(engine, (writer) => writer.finish(id, result))
    this.record += 1
    this.now = endedAt
    const evidence: Evidence = {
      seq: this.record,
      at: endedAt,
      connection: connections[connection]!.id,
      message: ending === 'answered' ? message : undefined
    }
    return { id, evidence }
  }

  private verify({ applicant, connection, message, ending }: Extract<Step, { kind: 'verified' }>): boolean {
    const { id, evidence } = this.begin(applicant, connection, message, ending)
    if (ending === 'answered') this.hold(applicant, evidence, evidence.at)
    if (ending !== 'lost') return true
    this.unknown.push({ id, applicant, evidence })
    this.lost.push(id)
    return true
  }

  private hold(applicant: string, evidence: Evidence, at: number): void {
    this.evidence.set(applicant, [...(this.evidence.get(applicant) ?? []), evidence])
    if (!this.first.has(applicant)) this.first.set(applicant, at)
  }

  private decide({ applicant, decision, by, due }: Extract<Step, { kind: 'decided' }>): boolean {
    const { engine, now: at } = this
    const shown = engine.applicants.read.show(applicant)
    if (!shown.ok) return false
    const { evidence } = shown.value
    const draft = {
      applicantId: applicant,
      decision,
      reasons: ['documents-in-order'],
      note: '',
      evidence,
      ...(due !== undefined && { due: today(at) + due * day })
    }
    if (
      !write(engine, (writer) => engine.applicants.decide(writer, draft, { at, operator: `${by} (account-of-${by})` }))
        .ok
    )
      return false
    const newest = [...(this.evidence.get(applicant) ?? [])].sort((a, b) => a.seq - b.seq).at(-1)
    this.made.push({ applicant, at, decision, by, evidence, newest, first: this.first.get(applicant) })
    return true
  }

  private erase(applicant: string): boolean {
    const { engine, now: at } = this
    const scope = engine.erasure.scope(applicant)
    if (!scope.ok) return false
    const erased = engine.erasure.erase({
      subjects: scope.value.people,
      reason: 'asked for by letter',
      cause: 'request',
      operator: 'tester',
      at
    })
    if (!erased.ok) return false
    this.made = this.made.filter((one) => one.applicant !== applicant)
    for (const each of this.waited) {
      each.items = each.items.filter((item) => item.isRecord || item.applicant !== applicant)
      for (const item of each.items) if (item.applicant === applicant) Object.assign(item, { due: undefined, by: '' })
    }
    for (const open of this.unknown) if (open.applicant === applicant) open.applicant = undefined
    this.links = this.links.filter((link) => link.applicant !== applicant)
    this.evidence.delete(applicant)
    this.first.delete(applicant)
    return true
  }
}

const nearest = (sorted: readonly number[], share: number): number | undefined =>
  sorted[Math.ceil(sorted.length * share) - 1]
/** Of the decisions before and after it, only a later and different one on the same evidence overturns an approval or a decline. */
const isOverturned = (one: Made, among: readonly Made[]): boolean =>
  one.decision !== 'escalate' &&
  among.some(
    (later) =>
      later.applicant === one.applicant &&
      later.evidence === one.evidence &&
      among.indexOf(later) > among.indexOf(one) &&
      later.decision !== one.decision
  )
const isFirst = (one: Made, among: readonly Made[]): boolean =>
  one.decision !== 'escalate' &&
  one.first !== undefined &&
  !among.some(
    (earlier) =>
      earlier.applicant === one.applicant &&
      earlier.decision !== 'escalate' &&
      among.indexOf(earlier) < among.indexOf(one)
  )

/** A period in bars of some hours that begins with the steps, in a time zone that the queue’s dates are of. */
function queryOf(model: Model, width: number, narrowed: Pick<DecisionQuery, 'connection' | 'reviewer'>): DecisionQuery {
  const edges: number[] = []
  for (let at = start - day; at < model.now + 2 * width || edges.length < 3; at += width) edges.push(at)
  return {
    period: { edges, offsets: [{ from: 0, minutes: -new Date(start).getTimezoneOffset() }] },
    before: { from: start - 9 * day, until: start + 4 * hour },
    ...narrowed
  }
}

function compare(model: Model, reader: DecisionFiguresReader, query: DecisionQuery): void {
  const { now, made } = model
  const answered = reader.figures(query, now, Infinity)
  if (answered.kind !== 'counted') throw new Error('still counting')
  const { edges } = query.period
  const [from, until] = [edges[0] ?? 0, edges.at(-1) ?? 0]
  const kept = made.filter(
    ({ newest, by }) =>
      (query.connection === undefined || newest?.connection === query.connection) &&
      (query.reviewer === undefined || by === query.reviewer)
  )
  const within = kept.filter(({ at }) => at >= from && at < until)
  const count = (among: readonly Made[]) =>
    Object.fromEntries(decisions.map((each) => [each, among.filter(({ decision }) => decision === each).length]))
  const took = within
    .filter((one) => isFirst(one, made))
    .map(({ at, first = 0 }) => at - first)
    .sort((a, b) => a - b)
  const onePerson = query.reviewer !== undefined
  expect(answered).toMatchObject({
    decided: within.length,
    before: kept.filter(({ at }) => at >= query.before.from && at < query.before.until).length,
    decisions: count(within)
  })
  expect(answered.overturned).toBe(onePerson ? undefined : within.filter((one) => isOverturned(one, made)).length)
  expect(answered.times).toEqual(
    onePerson || took.length === 0
      ? undefined
      : { count: took.length, median: nearest(took, 0.5), p90: nearest(took, 0.9) }
  )
  for (const bar of answered.bars)
    expect(bar.decisions).toEqual(count(within.filter(({ at }) => at >= bar.from && at < bar.until)))
  const byMessage = new Map<string, number[]>()
  for (const one of within) {
    const key = one.newest?.message ?? ''
    const counts = byMessage.get(key) ?? [0, 0, 0]
    byMessage.set(key, counts)
    counts[0]! += 1
    if (one.decision === 'approve') counts[1]! += 1
    if (isOverturned(one, made)) counts[2]! += 1
  }
  // The same text of two operations is two messages.
  const found = new Map<string, number[]>()
  for (const { message = '', decided, approved, overturned = 0 } of answered.messages) {
    const [a = 0, b = 0, c = 0] = found.get(message) ?? []
    found.set(message, [a + decided, b + approved, c + overturned])
  }
  expect(found).toEqual(new Map([...byMessage].map(([key, [a, b, c]]) => [key, [a, b, onePerson ? 0 : c]])))
  for (const person of people)
    expect(answered.reviewers?.find(({ name }) => name === person)?.decided ?? 0).toBe(
      within.filter(({ by }) => by === person).length
    )
  for (const { id } of connections)
    expect(answered.connections.find((each) => each.id === id)?.decided ?? 0).toBe(
      within.filter(({ newest }) => newest?.connection === id).length
    )
  compareWaiting(model, reader, query, answered)
  compareLists(reader, query, answered, now)
}

/** The backlog of each step is the queue as it was read then. */
function compareWaiting(
  model: Model,
  reader: DecisionFiguresReader,
  query: DecisionQuery,
  figures: DecisionFigures
): void {
  if (query.connection !== undefined) return
  const of = (items: readonly Item[], at: number) => {
    const mine = items.filter(({ by }) => query.reviewer === undefined || by === query.reviewer)
    return {
      total: mine.length,
      overdue: mine.filter(({ due }) => due !== undefined && due < today(at)).length,
      dueToday: mine.filter(({ due }) => due === today(at)).length
    }
  }
  for (const { at, items } of model.waited) {
    const { total, overdue, dueToday } = of(items, at)
    const list = (due?: 'overdue' | 'today') =>
      reader.list(
        { of: { what: 'waiting', at, day: today(at), ...(due && { due }) }, ...pick(query), offset: 0, limit: 200 },
        model.now,
        Infinity
      )
    expect(list()).toMatchObject({ total })
    expect(list('overdue')).toMatchObject({ total: overdue })
    expect(list('today')).toMatchObject({ total: dueToday })
  }
  const last = model.waited.at(-1)
  if (last) expect(figures.waiting).toEqual(of(last.items, model.now))
  for (const person of ['', ...people])
    expect(figures.reviewers?.find(({ name }) => name === person)?.waiting ?? 0).toBe(
      query.reviewer !== undefined && query.reviewer !== person
        ? 0
        : (last?.items.filter(({ by }) => by === person).length ?? 0)
    )
}

const pick = ({ connection, reviewer }: DecisionQuery) => ({
  ...(connection !== undefined && { connection }),
  ...(reviewer !== undefined && { reviewer })
})

/** Each number is that of the rows that its link leads to. */
function compareLists(
  reader: DecisionFiguresReader,
  query: DecisionQuery,
  figures: DecisionFigures,
  now: number
): void {
  const rows = (of: DecisionListQuery['of']) => {
    const list = reader.list({ of, ...pick(query), offset: 0, limit: 200 }, now, Infinity)
    if (list.kind !== 'counted') throw new Error('still counting')
    expect(list.rows).toHaveLength(list.total)
    return list.total
  }
  const { edges } = query.period
  const period = { what: 'decided', from: edges[0] ?? 0, until: edges.at(-1) ?? 0 } as const
  expect(rows(period)).toBe(figures.decided)
  for (const decision of decisions) expect(rows({ ...period, decision })).toBe(figures.decisions[decision])
  expect(rows({ ...period, is: 'open' })).toBe(figures.escalatedOpen)
  if (figures.overturned !== undefined) expect(rows({ ...period, is: 'overturned' })).toBe(figures.overturned)
  if (figures.times) expect(rows({ ...period, is: 'timed' })).toBe(figures.times.count)
  for (const { id, decided, approved } of figures.messages) {
    expect(rows({ ...period, message: id })).toBe(decided)
    expect(rows({ ...period, message: id, decision: 'approve' })).toBe(approved)
  }
  expect(rows({ what: 'waiting' })).toBe(figures.waiting.total)
  for (const { from, until, decisions: counts, backlog } of figures.bars) {
    expect(rows({ what: 'decided', from, until, decision: 'approve' })).toBe(counts.approve)
    if (!backlog) continue
    const { at, day: date, total, overdue } = backlog
    expect(rows({ what: 'waiting', at, day: date })).toBe(total)
    expect(rows({ what: 'waiting', at, day: date, due: 'overdue' })).toBe(overdue)
  }
}

const readerOf = ({ engine }: Model): DecisionFiguresReader =>
  new DecisionFiguresReader({
    index: new DecisionIndex({
      history: engine.dbs.history,
      columns: engine.columns,
      events: engine.events,
      subjects: new Subjects(engine.dbs.subjects),
      dictionary: engine.writer.dictionary,
      catalogue: engine.catalogue,
      fourEyes: engine.applicants.fourEyes
    }),
    dictionary: engine.writer.dictionary,
    catalogue: engine.catalogue,
    reader: engine.reader,
    subjects: new Subjects(engine.dbs.subjects),
    names: engine.writer.names
  })

describe('the figures of decisions', () => {
  test('are those of a slow count after any sequence, kept up to date and read anew', { timeout: 120_000 }, () => {
    const seen = new Map<string, number>()
    fc.assert(
      fc.property(fc.array(step, { minLength: 8, maxLength: 40 }), all([3 * hour, day, 5 * day]), (steps, width) => {
        const model = new Model()
        model.engine.columns.all()
        for (const each of steps) {
          if (!model.perform(each)) continue
          seen.set(each.kind, (seen.get(each.kind) ?? 0) + 1)
          if (each.kind === 'erased') compare(model, model.engine.decisions, queryOf(model, width, {}))
        }
        for (const narrowed of [{}, { connection: connections[0]!.id }, { reviewer: 'anna' }, { reviewer: 'nobody' }]) {
          const query = queryOf(model, width, narrowed)
          compare(model, model.engine.decisions, query)
          compare(model, readerOf(model), query)
        }
        model.engine.close()
      }),
      { numRuns: 30, endOnFailure: true, examples: [[oneOfEach, day]] }
    )
    for (const kind of [
      'verified',
      'decided',
      'due',
      'assigned',
      'linked',
      'challenged',
      'unlinked',
      'resolved',
      'due of a record',
      'erased'
    ])
      expect(seen.get(kind) ?? 0, kind).toBeGreaterThan(0)
  })
})
