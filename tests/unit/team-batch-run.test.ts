// Several installations run one batch. Whatever order their steps take, and whoever dies at which of them: no row is sent
// twice, none is lost, and each that was sent has a label.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { failure } from '#contract/failures/failures.ts'
import {
  chunkRowsFor,
  fairShare,
  isSafe,
  laneInterval,
  lanesFor,
  laneSeconds,
  rowsOf
} from '#core/team/batches/rules.ts'
import { createModel, type Model } from './team-batch-model.ts'

describe('the rules', () => {
  test('a lease is safe for 80 % of its time, by whichever clock is further', () => {
    const lease = { seconds: 60, asked: { monotonic: 1000, wall: 5000 } }
    expect(isSafe(lease, { monotonic: 48_999, wall: 52_999 })).toBe(true)
    expect(isSafe(lease, { monotonic: 49_000, wall: 5000 })).toBe(false)
    expect(isSafe(lease, { monotonic: 1000, wall: 53_000 })).toBe(false)
    expect(isSafe(lease, { monotonic: 39_000, wall: 43_000 }, 10_000)).toBe(false)
  })

  test('chunks cover each row once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), (rows) => {
        const chunkRows = chunkRowsFor(rows)
        const count = Math.ceil(rows / chunkRows)
        expect(rowsOf(0, { rows, chunkRows }).from).toBe(1)
        expect(rowsOf(count - 1, { rows, chunkRows }).to).toBe(rows)
        if (count > 1) expect(rowsOf(1, { rows, chunkRows }).from).toBe(rowsOf(0, { rows, chunkRows }).to + 1)
      })
    )
  })

  test('the shares of all installations together are the concurrency and the rate limit, never more', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 16 }),
        fc.integer({ min: 0, max: 60_000 }),
        fc.integer({ min: 1, max: 200 }),
        (atOnce, pace, runners) => {
          const lanes = lanesFor(atOnce, pace)
          expect(lanes).toBeGreaterThanOrEqual(1)
          expect(lanes).toBeLessThanOrEqual(atOnce)
          // Requests in a minute of all shares.
          if (pace > 0) expect((lanes * 60_000) / laneInterval(lanes, pace)).toBeCloseTo(pace)
          expect(fairShare(lanes, runners)).toBeGreaterThanOrEqual(1)
          expect(fairShare(lanes, runners) * runners).toBeGreaterThanOrEqual(lanes)
        }
      )
    )
    expect(laneSeconds(600)).toBeLessThanOrEqual(3600)
    expect(laneSeconds(70) * 0.8).toBeGreaterThanOrEqual(100)
  })
})

describe('installations that run one batch', () => {
  /** Runs until nothing moves; at each given step, somebody dies, and starts again. */
  async function run(model: Model, deaths: readonly { readonly at: number; readonly who: number }[]): Promise<void> {
    for (let step = 0; model.isMoving(); step += 1) {
      if (step > 20_000) throw new Error('it does not end')
      for (const { at, who } of deaths) if (at === step) model.kill(who)
      await model.step()
    }
  }

  const deaths = fc.array(fc.record({ at: fc.nat(400), who: fc.nat(2) }), { maxLength: 12 })
  test('send each row once at most, and label each, whoever dies at which step', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 24 }),
        fc.integer({ min: 1, max: 5 }),
        deaths,
        fc.infiniteStream(fc.nat(1_000_000)),
        async (rows, chunkRows, dying, random) => {
          const model = createModel({
            rows,
            chunkRows,
            lanes: 3,
            installations: 3,
            random: () => random.next().value as number
          })
          await run(model, dying)
          expect(model.doubled(), 'doubled').toEqual([])
          expect(model.unlabelled(), 'unlabelled').toEqual([])
          expect(model.lost(), 'lost').toEqual([])
          expect(model.mostAtOnce(), 'at once').toBeLessThanOrEqual(3)
          // Without a death, everything is answered.
          if (dying.length === 0) expect(model.answered()).toBe(rows)
        }
      ),
      { numRuns: 120 }
    )
  })

  test('repeat an intent whose answer was lost, and send its row once', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 12 }),
        fc.array(fc.nat(200), { maxLength: 20 }),
        fc.infiniteStream(fc.nat(1_000_000)),
        async (rows, losses, random) => {
          const model = createModel({
            rows,
            chunkRows: 2,
            lanes: 2,
            installations: 2,
            random: () => random.next().value as number,
            lossAt: new Set(losses)
          })
          await run(model, [])
          expect(model.doubled()).toEqual([])
          expect(model.unlabelled()).toEqual([])
          expect(model.answered()).toBe(rows)
        }
      ),
      { numRuns: 60 }
    )
  })

  test('do not send a row whose applicant was erased meanwhile', async () => {
    const model = createModel({
      rows: 6,
      chunkRows: 2,
      lanes: 2,
      installations: 2,
      random: () => 0,
      erased: new Set([2, 3, 4])
    })
    await run(model, [])
    expect(model.sent()).toEqual([1, 5, 6])
  })

  test('give back all that they hold when they are halted, at whichever step', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 12 }),
        fc.tuple(fc.nat(120), fc.nat(120)),
        fc.infiniteStream(fc.nat(1_000_000)),
        async (rows, halts, random) => {
          const model = createModel({
            rows,
            chunkRows: 2,
            lanes: 3,
            installations: 2,
            random: () => random.next().value as number
          })
          for (let step = 0; step < 120 || model.isMoving(); step += 1) {
            for (const [who, at] of halts.entries()) if (at === step) model.halt(who)
            await model.step()
          }
          // What was asked for before the end is answered after it.
          for (let step = 0; step < 40; step += 1) await model.step()
          expect(model.held(), 'held').toBe(0)
          expect(model.waiting(), 'waiting').toEqual([])
          expect(model.unlabelled(), 'unlabelled').toEqual([])
          expect(model.doubled(), 'doubled').toEqual([])
        }
      ),
      { numRuns: 120 }
    )
  })

  test('end without asking a database that is away for each part that they hold', async () => {
    const model = createModel({ rows: 60, chunkRows: 2, lanes: 12, installations: 1, random: () => 0 })
    while (model.held() < 20) await model.step()
    model.cut()
    model.halt(0)
    await run(model, [])
    expect(model.isMoving()).toBe(false)
    expect(model.asked()).toBeLessThanOrEqual(2)
    expect(model.waiting()).toEqual([])
  })

  test('stop when something is wrong with the database', async () => {
    const model = createModel({ rows: 20, chunkRows: 2, lanes: 2, installations: 2, random: () => 0 })
    for (let n = 0; n < 60; n += 1) await model.step()
    model.freeze(
      failure('team-batch-frozen', {
        cause: failure('team-events-rolled-back', { installation: '00', found: 1, expected: 2 })
      })
    )
    const before = model.calls()
    await run(model, [])
    // Those whose request was on its way.
    expect(model.calls() - before).toBeLessThanOrEqual(2)
    expect(model.calls()).toBeLessThan(20)
    expect(model.stoppedBy()).toEqual(['team-batch-frozen', 'team-batch-frozen'])
  })
})
