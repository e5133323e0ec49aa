// Several installations want to run one batch. Whatever order their steps take, and whoever dies at which of them: no row is
// sent twice, none is lost, and each that was sent has a label.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { failure } from '#contract/failures/failures.ts'
import { isRecent, runRules, safeFor } from '#core/team/batches/rules.ts'
import { createModel, type Model } from './team-batch-model.ts'

test('a runner goes on for 80 % of its time, by whichever clock is further', () => {
  const alive = { monotonic: 1000, wall: 5000 }
  const isAlive = (now: typeof alive): boolean => isRecent(alive, now, safeFor(runRules))
  expect(isAlive({ monotonic: 48_999, wall: 52_999 })).toBe(true)
  expect(isAlive({ monotonic: 49_000, wall: 5000 })).toBe(false)
  expect(isAlive({ monotonic: 1000, wall: 53_000 })).toBe(false)
})

test('a runner that was replaced has stopped before the next one begins', () => {
  expect(runRules.heard).toBeLessThan(runRules.replaced)
  expect(runRules.renewsAfter + runRules.replaced).toBeLessThan(safeFor(runRules))
})

/** Runs until nothing moves; at each given step, somebody dies, and starts again. */
async function run(model: Model, deaths: readonly { readonly at: number; readonly who: number }[] = []): Promise<void> {
  for (let step = 0; model.isMoving(); step += 1) {
    if (step > 20_000) throw new Error('it does not end')
    for (const { at, who } of deaths) if (at === step) model.kill(who)
    await model.step()
  }
}
/** Calls `work` with models whose steps are chosen at random. */
const always = <T>(
  numRuns: number,
  given: fc.Arbitrary<T>,
  work: (random: () => number, value: T) => Promise<void>
): Promise<void> =>
  fc.assert(
    fc.asyncProperty(given, fc.infiniteStream(fc.nat(1_000_000)), (value, random) =>
      work(() => random.next().value as number, value)
    ),
    { numRuns }
  )

describe('installations that want to run one batch', { timeout: 120_000 }, () => {
  const deaths = fc.array(fc.record({ at: fc.nat(400), who: fc.nat(2) }), { maxLength: 12 })
  test('send each row once at most, and label each, whoever dies at which step', () =>
    always(120, fc.tuple(fc.integer({ min: 1, max: 24 }), deaths), async (random, [rows, dying]) => {
      const model = createModel({ rows, installations: 3, atOnce: 3, random })
      await run(model, dying)
      expect(model.doubled(), 'doubled').toEqual([])
      expect(model.unlabelled(), 'unlabelled').toEqual([])
      expect(model.lost(), 'lost').toEqual([])
      expect(model.mostAtOnce(), 'at once').toBeLessThanOrEqual(3)
      // Without a death, everything is answered.
      if (dying.length === 0) expect(model.answered()).toBe(rows)
    }))

  test('repeat an intent whose answer was lost, and send its row once', () =>
    always(
      60,
      fc.tuple(fc.integer({ min: 1, max: 12 }), fc.array(fc.nat(200), { maxLength: 20 })),
      async (random, [rows, losses]) => {
        const model = createModel({ rows, installations: 2, atOnce: 2, random, lossAt: new Set(losses) })
        await run(model)
        expect(model.doubled()).toEqual([])
        expect(model.unlabelled()).toEqual([])
        expect(model.answered()).toBe(rows)
      }
    ))

  test('send each row once, and all of them, if the database lets everybody run it: the claims decide', () =>
    always(60, fc.integer({ min: 1, max: 12 }), async (random, rows) => {
      const model = createModel({ rows, installations: 2, atOnce: 2, random, lies: true })
      await run(model)
      expect(model.doubled()).toEqual([])
      expect(model.unlabelled()).toEqual([])
      expect(model.answered()).toBe(rows)
    }))

  test('do not send a row whose applicant was erased meanwhile', async () => {
    const model = createModel({ rows: 6, installations: 2, atOnce: 2, random: () => 0, erased: new Set([2, 3, 4]) })
    await run(model)
    expect(model.sent()).toEqual([1, 5, 6])
  })

  test('hand over when they are halted, at whichever step', () =>
    always(
      120,
      fc.tuple(fc.integer({ min: 1, max: 12 }), fc.tuple(fc.nat(120), fc.nat(120))),
      async (random, [rows, halts]) => {
        const model = createModel({ rows, installations: 2, atOnce: 3, random })
        for (let step = 0; step < 120 || model.isMoving(); step += 1) {
          for (const [who, at] of halts.entries()) if (at === step) model.halt(who)
          await model.step()
        }
        expect(model.isHeld()).toBe(false)
        expect(model.waiting(), 'waiting').toEqual([])
        expect(model.unlabelled(), 'unlabelled').toEqual([])
        expect(model.doubled(), 'doubled').toEqual([])
      }
    ))

  test('end without asking a database that is away again and again', async () => {
    const model = createModel({ rows: 60, installations: 1, atOnce: 12, random: () => 0 })
    while (model.calls() < 20) await model.step()
    model.cut()
    model.halt(0)
    await run(model)
    expect(model.isMoving()).toBe(false)
    expect(model.asked()).toBeLessThanOrEqual(2)
    expect(model.waiting()).toEqual([])
  })

  test('stop when something is wrong with the database', async () => {
    const model = createModel({ rows: 20, installations: 2, atOnce: 2, random: () => 0 })
    while (model.calls() < 5) await model.step()
    model.freeze(
      failure('team-batch-frozen', {
        cause: failure('team-events-rolled-back', { installation: '00', found: 1, expected: 2 })
      })
    )
    const before = model.calls()
    await run(model)
    // Those whose request was on its way.
    expect(model.calls() - before).toBeLessThanOrEqual(2)
    expect(model.stoppedBy()).toEqual(['team-batch-frozen', 'team-batch-frozen'])
  })
})
