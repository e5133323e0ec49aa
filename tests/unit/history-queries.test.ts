/** Pages, filters, counts and search compared with a plain loop over all records, on generated histories. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { operationIds, type OperationId } from '#contract/verification/operations.ts'
import type { RecordEnding } from '#contract/history/records.ts'
import type { HistoryFilter } from '#contract/history/queries.ts'
import type { RecordState } from '#contract/verification/outcomes.ts'
import type { Engine } from '#store/engine/engine.ts'
import { add, answer, connectionNamed, intentOf, lost, opened, unsent } from '../service/history-fixtures.ts'

const start = 1_760_000_000_000
const connections = ['a', 'b'].map((letter) =>
  connectionNamed(letter.toUpperCase(), `00000000-0000-4000-8000-00000000000${letter}`)
)

interface Plan {
  readonly operation: OperationId
  readonly connection: number
  readonly ending: 'open' | 'answered' | 'invalid-response' | 'lost' | 'unsent'
  readonly status: number
  readonly applicant: string
  readonly word: string
  readonly resolves: boolean
}
interface Known extends Plan {
  readonly id: string
  readonly seq: number
  readonly at: number
  readonly state: RecordState
  readonly resolved: boolean
}

const words = ['blurred', 'accepted', '100%_sure', 'say "hi" AND NOT x*', 'Größe ÄÖ']
const plan: fc.Arbitrary<Plan> = fc.record({
  operation: fc.constantFrom(...operationIds),
  connection: fc.nat(1),
  ending: fc.constantFrom('open', 'answered', 'answered', 'invalid-response', 'lost', 'unsent'),
  status: fc.constantFrom(200, 400, 503),
  applicant: fc.constantFrom('7', 'APP-1', 'APP-12'),
  word: fc.constantFrom(...words),
  resolves: fc.boolean()
})
const filter: fc.Arbitrary<HistoryFilter> = fc.record(
  {
    search: fc.constantFrom(
      'blur',
      'ACCEPTED',
      '100%_',
      'hi" AND',
      'größe',
      '7',
      'APP-1',
      '%%%',
      '___',
      'NOT x*',
      'nowhere',
      'example'
    ),
    operations: fc.subarray([...operationIds]),
    states: fc.subarray<RecordState>(['open', 'answered', 'invalid-response', 'not-sent', 'unknown']),
    statuses: fc.subarray([200, 400, 503]),
    connections: fc.subarray(connections.map(({ id }) => id)),
    from: fc.integer({ min: start, max: start + 20_000 }),
    until: fc.integer({ min: start, max: start + 40_000 }),
    unresolved: fc.boolean()
  },
  { requiredKeys: [] }
)

/** Limits so low that each search strategy is used within a few records. */
const tuning = fc.record({
  patience: fc.integer({ min: 1, max: 5 }),
  rare: fc.nat(4),
  far: fc.nat(6),
  misses: fc.nat(2)
})

function endingOf({ ending, word, status }: Plan): RecordEnding | undefined {
  if (ending === 'open') return undefined
  if (ending === 'lost') return lost
  if (ending === 'unsent') return unsent
  if (ending === 'answered') return answer(word, status)
  return { ...answer(word, status, `<p>${word}</p>`), outcome: 'invalid-response', message: undefined }
}

function build(engine: Engine, plans: readonly Plan[]): Known[] {
  return plans.map((one, index) => {
    const at = start + index * 1000
    const parts = {
      operation: one.operation,
      applicant: one.applicant,
      startedAt: at,
      connection: connections[one.connection]
    }
    const id = add(engine, parts, endingOf(one) ?? null)
    const resolved = one.ending === 'lost' && one.resolves
    if (resolved)
      engine.commit([(writer) => writer.resolve(id, 'processed', 'asked the provider', { at, operator: 'tester' })])
    const state = (
      {
        'open': 'open',
        'lost': 'unknown',
        'unsent': 'not-sent',
        'answered': 'answered',
        'invalid-response': 'invalid-response'
      } as const
    )[one.ending]
    return { ...one, id, seq: index + 1, at, state, resolved }
  })
}

const statusOf = (one: Known): number | undefined =>
  one.state === 'answered' || one.state === 'invalid-response' ? one.status : undefined
const any = <T>(list: readonly T[] | undefined, value: T | undefined): boolean =>
  !list?.length || (value !== undefined && list.includes(value))

