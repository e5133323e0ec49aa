/** One table says what a verification's end means; each status and each outcome has its row. */
import { describe, expect, test } from 'vitest'
import { operations } from '#contract/verification/operations.ts'
import { isTechnicalStatus } from '#contract/evidence/rule.ts'
import {
  namedField,
  nextSteps,
  nextStepOf,
  outcomeTitle,
  takesAgainAt,
  type Ended
} from '#contract/verification/next-steps.ts'

const answered = (status: number, message = 'm'): Ended => ({ state: 'answered', status, message })
const busy = (headers: [string, string][], startedAt = 1000): Ended => ({
  ...answered(429),
  startedAt,
  took: 500,
  reply: { status: 429, headers }
})

describe('the next step', () => {
  test('follows from every status from 100 to 599, with a message and without', () => {
    const expected = (status: number, said: boolean): string | undefined => {
      if (status === 401) return 'credentials-refused'
      if (status === 403) return 'access-refused'
      if (status === 405 || (status === 404 && !said)) return 'operation-unknown'
      if (status === 400 || status === 422) return 'request-faulty'
      if (status === 429) return 'busy'
      if (status === 408 || status >= 500) return 'service-failed'
      return undefined
    }
    for (let status = 100; status < 600; status += 1)
      for (const message of ['Not found.', ' '])
        expect(nextStepOf(answered(status, message))?.id, `${status} “${message}”`).toBe(
          expected(status, message !== ' ')
        )
  })

  test('is the status’s for a page of a gateway, and the outcome’s otherwise', () => {
    expect(nextStepOf({ state: 'invalid-response', status: 502 })?.id).toBe('service-failed')
    expect(nextStepOf({ state: 'invalid-response', status: 404 })?.id).toBe('operation-unknown')
    for (const status of [200, 302, 400, 422])
      expect(nextStepOf({ state: 'invalid-response', status })?.id, String(status)).toBe('invalid-response')
    expect(nextStepOf({ state: 'not-sent' })?.id).toBe('not-sent')
    expect(nextStepOf({ state: 'unknown', status: 200 })?.id).toBe('unknown')
    expect(nextStepOf({ state: 'open' })).toBeUndefined()
  })

  test('stands in the place of an answer only where the answer is no evidence', () => {
    for (let status = 100; status < 600; status += 1) {
      const step = nextStepOf(answered(status))
      if (step && !step.beside) expect(isTechnicalStatus(status), String(status)).toBe(true)
      if (step?.beside) expect(isTechnicalStatus(status), String(status)).toBe(false)
    }
  })

  test('has a title of its own and a first button; one that waits says how long', () => {
    for (const { id, title, impact, nextStep, first } of nextSteps) {
      expect(title.length, id).toBeGreaterThan(5)
      expect(
        [impact, nextStep].some((sentence) => sentence.includes('{wait}')),
        id
      ).toBe(first === 'wait')
    }
  })
})

describe('a wait that the service asks for', () => {
  test('ends when it says, in seconds or as a date by its own clock', () => {
    expect(takesAgainAt(busy([['Retry-After', '30']]))).toBe(31_500)
    const dates: [string, string][] = [
      ['date', 'Thu, 01 Jan 2026 00:00:00 GMT'],
      ['retry-after', 'Thu, 01 Jan 2026 00:00:20 GMT']
    ]
    expect(takesAgainAt(busy(dates))).toBe(21_500)
    expect(nextStepOf(busy([['Retry-After', '30']]))?.first).toBe('wait')
  })

  test('is none if it is absent, unreadable or longer than a day', () => {
    for (const headers of [[], [['Retry-After', 'soon']], [['Retry-After', '1e12']]] as [string, string][][])
      expect(nextStepOf(busy(headers))?.id).toBe('busy')
  })
})

test('lists show the same title and tone', () => {
  expect(outcomeTitle({ ...answered(401), state: 'answered' })).toMatchObject({
    title: 'Credentials not accepted',
    tone: 'danger'
  })
  expect(outcomeTitle({ state: 'answered', status: 422, message: 'm' })).toEqual({ title: 'Answered', tone: 'warning' })
  expect(outcomeTitle({ state: 'answered', status: 404, message: 'Applicant not found.' })).toEqual({
    title: 'Answered',
    tone: 'neutral'
  })
  expect(outcomeTitle({ state: 'unknown' }).title).toBe('Unknown outcome')
})

test('a message names the field that it is about', () => {
  expect(namedField('validate-applicant-documents', 'id_document_url must be a URL')?.name).toBe('id_document_url')
  expect(namedField('validate-passport', 'The Passport URL is not reachable')?.name).toBe('id_url')
  for (const { id } of operations) expect(namedField(id, 'No.')).toBeUndefined()
})
