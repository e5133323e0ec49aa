/** The work queue with a real store: search, filters with counts, orders, assignments, and that it follows every change. */
import { dayLength, isoDue, today } from '#contract/applicants/due-dates.ts'
import { addMonths } from '#contract/applicants/reviews.ts'
import { describe, expect, it } from 'vitest'
import type { DecisionDraft } from '#contract/applicants/applicants.ts'
import type { Failure } from '#contract/failures/failures.ts'
import type { QueueFilter, QueueItem, QueueQuery } from '#contract/applicants/queue.ts'
import type { Result } from '#contract/failures/result.ts'
import type { Engine } from '#store/engine/engine.ts'
import type { Writer } from '#store/records/writer.ts'
import { seed } from '../../scripts/seed.ts'
import { add, answer, inFolder, lost, opened } from './history-fixtures.ts'

const by = { at: 1_760_000_100_000, operator: 'tester' }
/** Noon of a local day. */
const now = new Date(2026, 10, 20, 12).getTime()

function write<T>(engine: Engine, job: (writer: Writer) => Result<T, Failure>): T {
  const [result] = engine.commit([job])
  if (!result?.ok) throw new Error(result?.failure.code)
  return result.value
}
const decide = (engine: Engine, applicantId: string, decision: DecisionDraft['decision']) => {
  const shown = engine.applicants.read.show(applicantId)
  if (!shown.ok) throw new Error(shown.failure.code)
  return write(engine, (writer) =>
    engine.applicants.decide(
      writer,
      { applicantId, decision, reasons: [], note: '', evidence: shown.value.evidence },
      by
    )
  )
}
const tag = (engine: Engine, id: string, tags: string[]) =>
  write(engine, (writer) => engine.applicants.tag(writer, id, tags, by))
const setDue = (engine: Engine, applicantId: string, due: number | null) =>
  write(engine, (writer) => engine.applicants.due(writer, { applicantId, due }, by))
const assign = (engine: Engine, of: { applicantId: string } | { recordId: string }, assignee: string | null) =>
  write(engine, (writer) => engine.applicants.assign(writer, { ...of, assignee }, by))
const nameOf = (item: QueueItem): string =>
  item.kind === 'unresolved' ? `record ${item.record.seq}` : item.applicant.id
const page = (engine: Engine, query: Partial<QueueQuery> = {}) => engine.queue.page({ limit: 50, ...query }, now)
const names = (engine: Engine, query: Partial<QueueQuery> = {}): string[] => page(engine, query).items.map(nameOf)

/** Five items: three pending, one outdated, one unknown outcome. */
function scene(folder?: string): { engine: Engine; unknown: string } {
  const engine = opened(folder)
  add(engine, { applicant: 'APP-ANNA', startedAt: 5000 }, answer('Document accepted'))
  add(engine, { applicant: 'APP-BERT', operation: 'get-applicant-details', startedAt: 1000 }, answer('Applicant found'))
  add(engine, { applicant: 'APP-CLEO', startedAt: 3000 }, answer('Document is blurred'))
  add(engine, { applicant: 'APP-DORA', startedAt: 2000 }, answer('Document accepted'))
  decide(engine, 'APP-DORA', 'approve')
  add(
    engine,
    { applicant: 'APP-DORA', operation: 'get-applicant-details', startedAt: 9000 },
    answer('Applicant not found', 404)
  )
  const unknown = add(engine, { operation: 'validate-passport', startedAt: 4000 }, lost)
  tag(engine, 'APP-ANNA', ['priority', 'branch-2'])
  tag(engine, 'APP-CLEO', ['priority'])
  setDue(engine, 'APP-BERT', today(now) - 2 * dayLength)
  setDue(engine, 'APP-CLEO', today(now))
  setDue(engine, 'APP-ANNA', today(now) + 2 * dayLength)
  return { engine, unknown }
}

