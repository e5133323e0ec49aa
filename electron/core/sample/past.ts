/**
 * The past of a session with sample data: what was done in the last 90 days, in the order in which it was done. The same for the same
 * moment, wherever it is made: who is who and what is decided depend on numbers alone, and times on the calendar of this computer.
 */
import { signatureOf } from '#contract/app/signatures.ts'
import type { ApplicantsChange, Decision } from '#contract/applicants/applicants.ts'
import { dayLength, isoDue, today } from '#contract/applicants/due-dates.ts'
import { addMonths } from '#contract/applicants/reviews.ts'
import {
  card,
  checksOfNobody,
  colleagues,
  details,
  documents,
  exampleApplicants,
  idOf,
  passport,
  photo,
  type ExampleApplicant,
  type ExampleCheck,
  type ExampleDecision
} from './examples.ts'

/** What is done about one applicant, or about none. */
export type SampleAction =
  | { readonly kind: 'check'; readonly check: ExampleCheck }
  | { readonly kind: 'decide'; readonly decision: ExampleDecision }
  | { readonly kind: 'facts'; readonly facts: Pick<ExampleApplicant, 'tags' | 'note' | 'dueIn' | 'assignee'> }
  | { readonly kind: 'four-eyes'; readonly note: string }
  | { readonly kind: 'resolve' }
  | { readonly kind: 'change'; readonly change: Pick<ApplicantsChange, 'applicantIds' | 'relationship' | 'risk'> }
  | { readonly kind: 'batch' }
  | { readonly kind: 'interpret' }

export interface SampleStep {
  /** Unix milliseconds. */
  readonly at: number
  /** How the person signs. */
  readonly operator: string
  readonly applicantId?: string
  readonly action: SampleAction
}

const days = 90
/** Applicants of the time before the last day. */
const earlier = 210
/** Of a working day, in minutes. */
const [opens, closes] = [8 * 60 + 30, 17 * 60 + 30]
/** How much of a week's work is done on a day, from Sunday on: most of it at the week's beginning. */
const rhythm = [0, 1.4, 1.2, 1, 0.9, 0.6, 0] as const

/** The beginnings of the working days before today, oldest first. */
function workingDays(now: number): readonly number[] {
  const today = new Date(now)
  return Array.from({ length: days }, (_, at) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() - days + at).getTime()
  ).filter((day) => rhythm[new Date(day).getDay() as 0] > 0)
}
const timeOf = (day: number, minutes: number): number => {
  const at = new Date(day)
  // By the clock on the wall, also on a day on which it is changed.
  return new Date(at.getFullYear(), at.getMonth(), at.getDate(), 0, minutes).getTime()
}

/** Numbers from 0 to 1, always the same ones (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const signatures = colleagues.map(({ name, account }) => signatureOf(name, account))
const signature = (number: number): string => signatures[number % signatures.length] ?? ''

const identityChecks = [documents, passport, card] as const
const approved = [
  'Photo, document and details agree.',
  'Everything in order.',
  'Passport and details agree.',
  'Compared with the details. No differences.'
] as const

/** One course of the time before: how the checks went, and what was decided in the end. */
function courseOf(roll: () => number): {
  readonly checks: readonly ExampleCheck[]
  readonly first?: ExampleDecision
  readonly last: ExampleDecision
} {
  const check = identityChecks[Math.floor(roll() * identityChecks.length)] ?? documents
  const photos: readonly ExampleCheck[] = roll() < 0.35 ? [photo()] : []
  const approve: ExampleDecision = {
    decision: 'approve',
    reasons: ['documents-in-order'],
    note: approved[Math.floor(roll() * approved.length)] ?? approved[0]
  }
  const course = roll()
  if (course < 0.8) return { checks: [details(), check('pass'), ...photos], last: approve }
  if (course < 0.91)
    return {
      checks: [details(), check('fail')],
      last: { decision: 'decline', reasons: ['document-not-accepted'], note: 'The document was rejected.' }
    }
  return {
    checks: [details(), check('unclear'), ...photos],
    first: { decision: 'escalate', reasons: ['answer-unclear'], note: 'The answer is inconclusive.' },
    last: { decision: 'approve', reasons: ['reviewed-by-hand'], note: 'Compared the images by hand.' }
  }
}

/** How many applicants come on each of these days. */
function arrivalsOn(working: readonly number[], roll: () => number): readonly number[] {
  const weights: readonly number[] = working.map((day) => rhythm[new Date(day).getDay() as 0])
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const counts = working.map(() => 0)
  for (let number = 0; number < earlier; number += 1) {
    let left = roll() * total
    const found = weights.findIndex((weight) => (left -= weight) < 0)
    const at = Math.max(0, found)
    counts[at] = (counts[at] ?? 0) + 1
  }
  return counts
}

/** The applicants of the time before, each decided. Those of a day are checked side by side, then decided one after another. */
function stepsBefore(working: readonly number[]): SampleStep[] {
  const roll = numbers(90)
  let number = 0
  return arrivalsOn(working, roll).flatMap((count, day) => {
    const begun = opens + 10 + Math.floor(roll() * (closes - opens - 150))
    return Array.from({ length: count }, (_, place) => {
      number += 1
      const { checks, first, last } = courseOf(roll)
      const who = number + Math.floor(roll() * 2)
      const done = (on: number, minutes: number, by: number, action: SampleAction): SampleStep => ({
        at: timeOf(working[Math.min(on, working.length - 1)] ?? 0, Math.min(minutes, closes)),
        operator: signature(by),
        applicantId: idOf(exampleApplicants.length + number),
        action
      })
      const decided = begun + 60 + place * 7
      return [
        ...checks.map((check, round) => done(day, begun + round * 15 + place, who, { kind: 'check', check })),
        ...(first ? [done(day, decided, who, { kind: 'decide', decision: first })] : []),
        done(first ? day + 1 : day, first ? opens + 5 : decided, first ? who + 1 : who, {
          kind: 'decide',
          decision: last
        })
      ]
    }).flat()
  })
}

