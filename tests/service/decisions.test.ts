/** Decisions, what makes them outdated, the work queue, and the catalogue that they are based on. */
import { dayLength } from '#contract/applicants/due-dates.ts'
import { describe, expect, it } from 'vitest'
import { defaultSettings } from '#contract/settings/settings.ts'
import type {
  CatalogueCursor,
  CataloguePage,
  CatalogueQuery,
  CatalogueSort,
  DecisionDraft,
  MessageMeaning
} from '#contract/applicants/applicants.ts'
import type { QueueItem } from '#contract/applicants/queue.ts'
import { decisionFault } from '#core/applicants/rules.ts'
import { Catalogue } from '#store/projections/catalogue.ts'
import type { Engine } from '#store/engine/engine.ts'
import { Subjects } from '#store/storage/subjects.ts'
import type { Writer } from '#store/records/writer.ts'
import { add, answer, inFolder, intentOf, lost, opened } from './history-fixtures.ts'

const by = { at: 1_760_000_100_000, operator: 'tester' }
const show = (engine: Engine, id: string) => {
  const shown = engine.applicants.read.show(id)
  if (!shown.ok) throw new Error(shown.failure.code)
  return shown.value
}
const decide = (
  engine: Engine,
  applicantId: string,
  decision: DecisionDraft['decision'],
  more: Partial<DecisionDraft> = {}
) => {
  const evidence = show(engine, applicantId).evidence
  const [result] = engine.commit([
    (writer: Writer) =>
      engine.applicants.decide(
        writer,
        { applicantId, decision, reasons: ['reviewed-by-hand'], note: 'seen', evidence, ...more },
        by
      )
  ])
  return result
}
const due = (engine: Engine, what: { applicantId?: string; recordId?: string }, at: number | null) =>
  engine.commit([(writer: Writer) => engine.applicants.due(writer, { ...what, due: at }, by)])[0]

describe('a decision', () => {
  it('names the evidence that was seen, and is outdated as soon as newer evidence arrives', () => {
    const engine = opened()
    add(engine, { applicant: 'APP-1' })
    const passport = add(engine, { operation: 'validate-passport' })
    expect(decide(engine, 'APP-1', 'approve')).toMatchObject({
      ok: true,
      value: {
        state: 'approve',
        decision: {
          decision: 'approve',
          reasons: ['reviewed-by-hand'],
          note: 'seen',
          operator: 'tester',
          records: [1],
          outdated: false
        }
      }
    })
    engine.commit([(writer: Writer) => engine.applicants.note(writer, 'APP-1', 'a note is no evidence', by)])
    expect(show(engine, 'APP-1').state).toBe('approve')
    engine.commit([(writer: Writer) => engine.applicants.link(writer, passport, 'APP-1', by)])
    expect(show(engine, 'APP-1')).toMatchObject({ state: 'outdated', decision: { outdated: true } })
    decide(engine, 'APP-1', 'decline')
    expect(show(engine, 'APP-1')).toMatchObject({ state: 'decline', decision: { records: [1, 2], outdated: false } })
    const begun = add(engine, { applicant: 'APP-1' }, null)
    expect(show(engine, 'APP-1').state).toBe('decline')
    engine.commit([(writer) => writer.finish(begun, answer())])
    expect(show(engine, 'APP-1').state).toBe('outdated')
    decide(engine, 'APP-1', 'approve')
    engine.commit([(writer: Writer) => engine.applicants.unlink(writer, passport, by)])
    expect(show(engine, 'APP-1')).toMatchObject({ state: 'outdated', decision: { decision: 'approve' } })
    engine.close()
  })

  it('is refused on evidence that its author has not seen, and leaves nothing behind', () => {
    const engine = opened()
    add(engine, { applicant: 'APP-1' })
    const { evidence } = show(engine, 'APP-1')
    add(engine, { applicant: 'APP-1' })
    const before = engine.writer.head.seq
    expect(decide(engine, 'APP-1', 'approve', { evidence })).toMatchObject({
      ok: false,
      failure: { code: 'decision-outdated' }
    })
    expect(engine.writer.head.seq).toBe(before)
    expect(show(engine, 'APP-1')).toMatchObject({ state: 'none', decision: undefined })
    engine.close()
  })

  it('contains no plain text about the person', () => {
    const engine = opened()
    add(engine, { applicant: 'APP-1' })
    decide(engine, 'APP-1', 'decline', { note: 'Kanari note', reasons: ['kanari-code'] })
    const plain = engine.dbs.history.prepare(`SELECT group_concat(plain) FROM event`).pluck().get() as string
    expect(plain).toContain('"decision":"decline"')
    expect(plain.toLowerCase()).not.toContain('kanari')
    expect(plain).not.toContain('APP-1')
    engine.close()
  })

  it.each([
    [{ reasons: ['reviewed-by-hand'], note: 'x' }, undefined],
    [{ reasons: [], note: 'x' }, 'reasons'],
    [{ reasons: ['suspected-fraud'], note: 'x' }, 'reasons'],
    [{ reasons: ['no-such-code'], note: 'x' }, 'reasons'],
    [{ reasons: ['reviewed-by-hand', 'reviewed-by-hand'], note: 'x' }, 'reasons'],
    [{ reasons: ['reviewed-by-hand'], note: '' }, 'note'],
    [{ reasons: ['reviewed-by-hand'], note: 'x', due: 5 }, 'due']
  ] as const)('%j is checked against the settings: %s', (draft, field) => {
    const fault = decisionFault({ decision: 'approve', ...draft, reasons: [...draft.reasons] }, defaultSettings)
    expect(Object.keys(fault?.fields ?? {})).toEqual(field ? [field] : [])
    const lax = { decisionReasons: [], decisionNoteNeeded: false, checklists: defaultSettings.checklists }
    expect(decisionFault({ decision: 'approve', reasons: [], note: '' }, lax)).toBeUndefined()
  })
})