it('names the applicants of all items that match, each once, and nobody if they are too many to be changed', () => {
  const { engine } = scene()
  const matching = (filter: QueueFilter, limit?: number) => {
    const { ids, more } = engine.queue.matching(filter, now, 0, limit)
    return [...ids.toSorted(), ...(more ? ['more'] : [])].join(' ')
  }
  // The unknown outcome has no applicant.
  expect(page(engine).total).toBe(5)
  expect(matching({})).toBe('APP-ANNA APP-BERT APP-CLEO APP-DORA')
  expect(matching({ kinds: ['outdated'] })).toBe('APP-DORA')
  expect(matching({ tags: ['priority'], search: 'blurred' })).toBe('APP-CLEO')
  expect(matching({ kinds: ['unresolved'] })).toBe('')
  // One of an applicant that waits for a decision as well.
  add(engine, { applicant: 'APP-ANNA', startedAt: 9900 }, lost)
  expect(page(engine).total).toBe(6)
  expect(matching({}, 4)).toBe('APP-ANNA APP-BERT APP-CLEO APP-DORA')
  expect(matching({}, 3)).toBe('more')
  engine.close()
})

describe('an item', () => {
  it('shows the last verification in the service’s own words, and since when it waits', () => {
    const { engine } = scene()
    const [bert, cleo, anna, unknown, dora] = page(engine).items
    expect(bert).toMatchObject({
      kind: 'open',
      since: 1000,
      due: today(now) - 2 * dayLength,
      check: {
        operation: 'get-applicant-details',
        at: 1000,
        state: 'answered',
        status: 200,
        message: 'Applicant found'
      }
    })
    expect([cleo, anna].map((item) => item?.check?.message)).toEqual(['Document is blurred', 'Document accepted'])
    expect(unknown).toMatchObject({
      kind: 'unresolved',
      since: 4000,
      check: { operation: 'validate-passport', state: 'unknown', message: undefined }
    })
    // It waits since the evidence that made the decision outdated.
    expect(dora).toMatchObject({
      kind: 'outdated',
      since: 1_760_000_000_100,
      check: { at: 9000, status: 404, message: 'Applicant not found' }
    })
    // A note, a tag or a due date is work on it and does not make it younger.
    write(engine, (writer) => engine.applicants.note(writer, 'APP-BERT', 'Rang.', by))
    expect(page(engine).items[0]).toMatchObject({ since: 1000 })
    engine.close()
  })

  it('shows the message of a technical failure, which is not in the catalogue', () => {
    const { engine } = scene()
    add(engine, { applicant: 'APP-BERT', startedAt: 9500 }, answer('Down for maintenance', 503))
    expect(page(engine).items[0]).toMatchObject({ check: { at: 9500, status: 503, message: 'Down for maintenance' } })
    expect(names(engine, { filter: { search: 'maintenance' } })).toEqual(['APP-BERT'])
    engine.close()
  })
})

describe('the search', () => {
  it.each([
    ['app-c', ['APP-CLEO']],
    ['ACCEPTED', ['APP-ANNA']],
    ['applicant', ['APP-BERT', 'APP-DORA']],
    ['branch', ['APP-ANNA']],
    [' priority ', ['APP-CLEO', 'APP-ANNA']],
    ['nothing of it', []]
  ])('%j finds %j', (search, found) => {
    const { engine } = scene()
    expect(names(engine, { filter: { search } })).toEqual(found)
    engine.close()
  })

  it('finds an unknown outcome by the applicant that it is linked to', () => {
    const { engine, unknown } = scene()
    write(engine, (writer) => engine.applicants.link(writer, unknown, 'APP-EMIL', by))
    expect(names(engine, { filter: { search: 'emil' } })).toEqual(['record 6'])
    expect(page(engine, { filter: { search: 'emil' } }).items[0]).toMatchObject({ applicantId: 'APP-EMIL' })
    engine.close()
  })
})

