/** A due date is a date of the calendar: set in one time zone, it is the same day in every other. */
import { afterEach, describe, expect, it } from 'vitest'
import { dayLength, dueOfIso, isoDue, today } from '#contract/applicants/due-dates.ts'
import { dueDraftSchema } from '#contract/applicants/queue.ts'
import { dueDate, dueDay, dueWords, isOverdue } from '../../renderer/features/applicants/applicant-words.ts'
import { useFormats } from '../../renderer/kit/formats.ts'

const here = process.env['TZ']
afterEach(() => {
  if (here === undefined) delete process.env['TZ']
  else process.env['TZ'] = here
})
const zones = ['America/Los_Angeles', 'UTC', 'Asia/Kolkata', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Africa/Cairo']

describe.each(zones)('in %s', (zone) => {
  it.each(['system', 'utc'] as const)('the first of December is the first of December, times by %s', (timeZone) => {
    process.env['TZ'] = zone
    useFormats({ dateFormat: 'iso', timeZone })
    const due = dueOfIso('2026-12-01') as number
    expect(due).toBe(Date.UTC(2026, 11, 1))
    expect([isoDue(due), dueDay(due), dueDate(due)]).toEqual(['2026-12-01', '2026-12-01', '2026-12-01'])
    expect(dueDraftSchema.safeParse({ applicantId: 'APP-1', due }).success).toBe(true)
  })

  it('the whole day is left, and the next begins it overdue', () => {
    process.env['TZ'] = zone
    useFormats({ dateFormat: 'iso', timeZone: 'system' })
    const due = dueOfIso('2026-12-01') as number
    const [first, last, after] = [new Date(2026, 11, 1), new Date(2026, 11, 1, 23, 59, 59, 999), new Date(2026, 11, 2)]
    for (const moment of [first, last]) {
      expect(today(moment.getTime())).toBe(due)
      expect(isOverdue(due, moment.getTime())).toBe(false)
      expect(dueWords(due, moment.getTime())).toBe('Due today')
    }
    expect(today(after.getTime())).toBe(due + dayLength)
    expect(isOverdue(due, after.getTime())).toBe(true)
    expect(dueWords(due, after.getTime())).toContain('2026-12-01')
  })
})

it.each(['2026-02-29', '2026-13-01', '26-12-01', '2026-12-1', '1969-12-31', '', 'tomorrow'])('%s is no date', (text) =>
  expect(dueOfIso(text)).toBeUndefined()
)
it('a moment within a day is refused', () =>
  expect(dueDraftSchema.safeParse({ applicantId: 'APP-1', due: Date.UTC(2026, 11, 1, 12) }).success).toBe(false))
