/** Days in date fields: what is a day, which ones are allowed, and the calendar that they are of. */
import { describe, expect, it } from 'vitest'
import { dayFrom, dayOf, gregorian, isAllowedDay } from '../../renderer/kit/days.ts'

describe('days', () => {
  it('are read from an address or a field, and nothing else is a day', () => {
    expect(dayOf('2028-02-29')?.toString()).toBe('2028-02-29')
    for (const text of [undefined, '', '2026-02-29', '2026-13-01', '2026-1-1', 'today', '2026-11-21T10:00'])
      expect(dayOf(text)).toBeUndefined()
  })
  it('need a year of four digits, since each typed digit makes another year', () => {
    for (const year of [2, 20, 203]) expect(isAllowedDay(dayFrom({ year, month: 1, day: 1 }), {})).toBe(false)
    expect(isAllowedDay(dayFrom({ year: 2031, month: 1, day: 1 }), {})).toBe(true)
  })
  it('are within their limits, both included', () => {
    const limits = { min: '2026-11-21', max: '2026-11-30' }
    const allowed = ['2026-11-20', '2026-11-21', '2026-11-30', '2026-12-01'].map((text) =>
      isAllowedDay(dayOf(text)!, limits)
    )
    expect(allowed).toEqual([false, true, true, false])
  })
  it.each([['th-TH'], ['fa-IR'], ['ar-SA'], ['ja-JP-u-ca-japanese']])('are Gregorian in %s too', (locale) => {
    expect(new Intl.DateTimeFormat(gregorian(locale)).resolvedOptions().calendar).toBe('gregory')
  })
  it('are written in English if the locale is not one', () => {
    expect(gregorian('not a locale')).toBe('en-u-ca-gregory')
  })
})