describe('filters', () => {
  it('leave what they name, and each value is counted with the other filters as they are', () => {
    const { engine } = scene()
    const all = page(engine).facets
    expect(all).toEqual({
      kinds: { open: 3, escalated: 0, outdated: 1, unresolved: 1, review: 0, returned: 0 },
      due: { overdue: 1, today: 1, later: 1, none: 2 },
      operations: { 'validate-applicant-id-document': 2, 'get-applicant-details': 2, 'validate-passport': 1 },
      tags: [
        { value: 'priority', count: 2 },
        { value: 'branch-2', count: 1 }
      ],
      assignees: [{ value: '', count: 5 }],
      // An unknown outcome has no message, so nobody can interpret it.
      meanings: { good: 0, bad: 0, unclear: 0, unreviewed: 4 },
      messages: [
        { id: expect.any(Number), message: 'Document accepted', meaning: 'unreviewed', count: 1 },
        { id: expect.any(Number), message: 'Applicant found', meaning: 'unreviewed', count: 1 },
        { id: expect.any(Number), message: 'Document is blurred', meaning: 'unreviewed', count: 1 },
        { id: expect.any(Number), message: 'Applicant not found', meaning: 'unreviewed', count: 1 }
      ],
      batches: []
    })
    expect(names(engine, { filter: { due: ['overdue', 'today'] } })).toEqual(['APP-BERT', 'APP-CLEO'])
    expect(names(engine, { filter: { due: ['none'] } })).toEqual(['record 6', 'APP-DORA'])
    expect(names(engine, { filter: { operations: ['get-applicant-details'] } })).toEqual(['APP-BERT', 'APP-DORA'])
    expect(names(engine, { filter: { tags: ['branch-2', 'no such tag'] } })).toEqual(['APP-ANNA'])
    expect(names(engine, { filter: { kinds: ['unresolved'] } })).toEqual(['record 6'])
    const narrowed = page(engine, { filter: { kinds: ['open'], tags: ['priority'] } })
    expect(narrowed).toMatchObject({
      total: 2,
      facets: { kinds: { open: 2, outdated: 0, unresolved: 0 }, due: { overdue: 0, today: 1, later: 1, none: 0 } }
    })
    expect(narrowed.facets?.tags).toEqual([
      { value: 'priority', count: 2 },
      { value: 'branch-2', count: 1 }
    ])
    // A chosen value stays listed, even if nothing has it.
    expect(page(engine, { filter: { tags: ['gone'] } }).facets?.tags).toContainEqual({ value: 'gone', count: 0 })
    for (const { value, count } of all?.tags ?? [])
      expect(page(engine, { filter: { tags: [value] } }).total, value).toBe(count)
    engine.close()
  })
})

it('names the next due date once nothing waits, and of how many applicants it is', () => {
  const engine = opened()
  add(engine, { applicant: 'APP-4', startedAt: 5000 }, answer('Document accepted'))
  for (const [applicant, days] of Object.entries({ 'APP-1': -1, 'APP-2': 3, 'APP-3': 3 })) {
    add(engine, { applicant, startedAt: 5000 }, answer('Document accepted'))
    // A decision takes the due date away; this one is for what follows it.
    decide(engine, applicant, 'approve')
    setDue(engine, applicant, today(now) + days * dayLength)
  }
  expect(page(engine).nextDue).toBeUndefined()
  decide(engine, 'APP-4', 'decline')
  expect(page(engine)).toMatchObject({ total: 0, nextDue: { due: today(now) + 3 * dayLength, applicants: 2 } })
  engine.close()
})

it('shows and filters what the organisation makes of the last message, as soon as it says so', () => {
  const { engine } = scene()
  add(engine, { applicant: 'APP-EDDA', startedAt: 6000 }, answer('Document accepted'))
  const [accepted, ...others] = page(engine).facets?.messages ?? []
  expect(accepted).toMatchObject({ message: 'Document accepted', count: 2 })
  for (const { id, count } of [accepted, ...others].flatMap((each) => each ?? []))
    expect(page(engine, { filter: { newest: [id] } }).total).toBe(count)
  write(engine, (writer) =>
    writer.catalogue.read(writer, engine.catalogue, { id: accepted?.id ?? 0, means: 'good', note: '' }, by)
  )
  expect(page(engine).facets?.meanings).toEqual({ good: 2, bad: 0, unclear: 0, unreviewed: 3 })
  expect(names(engine, { filter: { meanings: ['good'] } })).toEqual(['APP-ANNA', 'APP-EDDA'])
  expect(page(engine, { filter: { meanings: ['good'] } }).items[0]?.meaning).toBe('good')
  // Each is counted with the other filters as they are, and a chosen message stays listed.
  const narrowed = page(engine, { filter: { meanings: ['unreviewed'], newest: [accepted?.id ?? 0] } })
  expect(narrowed).toMatchObject({ total: 0, facets: { meanings: { good: 2, unreviewed: 0 } } })
  expect(narrowed.facets?.messages.map(({ count }) => count)).toEqual([1, 1, 1, 0])
  engine.close()
})

