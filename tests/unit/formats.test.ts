/** Dates, times and numbers in several locales and time zones, as ISO 8601, and where the clocks change. */
import { afterEach, describe, expect, it } from 'vitest'
import { makeFormats, useFormats } from '../../renderer/kit/formats.ts'
import { dayStart, localDay, localTime } from '../../renderer/kit/time.ts'

const at = Date.UTC(2026, 10, 21, 14, 3, 22)
/** Spaces of several widths look alike. */
const plain = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ').replace(/[\u200e\u200f]/g, '')

describe('a moment', () => {
  it.each([
    ['en-US', 'Nov 21, 2026, 2:03:22 PM', 'Nov 21, 2026'],
    ['en-GB', '21 Nov 2026, 14:03:22', '21 Nov 2026'],
    ['de-DE', '21.11.2026, 14:03:22', '21.11.2026'],
    ['ja-JP', '2026/11/21 14:03:22', '2026/11/21'],
    ['ar-EG', '٢١/١١/٢٠٢٦، ٢:٠٣:٢٢ م', '٢١/١١/٢٠٢٦'],
    ['fa-IR', '۲۱ نوامبر ۲۰۲۶', undefined]
  ])('is written as in %s', (locale, time, date) => {
    const formats = makeFormats({ locale, timeZone: 'UTC', iso: false })
    if (date === undefined) expect(plain(formats.date(at))).toContain('۲۰۲۶')
    else expect([plain(formats.time(at)), plain(formats.date(at))]).toEqual([time, date])
  })
  it.each([
    ['UTC', '2026-11-21 14:03:22'],
    ['Asia/Kathmandu', '2026-11-21 19:48:22'],
    ['Pacific/Auckland', '2026-11-22 03:03:22'],
    ['America/New_York', '2026-11-21 09:03:22']
  ])('is ISO 8601 in %s on request, whatever the locale', (timeZone, text) => {
    for (const locale of ['en-US', 'ar-EG', 'th-TH']) {
      const formats = makeFormats({ locale, timeZone, iso: true })
      expect(formats.time(at)).toBe(text)
      expect(formats.time(at, 'short')).toBe(text.slice(0, 16))
      expect(formats.date(at)).toBe(text.slice(0, 10))
    }
  })
})

describe('where the clocks change', () => {
  const berlin = makeFormats({ locale: 'de-DE', timeZone: 'Europe/Berlin', iso: true })
  it('the hour that is skipped is not shown, and the one that comes twice is shown twice', () => {
    const [spring, autumn] = [Date.UTC(2026, 2, 29, 0, 59), Date.UTC(2026, 9, 25, 0, 30)]
    expect([berlin.clock(spring), berlin.clock(spring + 60_000)]).toEqual(['01:59', '03:00'])
    expect([berlin.clock(autumn), berlin.clock(autumn + 3_600_000)]).toEqual(['02:30', '02:30'])
    expect([berlin.offset(autumn), berlin.offset(autumn + 3_600_000)]).toEqual([7_200_000, 3_600_000])
  })
})

describe('numbers', () => {
  it.each([
    ['en-US', '1,234,567', '4.2'],
    ['de-DE', '1.234.567', '4,2'],
    ['ar-EG', '١٬٢٣٤٬٥٦٧', '٤٫٢'],
    ['fr-FR', '1 234 567', '4,2'],
    ['ja-JP', '1,234,567', '4.2']
  ])('are written as in %s', (locale, whole, decimal) => {
    const formats = makeFormats({ locale, iso: false })
    expect([plain(formats.number(1_234_567)), plain(formats.number(4.21, 1))]).toEqual([whole, decimal])
  })
})

describe('the settings', () => {
  const zone = process.env['TZ']
  afterEach(() => {
    useFormats({ dateFormat: 'system', timeZone: 'system' })
    if (zone === undefined) delete process.env['TZ']
    else process.env['TZ'] = zone
  })
  it('choose the day that a moment belongs to, and where it begins', () => {
    process.env['TZ'] = 'Pacific/Auckland'
    expect(localDay(at)).toBe('2026-11-22')
    expect(dayStart('2026-11-22')).toBe(Date.UTC(2026, 10, 21, 11))
    useFormats({ dateFormat: 'iso', timeZone: 'utc' })
    expect([localDay(at), localTime(at)]).toEqual(['2026-11-21', '2026-11-21 14:03:22'])
    expect(dayStart('2026-11-22')).toBe(Date.UTC(2026, 10, 22))
    expect(dayStart('2026-12-31', 1)).toBe(Date.UTC(2027, 0, 1))
  })
})
