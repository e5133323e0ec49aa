import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { HistoryPage, RecordSummary } from '#contract/history/records.ts'
import type { HistoryPageQuery } from '#contract/history/queries.ts'
import type { Result } from '#contract/failures/result.ts'
import type { Failure } from '#contract/failures/failures.ts'
import {
  clampOffset,
  drawn,
  maxSpacer,
  offsetAfterScroll,
  scrollTopOf,
  spacerHeight
} from '../../renderer/kit/row-window.ts'
import { filteredRows, sortedRows, wholeRows } from '../../renderer/features/history/rows.ts'

const million = { rows: 1_000_000, rowHeight: 40, viewHeight: 700 }

describe('row window', () => {
  it('never makes an element taller than browsers allow', () => {
    expect(spacerHeight(million)).toBe(maxSpacer)
    expect(spacerHeight({ ...million, rows: 10 })).toBe(400)
  })

  it('reaches the last row of a million, and the first again', () => {
    const bottom = offsetAfterScroll(million, 0, 0, maxSpacer - million.viewHeight)
    expect(drawn(million, bottom).last).toBe(1_000_000)
    expect(offsetAfterScroll(million, bottom, maxSpacer, 0)).toBe(0)
  })

  it('moves by the pixel for small movements, proportionally for large ones', () => {
    expect(offsetAfterScroll(million, 50_000, 10_000, 10_120)).toBe(50_120)
    const half = offsetAfterScroll(million, 0, 0, (maxSpacer - million.viewHeight) / 2)
    expect(drawn(million, half).first / million.rows).toBeCloseTo(0.5, 2)
  })

  it('draws a bounded number of rows that always cover the view', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3_000_000 }), fc.integer({ min: 0, max: 200_000_000 }), (rows, wanted) => {
        const measure = { rows, rowHeight: 40, viewHeight: 700 }
        const offset = clampOffset(measure, wanted)
        const { first, last } = drawn(measure, offset)
        expect(last - first).toBeLessThanOrEqual(32)
        expect(first * 40).toBeLessThanOrEqual(offset)
        expect(last === rows || last * 40 >= offset + 700).toBe(true)
        expect(scrollTopOf(measure, offset)).toBeLessThanOrEqual(Math.max(0, spacerHeight(measure) - 700) + 1)
      })
    )
  })
})

/** A history of numbered records, paged as core does. */
function historyOf(size: number): {
  ask: (query: HistoryPageQuery) => Promise<Result<HistoryPage, Failure>>
  asked: HistoryPageQuery[]
  grow: (by: number) => void
} {
  let head = size
  const asked: HistoryPageQuery[] = []
  const record = (seq: number): RecordSummary =>
    ({ id: `id-${seq}`, seq, startedAt: seq * 1000, state: 'answered' }) as RecordSummary
  const ask = (query: HistoryPageQuery): Promise<Result<HistoryPage, Failure>> => {
    asked.push(query)
    let top = query.before === undefined ? head : Math.min(head, query.before - 1)
    if (query.at !== undefined) top = Math.min(head, Math.floor(query.at / 1000))
    if (query.after !== undefined) top = Math.min(head, query.after + query.limit)
    const least = query.after === undefined ? 0 : query.after
    const records: RecordSummary[] = []
    for (let seq = top; seq > least && records.length < query.limit; seq -= 1) records.push(record(seq))
    return Promise.resolve({ ok: true, value: { records, older: (records.at(-1)?.seq ?? 1) > 1, newer: top < head } })
  }
  return { ask, asked, grow: (by) => void (head += by) }
}
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))

