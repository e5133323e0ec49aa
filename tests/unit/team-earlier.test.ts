/** The same check, sent by a colleague before. */
import { describe, expect, it } from 'vitest'
import type { RecordConnection, RecordEnding, Resolution } from '#contract/history/records.ts'
import { earlierStatements } from '#exchange/activity/earlier.ts'
import type { SameCheck } from '#team/thread/asked.ts'
import { answer, connectionNamed, intentOf, lost, unsent } from '../service/history-fixtures.ts'
import { by, colleague, here, hostile } from './support/team-activity.ts'

const start = 1_760_000_000_000
const passport = 'validate-passport'
const same = (more: Partial<SameCheck> = {}): SameCheck => {
  const { operation, input } = intentOf({
    operation: more.operation ?? 'validate-applicant-id-document',
    applicant: 'APP-1'
  })
  return { operation, input, origin: 'https://kyc.example.com', since: start, ...more }
}

describe('a check of a colleague', () => {
  const setUp = (
    ending: RecordEnding | null = answer('Accepted'),
    connection: RecordConnection = connectionNamed('Theirs', '00000000-0000-4000-8000-0000000000ff')
  ) => {
    const [ours, ben] = [here(), colleague('Ben')]
    const id = ben.check({ applicant: 'APP-1', startedAt: start + 10, connection }, ending)
    ben.share(ours)
    return { ours, ben, id, find: (more: Partial<SameCheck> = {}) => ours.reading.earlier(same(more), ours.names) }
  }

  it('is the same with the same operation, input and service, whatever the connection is called', () => {
    const { find, ben } = setUp()
    expect(find()).toMatchObject({
      installation: ben.installation,
      member: 'Ben',
      at: start + 10,
      applicantId: 'APP-1',
      what: { kind: 'check', outcome: 'answered', message: 'Accepted' }
    })
    expect(find({ origin: 'https://kyc.example.org' })).toBeUndefined()
    expect(find({ operation: 'validate-applicant-documents' })).toBeUndefined()
    for (const input of [
      { ...same().input, applicant_id: 'APP-2' },
      { ...same().input, document_url: 'https://files.example.com/other.jpg' },
      {},
      { ...same().input, more: '' }
    ])
      expect(find({ input })).toBeUndefined()
    expect(find({ input: Object.fromEntries(Object.entries(same().input).toReversed()) })).toBeDefined()
  })

  it('is the same if the signature of a link alone is another', () => {
    const [ours, ben] = [here(), colleague('Ben')]
    const signed = (date: string): string =>
      `https://b.s3.amazonaws.com/id.jpg?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=REMOVED&X-Amz-Date=${date}&X-Amz-Expires=60&X-Amz-SignedHeaders=host&X-Amz-Signature=REMOVED`
    ben.check({ applicant: 'APP-1', url: signed('20260101T000000Z'), startedAt: start })
    ben.share(ours)
    const input = (url: string) => intentOf({ applicant: 'APP-1', url }).input
    expect(ours.reading.earlier(same({ input: input(signed('20260202T000000Z')) }), ours.names)).toBeDefined()
    expect(
      ours.reading.earlier(same({ input: input(signed('20260202T000000Z').replace('id.jpg', 'id2.jpg')) }), ours.names)
    ).toBeUndefined()
  })

  it('counts from a time on, the newest of all colleagues', () => {
    const { find, ours } = setUp()
    expect([find({ since: start + 10 }) !== undefined, find({ since: start + 11 })]).toEqual([true, undefined])
    const carla = colleague('Carla')
    carla.check({ applicant: 'APP-1', startedAt: start + 20 }, answer('Newer'))
    carla.check({ applicant: 'APP-1', startedAt: start + 5 })
    carla.share(ours)
    expect(find()).toMatchObject({ member: 'Carla', at: start + 20 })
  })

  it.each<[string, RecordEnding | null, boolean]>([
    ['was answered', answer('x', 404), true],
    ['had an invalid response', { ...answer(), outcome: 'invalid-response' }, true],
    ['has an unknown outcome', lost, true],
    ['has no end yet', null, true],
    ['was not sent', unsent, false]
  ])('that %s', (_what, ending, counts) => {
    expect(setUp(ending).find() !== undefined).toBe(counts)
  })

  it.each<[Resolution, boolean]>([
    ['processed', true],
    ['undetermined', true],
    ['not-processed', false]
  ])('of unknown outcome, resolved as %s', (as, counts) => {
    const { ben, ours, id, find } = setUp(lost)
    ben.write((writer) => writer.resolve(id, as, '', by(start)))
    ben.share(ours)
    expect(find() !== undefined).toBe(counts)
  })

  it('is found behind one that does not count', () => {
    const { ben, ours, find } = setUp()
    ben.check({ applicant: 'APP-1', startedAt: start + 30, connection: connectionNamed('Theirs') }, unsent)
    ben.share(ours)
    expect(find()).toMatchObject({ at: start + 10 })
  })

  it('of an operation without an applicant ID is found among all, with and without an applicant', () => {
    const [ours, ben] = [here(), colleague('Ben')]
    const { input } = intentOf({ operation: passport })
    const find = (more: Partial<SameCheck> = {}) =>
      ours.reading.earlier(
        { operation: passport, input, origin: 'https://kyc.example.com', since: start, ...more },
        ours.names
      )
    for (let n = 0; n < 700; n += 1)
      ben.check({ operation: passport, url: `https://files.example.com/${n}.jpg`, startedAt: start + 1000 + n }, null)
    expect(find()).toBeUndefined()
    const id = ben.check({ operation: passport, startedAt: start + 10 })
    ben.share(ours)
    for (const applicantId of [undefined, 'APP-1', 'APP-2'])
      expect(find({ applicantId })).toMatchObject({ at: start + 10 })
    ben.check({ applicant: 'APP-1', startedAt: start - 99 })
    ben.write((writer) => ben.engine.applicants.link(writer, id, 'APP-1', by(start)))
    ben.share(ours)
    for (const applicantId of [undefined, 'APP-1', 'APP-2'])
      expect(find({ applicantId })).toMatchObject({ at: start + 10, applicantId: 'APP-1' })
    expect(find({ since: start + 11 })).toBeUndefined()
  })

  it('is compared once its key has arrived, and not after an erasure', () => {
    for (const operation of ['validate-applicant-id-document', passport] as const) {
      const [ours, ben] = [here(), colleague('Ben')]
      const find = () =>
        ours.reading.earlier(same({ operation, input: intentOf({ operation, applicant: 'APP-1' }).input }), ours.names)
      ben.check({ operation, applicant: 'APP-1', startedAt: start })
      ben.share(ours, false)
      expect(find()).toBeUndefined()
      ben.share(ours)
      expect(find()).toBeDefined()
      ours.db.prepare('UPDATE subject SET state = 2, key = NULL, applicant = NULL').run()
      expect(find()).toBeUndefined()
    }
  })

  it('of any form does no harm', () => {
    const ours = here()
    const plain = (more: object): object => ({ operation: passport, connection: 1, ...more })
    hostile(ours, [
      {
        kind: 'connection.noted',
        subject: null,
        plain: { ref: 1, snapshot: JSON.stringify({ name: 'A', origin: 'https://kyc.example.com', mode: 'live' }) }
      },
      ...[
        { input: 5 },
        { input: { document_url: 5 } },
        { input: ['x'] },
        {},
        { input: { constructor: 'x', toString: 'y' } }
      ].map((sealed, index) => ({ kind: 'record.begun', record: index, plain: plain({}), sealed }) as const),
      { kind: 'record.begun', record: 10, plain: plain({ operation: '__proto__' }), sealed: { input: {} } },
      { kind: 'record.begun', record: 11, plain: plain({ connection: 9 }), sealed: { input: {} } },
      { kind: 'record.begun', record: 12, plain: plain({}) },
      { kind: 'record.begun', record: 13, plain: plain({}), sealed: { input: { document_url: 'x'.repeat(300_000) } } }
    ])
    expect(ours.page().entries).toHaveLength(8)
    const find = (input: SameCheck['input']) =>
      ours.reading.earlier({ operation: passport, input, origin: 'https://kyc.example.com', since: 0 }, ours.names)
    expect(find({})).toBeUndefined()
    expect(find({ document_url: 'x'.repeat(300_000) })).toBeUndefined()
    expect(find({ constructor: 'x', toString: 'y' })).toBeDefined()
  })

  it('is found behind very many others, once these were opened in advance', () => {
    const ours = here()
    const count = 2050
    hostile(ours, [
      {
        kind: 'connection.noted',
        subject: null,
        plain: { ref: 1, snapshot: JSON.stringify({ name: 'A', origin: 'https://kyc.example.com', mode: 'live' }) }
      },
      ...Array.from(
        { length: count },
        (_, index) =>
          ({
            kind: 'record.begun',
            record: index,
            at: start + index,
            plain: { operation: passport, connection: 1 },
            sealed: { input: { n: String(index) } }
          }) as const
      )
    ])
    const find = (n: number) =>
      ours.reading.earlier(
        { operation: passport, input: { n: String(n) }, origin: 'https://kyc.example.com', since: start },
        ours.names
      )
    expect(find(count - 1)).toMatchObject({ at: start + count - 1 })
    // An answer has a bound.
    expect(find(0)).toBeUndefined()
    let rounds = 0
    while (ours.reading.prepareEarlier(start)) rounds += 1
    expect(rounds).toBeLessThan(3)
    expect(find(0)).toMatchObject({ at: start })
    expect(ours.reading.prepareEarlier(start)).toBe(false)
  })

  it('is opened in advance from a time on, a few at once, and only with its key', () => {
    const [ours, ben] = [here(), colleague('Ben')]
    for (let n = 0; n < 450; n += 1)
      ben.check({ operation: passport, url: `https://files.example.com/${n}.jpg`, startedAt: start + n }, null)
    ben.share(ours, false)
    expect(ours.reading.prepareEarlier(0)).toBe(false)
    ben.share(ours)
    expect(ours.reading.prepareEarlier(start + 300)).toBe(false)
    expect([1, 2, 3].map(() => ours.reading.prepareEarlier(0))).toEqual([true, false, false])
  })

  it('is found by an index', () => {
    const plan = (sql: string): string =>
      here()
        .db.prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...Array(sql.split('?').length - 1).fill(0))
        .map((each) => (each as { readonly detail: string }).detail)
        .join('\n')
    for (const sql of Object.values(earlierStatements)) expect(plan(sql)).not.toMatch(/SCAN (?!\(subquery)|TEMP B-TREE/)
    expect(plan(earlierStatements.ofSubject)).toContain(
      'SEARCH entry USING INDEX entry_subject (ref=? AND subject=? AND at>?)'
    )
  })
})
