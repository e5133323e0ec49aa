import { describe, expect, test } from 'vitest'
import { failure, type FailureCode } from '#contract/failures/failures.ts'
import type { RecordEnding } from '#contract/history/records.ts'
import { askedWait } from '#contract/verification/retry-after.ts'
import { createBreaker, isServiceProblem } from '#core/batches/breaker.ts'
import { createPace, createRate, secondsLeft } from '#core/batches/pace.ts'
import { createSeenInputs } from '#core/batches/reading/digests.ts'
import { decide, jitter, maxAskedWait, maxTries } from '#core/batches/retry.ts'

const day = 86_400_000
const now = Date.UTC(2026, 10, 21)
const answered = (status: number, headers: Record<string, string> = {}): RecordEnding => ({
  outcome: 'answered',
  endedAt: now,
  message: 'm',
  reply: { status, statusText: '', headers: Object.entries(headers), body: '{}', bytes: 2, truncated: false }
})
const notSent = (code: FailureCode): RecordEnding => ({ outcome: 'not-sent', endedAt: now, failure: failure(code) })
const unknown: RecordEnding = { outcome: 'unknown', endedAt: now, failure: failure('total-timeout', { seconds: 30 }) }
const asked = (value: string, more: Record<string, string> = {}) =>
  askedWait(answered(429, { 'Retry-After': value, ...more }).reply, now)

describe('what a service asks for', () => {
  test('in seconds, and as a date against its own clock', () => {
    expect(asked('7')).toBe(7000)
    expect(asked('Sat, 21 Nov 2026 00:00:30 GMT')).toBe(30_000)
    const wrongClock = { Date: new Date(now + day).toUTCString() }
    expect(asked(new Date(now + day + 9000).toUTCString(), wrongClock)).toBe(9000)
  })
  test('is nothing where it says nothing that can be read, or of another status', () => {
    expect(asked('')).toBeUndefined()
    expect(asked('soon')).toBeUndefined()
    expect(asked('-5')).toBe(0)
    expect(askedWait(answered(200, { 'retry-after': '7' }).reply, now)).toBeUndefined()
  })
})

describe('a second try', () => {
  const rules = { tries: 1, retryBusy: true, random: 1, now }
  test('never comes once a byte may have left, whatever the setting', () => {
    for (const ending of [
      unknown,
      answered(200),
      answered(400),
      answered(500),
      answered(502),
      { ...unknown, outcome: 'invalid-response' as const }
    ])
      expect(decide(ending, rules)).toEqual({ kind: 'done' })
  })
  test('comes where the way to the service failed, and not where trying again cannot help', () => {
    for (const code of ['connection-refused', 'connect-timeout', 'name-not-found', 'proxy-failed'] as const)
      expect(decide(notSent(code), { ...rules, retryBusy: false })).toMatchObject({ kind: 'again' })
    for (const code of ['tls-failed', 'credentials-missing', 'cancelled-before-sending'] as const)
      expect(decide(notSent(code), rules)).toEqual({ kind: 'done' })
  })
  test('comes on 429 and 503 where the setting allows, after what was asked, never earlier', () => {
    for (const status of [429, 503]) {
      expect(decide(answered(status), { ...rules, retryBusy: false })).toEqual({ kind: 'done' })
      expect(decide(answered(status, { 'retry-after': '20' }), { ...rules, random: 0 })).toEqual({
        kind: 'again',
        after: 20_000
      })
    }
    for (const long of ['1e12', String(maxAskedWait / 1000 + 1), new Date(now + day).toUTCString()])
      expect(decide(answered(429, { 'retry-after': long }), rules)).toEqual({ kind: 'done' })
  })
  test('comes at most five times in all, with full and bounded jitter', () => {
    expect(decide(notSent('connection-refused'), { ...rules, tries: maxTries })).toEqual({ kind: 'done' })
    expect(jitter(1, 0)).toBe(0)
    expect([1, 2, 3, 4].map((tries) => jitter(tries, 1))).toEqual([500, 1000, 2000, 4000])
    expect(jitter(50, 1)).toBe(30_000)
  })
})

describe('the breaker', () => {
  test('counts what speaks of the service or the way to it', () => {
    for (const ending of [
      unknown,
      notSent('connection-refused'),
      answered(401),
      answered(403),
      answered(429),
      answered(500)
    ])
      expect(isServiceProblem(ending)).toBe(true)
    for (const ending of [answered(200), answered(400), answered(404)]) expect(isServiceProblem(ending)).toBe(false)
  })
  test('stops at ten in succession, and not where an answer comes between', () => {
    const breaker = createBreaker()
    for (let count = 0; count < 9; count += 1) expect(breaker(answered(500))).toBeUndefined()
    expect(breaker(answered(200))).toBeUndefined()
    for (let count = 0; count < 9; count += 1) expect(breaker(answered(401))).toBeUndefined()
    expect(breaker(answered(401))).toMatchObject({ code: 'batch-stopped', details: { reason: 'status', status: 401 } })
  })
})

describe('pace and rate', () => {
  test('spread requests over the minute and save none up', () => {
    const pace = createPace(60)
    expect(pace.wait(0)).toBe(0)
    pace.leave(0)
    expect(pace.wait(400)).toBe(600)
    pace.leave(10_000)
    expect(pace.wait(10_000)).toBe(1000)
  })
  test('hold for as long as was asked, by a clock that only goes forward', () => {
    const pace = createPace(0)
    pace.hold(100, 5000)
    pace.hold(100, 1000)
    expect(pace.wait(2100)).toBe(3000)
    expect(pace.held(6000)).toBe(0)
  })
  test('tell how long rows still take, never less than their pace allows', () => {
    expect(secondsLeft(58, 2, 0)).toBe(29)
    expect(secondsLeft(58, 2, 12)).toBe(290)
    expect(secondsLeft(58, 0.1, 12)).toBeCloseTo(580)
    expect(secondsLeft(0, 2, 12)).toBe(0)
  })
  test('tell rows a second, the latest weighing most', () => {
    const rate = createRate(0)
    expect(rate.perSecond(1000)).toBeUndefined()
    for (let count = 0; count < 50; count += 1) rate.note()
    expect(rate.perSecond(2000)).toBe(50)
    const slower = rate.perSecond(4000)
    expect(slower).toBeLessThan(50)
    expect(slower).toBeGreaterThan(0)
  })
})

test('inputs seen before are known again among a hundred thousand', () => {
  const inputs = createSeenInputs()
  for (let n = 0; n < 100_000; n += 1)
    if (inputs.firstWith({ applicant_id: `A-${n}` }, n + 2) !== undefined) throw new Error(`A-${n} is new`)
  for (let n = 0; n < 100_000; n += 997) expect(inputs.firstWith({ applicant_id: `A-${n}` }, 1)).toBe(n + 2)
})
