/** The history in another order: each page compared with a plain sort of all records, on generated histories. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { operationIds, operationOf } from '#contract/verification/operations.ts'
import { outcomeIds, type RecordState } from '#contract/verification/outcomes.ts'
import { historySorts, type RecordSummary } from '#contract/history/records.ts'
import type { HistoryFilter, HistoryOrder } from '#contract/history/queries.ts'
import { needsColumns } from '#store/search/queries.ts'
import { add, answer, connectionNamed, lost, opened, unsent } from '../service/history-fixtures.ts'

// Two numbers of one connection, which was renamed, and one before them by name.
const connections = [
  connectionNamed('Mainz', '00000000-0000-4000-8000-00000000000a'),
  connectionNamed('Zagreb', '00000000-0000-4000-8000-00000000000a'),
  connectionNamed('Ähnlich', '00000000-0000-4000-8000-00000000000b')
]
const shownStates: readonly RecordState[] = [...outcomeIds, 'open']

const plan = fc.record({
  operation: fc.constantFrom(...operationIds),
  connection: fc.nat(connections.length - 1),
  ending: fc.constantFrom('open', 'answered', 'answered', 'lost', 'unsent'),
  status: fc.constantFrom(200, 400, 503),
  took: fc.double({ min: 0.05, max: 90_000, noNaN: true })
})
const order: fc.Arbitrary<HistoryOrder> = fc.record({ by: fc.constantFrom(...historySorts), reversed: fc.boolean() })
const filter: fc.Arbitrary<HistoryFilter> = fc.record(
  {
    search: fc.constantFrom('accepted', 'APP', '7'),
    states: fc.subarray<RecordState>(['answered', 'unknown', 'open']),
    statuses: fc.subarray([200, 503])
  },
  { requiredKeys: [] }
)

const value = (record: RecordSummary, by: HistoryOrder['by']): number | string | undefined =>
  by === 'status'
    ? record.status
    : by === 'duration'
      ? record.took === undefined
        ? undefined
        : Math.fround(record.took)
      : by === 'state'
        ? shownStates.indexOf(record.state)
        : by === 'operation'
          ? operationOf(record.operation).shortTitle
          : by === 'connection'
            ? record.connection.name
            : record.seq

function plainly(records: readonly RecordSummary[], { by, reversed }: HistoryOrder): number[] {
  const compare = (a: number | string, b: number | string): number =>
    typeof a === 'string' ? a.localeCompare(String(b), 'en') : a - Number(b)
  return [...records]
    .sort((one, other) => {
      const [a, b] = [value(one, by), value(other, by)]
      if (a === undefined || b === undefined)
        return Number(a === undefined) - Number(b === undefined) || other.seq - one.seq
      return (reversed ? -1 : 1) * compare(a, b) || other.seq - one.seq
    })
    .map(({ seq }) => seq)
}

it('is that of a plain sort, for each column, direction and filter, however it is cut into pages', () => {
  fc.assert(
    fc.property(
      fc.array(plan, { minLength: 1, maxLength: 30 }),
      order,
      filter,
      fc.integer({ min: 1, max: 12 }),
      (plans, wanted, narrowed, limit) => {
        const engine = opened()
        plans.forEach(({ operation, connection, ending, status, took }, index) =>
          add(
            engine,
            {
              operation,
              applicant: index % 3 === 0 ? '7' : `APP-${index}`,
              connection: connections[connection],
              startedAt: 1_760_000_000_000 + index
            },
            ending === 'open'
              ? null
              : ending === 'lost'
                ? { ...lost, took }
                : ending === 'unsent'
                  ? unsent
                  : { ...answer('accepted', status), took }
          )
        )
        const all = engine.queries.page({ filter: narrowed, limit: 200 }).records
        const found: number[] = []
        for (let offset = 0, more = true; more; offset += limit) {
          const page = engine.queries.page({ filter: narrowed, order: wanted, offset, limit })
          expect(page.total).toBe(all.length)
          expect(page.newer).toBe(offset > 0)
          found.push(...page.records.map(({ seq }) => seq))
          more = page.older
        }
        expect(found).toEqual(plainly(all, wanted))
        engine.close()
      }
    ),
    { numRuns: 60 }
  )
})

it('stays while its pages are read, and is sorted again when asked', () => {
  const engine = opened()
  for (const status of [200, 503, 400]) add(engine, {}, answer('accepted', status))
  const query = { filter: {}, order: { by: 'status', reversed: true }, limit: 2 } as const
  expect(needsColumns(query)).toBe(true)
  const statuses = (offset: number, again?: boolean) =>
    engine.queries.page({ ...query, offset, again }).records.map(({ status }) => status)
  expect(statuses(0)).toEqual([503, 400])
  add(engine, {}, answer('accepted', 599))
  expect(statuses(2)).toEqual([200])
  expect(statuses(0, true)).toEqual([599, 503])
  expect(statuses(2)).toEqual([400, 200])
  engine.close()
})
