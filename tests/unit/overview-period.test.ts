/** Periods of the overview in several time zones: local days, bars without gaps, and the offsets of local time. */
import { afterEach, describe, expect, it } from 'vitest'
import { maxBars, overviewPeriodSchema } from '#contract/history/overview.ts'
import {
  barLabel,
  choiceOf,
  presets,
  queryOfChoice,
  rangeBefore,
  rangeOf,
  requestOf,
  unitOf,
  type PeriodChoice
} from '../../renderer/features/overview/overview-period.ts'
import { lengthOf, ticks } from '../../renderer/features/overview/plots.ts'
import { localDay } from '../../renderer/kit/time.ts'

const zone = process.env['TZ']
afterEach(() => {
  if (zone === undefined) delete process.env['TZ']
  else process.env['TZ'] = zone
})
const hour = 3_600_000
/** Half hours from UTC, a change by half an hour, changes by an hour, none. */
const zones = ['Asia/Kathmandu', 'Australia/Lord_Howe', 'Europe/Berlin', 'America/New_York', 'UTC']
const choices: readonly PeriodChoice[] = [
  ...presets.map(({ choice }) => choice),
  { first: '2025-10-26', last: '2025-10-26' },
  { first: '2025-04-01', last: '2025-10-31' },
  { first: '2012-02-29', last: '2025-12-31' }
]

describe.each(zones)('in %s', (name) => {
  it('every period is whole local days, in bars without gaps, with the right offset at every hour', () => {
    process.env['TZ'] = name
    const now = new Date(2025, 10, 21, 14, 3).getTime()
    for (const choice of choices) {
      const range = rangeOf(choice, now, new Date(2021, 2, 3, 9).getTime())
      if (!range) throw new Error('no period')
      for (const at of [range.from, range.until]) expect(new Date(at).getHours() + new Date(at).getMinutes()).toBe(0)
      const request = requestOf(range)
      expect(overviewPeriodSchema.safeParse(request).success).toBe(true)
      const { edges, offsets } = request
      expect([edges[0], edges.at(-1)]).toEqual([range.from, range.until])
      expect(edges.length - 1).toBeLessThanOrEqual(maxBars)
      expect(edges.slice(1).every((edge, index) => edge > edges[index]!)).toBe(true)
      const unit = unitOf(range)
      if (unit !== 'hour') for (const edge of edges) expect(new Date(edge).getHours()).toBe(0)
      expect(new Set(edges.slice(0, -1).map((from) => barLabel(from, unit))).size).toBeGreaterThanOrEqual(
        edges.length - 2
      )
      const step = Math.max(hour, Math.floor((range.until - range.from) / 2000 / hour) * hour)
      const wrong: string[] = []
      for (let at = range.from; at < range.until; at += step)
        if (offsets.findLast(({ from }) => from <= at)?.minutes !== -new Date(at).getTimezoneOffset())
          wrong.push(new Date(at).toISOString())
      expect(wrong).toEqual([])
    }
  })
})

it('a day on which the clocks change has 23 or 25 hours', () => {
  process.env['TZ'] = 'Europe/Berlin'
  for (const [date, hours] of [
    ['2025-03-30', 23],
    ['2025-10-26', 25],
    ['2025-10-27', 24]
  ] as const)
    expect(requestOf(rangeOf({ first: date, last: date }, 0)!).edges, date).toHaveLength(hours + 1)
})

it('a period is kept in the address, and anything else is this month', () => {
  for (const choice of choices) expect(choiceOf(queryOfChoice(choice) as Record<string, string>)).toMatchObject(choice)
  const others: Record<string, string>[] = [
    {},
    { days: '12' },
    { first: '2025-01-01' },
    { first: 'x', last: '2025-01-01' }
  ]
  for (const query of others) expect(choiceOf(query)).toEqual({ month: 'this' })
  expect(rangeOf({ first: '2025-01-02', last: '2025-01-01' }, 0)).toBeUndefined()
  const now = new Date(2025, 10, 21, 14, 3).getTime()
  expect(rangeOf({ month: 'this' }, now)).toEqual(rangeOf({ first: '2025-11-01', last: '2025-11-21' }, now))
  expect(rangeOf({ month: 'last' }, now)).toEqual(rangeOf({ first: '2025-10-01', last: '2025-10-31' }, now))
  expect(localDay(rangeOf({ days: 7 }, now)!.from)).toBe('2025-11-15')
  expect(rangeOf({ days: 'all' }, now)).toEqual(rangeOf({ days: 1 }, now))
})

it('a period is compared with as many days before it, a month with the same days of the month before', () => {
  process.env['TZ'] = 'Europe/Berlin'
  const now = new Date(2025, 2, 30, 14, 3).getTime()
  const before = (choice: PeriodChoice): string[] => {
    const found = rangeBefore(choice, rangeOf(choice, now, now)!)
    return found ? [localDay(found.from), localDay(found.until - 1)] : []
  }
  // February ends before the 30 days do.
  expect(before({ month: 'this' })).toEqual(['2025-02-01', '2025-02-28'])
  expect(before({ month: 'last' })).toEqual(['2025-01-01', '2025-01-31'])
  expect(before({ days: 7 })).toEqual(['2025-03-17', '2025-03-23'])
  expect(before({ first: '2025-03-29', last: '2025-03-31' })).toEqual(['2025-03-26', '2025-03-28'])
  expect(before({ days: 'all' })).toEqual([])
})

describe('an axis', () => {
  it.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [7, [0, 2, 4, 6, 8]],
    [100, [0, 50, 100]],
    [1234, [0, 500, 1000, 1500]],
    [40, [0, 10, 20, 30, 40]]
  ])('up to %d has round numbers', (most, expected) => {
    expect(ticks(most)).toEqual(expected)
  })
  it('is as long as the marks of a row together, or as the longest', () => {
    const marks = [
      { value: 2, text: '2' },
      { value: 3, text: '3' }
    ]
    expect([lengthOf({ arranged: 'stacked' }, { marks }), lengthOf({ arranged: 'layered' }, { marks })]).toEqual([5, 3])
  })
})