/** Working days before the last one on which those who still wait came; some came on the last day itself. */
const cameBefore = [0, 2, 1, 4, 0, 6, 3, 1, 8, 0, 2, 5] as const

/**
 * The last working day: a batch, the checks of its applicants, and as much as was decided until the evening. The details of those
 * who wait were asked for earlier.
 */
function stepsOfLastDay(working: readonly number[]): SampleStep[] {
  const done = (minutes: number, by: number, action: SampleAction, applicantId?: string, before = 0): SampleStep => ({
    at: timeOf(working.at(-1 - before) ?? 0, minutes),
    operator: signature(by),
    ...(applicantId !== undefined && { applicantId }),
    action
  })
  const steps = exampleApplicants.flatMap(({ id, checks, decision, afterwards = [], ...facts }, number) => {
    const begun = opens + 40 + number
    const { tags, note, dueIn, assignee } = facts
    const before = decision ? 0 : cameBefore[number % cameBefore.length]
    const hasFacts = tags !== undefined || note !== undefined || dueIn !== undefined || assignee !== undefined
    return [
      ...checks.map((check, round) =>
        done(begun + round * 40, number, { kind: 'check', check }, id, round === 0 ? before : 0)
      ),
      ...(hasFacts ? [done(begun + 160, number, { kind: 'facts', facts }, id)] : []),
      ...(facts.resolved ? [done(15 * 60, number, { kind: 'resolve' }, id)] : []),
      ...(decision ? [done(13 * 60 + 45 + number * 6, number, { kind: 'decide', decision }, id)] : []),
      ...(facts.fourEyes === undefined
        ? []
        : [done(13 * 60 + 48 + number * 6, number, { kind: 'four-eyes', note: facts.fourEyes }, id)]),
      ...afterwards.map((check, at) => done(17 * 60 + number / 2 + at, number, { kind: 'check', check }, id))
    ]
  })
  return [
    done(opens + 25, 0, { kind: 'batch' }),
    ...steps,
    ...checksOfNobody.map((check, at) => done(16 * 60 + 10 * at, 1, { kind: 'check', check })),
    done(17 * 60 + 20, 2, { kind: 'interpret' })
  ]
}

/**
 * Those who were approved become customers, in one go on the evening before the last day, and some had been for long: their reviews
 * are overdue, or due in 30 and in 90 days. The newest have no risk class yet.
 */
function stepsOfCustomers(before: readonly SampleStep[], working: readonly number[], now: number): SampleStep[] {
  const decided = new Map(
    before.flatMap(({ applicantId, action }) =>
      applicantId !== undefined && action.kind === 'decide' ? [[applicantId, action.decision.decision]] : []
    )
  )
  const of = (decision: Decision): string[] => [...decided].flatMap(([id, last]) => (last === decision ? [id] : []))
  const approved = of('approve')
  const day = (days: number): string => isoDue(today(now) + days * dayLength)
  const first = isoDue(today(working[0] ?? now))
  const last = working.at(-1) ?? now
  const [overdue, soon, later, medium, unrated] = [3, 4, 5, 40, 12]
  const take = (some: number): string[] => approved.splice(0, some)
  const changes = [
    { applicantIds: take(overdue), risk: 'high', relationship: { state: 'active', on: addMonths(day(-10), -12) } },
    { applicantIds: take(soon), risk: 'medium', relationship: { state: 'active', on: addMonths(day(20), -36) } },
    { applicantIds: take(later), risk: 'low', relationship: { state: 'active', on: addMonths(day(70), -60) } },
    { applicantIds: take(medium), risk: 'medium', relationship: { state: 'active', on: first } },
    { applicantIds: take(approved.length - unrated), risk: 'low', relationship: { state: 'active', on: first } },
    { applicantIds: of('decline'), relationship: { state: 'refused', on: isoDue(today(last)) } }
  ] as const
  return changes.map((change) => ({
    at: timeOf(last, closes),
    operator: signature(2),
    action: { kind: 'change', change }
  }))
}

/** Everything that is done, oldest first. @param now Unix milliseconds: the present, in which nothing is done. */
export function sampleSteps(now: number): readonly SampleStep[] {
  const working = workingDays(now)
  const [, second = 0] = working
  const before = stepsBefore(working.slice(0, -1))
  const steps: SampleStep[] = [
    ...before,
    ...stepsOfCustomers(before, working.slice(0, -1), now),
    { at: timeOf(second, closes), operator: signature(0), action: { kind: 'interpret' } },
    ...stepsOfLastDay(working)
  ]
  return steps.sort((one, other) => one.at - other.at)
}

/** When the session's history begins: before everything in it. */
export const sampleBeginning = (now: number): { readonly at: number; readonly operator: string } => ({
  at: timeOf(workingDays(now)[0] ?? 0, opens - 10),
  operator: signature(0)
})
