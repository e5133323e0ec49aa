/** Rates of what was looked at before decisions, and how sure they are. */
import { expect, test } from 'vitest'
import { interval95, lookedOf } from '#contract/overview/rates.ts'
import { seeded } from '../service/support/random.ts'
import { counted } from '../service/support/times.ts'

test('an interval covers the true rate in 93 to 97 % of 1,000 runs at known rates', ({ task }) => {
  const random = seeded(7)
  const covered = [0.02, 0.05, 0.1, 0.3, 0.5, 0.9].map((rate) => {
    let hits = 0
    for (let run = 0; run < 1000; run += 1) {
      let part = 0
      for (let turn = 0; turn < 400; turn += 1) if (random(1_000_000) < rate * 1_000_000) part += 1
      const [low, high] = interval95({ part, of: 400 })
      if (low <= rate && rate <= high) hits += 1
    }
    return hits
  })
  for (const hits of covered) {
    counted(task, { runs: 1000, covered: hits })
    expect(hits).toBeGreaterThanOrEqual(930)
    expect(hits).toBeLessThanOrEqual(970)
  }
})

test('an interval is known from the literature, and never leaves 0 to 1', () => {
  const rounded = (part: number, of: number): number[] =>
    interval95({ part, of }).map((end) => Math.round(end * 1e4) / 1e4)
  // Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
  expect(rounded(81, 263)).toEqual([0.2553, 0.3662])
  expect(rounded(15, 148)).toEqual([0.0624, 0.1605])
  expect(rounded(0, 20)).toEqual([0, 0.1611])
  expect(rounded(1, 29)).toEqual([0.0061, 0.1718])
  expect(interval95({ part: 30, of: 30 })[1]).toBe(1)
})

test('a decision of many, and one that states nothing, is in no rate; one of a sample of all is', () => {
  const seen = { answers: [0, 2], documents: [0, 1] } as const
  expect(lookedOf(seen, undefined)).toEqual({ unopened: 'yes', unshown: 'yes' })
  expect(lookedOf({ answers: [2, 2], documents: [1, 3] }, undefined)).toEqual({ unopened: 'no', unshown: 'no' })
  expect(lookedOf({ answers: [1, 1], documents: [0, 0] }, undefined)).toEqual({ unopened: undefined, unshown: 'no' })
  expect(lookedOf(seen, { share: 100 })).toEqual(lookedOf(seen, undefined))
  for (const nothing of [lookedOf(seen, { share: 10 }), lookedOf(undefined, undefined)])
    expect(nothing).toEqual({ unopened: undefined, unshown: undefined })
})