it('counts what waits for a person under each of their names, for nobody yet, due and overdue', () => {
  const { engine, unknown } = scene()
  assign(engine, { applicantId: 'APP-ANNA' }, 'Mira Rahn')
  assign(engine, { applicantId: 'APP-BERT' }, 'mrahn')
  assign(engine, { recordId: unknown }, 'Jonas Berg')
  const counts = { all: 5, unassigned: 2, due: 1, overdue: 1, reviews: 0, reviewsOverdue: 0 }
  expect(engine.queue.waiting(['Mira Rahn', 'mrahn'], now)).toEqual({ ...counts, assigned: 2 })
  expect(engine.queue.waiting([], now)).toEqual({ ...counts, assigned: 0 })
  engine.close()
})

describe('orders', () => {
  it.each([
    [
      'due',
      ['APP-BERT', 'APP-CLEO', 'APP-ANNA', 'record 6', 'APP-DORA'],
      ['APP-ANNA', 'APP-CLEO', 'APP-BERT', 'record 6', 'APP-DORA']
    ],
    [
      'age',
      ['APP-BERT', 'APP-CLEO', 'record 6', 'APP-ANNA', 'APP-DORA'],
      ['APP-DORA', 'APP-ANNA', 'record 6', 'APP-CLEO', 'APP-BERT']
    ],
    [
      'check',
      ['APP-DORA', 'APP-ANNA', 'record 6', 'APP-CLEO', 'APP-BERT'],
      ['APP-BERT', 'APP-CLEO', 'record 6', 'APP-ANNA', 'APP-DORA']
    ],
    [
      'applicant',
      ['APP-ANNA', 'APP-BERT', 'APP-CLEO', 'APP-DORA', 'record 6'],
      ['APP-DORA', 'APP-CLEO', 'APP-BERT', 'APP-ANNA', 'record 6']
    ]
  ] as const)('by %s, both ways; what lacks the value is last', (sort, forwards, backwards) => {
    const { engine } = scene()
    expect(names(engine, { order: { by: sort } })).toEqual(forwards)
    expect(names(engine, { order: { by: sort, reversed: true } })).toEqual(backwards)
    // Sorted orders take changes into account without sorting everything again.
    add(engine, { applicant: 'APP-AARON', startedAt: 100 })
    expect([...names(engine, { order: { by: sort } })].sort()).toEqual([...forwards, 'APP-AARON'].sort())
    const merged = names(engine, { order: { by: sort } })
    engine.queue.forget()
    expect(names(engine, { order: { by: sort } })).toEqual(merged)
    engine.close()
  })

  it('state the place of an item, and none for one that does not match', () => {
    const { engine, unknown } = scene()
    expect(page(engine, { limit: 1, find: { applicantId: 'APP-ANNA' } })).toMatchObject({ total: 5, found: 2 })
    expect(page(engine, { find: { recordId: unknown } }).found).toBe(3)
    expect(page(engine, { find: { applicantId: 'APP-ANNA' }, filter: { kinds: ['outdated'] } }).found).toBeUndefined()
    expect(page(engine, { find: { applicantId: 'nobody' } }).found).toBeUndefined()
    engine.close()
  })
})

