/** The list of applicants in each order, and the same change of several applicants. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  applicantSorts,
  applicantStates,
  maxTags,
  type ApplicantCursor,
  type ApplicantListQuery,
  type ApplicantOrder,
  type ApplicantSummary
} from '#contract/applicants/applicants.ts'
import { isoDue, today } from '#contract/applicants/due-dates.ts'
import { reviewClasses, type ReviewClass } from '#contract/applicants/reviews.ts'
import { relationshipStates } from '#contract/applicants/relationships.ts'
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import type { Engine } from '#store/engine/engine.ts'
import type { Writer } from '#store/records/writer.ts'
import { add, connectionNamed, opened } from './history-fixtures.ts'

const start = 1_760_000_000_000
const by = { at: start + 900_000, operator: 'tester' }
function write<T>(engine: Engine, job: (writer: Writer) => Result<T, Failure>): T {
  const [result] = engine.commit([job])
  if (!result?.ok) throw new Error(result?.failure.code)
  return result.value
}
/** All pages of a list. */
function listed(engine: Engine, query: Omit<ApplicantListQuery, 'limit' | 'after'>, limit: number): ApplicantSummary[] {
  const found: ApplicantSummary[] = []
  for (let after: ApplicantCursor | undefined, more = true; more;) {
    const page = engine.applicants.read.list({ ...query, limit, after }, start)
    found.push(...page.applicants)
    after = page.next
    more = after !== undefined
  }
  return found
}
const value = ({ id, lastAt, state, due, review }: ApplicantSummary, { by: sort }: ApplicantOrder): number | string =>
  ({
    applicant: id,
    state: applicantStates.indexOf(state),
    due: due ?? 0,
    review: review?.at ?? '',
    activity: -lastAt
  })[sort]
/** Plainly, by the days between. */
function reviewOf({ review, risk, relationship }: ApplicantSummary): ReviewClass {
  if (!review) return risk === undefined && (relationship?.state ?? 'active') === 'active' ? 'unrated' : 'none'
  const days = (Date.parse(review.at) - Date.parse(isoDue(today(start)))) / 86_400_000
  return days < 0 ? 'overdue' : days <= 30 ? 'in30' : days <= 90 ? 'in90' : 'later'
}