describe('rows of the whole history', () => {
  it('asks for the rows in sight only, wherever in a million they are', async () => {
    const history = historyOf(1_000_000)
    const rows = wholeRows(history.ask)
    await rows.start()
    expect(rows.total()).toBe(1_000_000)
    rows.want(612_345, 612_380)
    await settled()
    expect(rows.at(612_350)?.seq).toBe(1_000_000 - 612_350)
    expect(history.asked.length).toBeLessThanOrEqual(3)
  })

  it('keeps every row at its record when others come in above, and says how many', async () => {
    const history = historyOf(500)
    const rows = wholeRows(history.ask)
    await rows.start()
    history.grow(3)
    expect(await rows.refresh()).toBe(3)
    expect(rows.at(0)?.seq).toBe(503)
    expect(rows.at(3)?.seq).toBe(500)
  })

  it('finds the index of a time', async () => {
    const rows = wholeRows(historyOf(1000).ask)
    await rows.start()
    expect(await rows.jumpTo(250_500)).toBe(750)
  })
})

describe('rows of a filtered history', () => {
  it('goes on to older pages without a gap or a double', async () => {
    const rows = filteredRows(historyOf(1000).ask, { unresolved: true })
    await rows.start()
    while (rows.total() < 1000) {
      rows.want(rows.total() - 20, rows.total())
      await settled()
    }
    expect(Array.from({ length: 1000 }, (_, index) => rows.at(index)?.seq)).toEqual(
      Array.from({ length: 1000 }, (_, index) => 1000 - index)
    )
  })

  it('after a jump into the past goes back to newer rows, one page at a time', async () => {
    const rows = filteredRows(historyOf(1000).ask, { unresolved: true })
    await rows.start()
    await rows.jumpTo(500_000)
    expect(rows.at(0)?.seq).toBe(500)
    expect(rows.newer()).toBe(true)
    expect(await rows.refresh()).toBe(100)
    expect(rows.at(0)?.seq).toBe(600)
    expect(rows.at(100)?.seq).toBe(500)
  })
})

describe('rows in another order', () => {
  /** Core's list: sorted when asked again, cut by offset otherwise. */
  function sorted(size: number): {
    ask: (query: HistoryPageQuery) => Promise<Result<HistoryPage, Failure>>
    asked: HistoryPageQuery[]
    grow: (by: number) => void
  } {
    let there = size
    let list = 0
    const asked: HistoryPageQuery[] = []
    const ask = async (query: HistoryPageQuery): Promise<Result<HistoryPage, Failure>> => {
      asked.push(query)
      if (query.again) list = there
      const from = query.offset ?? 0
      const records = Array.from(
        { length: Math.max(0, Math.min(query.limit, list - from)) },
        (_, step) => ({ id: `${list}-${from + step}`, seq: from + step }) as RecordSummary
      )
      return { ok: true, value: { records, older: from + records.length < list, newer: from > 0, total: list } }
    }
    return { ask, asked, grow: (by) => void (there += by) }
  }

  it('are sorted once, and read only where they are seen', async () => {
    const core = sorted(1_000_000)
    const rows = sortedRows(core.ask, {}, { by: 'duration' })
    await rows.start()
    expect(rows.total()).toBe(1_000_000)
    rows.want(612_345, 612_380)
    await settled()
    expect(rows.at(612_350)?.seq).toBe(612_350)
    expect(core.asked.map(({ offset, again }) => [offset, again])).toEqual([
      [0, true],
      [612_300, undefined]
    ])
    await rows.load(612_395, 612_401)
    expect(rows.at(612_401)?.seq).toBe(612_401)
    expect(core.asked.length).toBe(3)
  })

  it('are sorted again after a change, with the rows in view replaced at once', async () => {
    const core = sorted(1000)
    const rows = sortedRows(core.ask, {}, { by: 'duration' })
    await rows.start()
    rows.want(480, 520)
    await settled()
    core.grow(7)
    expect(await rows.refresh()).toBe(0)
    await settled()
    expect([rows.total(), rows.at(490)?.id, rows.at(510)?.id, rows.at(3)]).toEqual([
      1007,
      '1007-490',
      '1007-510',
      undefined
    ])
  })
})
