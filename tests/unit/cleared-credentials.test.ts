/** How long a cleared secret stays in memory, and who can restore it. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { undoClearSeconds } from '#contract/connections/credentials.ts'
import { createClearedCredentials } from '#core/secrets/cleared.ts'

let monotonic = 0
const clock = { monotonic: () => monotonic }
const address = { id: 'c', baseUrl: 'https://kyc.example.com' }
const value = { restore: async () => ({ kept: 'keychain' as const }) }

beforeEach(() => {
  monotonic = 0
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

it('gives a value back once, within its time', () => {
  const cleared = createClearedCredentials(clock)
  cleared.keep(address, 'api-key', value)
  expect(cleared.take(address, 'api-secret')).toBeUndefined()
  expect(cleared.take({ ...address, id: 'other' }, 'api-key')).toBeUndefined()
  monotonic = undoClearSeconds * 1000 - 1
  expect(cleared.take(address, 'api-key')).toBe(value)
  expect(cleared.take(address, 'api-key')).toBeUndefined()
})

it('drops it when its time is over, even if the timer is late', () => {
  const cleared = createClearedCredentials(clock)
  cleared.keep(address, 'api-key', value)
  monotonic = undoClearSeconds * 1000
  expect(cleared.take(address, 'api-key')).toBeUndefined()
  monotonic = 0
  cleared.keep(address, 'api-key', value)
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(undoClearSeconds * 1000)
  expect(cleared.take(address, 'api-key')).toBeUndefined()
  expect(vi.getTimerCount()).toBe(0)
})

it('never gives a value to another address, and drops it on request', () => {
  const cleared = createClearedCredentials(clock)
  cleared.keep(address, 'api-key', value)
  expect(cleared.take({ ...address, baseUrl: 'https://elsewhere.example.com' }, 'api-key')).toBeUndefined()
  expect(cleared.take(address, 'api-key')).toBeUndefined()
  for (const forget of [() => cleared.forget(), () => cleared.forget('c'), () => cleared.forget('c', 'api-key')]) {
    cleared.keep(address, 'api-key', value)
    forget()
    expect(cleared.take(address, 'api-key')).toBeUndefined()
  }
  cleared.keep(address, 'api-key', value)
  cleared.forget('c', 'api-secret')
  cleared.forget('other')
  expect(cleared.take(address, 'api-key')).toBe(value)
})