describe('an assignment', () => {
  it('is an event with its operator, on the timeline, sealed, and outlives a restart', () =>
    inFolder((folder) => {
      const { engine, unknown } = scene(folder)
      page(engine)
      assign(engine, { applicantId: 'APP-ANNA' }, 'B. Kanari')
      assign(engine, { recordId: unknown }, 'Somebody')
      assign(engine, { recordId: unknown }, 'C. Mensah')
      expect(names(engine, { filter: { assignees: ['B. Kanari', 'C. Mensah'] } })).toEqual(['APP-ANNA', 'record 6'])
      expect(page(engine).facets?.assignees).toEqual([
        { value: '', count: 3 },
        { value: 'B. Kanari', count: 1 },
        { value: 'C. Mensah', count: 1 }
      ])
      expect(names(engine, { filter: { assignees: [''] } })).toEqual(['APP-BERT', 'APP-CLEO', 'APP-DORA'])
      const timeline = engine.applicants.read.timeline({ applicantId: 'APP-ANNA', limit: 1 })
      expect(timeline.ok && timeline.value.entries).toMatchObject([
        { kind: 'assignee', operator: 'tester', assignee: 'B. Kanari' }
      ])
      const event = engine.audit.page({ limit: 3 }).events.at(-1)
      expect(event).toMatchObject({
        kind: 'assignee.changed',
        group: 'decisions',
        words: 'Assigned to a person.',
        operator: 'tester',
        applicantId: 'APP-ANNA'
      })
      expect(engine.dbs.history.prepare('SELECT group_concat(plain) FROM event').pluck().get()).not.toContain('Kanari')
      engine.close()
      const again = opened(folder)
      expect(page(again).items.map(({ assignee }) => assignee)).toEqual([
        undefined,
        undefined,
        'B. Kanari',
        'C. Mensah',
        undefined
      ])
      assign(again, { applicantId: 'APP-ANNA' }, null)
      assign(again, { recordId: unknown }, null)
      expect(page(again).facets?.assignees).toEqual([{ value: '', count: 5 }])
      expect(again.walk.step({ until: again.walk.size, known: [], slice: 1e9 }).kind).toBe('whole')
      again.close()
    }))

  it('of a record whose applicant is erased afterwards can be given up', () => {
    const { engine } = scene()
    const lostOne = add(engine, { applicant: 'APP-CLEO', startedAt: 6000 }, lost)
    assign(engine, { recordId: lostOne }, 'C. Mensah')
    const scope = engine.erasure.scope('APP-CLEO')
    if (!scope.ok) throw new Error(scope.failure.code)
    expect(engine.erasure.erase({ ...by, reason: 'asked', cause: 'request', subjects: scope.value.people }).ok).toBe(
      true
    )
    assign(engine, { recordId: lostOne }, null)
    expect(engine.walk.step({ until: engine.walk.size, known: [], slice: 1e9 }).kind).toBe('whole')
    engine.close()
  })

  it('is refused for an applicant or a record that does not exist', () => {
    const { engine } = scene()
    const refused = (of: { applicantId: string } | { recordId: string }) =>
      engine.commit([(writer: Writer) => engine.applicants.assign(writer, { ...of, assignee: 'X' }, by)])[0]
    expect(refused({ applicantId: 'nobody' })).toMatchObject({ ok: false, failure: { code: 'applicant-missing' } })
    expect(refused({ recordId: '00000000-0000-7000-8000-000000000000' })).toMatchObject({
      ok: false,
      failure: { code: 'record-missing' }
    })
    engine.close()
  })
})

describe('the queue in memory', () => {
  it('follows each change as if it were loaded anew', () => {
    const { engine, unknown } = scene()
    page(engine)
    let passport = ''
    const steps: (() => unknown)[] = [
      () => decide(engine, 'APP-BERT', 'decline'),
      () => decide(engine, 'APP-CLEO', 'escalate'),
      () => add(engine, { applicant: 'APP-BERT', startedAt: 12_000 }, answer('Face detected')),
      () => tag(engine, 'APP-ANNA', []),
      () => setDue(engine, 'APP-DORA', now),
      () => write(engine, (writer) => engine.applicants.link(writer, unknown, 'APP-ANNA', by)),
      () => write(engine, (writer) => engine.applicants.unlink(writer, unknown, by)),
      () => engine.commit([(writer) => writer.resolve(unknown, 'processed', '', { at: 10, operator: 'tester' })]),
      () => add(engine, { operation: 'validate-passport' }, lost),
      () => add(engine, { applicant: 'APP-ANNA', startedAt: 13_000 }, null),
      () => (passport = add(engine, { operation: 'validate-passport', startedAt: 14_000 }, null)),
      () => write(engine, (writer) => engine.applicants.link(writer, passport, 'APP-CLEO', by)),
      // The record's own subject is not the applicant that it is linked to.
      () => engine.commit([(writer) => writer.finish(passport, answer('Passport is valid'))])
    ]
    for (const step of steps) {
      step()
      const followed = page(engine)
      engine.queue.forget()
      expect(followed).toEqual(page(engine))
    }
    expect(names(engine)).not.toContain('record 6')
    expect(page(engine, { find: { applicantId: 'APP-CLEO' }, filter: { search: 'passport is valid' } })).toMatchObject({
      total: 1,
      found: 0
    })
    engine.close()
  })

  it('loses an applicant that was erased', () => {
    const { engine } = scene()
    expect(names(engine)).toContain('APP-ANNA')
    const scope = engine.erasure.scope('APP-ANNA')
    if (!scope.ok) throw new Error(scope.failure.code)
    const erased = engine.erasure.erase({
      subjects: [engine.subjectOf('APP-ANNA') ?? 0],
      cause: 'request',
      reason: 'asked',
      at: now,
      operator: 'tester'
    })
    expect(erased.ok).toBe(true)
    expect(names(engine)).not.toContain('APP-ANNA')
    expect(page(engine, { filter: { search: 'anna' } }).total).toBe(0)
    engine.close()
  })

  it('answers from many items as a plain scan of all of them does', () => {
    const engine = opened()
    seed(engine, 1500, now)
    // Loaded in slices, so that a start does not wait for all of it.
    let slices = 0
    while (!engine.queue.warm(0)) slices += 1
    expect(slices).toBeGreaterThan(2)
    const total = page(engine, { limit: 0 }).counts
    const sum = Object.values(total).reduce((a, b) => a + b, 0)
    expect(page(engine).total).toBe(sum)
    const all: QueueItem[] = []
    for (let offset = 0; offset < sum; offset += 200)
      all.push(...engine.queue.page({ limit: 200, offset, order: { by: 'check' } }, now).items)
    expect(new Set(all.map(nameOf)).size).toBe(sum)
    const found = page(engine, { filter: { search: 'blurred', kinds: ['open'] } }).total
    expect(found).toBeGreaterThan(10)
    expect(found).toBe(all.filter(({ kind, check }) => kind === 'open' && check?.message?.includes('blurred')).length)
    expect(all.map(({ check }) => check?.at ?? 0)).toEqual(all.map(({ check }) => check?.at ?? 0).sort((a, b) => b - a))
    engine.close()
  })
})