it('is that of a plain sort, for each order, direction and filter, however it is cut into pages', () => {
  const engine = opened()
  const count = 340
  for (let n = 0; n < count; n += 1) {
    const id = `APP-${(n * 7919) % 1000}`
    // Some have a verification that says nothing about them, some a decision, a tag or a due date; times repeat.
    add(engine, { applicant: id, startedAt: start + (n % 50) * 1000 }, n % 5 === 0 ? null : undefined)
    if (n % 3 === 0)
      write(engine, (writer) =>
        engine.applicants.due(
          writer,
          { applicantId: id, due: start + (n % 9) * 86_400_000 },
          { ...by, at: start + (n % 50) * 1000 }
        )
      )
    if (n % 11 === 0)
      write(engine, (writer) => engine.applicants.tag(writer, id, ['vip'], { ...by, at: start + (n % 50) * 1000 }))
    const { evidence } = (engine.applicants.read.show(id) as { value: { evidence: number } }).value
    if (n % 4 === 0)
      write(engine, (writer) =>
        engine.applicants.decide(
          writer,
          { applicantId: id, decision: 'escalate', reasons: [], note: 'x', evidence },
          { ...by, at: start + (n % 50) * 1000 }
        )
      )
    const hand = { ...by, at: start + (n % 50) * 1000 }
    if (n % 3 === 1)
      write(engine, (writer) =>
        engine.applicants.rate(writer, { applicantId: id, risk: n % 2 ? 'high' : 'low', months: 12, note: '' }, hand)
      )
    // From long ago to a few months ahead; some ended.
    if (n % 2 === 1)
      write(engine, (writer) =>
        engine.applicants.relate(
          writer,
          {
            applicantId: id,
            state: n % 7 === 0 ? 'ended' : 'active',
            on: isoDue(start - 250 * 86_400_000 - ((n % 13) - 4) * 16 * 86_400_000),
            note: ''
          },
          hand
        )
      )
    if (n % 10 === 1)
      write(engine, (writer) =>
        engine.applicants.expiry(
          writer,
          { applicantId: id, document: 'Passport', expires: isoDue(start + ((n % 4) - 2) * 86_400_000) },
          hand
        )
      )
  }
  const all = listed(engine, {}, 200)
  expect(all).toHaveLength(count)
  expect(new Set(all.map(({ state }) => state)).size).toBeGreaterThan(2)
  expect(new Set(all.map(reviewOf))).toEqual(new Set(reviewClasses))
  const expired = new Set(
    Array.from({ length: count }, (_, n) => (n % 10 === 1 && n % 4 < 2 ? `APP-${(n * 7919) % 1000}` : ''))
  )
  fc.assert(
    fc.property(
      fc.record({ by: fc.constantFrom(...applicantSorts), reversed: fc.boolean() }),
      fc.constantFrom<
        Pick<
          ApplicantListQuery,
          | 'search'
          | 'states'
          | 'tags'
          | 'due'
          | 'connections'
          | 'withoutDetails'
          | 'reviews'
          | 'relationships'
          | 'risks'
          | 'expired'
        >
      >(
        {},
        { search: '9' },
        { states: ['escalate'] },
        { tags: ['vip'] },
        { states: ['none', 'escalate'], tags: ['vip'] },
        { due: ['none'], withoutDetails: true },
        { due: ['later'], tags: ['vip'], connections: [connectionNamed('').id] },
        { connections: ['another'] },
        { reviews: ['overdue'] },
        { reviews: ['overdue', 'in90'], states: ['none'] },
        { reviews: ['in30', 'later'], risks: ['high'] },
        { reviews: ['overdue', 'in30', 'in90'], risks: ['low', 'high', 'low'] },
        { reviews: ['unrated'] },
        { reviews: ['none'], search: '9' },
        { risks: ['low', ''] },
        { risks: ['high'], due: ['none'] },
        { expired: true },
        { relationships: ['active'] },
        { relationships: ['', 'ended'], risks: ['high'] },
        { search: '9', due: ['none', 'later'] }
      ),
      fc.integer({ min: 1, max: 200 }),
      (order, filter, limit) => {
        const expected = all
          .filter(
            (each) =>
              (!filter.reviews || filter.reviews.includes(reviewOf(each))) &&
              (!filter.relationships || filter.relationships.includes(each.relationship?.state ?? '')) &&
              (!filter.risks || filter.risks.includes(each.risk ?? '')) &&
              (!filter.expired || (expired.has(each.id) && (each.relationship?.state ?? 'active') === 'active'))
          )
          .filter(
            ({ id, state, tags, due }) =>
              (!filter.search || id.includes(filter.search)) &&
              (!filter.states || filter.states.includes(state)) &&
              (!filter.tags || tags.some((tag) => filter.tags?.includes(tag))) &&
              (!filter.due || filter.due.includes(due === undefined ? 'none' : 'later')) &&
              (!filter.connections || filter.connections.includes(connectionNamed('').id))
          )
        const found = listed(engine, { ...filter, order }, limit)
        const counts = engine.applicants.read.counts(filter, start)
        expect(counts.total).toBe(found.length)
        // A value of a filter counts those that it would leave with the others.
        for (const state of applicantStates)
          expect(counts.states[state]).toBe(
            engine.applicants.read.matching({ ...filter, states: [state] }, undefined, start).ids.length
          )
        expect(found.map(({ id }) => id).sort()).toEqual(expected.map(({ id }) => id).sort())
        for (const each of ['', ...relationshipStates] as const)
          expect(counts.relationships[each]).toBe(
            engine.applicants.read.matching({ ...filter, relationships: [each] }, undefined, start).ids.length
          )
        for (const each of reviewClasses)
          expect(counts.reviews[each]).toBe(
            engine.applicants.read.matching({ ...filter, reviews: [each] }, undefined, start).ids.length
          )
        expect(counts.views.reviewOverdue).toBe(all.filter((each) => reviewOf(each) === 'overdue').length)
        const hasDate = ({ due, review }: ApplicantSummary): boolean =>
          order.by === 'due' ? due !== undefined : order.by === 'review' ? review !== undefined : true
        const dated = found.filter(hasDate)
        expect(found.slice(dated.length).some(hasDate)).toBe(false)
        for (const [index, each] of dated.entries()) {
          const next = dated[index + 1]
          if (!next) continue
          const [a, b] = [value(each, order), value(next, order)]
          expect(order.reversed ? a >= b : a <= b, `${each.id} before ${next.id}`).toBe(true)
          if (a === b && order.by === 'state') expect(each.lastAt).toBeGreaterThanOrEqual(next.lastAt)
        }
      }
    ),
    { numRuns: 80 }
  )
  // What changes is counted as it is then, by those alone who changed.
  const some = all.slice(0, 100).map(({ id }) => id)
  const rated = { risk: 'medium', months: 36 }
  write(engine, (writer) =>
    engine.applicants.changeMany(writer, { applicantIds: some, add: ['vip'], due: start, assignee: 'Ann', rated }, by)
  )
  const counts = engine.applicants.read.counts({}, start)
  const among = (filter: Omit<ApplicantListQuery, 'limit'>): number =>
    engine.applicants.read.matching(filter, undefined, start).ids.length
  expect(counts.total).toBe(count)
  expect(counts.assignees).toContainEqual({ value: 'Ann', count: 100 })
  for (const [kind, name] of [
    ['tags', 'vip'],
    ['risks', 'medium'],
    ['risks', 'high']
  ] as const)
    expect(counts[kind]).toContainEqual({ value: name, count: among({ [kind]: [name] }) })
  for (const each of reviewClasses) expect(counts.reviews[each]).toBe(among({ reviews: [each] }))
  for (const each of ['none', 'today', 'overdue', 'later'] as const)
    expect(counts.due[each]).toBe(among({ due: [each] }))
  engine.close()
})