describe('the work queue', () => {
  const names = (items: readonly QueueItem[]): string[] =>
    items.map((item) => `${item.kind} ${item.kind === 'unresolved' ? item.record.seq : item.applicant.id}`)

  it('lists waiting items, due dates first, then the longest waiting', () => {
    const engine = opened()
    add(engine, { applicant: 'A-open', startedAt: 1000 })
    add(engine, { applicant: 'B-approved', startedAt: 2000 })
    add(engine, { applicant: 'C-escalated', startedAt: 3000 })
    add(engine, { applicant: 'D-outdated', startedAt: 4000 })
    const unknown = add(engine, { operation: 'validate-passport', startedAt: 5000 }, lost)
    add(engine, { operation: 'validate-passport', startedAt: 6000 }, lost)
    add(engine, { applicant: 'E-open', startedAt: 7000 })
    decide(engine, 'B-approved', 'approve')
    decide(engine, 'C-escalated', 'escalate', { due: 2 * dayLength })
    decide(engine, 'D-outdated', 'decline')
    add(engine, { applicant: 'D-outdated', startedAt: 8000 })
    const page = engine.queue.page({ limit: 50 }, 3 * dayLength)
    expect(names(page.items)).toEqual([
      'escalated C-escalated',
      'open A-open',
      'unresolved 5',
      'unresolved 6',
      'open E-open',
      'outdated D-outdated'
    ])
    expect(page).toMatchObject({ total: 6, counts: { open: 2, escalated: 1, outdated: 1, unresolved: 2 }, overdue: 1 })
    due(engine, { recordId: unknown }, dayLength)
    due(engine, { applicantId: 'E-open' }, 9 * dayLength)
    const all = engine.queue.page({ limit: 50 }, 3 * dayLength)
    expect(names(all.items)).toEqual([
      'unresolved 5',
      'escalated C-escalated',
      'open E-open',
      'open A-open',
      'unresolved 6',
      'outdated D-outdated'
    ])
    expect(all.overdue).toBe(2)
    const paged = [0, 1, 2, 3, 4, 5, 6].flatMap(
      (offset) => engine.queue.page({ limit: 1, offset }, 3 * dayLength).items
    )
    expect(names(paged)).toEqual(names(all.items))
    expect(names(engine.queue.page({ limit: 50, filter: { kinds: ['outdated', 'escalated'] } }, 1).items)).toEqual([
      'escalated C-escalated',
      'outdated D-outdated'
    ])
    due(engine, { applicantId: 'E-open' }, null)
    engine.commit([(writer) => writer.resolve(unknown, 'processed', '', { at: 10, operator: 'tester' })])
    // A due date that was set and removed does not make it look younger.
    expect(names(engine.queue.page({ limit: 50 }, 1).items)).toEqual([
      'escalated C-escalated',
      'open A-open',
      'unresolved 6',
      'open E-open',
      'outdated D-outdated'
    ])
    expect(due(engine, { applicantId: 'nobody' }, 5)).toMatchObject({
      ok: false,
      failure: { code: 'applicant-missing' }
    })
    engine.close()
  })
})

