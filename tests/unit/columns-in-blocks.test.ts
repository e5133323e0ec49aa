/** Counting and sorting over more records than one block holds, compared with plain loops. */
import { expect, it } from 'vitest'
import { tallyPeriod } from '#store/overview/tally.ts'
import { codeOfState, Numbered, type Columns } from '#store/projections/columns.ts'
import { SortedLists } from '#store/search/sorted-lists.ts'

const count = 10_000
const hour = 3_600_000
const first = 1_760_000_400_000
const answered = codeOfState('answered')

/** The same records in each run. */
function columns(): Columns {
  let state = 7
  const below = (limit: number): number => (state = (state * 48_271) % 2_147_483_647) % limit
  const made: Columns = {
    last: count,
    unresolved: 0,
    startedAt: new Float64Array(count + 1),
    operation: new Uint8Array(count + 1),
    state: new Uint8Array(count + 1),
    resolved: new Uint8Array(count + 1),
    connection: new Uint16Array(count + 1),
    status: new Uint16Array(count + 1),
    timeClass: new Uint16Array(count + 1),
    duration: new Float32Array(count + 1),
    operator: new Uint16Array(count + 1),
    subject: new Uint32Array(count + 1),
    batch: new Uint32Array(count + 1),
    message: new Uint32Array(count + 1),
    batches: new Numbered<string>(),
    messages: new Numbered<number>()
  }
  for (let seq = 1; seq <= count; seq += 1) {
    made.startedAt[seq] = first + seq * 60_000 + below(300_000)
    made.operation[seq] = 1 + below(3)
    made.connection[seq] = 1 + below(2)
    made.state[seq] = below(5)
    made.status[seq] = [0, 200, 400, 503][below(4)] ?? 0
    made.timeClass[seq] = 1 + below(400)
    made.duration[seq] = below(3) === 0 ? 0 : below(9000) / 7
  }
  return made
}

const all = columns()
const seqs = Array.from({ length: count }, (_, index) => count - index)

it('counts each record of a period once', () => {
  const edges = [first + 15 * hour, first + 60 * hour, first + 158 * hour]
  const tally = tallyPeriod(all, { edges, offsets: [{ from: 0, minutes: 0 }] }, { operation: 3, connection: 2 })
  const within = seqs.filter(
    (seq) => (all.startedAt[seq] ?? 0) >= (edges[0] ?? 0) && (all.startedAt[seq] ?? 0) < (edges[2] ?? 0)
  )
  const sum = (counts: Uint32Array): number => counts.reduce((total, each) => total + each, 0)
  expect(within.length).toBeGreaterThan(8192)
  for (const counts of [tally.bars, tally.status, tally.operations, tally.connections])
    expect(sum(counts)).toBe(within.length)
  for (const counts of [tally.barTimes, tally.operationTimes])
    expect(sum(counts)).toBe(within.filter((seq) => all.state[seq] === answered).length)
  expect(sum(tally.bars.subarray(0, 5))).toBe(
    within.filter((seq) => (all.startedAt[seq] ?? 0) < (edges[1] ?? 0)).length
  )
  expect(tally.unresolved).toBe(within.filter((seq) => all.state[seq] === codeOfState('unknown')).length)
  expect(tally.firstAt).toBe(Math.min(...all.startedAt.subarray(1)))
})

for (const by of ['status', 'duration'] as const)
  it.each([false, true])(`sorts by ${by}, reversed: %s`, (reversed) => {
    const dictionary = { connections: new Map(), operationNames: new Map() }
    const sorted = new SortedLists().list({}, { by, reversed }, false, () => ({
      seqs: Uint32Array.from(seqs),
      atLeast: false,
      columns: all,
      dictionary
    }))
    const plain = seqs.toSorted((one, other) => {
      const [a, b] = [all[by][one] ?? 0, all[by][other] ?? 0]
      if (a === 0 || b === 0) return Number(a === 0) - Number(b === 0) || other - one
      return (reversed ? b - a : a - b) || other - one
    })
    expect([...sorted.seqs]).toEqual(plain)
  })