/** The rule of each filter, written in the simplest way. */
function keeps(one: Known, f: HistoryFilter, but?: 'operations' | 'states' | 'statuses' | 'connections'): boolean {
  const intent = intentOf({ operation: one.operation, applicant: one.applicant })
  const text = [one.id, ...Object.values(intent.input)].join('\n').toLowerCase()
  const replied = statusOf(one) === undefined ? '' : `${one.word}\n${answer(one.word).reply?.body}`.toLowerCase()
  const search = f.search?.toLowerCase()
  const found =
    !search || (search.length < 3 ? intent.applicantId === f.search : text.includes(search) || replied.includes(search))
  return (
    found &&
    (but === 'operations' || any(f.operations, one.operation)) &&
    (but === 'states' || any(f.states, one.state)) &&
    (but === 'statuses' || any(f.statuses, statusOf(one))) &&
    (but === 'connections' || any(f.connections, connections[one.connection]?.id)) &&
    one.at >= (f.from ?? 0) &&
    one.at < (f.until ?? Infinity) &&
    (!f.unresolved || (one.state === 'unknown' && !one.resolved))
  )
}

function countBy(all: readonly Known[], of: (one: Known) => string | number | undefined): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const one of all) {
    const key = of(one)
    if (key !== undefined) counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}

describe('a filter', () => {
  it('leaves and counts the same records as a plain loop', () => {
    fc.assert(
      fc.property(
        fc.array(plan, { minLength: 1, maxLength: 25 }),
        fc.array(filter, { minLength: 6, maxLength: 6 }),
        tuning,
        fc.nat(60),
        (plans, filters, limits, indexed) => {
          const engine = opened()
          engine.queries.finder.tuning = limits
          const known = build(engine, plans)
          // None, some or all of it is in the index by then; the rest is searched where it is pending.
          engine.indexer.step(indexed)
          for (const f of filters) {
            engine.indexer.step(2)
            const expected = known.filter((one) => keeps(one, f))
            const pages = []
            for (let before: number | undefined; ;) {
              const page = engine.queries.page({ filter: f, limit: 4, before })
              pages.push(...page.records)
              before = page.records.at(-1)?.seq
              if (!page.older) break
            }
            expect(pages.map(({ seq }) => seq)).toEqual(expected.map(({ seq }) => seq).reverse())
            const counts = engine.queries.counts(f)
            expect(counts.total).toBe(expected.length)
            expect(counts.operations).toEqual(
              countBy(
                known.filter((one) => keeps(one, f, 'operations')),
                (one) => one.operation
              )
            )
            expect(counts.states).toEqual(
              countBy(
                known.filter((one) => keeps(one, f, 'states')),
                (one) => one.state
              )
            )
            expect(counts.statuses).toEqual(
              countBy(
                known.filter((one) => keeps(one, f, 'statuses')),
                statusOf
              )
            )
            expect(Object.fromEntries(counts.connections.map(({ name, count }) => [name, count]))).toEqual(
              countBy(
                known.filter((one) => keeps(one, f, 'connections')),
                (one) => connections[one.connection]?.name
              )
            )
            expect(counts.unresolved).toBe(known.filter((one) => one.state === 'unknown' && !one.resolved).length)
          }
          engine.close()
        }
      ),
      { numRuns: 60 }
    )
  })
})

describe('paging', () => {
  const engine = opened()
  const ids = Array.from({ length: 30 }, (_, index) =>
    add(engine, { startedAt: start + index * 1000, url: `https://files.example.com/${index}.jpg` })
  )

  it('goes back to newer records and says what lies beyond', () => {
    const page = engine.queries.page({ filter: {}, limit: 10, after: 10 })
    expect(page.records.map(({ seq }) => seq)).toEqual([20, 19, 18, 17, 16, 15, 14, 13, 12, 11])
    expect(page).toMatchObject({ older: true, newer: true })
    expect(engine.queries.page({ filter: { search: 'files' }, limit: 30, after: 0 })).toMatchObject({
      older: false,
      newer: false
    })
  })

  it('jumps to a time', () => {
    const page = engine.queries.page({ filter: {}, limit: 5, at: start + 12_500 })
    expect(page.records[0]?.id).toBe(ids[12])
    expect(page).toMatchObject({ older: true, newer: true })
    expect(engine.queries.page({ filter: {}, limit: 5, at: start - 1 })).toEqual({
      records: [],
      older: false,
      newer: true
    })
  })
})

describe('a rare filter with a common search', () => {
  it('is worked off from the filter’s side with the same answer', () => {
    const engine = opened()
    engine.commit(
      Array.from({ length: 3000 }, (_, index) => (writer) => {
        const begun = writer.begin(intentOf({ startedAt: start + index }))
        return begun.ok
          ? writer.finish(
              begun.value.id,
              answer(
                'accepted',
                index === 5 || index === 7 ? 503 : 200,
                index === 5 ? '{"message":"accepted","x":"needle"}' : undefined
              )
            )
          : begun
      })
    )
    expect(
      engine.queries.page({ filter: { search: 'accepted', statuses: [503] }, limit: 10 }).records.map(({ seq }) => seq)
    ).toEqual([8, 6])
    expect(engine.queries.page({ filter: { search: 'EXAMPLE', statuses: [503] }, limit: 1 })).toMatchObject({
      older: true,
      newer: false
    })
  })
})
