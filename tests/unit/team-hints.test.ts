/** Which looks follow from the database's notifications. */
import { expect, it } from 'vitest'
import { hintRest, limitHints } from '#exchange/log/hints.ts'

function hintsAt() {
  let time = 1000
  let looks = 0
  const timers: { readonly milliseconds: number; run: () => void; cancelled: boolean }[] = []
  const hints = limitHints({
    monotonic: () => time,
    after: (milliseconds, run) => {
      const timer = { milliseconds, run, cancelled: false }
      timers.push(timer)
      return () => void (timer.cancelled = true)
    },
    look: () => void (looks += 1)
  })
  return { hints, timers, looks: () => looks, pass: (milliseconds: number) => void (time += milliseconds) }
}

it('looks at once at the first hint, and once more for all within the rest after it', () => {
  const { hints, timers, looks, pass } = hintsAt()
  hints.heard()
  expect([looks(), timers.length]).toEqual([1, 0])
  pass(100)
  for (let n = 0; n < 1000; n += 1) hints.heard()
  expect([looks(), timers.map(({ milliseconds }) => milliseconds)]).toEqual([1, [hintRest - 100]])
  pass(hintRest - 100)
  timers[0]?.run()
  expect(looks()).toBe(2)
  hints.heard()
  expect([looks(), timers.length]).toEqual([2, 2])
})

it('looks no more once it has ended', () => {
  const { hints, timers } = hintsAt()
  hints.heard()
  hints.heard()
  hints.end()
  expect(timers).toMatchObject([{ cancelled: true }])
})
