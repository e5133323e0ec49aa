import { describe, expect, it } from 'vitest'
import { filterOf, narrows, queryOf, sendable } from '../../renderer/features/history/filters.ts'
import { jsonPieces } from '../../renderer/kit/json-pieces.ts'
import { allBranches, findInTree, openAtFirst, openFor, parseBody, treeLines } from '../../renderer/kit/json-tree.ts'
import { oneLine, visible } from '#contract/text/hidden-text.ts'
import { bytesInWords } from '../../renderer/kit/text.ts'
import { dayStart, duration, localDay } from '../../renderer/kit/time.ts'

describe('text of others', () => {
  it('shows what would hide or reorder', () => {
    expect(visible('a\u202eb\u0007c\u200bd\u007f')).toBe('a⟨U+202E⟩b␇c⟨U+200B⟩d␡')
    expect(visible('line one\r\nline two\tend')).toBe('line one\nline two\tend')
    expect(oneLine('  line one\n\n line two ')).toBe('line one line two')
  })

  it('leaves other scripts as they are', () => {
    for (const text of ['Żółć', 'محمد', '李小龍', '👩‍🔬'.replace('\u200d', '')]) expect(visible(text)).toBe(text)
  })
})

describe('numbers and times', () => {
  it('says sizes and durations in words', () => {
    expect([0, 1023, 1536, 1_048_576].map(bytesInWords)).toEqual(['0 B', '1,023 B', '1.5 KiB', '1.0 MiB'])
    expect([0.4, 312, 4210, 125_000].map(duration)).toEqual(['0 ms', '312 ms', '4.2 s', '2 min 05 s'])
  })

  it('takes a local day from its first to its last moment', () => {
    const start = dayStart('2026-11-21') as number
    expect(localDay(start)).toBe('2026-11-21')
    expect(localDay(start - 1)).toBe('2026-11-20')
    expect(localDay((dayStart('2026-11-21', 1) as number) - 1)).toBe('2026-11-21')
    expect(dayStart('21/11/2026')).toBeUndefined()
  })
})

describe('the filter in the address', () => {
  it('is restored unchanged', () => {
    const filter = {
      search: 'APP, 1',
      operations: ['validate-passport' as const],
      states: ['unknown' as const, 'open' as const],
      statuses: [200, 503],
      connections: ['c1'],
      from: 1000,
      until: 2000,
      unresolved: true
    }
    expect(filterOf(queryOf(filter) as Record<string, string>)).toEqual(filter)
    expect(queryOf({})).toEqual({})
  })

  it('ignores anything that is not a filter', () => {
    expect(
      filterOf({ operation: 'drop-table', outcome: 'verified', status: '9,abc', from: '-1', unresolved: 'yes' })
    ).toEqual({})
  })

  it('sends a search of any length, so that one without an answer leaves nothing', () => {
    expect(sendable({ search: '  ' })).toEqual({})
    expect(narrows({ search: '  ' })).toBe(false)
    expect(sendable({ search: ' ab ' })).toEqual({ search: 'ab' })
    expect(narrows({ search: 'ab' })).toBe(true)
    expect(sendable({ search: ' abc ', statuses: [200] })).toEqual({ search: 'abc', statuses: [200] })
  })
})

describe('a body as a tree', () => {
  it('walks open branches only', () => {
    const body = parseBody('{"message":"m","a":{"b":{"c":[1,2]}},"empty":{}}')
    expect(treeLines(body, new Set()).map((line) => line.name)).toEqual(['message', 'a', 'empty'])
    const open = treeLines(body, new Set(['/a', '/a/b']))
    expect(open.map((line) => `${line.depth} ${line.name} ${line.text}`)).toEqual([
      '0 message m',
      '0 a 1 field',
      '1 b 1 field',
      '2 c 2 items',
      '0 empty 0 fields'
    ])
    expect(open.at(-1)?.open).toBeUndefined()
  })

  it('survives a depth of 100,000 and keeps every digit', () => {
    const deep = parseBody(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)
    expect(treeLines(deep, openAtFirst(deep)).length).toBeGreaterThan(0)
    expect(treeLines(parseBody('{"n":12345678901234567890}'), new Set())[0]?.text).toBe('12345678901234567890')
    expect(parseBody('{broken')).toBeUndefined()
  })

  it('opens little of a large body at first', () => {
    const large = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, { a: 1, b: 2 }]))
    expect(openAtFirst(large).size).toBe(0)
    expect(openAtFirst({ message: 'm', applicant: { name: 'n' } })).toEqual(new Set(['/applicant']))
  })
})

describe('a body as text', () => {
  const body = '{"message":"a \\"quoted, {odd}\\" text","n":[1,-2.5e3],"none":{},"no":null}'
  it('is indented without a change to its values, each with its kind', () => {
    const pieces = jsonPieces(body, true)
    const text = pieces.map((piece) => piece.text).join('')
    expect(text.split('\n')).toHaveLength(9)
    expect(JSON.parse(text)).toEqual(JSON.parse(body))
    expect(pieces.filter(({ kind }) => kind === 'name').map((piece) => piece.text)).toEqual([
      '"message"',
      '"n"',
      '"none"',
      '"no"'
    ])
    expect(pieces.filter(({ kind }) => kind === 'number').map((piece) => piece.text)).toEqual(['1', '-2.5e3'])
  })
  it('stays as it came if it is no JSON, or too deep', () => {
    expect(jsonPieces('<p>{no}', false)).toEqual([{ kind: 'plain', text: '<p>{no}' }])
    const deep = `${'['.repeat(200)}${']'.repeat(200)}`
    expect(jsonPieces(deep, true)).toEqual([{ kind: 'plain', text: deep }])
  })
  it('is searched in closed branches as well', () => {
    const tree = { a: { b: { c: 'Müller' } }, list: ['mueller'] }
    expect(findInTree(tree, 'muller')).toContain('/a/b/c')
    expect([...openFor(new Set(), '/a/b/c')]).toEqual(['/a', '/a/b'])
    expect([...allBranches(tree)].sort()).toEqual(['/a', '/a/b', '/list'])
    expect(findInTree(tree, '')).toEqual([])
  })
})
