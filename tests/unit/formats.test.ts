/** Dates, times and numbers in several locales and time zones, as ISO 8601, and where the clocks change. */
import { afterEach, describe, expect, it } from 'vitest'
import { makeFormats, useFormats } from '../../renderer/kit/formats.ts'
import { bytesInWords } from '../../renderer/kit/text.ts'
import { dayStart, localDay, localTime, span } from '../../renderer/kit/time.ts'

const at = Date.UTC(2026, 10, 21, 14, 3, 22)
/** Spaces of several widths look alike. */
const plain = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ').replace(/[\u200e\u200f]/g, '')

describe('a moment', () => {
  it.each([
    ['en-US', 'Nov 21, 2026, 2:03:22 PM', 'Nov 21, 2026'],
    ['en-GB', '21 Nov 2026, 14:03:22', '21 Nov 2026'],
    ['de-DE', '21.11.2026, 14:03:22', '21.11.2026'],
    ['de-DE-u-nu-arab', '21.11.2026, 14:03:22', '21.11.2026'],
    ['ja-JP', 'Nov 21, 2026, 14:03:22', 'Nov 21, 2026'],
    ['ar-EG', 'Nov 21, 2026, 2:03:22 PM', 'Nov 21, 2026'],
    ['hi-IN', '21 Nov 2026, 2:03:22 pm', '21 Nov 2026']
  ])('is written as in %s', (locale, time, date) => {
    const formats = makeFormats({ locale, timeZone: 'UTC', iso: false })
    expect([plain(formats.time(at)), plain(formats.date(at))]).toEqual([time, date])
  })
  it('stands in a sentence of the window’s language: no format has letters or digits of another script', () => {
    for (const locale of [
      'ar-EG',
      'fa-IR',
      'hi-IN-u-nu-deva',
      'bn-BD',
      'mr-IN',
      'th-TH',
      'my-MM',
      'zh-CN',
      'ru-RU',
      'en-u-nu-arab'
    ]) {
      const {
        choice: _,
        parts: __,
        offset: ___,
        locale: used,
        money,
        number,
        ...dates
      } = makeFormats({ locale, iso: false })
      const written = [
        ...Object.values(dates).map((format) => format(at)),
        money(1.5, 'EUR'),
        number(12.5),
        number(12.5, 1)
      ]
      expect(written).toHaveLength(10)
      for (const text of written) expect(text).toMatch(/^[\p{Script=Latin}\p{Script=Common}]+$/u)
      for (const text of written) expect(text).not.toMatch(/(?![0-9])\p{Nd}/u)
      expect(used).toMatch(/-u-nu-latn$/)
    }
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

it('a span of one time is that time', () => {
  expect(span('Nov 26, 2026', 'Nov 26, 2026')).toBe('Nov 26, 2026')
  expect(span('Nov 26, 2026', 'Nov 27, 2026')).toBe('Nov 26, 2026 – Nov 27, 2026')
})

describe('numbers', () => {
  it.each([
    ['en-US', '1,234,567', '4.2'],
    ['de-DE', '1.234.567', '4,2'],
    ['ar-EG', '1,234,567', '4.2'],
    ['hi-IN', '12,34,567', '4.2'],
    ['fr-FR', '1 234 567', '4,2'],
    ['ja-JP', '1,234,567', '4.2']
  ])('are written as in %s', (locale, whole, decimal) => {
    const formats = makeFormats({ locale, iso: false })
    expect([plain(formats.number(1_234_567)), plain(formats.number(4.21, 1))]).toEqual([whole, decimal])
    expect(formats.number(21.243, 0)).toBe('21')
  })
  it('of bytes have at most one decimal', () =>
    expect([900, 1500, 21_753, 2_202_010, 21_753_000].map(bytesInWords)).toEqual([
      '900 B',
      '1.5 KiB',
      '21 KiB',
      '2.1 MiB',
      '21 MiB'
    ]))
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
