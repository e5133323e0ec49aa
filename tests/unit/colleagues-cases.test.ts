/** Colleagues' decisions as the overview is told of them: only what has changed, one case for a person, nothing of the erased. */
import { expect, it } from 'vitest'
import { colleague, by, here, hostile } from './support/team-activity.ts'
import { caseStatements } from '#exchange/activity/cases.ts'

const start = 1_760_000_000_000

it('are sent once, again when they change, and go with an erasure', () => {
  const [ours, ben, carla] = [here(), colleague('Ben Okoro'), colleague('Carla Diaz')]
  const decide = (one: typeof ben, decision: 'approve' | 'decline', at: number): void =>
    void one.write((writer) => {
      const shown = one.engine.applicants.read.show('APP-1')
      const evidence = shown.ok ? shown.value.evidence : 0
      return one.engine.applicants.decide(
        writer,
        { applicantId: 'APP-1', decision, reasons: [], note: '', evidence },
        by(at)
      )
    })
  for (const one of [ben, carla]) one.check({ applicant: 'APP-1', startedAt: start })
  decide(ben, 'approve', start + 60_000)
  // Before its key has arrived, nobody knows whose it is.
  ben.share(ours, false)
  const [awaited] = ours.reading.cases.page(0).cases
  expect(awaited?.applicantId).toBeUndefined()
  expect(awaited?.events.map(({ kind }) => kind).sort()).toEqual(['decided', 'evidence'])
  ben.share(ours)
  carla.share(ours)
  const named = ours.reading.cases.page(1)
  expect(named.cases.map(({ key, applicantId, events }) => [key === awaited?.key, applicantId, events.length])).toEqual(
    [
      [true, undefined, 0],
      [false, 'APP-1', 3]
    ]
  )
  expect(ours.reading.cases.page(named.version)).toMatchObject({ version: named.version, whole: false, cases: [] })
  decide(carla, 'decline', start + 90_000)
  carla.share(ours)
  const changed = ours.reading.cases.page(named.version)
  expect(changed.cases.map(({ events }) => events.filter(({ kind }) => kind === 'decided').length)).toEqual([2])
  // Who has another page, begins anew.
  expect(ours.reading.cases.page(77)).toMatchObject({ whole: true, cases: [{ applicantId: 'APP-1' }] })
  for (const one of [ben, carla])
    for (const { ref } of one.engine.dbs.subjects.prepare('SELECT ref FROM subject').all() as { ref: number }[])
      ours.subject(one, ref, { state: 2 })
  const erased = ours.reading.cases.page(changed.version + 1)
  expect(erased.cases.map(({ key, events }) => [key, events])).toEqual([['applicant APP-1', []]])
})

it('are not what a member makes up', () => {
  const ours = here()
  hostile(ours, [
    { kind: 'decision.made', subject: 7, plain: { operator: 5, decision: 'approve', evidence: -1 } },
    { kind: 'decision.made', subject: 7, plain: { operator: 'x', decision: 'maybe' } }
  ])
  const [{ events } = { events: [] }] = ours.reading.cases.page(0).cases
  expect(events).toMatchObject([{ kind: 'decided', operator: '', decision: 'approve' }])
})

it('are found by an index', () => {
  const { db } = here()
  for (const [sql, values] of [
    [caseStatements.decided, []],
    [caseStatements.entries, [1, 1]]
  ] as const) {
    const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values) as { readonly detail: string }[]
    expect(plan.filter(({ detail }) => /^SCAN (entry|e|s|n)\b(?!.*INDEX)/.test(detail))).toEqual([])
  }
})