describe('the message catalogue', () => {
  const texts = ({ messages }: CataloguePage): string[] => messages.map(({ message, count }) => `${message} ${count}`)
  const read = (engine: Engine, id: number, means: MessageMeaning, note = '') =>
    engine.commit([(writer: Writer) => writer.catalogue.read(writer, engine.catalogue, { id, means, note }, by)])[0]

  it('has each distinct message once, by operation and status, with counts and times, also after a restart', () =>
    inFolder((folder) => {
      const engine = opened(folder)
      add(engine, {}, answer('Accepted'))
      add(engine, {}, answer('Accepted'))
      add(engine, {}, answer('Accepted', 400))
      add(engine, { operation: 'validate-passport' }, answer('Accepted'))
      add(engine, {}, lost)
      engine.close()
      const again = opened(folder)
      add(again, {}, { ...answer('Accepted'), endedAt: 1_760_000_999_999 })
      const page = again.catalogue.page({ limit: 50 })
      expect(texts(page)).toEqual(['Accepted 1', 'Accepted 1', 'Accepted 3'])
      expect(page).toMatchObject({ unread: 3, beyond: 0 })
      expect(page.next).toBeUndefined()
      expect(page.messages.at(-1)).toMatchObject({
        status: 200,
        firstAt: 1_760_000_000_100,
        lastAt: 1_760_000_999_999,
        reading: undefined
      })
      expect(again.catalogue.page({ limit: 1 }).next).toBeDefined()
      expect(texts(again.catalogue.page({ limit: 5, operations: ['validate-passport'] }))).toEqual(['Accepted 1'])
      expect(
        texts(again.catalogue.page({ limit: 5, search: 'aCCep', after: { id: page.messages[1]?.id ?? 0 } }))
      ).toEqual(['Accepted 3'])
      again.close()
    }))

  it('keeps every interpretation, and a decision keeps those that it is based on', () => {
    const engine = opened()
    add(engine, { applicant: 'APP-1' }, answer('Fine'))
    add(engine, { applicant: 'APP-1' }, answer('Hm'))
    const [hm, fine] = engine.catalogue.page({ limit: 5 }).messages.map(({ id }) => id) as [number, number]
    expect(read(engine, fine, 'unclear', 'first thought')).toMatchObject({
      ok: true,
      value: { reading: { version: 1, means: 'unclear' } }
    })
    expect(read(engine, fine, 'good', 'asked the provider')).toMatchObject({
      ok: true,
      value: { reading: { version: 2, means: 'good', note: 'asked the provider', operator: 'tester' } }
    })
    expect(show(engine, 'APP-1').unread).toBe(1)
    decide(engine, 'APP-1', 'approve')
    read(engine, fine, 'bad')
    expect(show(engine, 'APP-1').decision?.readings).toEqual([
      { message: fine, version: 2, means: 'good' },
      { message: hm, version: 0 }
    ])
    const readings = engine.catalogue.readings(fine)
    expect(readings.ok && readings.value.map(({ version, means }) => [version, means])).toEqual([
      [3, 'bad'],
      [2, 'good'],
      [1, 'unclear']
    ])
    expect(engine.catalogue.page({ limit: 5, meanings: ['unreviewed'] }).messages.map(({ id }) => id)).toEqual([hm])
    expect(read(engine, 999, 'good')).toMatchObject({ ok: false, failure: { code: 'message-missing' } })
    const [check] = engine.applicants.read.timeline({ applicantId: 'APP-1', limit: 10 }).ok
      ? [...timelineChecks(engine)]
      : []
    expect(check).toMatchObject({ kind: 'check', reading: undefined, record: { message: 'Hm' } })
    engine.close()
  })

  it('can be filtered by one applicant’s messages, including linked verifications', () => {
    const engine = opened()
    add(engine, { applicant: 'APP-1' }, answer('Of both'))
    add(engine, { applicant: 'APP-2' }, answer('Of both'))
    add(engine, { applicant: 'APP-2' }, answer('Of the other'))
    add(engine, { applicant: 'APP-1' }, answer('Of the first'))
    const passport = add(engine, { operation: 'validate-passport' }, answer('Of the link'))
    engine.commit([(writer: Writer) => engine.applicants.link(writer, passport, 'APP-1', by)])
    const page = engine.catalogue.page({ limit: 50, applicantId: 'APP-1' })
    expect(texts(page)).toEqual(['Of the link 1', 'Of the first 1', 'Of both 2'])
    expect(page.unread).toBe(3)
    read(engine, page.messages[1]?.id ?? 0, 'good')
    expect(engine.catalogue.page({ limit: 50, applicantId: 'APP-1', meanings: ['unreviewed'] })).toMatchObject({
      unread: 2,
      messages: [{ message: 'Of the link' }, { message: 'Of both' }]
    })
    const first = engine.catalogue.page({ limit: 1, applicantId: 'APP-1' })
    expect(first.next).toBeDefined()
    expect(texts(engine.catalogue.page({ limit: 5, applicantId: 'APP-1', after: first.next }))).toHaveLength(2)
    expect(engine.catalogue.page({ limit: 5, applicantId: 'APP-NOBODY' })).toMatchObject({ messages: [], unread: 0 })
    expect(engine.catalogue.page({ limit: 5 }).unread).toBe(3)
    engine.close()
  })

  it('is sorted by each column as a whole, both ways, however small its pages are', () => {
    const engine = opened()
    const times = (count: number, at: number, ...of: Parameters<typeof answer>): void => {
      for (let each = 0; each < count; each += 1)
        add(
          engine,
          { operation: of[0] === 'Two' ? 'validate-passport' : 'get-applicant-details' },
          { ...answer(...of), endedAt: 1_760_000_000_000 + at + each }
        )
    }
    times(1, 900_000, 'One', 404)
    times(3, 100_000, 'Two', 200)
    times(2, 500_000, 'Three', 200)
    times(2, 300_000, 'Four', 422)
    const [four, , two] = engine.catalogue.page({ limit: 50 }).messages.map(({ id }) => id) as [number, number, number]
    read(engine, four, 'bad')
    read(engine, two, 'good')
    const inOrder = (by: CatalogueSort, reversed = false): string => {
      const found: string[] = []
      for (let after: CatalogueCursor | undefined; ;) {
        const page = engine.catalogue.page({
          limit: 1,
          order: { by, ...(reversed && { reversed }) },
          ...(after && { after })
        })
        found.push(...page.messages.map(({ message }) => message))
        after = page.next
        if (!after) return found.join(' ')
      }
    }
    // Equal ones: newest first.
    expect(inOrder('first')).toBe('One Two Three Four')
    expect(inOrder('first', true)).toBe('Four Three Two One')
    expect(inOrder('last')).toBe('Two Four Three One')
    expect(inOrder('last', true)).toBe('One Three Four Two')
    expect(inOrder('count')).toBe('One Four Three Two')
    expect(inOrder('count', true)).toBe('Two Four Three One')
    expect(inOrder('status')).toBe('Three Two One Four')
    expect(inOrder('status', true)).toBe('Four One Three Two')
    // By name: applicant details before passport.
    expect(inOrder('operation')).toBe('Four Three One Two')
    expect(inOrder('operation', true)).toBe('Two Four Three One')
    // Unreviewed ones, then favourable, unfavourable, unclear.
    expect(inOrder('reading')).toBe('Three One Two Four')
    expect(inOrder('reading', true)).toBe('Four Two Three One')
    const filtered = engine.catalogue.page({
      limit: 5,
      order: { by: 'count', reversed: true },
      meanings: ['unreviewed'],
      search: 'o',
      operations: ['get-applicant-details']
    })
    expect(filtered.messages.map(({ message }) => message)).toEqual(['One'])
    engine.close()
  })

  it('shows messages with one text as one row, which is unreviewed while one of them is', () => {
    const engine = opened()
    add(engine, {}, answer('Expired', 404))
    add(engine, {}, answer('Expired', 404))
    add(engine, { operation: 'validate-passport' }, answer('Expired', 400))
    add(engine, {}, answer('Accepted'))
    const [, passport, details] = engine.catalogue.page({ limit: 5 }).messages.map(({ id }) => id) as [
      number,
      number,
      number
    ]
    const page = (query: Partial<CatalogueQuery> = {}): CataloguePage =>
      engine.catalogue.page({ limit: 5, merge: true, ...query })
    expect(page()).toMatchObject({
      messages: [
        { message: 'Accepted', count: 1 },
        {
          id: details,
          count: 3,
          status: 404,
          parts: [
            { id: details, count: 2 },
            { id: passport, count: 1 }
          ]
        }
      ],
      total: 2,
      unread: 2,
      counts: {
        all: 2,
        meanings: { unreviewed: 2, good: 0 },
        operations: { 'validate-applicant-id-document': 2, 'validate-passport': 1 },
        statuses: { 200: 1, 400: 1, 404: 1 }
      }
    })
    read(engine, passport, 'bad')
    expect(page()).toMatchObject({ unread: 2, counts: { meanings: { unreviewed: 2 } } })
    read(engine, details, 'unclear')
    // Most of the answers are of the details.
    expect(page({ meanings: ['unclear'] })).toMatchObject({
      messages: [
        { reading: { means: 'unclear' }, parts: [{ reading: { means: 'unclear' } }, { reading: { means: 'bad' } }] }
      ],
      total: 2,
      unread: 1,
      counts: { all: 2, meanings: { unreviewed: 1, unclear: 1, bad: 0 } }
    })
    // A row stays whole, whichever of its messages a filter finds.
    expect(page({ statuses: [400] }).messages[0]?.parts).toHaveLength(2)
    const month = (engine.catalogue.page({ limit: 5 }).messages[0]?.firstAt ?? 0) + 1
    expect(page({ month, fresh: true })).toMatchObject({ messages: [], counts: { all: 2, fresh: 0 } })
    expect(page({ month: 1, fresh: true })).toMatchObject({ counts: { all: 2, fresh: 2 } })
    engine.close()
  })

  it('takes an interpretation back, and keeps that it was there', () => {
    const engine = opened()
    add(engine, { applicant: 'APP-1' }, answer('Fine'))
    const [{ id } = { id: 0 }] = engine.catalogue.page({ limit: 5 }).messages
    read(engine, id, 'good')
    expect(show(engine, 'APP-1').unread).toBe(0)
    expect(read(engine, id, 'unreviewed')).toMatchObject({ ok: true, value: { reading: undefined } })
    expect(show(engine, 'APP-1').unread).toBe(1)
    const readings = engine.catalogue.readings(id)
    expect(readings.ok && readings.value.map(({ version, means }) => [version, means])).toEqual([
      [2, undefined],
      [1, 'good']
    ])
    decide(engine, 'APP-1', 'approve')
    expect(show(engine, 'APP-1').decision?.readings).toEqual([{ message: id, version: 2 }])
    engine.close()
  })

  it('knows how many waiting applicants have a message as their newest answer', () => {
    const engine = opened()
    add(engine, { applicant: 'APP-1' }, answer('Fine'))
    add(engine, { applicant: 'APP-1' }, answer('Hm'))
    add(engine, { applicant: 'APP-2' }, answer('Hm'))
    add(engine, { applicant: 'APP-3' }, answer('Hm'))
    const [hm, fine] = engine.catalogue.page({ limit: 5 }).messages.map(({ id }) => id) as [number, number]
    expect([engine.queue.showing([hm]), engine.queue.showing([fine]), engine.queue.showing([fine, hm])]).toEqual([
      3, 0, 3
    ])
    decide(engine, 'APP-3', 'approve')
    expect(engine.queue.showing([hm])).toBe(2)
    expect(engine.catalogue.rowsOf(engine.queue.newest(['APP-1', 'APP-3', 'APP-9']))).toMatchObject([
      { id: hm, message: 'Hm', count: 1 }
    ])
    engine.close()
  })

  it('seals each message under its own key, so that it can be erased', () => {
    const engine = opened()
    add(engine, { applicant: 'APP-1' }, answer('Dear Ms Kanari'))
    const [{ id } = { id: 0 }] = engine.catalogue.page({ limit: 1 }).messages
    expect(engine.dbs.history.prepare('SELECT group_concat(plain) FROM event').pluck().get()).not.toContain('Kanari')
    engine.dbs.subjects.exec(`DELETE FROM message WHERE subject = ${id}; DELETE FROM subject WHERE ref = ${id}`)
    new Subjects(engine.dbs.subjects)
    expect(engine.walk.step({ until: engine.walk.size, known: [], slice: 1e9 }).kind).toBe('whole')
    add(engine, { applicant: 'APP-1' }, answer('Dear Ms Kanari'))
    expect(engine.catalogue.page({ limit: 5 }).messages.map((message) => message.id)).toHaveLength(2)
    engine.close()
  })

  it('says of a message that it contains a value of an applicant, once one did', () => {
    const engine = opened()
    const photo = (applicant: string, message: string) => add(engine, { applicant }, answer(message))
    photo('APP-1', 'Fine')
    photo('APP-1', 'APP-1 is blocked')
    photo('APP-2', 'Names somebody: APP-3')
    const own = () =>
      engine.catalogue.page({ limit: 9 }).messages.map(({ message, own: has = false }) => [message, has])
    expect(own()).toEqual([
      ['Names somebody: APP-3', false],
      ['APP-1 is blocked', true],
      ['Fine', false]
    ])
    photo('APP-3', 'Names somebody: APP-3')
    photo('APP-4', 'Names somebody: APP-3')
    expect(own()[0]).toEqual(['Names somebody: APP-3', true])
    engine.close()
  })

  it('is limited: further messages are counted, not stored', () => {
    const engine = opened()
    const small = new Catalogue(engine.dbs.history, new Subjects(engine.dbs.subjects), Buffer.alloc(32), 3)
    engine.commit([(writer) => writer.begin(intentOf())])
    const given = Array.from(
      { length: 5 },
      (_, n) =>
        engine.commit([
          (writer: Writer) => ({
            ok: true as const,
            value: small.onAnswered(writer, {
              operation: 1,
              operationId: 'validate-applicant-id-document',
              status: 200,
              message: `Text ${n}`,
              at: 5,
              own: false
            })
          })
        ])[0]
    )
    expect(given.map((one) => one?.ok && one.value !== undefined)).toEqual([true, true, true, false, false])
    expect(engine.catalogue.page({ limit: 5 })).toMatchObject({ beyond: 2, unread: 3 })
    engine.close()
  })
})

function timelineChecks(engine: Engine) {
  const page = engine.applicants.read.timeline({ applicantId: 'APP-1', limit: 10 })
  return page.ok ? page.value.entries.filter(({ kind }) => kind === 'check') : []
}