it('names everyone who matches the filters of the list, and nobody if they are too many to be changed', () => {
  const engine = opened()
  for (const applicant of ['APP-1', 'APP-2', 'APP-3', 'OTHER-1']) add(engine, { applicant, startedAt: start })
  for (const id of ['APP-2', 'OTHER-1']) write(engine, (writer) => engine.applicants.tag(writer, id, ['vip'], by))
  const matching = (...asked: Parameters<typeof engine.applicants.read.matching>) => {
    const { ids, more } = engine.applicants.read.matching(...asked)
    return [...ids.toSorted(), ...(more ? ['more'] : [])].join(' ')
  }
  expect(matching({})).toBe('APP-1 APP-2 APP-3 OTHER-1')
  expect(matching({ search: 'app' })).toBe('APP-1 APP-2 APP-3')
  expect(matching({ search: 'app', tags: ['vip'] })).toBe('APP-2')
  expect(matching({ states: ['approve'] })).toBe('')
  expect(matching({}, 4)).toBe('APP-1 APP-2 APP-3 OTHER-1')
  expect(matching({}, 3)).toBe('more')
  expect(matching({ search: 'app' }, 3)).toBe('APP-1 APP-2 APP-3')
  engine.close()
})

it('changes tags and due dates of several applicants, each by its own events, and reports each result', () => {
  const engine = opened()
  for (const applicant of ['APP-1', 'APP-2', 'APP-3', 'APP-4']) add(engine, { applicant, startedAt: start })
  const show = (id: string): Partial<ApplicantSummary> => {
    const shown = engine.applicants.read.show(id)
    if (!shown.ok) throw new Error(shown.failure.code)
    return { tags: shown.value.tags, due: shown.value.due }
  }
  const events = (kind: string): number => engine.audit.page({ kinds: [kind], limit: 200 }).events.length
  write(engine, (writer) => engine.applicants.tag(writer, 'APP-2', ['old', 'vip'], by))
  write(engine, (writer) => engine.applicants.tag(writer, 'APP-3', ['vip'], by))
  write(engine, (writer) =>
    engine.applicants.tag(
      writer,
      'APP-4',
      Array.from({ length: maxTags }, (_, n) => `t${n}`),
      by
    )
  )
  const before = events('tags.changed')
  const changed = write(engine, (writer) =>
    engine.applicants.changeMany(
      writer,
      { applicantIds: ['APP-1', 'APP-2', 'APP-3', 'APP-4', 'APP-1', 'nobody'], add: ['vip'], remove: ['old'] },
      by
    )
  )
  expect(changed).toEqual({ changed: 2, same: 1, full: 1 })
  expect(events('tags.changed')).toBe(before + 2)
  expect(['APP-1', 'APP-2', 'APP-3'].map((id) => show(id).tags)).toEqual([['vip'], ['vip'], ['vip']])
  const due = start + 86_400_000
  expect(
    write(engine, (writer) => engine.applicants.changeMany(writer, { applicantIds: ['APP-1', 'APP-4'], due }, by))
  ).toEqual({ changed: 2, same: 0, full: 0 })
  expect([show('APP-1').due, show('APP-4').due, show('APP-2').due]).toEqual([due, due, undefined])
  expect(
    write(engine, (writer) => engine.applicants.changeMany(writer, { applicantIds: ['APP-1', 'APP-2'], due: null }, by))
  ).toEqual({ changed: 1, same: 1, full: 0 })
  expect(show('APP-1').due).toBeUndefined()
  expect(events('due.changed')).toBe(3)
  expect(engine.verify()).toMatchObject({ intact: true })
  engine.close()
})
