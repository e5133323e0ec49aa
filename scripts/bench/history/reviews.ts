/** Periodic reviews of a million applicants: who is overdue, how many are, and a class for ten thousand at once. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { maxApplicantsAtOnce, type ApplicantCursor } from '#contract/applicants/applicants.ts'
import { dayLength, isoDue, today } from '#contract/applicants/due-dates.ts'
import { operationOf } from '#contract/verification/operations.ts'
import type { ImportEntry } from '#wire/history/applicants.ts'
import type { Engine } from '#store/engine/engine.ts'
import { openEngine } from '#store/engine/opening.ts'
import type { Row } from '../../figures/format.ts'
import { rowOf } from '../../figures/row.ts'
import type { Measured } from '../../figures/section.ts'
import { seedChecks, type SeedCheck } from '../../seed-data.ts'
import { seedWith } from '../../seed.ts'
import type { BenchRun } from '../bench-run.ts'
import { sideBySide } from '../side-by-side.ts'

/** Milliseconds: at the 95th percentile, and for all of ten thousand. */
const aims = { answer: 50, many: 5000 }
const limit = 100
const operation = operationOf('get-applicant-details')
const classes = [
  { risk: 'low', months: 60 },
  { risk: 'medium', months: 36 },
  { risk: 'high', months: 12 }
] as const

const idOf = (nth: number): string => `APP-${String(nth).padStart(7, '0')}`

/** Verifications as in other histories, one for each applicant. */
function* onePerApplicant(count: number, now: number): Generator<SeedCheck> {
  let nth = 0
  for (const { intent, ending } of seedChecks(count, now)) {
    const applicantId = idOf(nth)
    nth += 1
    yield {
      intent: {
        ...intent,
        operation: operation.id,
        path: operation.path,
        input: { applicant_id: applicantId },
        applicantId
      },
      ending
    }
  }
}

/** Of twenty one has no class; the others have one, and a relationship that began within the last six years. */
function entryOf(nth: number, now: number): ImportEntry {
  const on = isoDue(today(now) - ((nth * 7919) % 2190) * dayLength)
  const rated = nth % 20 === 0 ? undefined : classes[nth % 3]
  return { applicantId: idOf(nth), relationship: { state: 'active', on }, rated }
}

const everyone = (count: number): number[] => Array.from({ length: count }, (_, nth) => nth)
const hand = (at: number): { readonly at: number; readonly operator: string } => ({ at, operator: 'tester' })

function written<T>(results: readonly ({ readonly ok: true; readonly value: T } | { readonly ok: false })[]): T {
  const [first] = results
  if (!first?.ok) throw new Error('the applicants were not changed')
  return first.value
}

function fill(engine: Engine, people: number, now: number, progress: (text: string) => void): void {
  const told = (what: string, done: number): void => {
    if (done % 100_000 === 0) progress(`${done.toLocaleString('en')} ${what}`)
  }
  seedWith(engine, onePerApplicant(people, now), (done) => told('applicants verified', done))
  engine.bulk(true)
  for (let from = 0; from < people; from += maxApplicantsAtOnce) {
    const entries = everyone(Math.min(maxApplicantsAtOnce, people - from)).map((nth) => entryOf(from + nth, now))
    written(engine.commit([(writer) => engine.applicants.enterMany(writer, entries, hand(now))]))
    told('applicants rated', from + entries.length)
  }
  engine.bulk(false)
}

function answers(engine: Engine, now: number, rounds: number, progress: (text: string) => void): Row[] {
  const { read } = engine.applicants
  const { history } = engine.dbs
  const day = isoDue(today(now))
  const bareList = history.prepare(`SELECT * FROM applicant WHERE review_at < ? ORDER BY review_at LIMIT ${limit}`)
  const bareCount = history.prepare('SELECT risk, count(*) FROM applicant WHERE review_at < ? GROUP BY risk')
  // Those that stay in memory are read once, which is no part of an answer.
  read.counts({}, now)
  progress('facts are read')
  const row = (name: string, ours: readonly (() => unknown)[], bare: () => unknown, cannotWin: string): Row => {
    const sides = sideBySide(
      ours.map((each) => [each, bare] as const),
      rounds
    )
    progress(name)
    return rowOf({
      name,
      unit: 'ms',
      samples: sides.ours,
      beside: { what: 'bare SQL', samples: sides.beside, cannotWin },
      aims: { p95: aims.answer }
    })
  }
  const page = (risks: readonly string[], after?: ApplicantCursor) =>
    read.list({ reviews: ['overdue'], risks: [...risks], order: { by: 'review' }, limit, ...(after && { after }) }, now)
  const later = page([]).next
  return [
    row(
      'a page of the overdue, by the day of the review',
      [() => page([]), () => page(['high']), () => page(['low', 'medium']), () => page([], later)],
      () => bareList.all(day),
      'nothing opened'
    ),
    row('the numbers of the overview', [() => engine.overview.reviews(now)], () => bareCount.all(day), 'full scan'),
    row(
      'the counts of every filter beside the overdue',
      [
        () => read.counts({ reviews: ['overdue'] }, now),
        () => read.counts({ reviews: ['overdue'], risks: ['high'] }, now)
      ],
      () => bareCount.all(day),
      'full scan'
    )
  ]
}

/** In the portions in which the window hands them over, each synced to disk. */
function manyAtOnce(engine: Engine, many: number, rounds: number, now: number): Row {
  const samples: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const ids = everyone(many).map((nth) => idOf(round * many + nth))
    // Another class than before for each of them in some round.
    const rated = { risk: 'reclassified', months: 24 + round }
    const from = performance.now()
    for (let at = 0; at < many; at += maxApplicantsAtOnce) {
      const applicantIds = ids.slice(at, at + maxApplicantsAtOnce)
      const done = written(
        engine.commit([(writer) => engine.applicants.changeMany(writer, { applicantIds, rated }, hand(now))])
      )
      if (done.changed !== applicantIds.length) throw new Error(`${done.changed} were changed`)
    }
    samples.push(performance.now() - from)
  }
  return rowOf({
    name: `a class for ${many.toLocaleString('en')} applicants at once`,
    unit: 'ms',
    samples,
    aims: { largest: aims.many }
  })
}

export async function measureReviews({ sized, progress }: BenchRun): Promise<Measured> {
  const people = sized(1_000_000, 2000)
  const folder = mkdtempSync(join(tmpdir(), 'veridesk-bench-reviews-'))
  const now = Date.now()
  try {
    const opened = openEngine({ folder, masterKey: '5a'.repeat(32), now })
    if (!opened.ok) throw new Error(opened.failure.code)
    const { engine } = opened.value
    fill(engine, people, now, progress)
    const found = answers(engine, now, sized(20, 3), progress)
    const overdue = engine.overview.reviews(now).overdue.reduce((sum, { count }) => sum + count, 0)
    // The window counts by its list and the overview by the file: both must say the same.
    const listed = engine.applicants.read.counts({ reviews: ['overdue'] }, now).total
    const many = manyAtOnce(engine, sized(10_000, 200), 5, now)
    engine.close()
    return {
      rows: [...found, many],
      notes: [`Of ${people.toLocaleString('en')} applicants, ${overdue.toLocaleString('en')} are overdue.`],
      faults: listed === overdue ? [] : [`the list counts ${listed} overdue, the overview ${overdue}`]
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
