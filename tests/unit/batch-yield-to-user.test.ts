import { expect, test } from 'vitest'
import { createYieldToUser } from '#core/batches/yield-to-user.ts'

test('a batch yields from each key press on, and not for long', () => {
  const yieldToUser = createYieldToUser()
  expect(yieldToUser.left(1000)).toBe(0)
  yieldToUser.yieldToUser(1000)
  expect(yieldToUser.left(1000)).toBeGreaterThan(100)
  expect(yieldToUser.left(2000)).toBe(0)
  yieldToUser.yieldToUser(2000)
  const first = yieldToUser.left(2000)
  yieldToUser.yieldToUser(2100)
  expect(yieldToUser.left(2100)).toBe(first)
})

test('a user who never stops pressing keys does not stop a batch', () => {
  const yieldToUser = createYieldToUser()
  let ran = 0
  let longest = 0
  let stood = 0
  for (let now = 0; now < 60_000; now += 20) {
    yieldToUser.yieldToUser(now)
    if (yieldToUser.left(now) > 0) stood += 20
    else {
      ran += 20
      longest = Math.max(longest, stood)
      stood = 0
    }
  }
  expect(ran / 60_000).toBeGreaterThan(0.08)
  expect(longest).toBeLessThanOrEqual(10_020)
})
