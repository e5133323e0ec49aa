/** Periodic reviews on the overview: each number against a recount of what was recorded, and against the list that it leads to. */
import fc from 'fast-check'
import { afterEach, expect, it } from 'vitest'
import type { ApplicantFilter, DecisionDraft } from '#contract/applicants/applicants.ts'
import { dayLength, isoDue, today } from '#contract/applicants/due-dates.ts'
import { relationshipStates } from '#contract/applicants/relationships.ts'
import {
  addMonths,
  nextExpiry,
  nextReview,
  type ReviewFact,
  type ReviewFigures,
  type ReviewsDone
} from '#contract/applicants/reviews.ts'
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import type { Engine } from '#store/engine/engine.ts'
import type { Writer } from '#store/records/writer.ts'
import { add, opened } from './history-fixtures.ts'
import { counted, times } from './support/times.ts'

const zoneBefore = process.env['TZ']
afterEach(() => {
  if (zoneBefore === undefined) delete process.env['TZ']
  else process.env['TZ'] = zoneBefore
})

const now = Date.UTC(2026, 10, 28, 12)
const day = (days: number): string => isoDue(today(now) + days * dayLength)
const daysTo = (iso: string): number => Math.round((Date.parse(iso) - Date.parse(day(0))) / dayLength)
const classes = { low: 60, medium: 36, high: 12 } as const

// On both sides of each edge, and far from them.
const days = fc.constantFrom(-400, -1, 0, 1, 30, 31, 90, 91, 400).map(day)
const months = fc.constantFrom(0, 12, 36, 60)
/** A day that is some months before an edge, so that a review is due at the edge. */
const before = fc.tuple(days, months).map(([at, by]) => addMonths(at, -by))
const rated = fc.record({ kind: fc.constant('rated' as const), risk: fc.constantFrom('low', 'medium', 'high') })
const steps = fc.array(
  fc.oneof(
    rated,
    rated,
    fc.record({
      kind: fc.constant('relationship' as const),
      state: fc.constantFrom('active', 'active', ...relationshipStates),
      on: before
    }),
    fc.record({ kind: fc.constant('expiry' as const), document: fc.constantFrom('Passport', 'ID'), expires: days }),
    fc.record({
      kind: fc.constant('reviewed' as const),
      day: before,
      time: fc.constantFrom('00:00', '12:00', '17:30', '23:59')
    })
  ),
  { maxLength: 5 }
)
type Step = (typeof steps extends fc.Arbitrary<infer All> ? All : never) extends (infer One)[] ? One : never

/** So that no number is always 0: one applicant for each. */
const dueIn = (left: number): Step[] => [
  { kind: 'rated', risk: 'high' },
  { kind: 'reviewed', day: addMonths(day(left), -12), time: '12:00' }
]
const certain = (): Step[][] => [
  dueIn(-1),
  dueIn(30),
  dueIn(31),
  [],
  [{ kind: 'expiry', document: 'Passport', expires: day(-1) }],
  // On the last day, and a day late.
  [...dueIn(0), { kind: 'reviewed', day: day(0), time: '23:59' }],
  [...dueIn(0), { kind: 'reviewed', day: day(1), time: '00:00' }]
]
/** Where the test is. */
const timeOn = (iso: string, time: string): number => new Date(`${iso}T${time}`).getTime()
/** Every review but those long before and long after. */
const period = () => ({ from: timeOn(day(-365), '00:00'), until: timeOn(day(31), '00:00') })

function record(engine: Engine, applicantId: string, step: Step): void {
  const { applicants } = engine
  const hand = { operator: 'tester', at: now }
  const note = ''
  const job = (writer: Writer): Result<unknown, Failure> => {
    if (step.kind === 'rated')
      return applicants.rate(writer, { applicantId, risk: step.risk, months: classes[step.risk], note }, hand)
    if (step.kind === 'relationship')
      return applicants.relate(writer, { applicantId, state: step.state, on: step.on, note }, hand)
    if (step.kind === 'expiry')
      return applicants.expiry(writer, { applicantId, document: step.document, expires: step.expires }, hand)
    const reviewed = { operator: 'tester', at: timeOn(step.day, step.time) }
    return applicants.review(writer, { applicantId, outcome: 'unchanged', note }, reviewed)
  }
  expect(engine.commit([job])[0]?.ok).toBe(true)
}

const factOf = (step: Step): ReviewFact =>
  step.kind === 'rated' ? { kind: 'rated', months: classes[step.risk] } : step

/** One review after another, with what was recorded before it. */
function recountDone(people: readonly (readonly Step[])[]): ReviewsDone {
  let [done, scheduled, onTime] = [0, 0, 0]
  for (const all of people)
    all.forEach((step, at) => {
      if (step.kind !== 'reviewed' || step.day < day(-365) || step.day >= day(31)) return
      done += 1
      const due = nextReview(all.slice(0, at).map(factOf))?.at
      if (due === undefined) return
      scheduled += 1
      if (step.day <= due) onTime += 1
    })
  return { done, scheduled, onTime }
}

