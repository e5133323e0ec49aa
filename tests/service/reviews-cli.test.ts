/** `reviews list` over a real history: what it prints, in which order, and the code that a script acts on. */
import { expect, it } from 'vitest'
import type { ApplicantListQuery } from '#contract/applicants/applicants.ts'
import { dayLength, isoDue, today } from '#contract/applicants/due-dates.ts'
import { addMonths } from '#contract/applicants/reviews.ts'
import type { Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { Writer } from '#store/records/writer.ts'
import type { Context } from '../../electron/hosts/cli/context.ts'
import { listReviews } from '../../electron/hosts/cli/reviews.ts'
import { add, opened } from './history-fixtures.ts'

const now = Date.now()
const day = (days: number): string => isoDue(today(now) + days * dayLength)

it('lists the earliest first over all pages, and ends with 23 while one is overdue', async () => {
  const engine = opened()
  const write = (job: (writer: Writer) => Result<unknown, Failure>): void => {
    const [result] = engine.commit([job])
    expect(result?.ok).toBe(true)
  }
  const scheduled = (applicantId: string, days: number): void => {
    add(engine, { applicant: applicantId, startedAt: now })
    const hand = { operator: 'tester', at: Date.parse(addMonths(day(days), -12)) }
    write((writer) => engine.applicants.rate(writer, { applicantId, risk: 'high', months: 12, note: '' }, hand))
    write((writer) => engine.applicants.review(writer, { applicantId, outcome: 'unchanged', note: '' }, hand))
  }
  const list = (options: Context['options'] = {}) =>
    listReviews({
      operands: [],
      options,
      ask: async (_: string, { visit: _visit, ...query }: ApplicantListQuery & { readonly visit: string }) =>
        ok(engine.applicants.read.list(query))
    } as unknown as Context)
  expect(await list()).toEqual({ exit: 'done', error: 'No review is due.' })
  scheduled('APP-91', 91)
  scheduled('APP-90', 90)
  scheduled('APP-0', 0)
  expect(await list()).toEqual({
    exit: 'done',
    out: `${day(0)}  due      high  APP-0\n${day(90)}  due      high  APP-90`
  })
  for (let n = 1; n <= 250; n += 1) scheduled(`LATE-${n}`, -n)
  const all = await list()
  expect(all.exit).toBe('findings')
  const lines = all.out?.split('\n') ?? []
  expect(lines).toHaveLength(252)
  expect(lines[0]).toBe(`${day(-250)}  overdue  high  LATE-250`)
  expect(lines.toSorted()).toEqual(lines)
  expect((await list({ overdue: true })).out?.split('\n')).toEqual(lines.slice(0, 250))
  const some = await list({ overdue: true, limit: '210', json: true })
  expect(some.out?.split('\n')).toHaveLength(210)
  expect(JSON.parse(some.out?.split('\n')[0] ?? '')).toEqual({
    applicant_id: 'LATE-250',
    risk: 'high',
    at: day(-250),
    cause: 'period',
    overdue: true
  })
  expect(some.error).toBe('Only the first 210 are listed; --limit lists more.')
  expect((await list({ limit: '0' })).exit).toBe('usage')
  engine.close()
})