it('has the reviews of those who wait for nothing else, from some days before, with the whole queue counted alike', () => {
  const engine = opened()
  const day = (days: number): string => isoDue(today(now) + days * dayLength)
  // Reviewed a year before.
  const scheduled = (applicant: string, days: number): void => {
    add(engine, { applicant, startedAt: now })
    decide(engine, applicant, 'approve')
    write(engine, (writer) =>
      engine.applicants.rate(writer, { applicantId: applicant, risk: 'low', months: 12, note: '' }, by)
    )
    const hand = { ...by, at: Date.parse(addMonths(day(days), -12)) }
    write(engine, (writer) =>
      engine.applicants.review(writer, { applicantId: applicant, outcome: 'unchanged', note: '' }, hand)
    )
    const review = engine.applicants.read.show(applicant)
    expect(review.ok && review.value.review?.at).toBe(day(days))
  }
  scheduled('APP-LATE', -1)
  scheduled('APP-TODAY', 0)
  scheduled('APP-IN30', 30)
  scheduled('APP-IN31', 31)
  scheduled('APP-IN90', 90)
  scheduled('APP-IN91', 91)
  const at = (days: number, time = now) => {
    const { items, total, counts, overdue, facets } = engine.queue.page({ limit: 50 }, time, days)
    const { reviews, reviewsOverdue, all } = engine.queue.waiting([], time, days)
    // Without the index, and with it.
    expect([counts.review, overdue]).toEqual([reviews, reviewsOverdue])
    expect([facets?.kinds.review, total]).toEqual([reviews, all])
    return items.map((item) => (item.kind === 'review' ? item.applicant.id : item.kind)).join(' ')
  }
  expect(at(0)).toBe('APP-LATE APP-TODAY')
  expect(at(30)).toBe('APP-LATE APP-TODAY APP-IN30')
  expect(at(31)).toBe('APP-LATE APP-TODAY APP-IN30 APP-IN31')
  expect(at(90)).toBe('APP-LATE APP-TODAY APP-IN30 APP-IN31 APP-IN90')
  // Another day has another one, also of what was not in memory before.
  expect(at(90, now + dayLength)).toContain('APP-IN91')
  expect(at(30)).toBe('APP-LATE APP-TODAY APP-IN30')
  expect(engine.queue.page({ limit: 50, filter: { due: ['overdue'] } }, now, 30).total).toBe(1)
  // Who waits for a decision is one item, and a recorded review none.
  add(engine, { applicant: 'APP-TODAY', startedAt: now + 1 })
  expect(at(0)).toBe('APP-LATE outdated')
  write(engine, (writer) =>
    engine.applicants.review(writer, { applicantId: 'APP-LATE', outcome: 'unchanged', note: '' }, { ...by, at: now })
  )
  expect(at(30)).toBe('APP-IN30 outdated')
  engine.close()
})