/** One applicant after another, from what was recorded about each. */
function recount(people: readonly (readonly Step[])[]): ReviewFigures {
  const overdue = new Map<string, number>()
  let [in30, in90, unrated, expired] = [0, 0, 0, 0]
  for (const all of people) {
    const facts = all.map(factOf)
    const risk = all.findLast((step) => step.kind === 'rated')?.risk
    const state = all.findLast((step) => step.kind === 'relationship')?.state
    if (risk === undefined && (state === undefined || state === 'active')) unrated += 1
    const expires = nextExpiry(facts)
    if (expires !== undefined && daysTo(expires) < 0) expired += 1
    const due = nextReview(facts)?.at
    if (risk === undefined || due === undefined) continue
    const left = daysTo(due)
    if (left < 0) overdue.set(risk, (overdue.get(risk) ?? 0) + 1)
    else if (left <= 30) in30 += 1
    else if (left <= 90) in90 += 1
  }
  const byClass = [...overdue].map(([risk, count]) => ({ risk, count }))
  return { overdue: byClass.toSorted((a, b) => (a.risk < b.risk ? -1 : 1)), in30, in90, unrated, expired }
}

// On this day it is tomorrow in the first, and today in the others. Reviews are recorded in any order of days: the clock is set back.
it.for(['Pacific/Kiritimati', 'UTC', 'Pacific/Pago_Pago'])(
  'are as many as a recount of random histories finds, and as the list behind each number holds, in %s',
  { timeout: 60_000 * times },
  (zone, { task }) => {
    process.env['TZ'] = zone
    let histories = 0
    fc.assert(
      fc.property(fc.array(steps, { maxLength: 25 }), (others) => {
        const people = [...certain(), ...others]
        histories += people.length
        const engine = opened()
        people.forEach((all, index) => {
          const applicantId = `APP-${index}`
          add(engine, { applicant: applicantId, startedAt: now })
          for (const step of all) record(engine, applicantId, step)
        })
        const figures = engine.overview.reviews(now)
        expect(figures).toEqual(recount(people))
        const done = engine.overview.reviewed(period().from, period().until)
        expect(done).toEqual(recountDone(people))
        expect(done.onTime * (done.scheduled - done.onTime)).toBeGreaterThan(0)
        const listed = (filter: ApplicantFilter): number =>
          engine.applicants.read.matching(filter, people.length, now).ids.length
        for (const { risk, count } of figures.overdue)
          expect(listed({ reviews: ['overdue'], risks: [risk] })).toBe(count)
        expect(
          figures.overdue.length * figures.in30 * figures.in90 * figures.unrated * figures.expired
        ).toBeGreaterThan(0)
        expect(listed({ reviews: ['in30'] })).toBe(figures.in30)
        expect(listed({ reviews: ['in30', 'in90'] })).toBe(figures.in30 + figures.in90)
        expect(listed({ reviews: ['unrated'] })).toBe(figures.unrated)
        expect(listed({ expired: true })).toBe(figures.expired)
        engine.close()
      }),
      { numRuns: 2 * times }
    )
    counted(task, { histories, differing: 0 })
  }
)

it('is done on the day that it was where it was done: in the evening, a document of the next day is still valid', () => {
  process.env['TZ'] = 'America/Los_Angeles'
  const engine = opened()
  const at = Date.UTC(2026, 2, 16, 0, 30)
  add(engine, { applicant: 'APP-1', startedAt: Date.UTC(2025, 5, 1, 12) })
  record(engine, 'APP-1', { kind: 'relationship', state: 'active', on: '2025-03-15' })
  record(engine, 'APP-1', { kind: 'rated', risk: 'high' })
  record(engine, 'APP-1', { kind: 'expiry', document: 'Passport', expires: '2026-03-16' })
  record(engine, 'APP-1', { kind: 'reviewed', day: '2026-03-15', time: '17:30' })
  expect(engine.applicants.read.find('APP-1')).toMatchObject({ review_at: '2026-03-16', expires: '2026-03-16' })
  expect(engine.overview.reviewed(at, at + 1)).toEqual({ done: 1, scheduled: 1, onTime: 1 })
  expect(engine.overview.reviews(Date.UTC(2026, 3, 10)).expired).toBe(1)
  engine.close()
})

it('count a review that is part of a decision by the day that was known before it', () => {
  const engine = opened()
  const by = { operator: 'tester', at: now }
  const decided = (applicantId: string, draft: Partial<DecisionDraft>): void => {
    const shown = engine.applicants.read.show(applicantId)
    if (!shown.ok) throw new Error(shown.failure.code)
    const { evidence } = shown.value
    const all: DecisionDraft = { applicantId, decision: 'approve', reasons: [], note: '', evidence, ...draft }
    expect(engine.commit([(writer) => engine.applicants.decide(writer, all, by)])[0]?.ok).toBe(true)
  }
  for (const applicantId of ['APP-ENDS', 'APP-FIRST']) {
    add(engine, { applicant: applicantId, startedAt: now })
    record(engine, applicantId, { kind: 'rated', risk: 'high' })
  }
  record(engine, 'APP-ENDS', { kind: 'relationship', state: 'active', on: addMonths(day(5), -12) })
  // The refusal ends the relationship in the same step, and a first approval schedules the first review.
  decided('APP-ENDS', { decision: 'decline', refusedOn: day(0), review: 'exit' })
  const done = () => engine.overview.reviewed(period().from, period().until)
  expect(done()).toEqual({ done: 1, scheduled: 1, onTime: 1 })
  decided('APP-FIRST', { review: 'unchanged' })
  expect(done()).toEqual({ done: 2, scheduled: 1, onTime: 1 })
  engine.close()
})
