/** What a newly opened history loads in the background: beside requests, not beside the rows of a batch. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startLoading } from '#store/worker/loading.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const pause = 40

function loadingOf(steps: number) {
  const seen = { steps: 0, writing: false }
  const loading = startLoading({
    step: () => {
      seen.steps += 1
      return seen.steps < steps
    },
    writing: () => seen.writing,
    pause
  })
  return { seen, loading }
}

it('loads everything, a step a turn, and says when it has', async () => {
  const { seen, loading } = loadingOf(5)
  expect(seen.steps).toBe(0)
  vi.advanceTimersToNextTimer()
  expect(seen.steps).toBe(1)
  const done = loading.whole()
  vi.runAllTimers()
  await done
  expect(seen.steps).toBe(5)
  await loading.whole()
  loading.hurry()
  vi.runAllTimers()
  expect(seen.steps).toBe(5)
})

it('stops while writes follow each other, and goes on after the last of them', () => {
  const { seen } = loadingOf(5)
  vi.advanceTimersToNextTimer()
  seen.writing = true
  vi.advanceTimersByTime(100 * pause)
  expect(seen.steps).toBe(1)
  seen.writing = false
  vi.advanceTimersByTime(2 * pause)
  expect(seen.steps).toBe(5)
})

it.each(['hurry', 'whole'] as const)('does not wait for the writes once somebody waits (%s)', (how) => {
  const { seen, loading } = loadingOf(5)
  seen.writing = true
  vi.advanceTimersByTime(10 * pause)
  expect(seen.steps).toBe(0)
  void loading[how]()
  vi.runAllTimers()
  expect(seen.steps).toBe(5)
})

it('answers all who wait if a step fails: the failure is found by what they ask for', async () => {
  const loading = startLoading({ step: () => false, writing: () => true, pause })
  const both = Promise.all([loading.whole(), loading.whole()])
  vi.runAllTimers()
  await both
})
