/** The history's search: operators, phrases, and whatever somebody may type. */
import { describe, expect, it } from 'vitest'
import { readSearch, searchOperators } from '#contract/history/search-query.ts'

const nothing = { phrases: [], statuses: [], messages: [], batches: [], operators: [], faults: [] }
const read = (text: string) => readSearch(text)
const day = (year: number, month: number, date: number): number => new Date(year, month - 1, date).getTime()

describe('a search', () => {
  it('is one phrase without operators and quotation marks, as it stands', () => {
    expect(read('  photo  expired ')).toEqual({ ...nothing, phrases: ['photo expired'] })
    expect(read('https://files.example.com/a.jpg')).toEqual({
      ...nothing,
      phrases: ['https://files.example.com/a.jpg']
    })
    expect(read('{"a":1}')).toEqual({ ...nothing, phrases: ['{"a":1}'] })
    expect(read('12:30 address.town:x')).toEqual({ ...nothing, phrases: ['12:30 address.town:x'] })
    expect(read('')).toEqual(nothing)
    expect(readSearch(undefined)).toEqual(nothing)
  })

  it('has phrases in quotation marks, which are all needed', () => {
    expect(read('"photo expired" Celeste Muster "Vienna"')).toEqual({
      ...nothing,
      phrases: ['photo expired', 'Celeste Muster', 'Vienna']
    })
    expect(read('"status:404"')).toEqual({ ...nothing, phrases: ['status:404'] })
    expect(read('""')).toEqual(nothing)
  })

  it('has operators, in capitals or not, with values in quotation marks or without', () => {
    expect(
      read(
        'status:404 STATUS:500 message:"photo expired" batch:november by:"Jonas Berg" after:2026-10-31 before:2026-12-01 Celeste'
      )
    ).toEqual({
      ...nothing,
      phrases: ['Celeste'],
      statuses: [404, 500],
      messages: ['photo expired'],
      batches: ['november'],
      operators: ['Jonas Berg'],
      from: day(2026, 11, 1),
      until: day(2026, 12, 1)
    })
    expect(read('a before:2026-01-02 before:2025-01-02 b')).toMatchObject({
      phrases: ['a', 'b'],
      until: day(2025, 1, 2)
    })
  })

  it('explains what it does not know, and never leaves it out', () => {
    expect(read('colour:red').faults).toEqual([
      'There is no operator “colour:”. The operators are status:, message:, batch:, by:, before:, after:. To search for the text itself, put it in quotation marks.'
    ])
    expect(read('status:').faults).toEqual(['“status:” needs a value, such as status:404.'])
    expect(read('message:""').faults).toEqual(['“message:” needs a value, such as message:"photo expired".'])
    for (const value of ['4', '4040', '0404', '4O4', '-404', '４０４'])
      expect(read(`status:${value}`).faults, value).toEqual([
        `“status:${value}” is no HTTP status. It has three digits, such as status:404.`
      ])
    for (const value of [
      '2026-02-30',
      '2026-13-01',
      '2026-1-1',
      'yesterday',
      '01.11.2026',
      '0000-00-00',
      '1969-01-01T00'
    ])
      expect(read(`before:${value}`).faults, value).toEqual([
        `“before:${value}” is no date. Write the year, month and day, such as before:2026-11-01.`
      ])
    expect(read('status: 404').faults).toHaveLength(1)
    expect(read('"photo expired').faults).toEqual(['A quotation mark is not closed.'])
    expect(read('a:1 a:2 b:3').faults).toHaveLength(2)
  })

  it('reads whatever is typed, in time that grows with its length', () => {
    const hostile = [
      '"'.repeat(501),
      ':'.repeat(500),
      'status:'.repeat(71),
      `${'a'.repeat(499)}:`,
      `${' '.repeat(499)}"`,
      '\0\0"\0"',
      '\u202estatus:404',
      'message:"'.repeat(55),
      'constructor:1 __proto__:2 toString:3',
      '💥:"💥"',
      "NEAR(a b, 5) OR text MATCH '*' --",
      'a" OR "1"="1'
    ]
    for (const text of hostile) {
      const found = read(text)
      for (const list of ['phrases', 'messages', 'batches', 'operators', 'faults'] as const)
        expect(
          found[list].every((each) => typeof each === 'string' && each.trim() !== ''),
          `${text}: ${list}`
        ).toBe(true)
    }
    expect(read('constructor:1').faults[0]).toContain('“constructor:”')
    const before = process.cpuUsage()
    readSearch(`${'a '.repeat(50_000)}"`)
    readSearch(`${'"a" '.repeat(50_000)}`)
    expect(process.cpuUsage(before).user, 'microseconds of processor').toBeLessThan(1_000_000)
  })

  it('names every operator in its explanation', () => {
    const [fault = ''] = read('x:1').faults
    for (const name of searchOperators) expect(fault).toContain(`${name}:`)
  })
})
