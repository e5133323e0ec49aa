/** The runner of a batch, with a store that the test decides. */
import { expect, it } from 'vitest'
import { failure } from '#contract/failures/failures.ts'
import { ok } from '#contract/failures/result.ts'
import { startRun, type RunnerParts } from '#core/batches/runner.ts'
import type { BatchStep, TakenRow } from '#wire/history/batches.ts'
import type { RecordEnding } from '#contract/history/records.ts'

const unreachable: RecordEnding = {
  outcome: 'not-sent',
  endedAt: 1,
  failure: failure('name-not-found', { host: 'kyc.example.com' })
}
const row: TakenRow = { row: 1, tries: 0, left: ['get-applicant-details'], cells: ['APP-1'] }

it('ends although a row that waits for another attempt may not begin any more', async () => {
  const steps: BatchStep[] = []
  let [begun, taken] = [0, 0]
  const parts: RunnerParts = {
    clock: { now: () => Date.now(), monotonic: () => performance.now() },
    id: 'b',
    atOnce: 1,
    pace: 0,
    store: {
      take: async () => ok(taken++ === 0 ? [row] : []),
      // Its chunk is somebody else's by then, or its applicant was erased.
      step: async (_, step) => {
        steps.push(step)
        if (steps.length > 20) throw new Error('it is asked for again and again')
        return ok(step.begin && begun++ === 0 ? { begun: { id: 'r-1', seq: 1 } } : {})
      }
    },
    intentOf: () => ({}) as ReturnType<RunnerParts['intentOf']>,
    send: async () => unreachable,
    retryBusy: () => true,
    yieldFor: () => 0,
    random: () => 0,
    onEnd: () => undefined
  }
  expect(await startRun(parts).ended).toEqual({ state: 'finished', unrecorded: [] })
  expect(steps.map(({ begin, finish }) => [begin?.row, finish?.again])).toEqual([
    [1, undefined],
    [1, true]
  ])
})
