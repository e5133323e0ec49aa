import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { differences, maxDifferences } from '#contract/history/difference.ts'

const depth = 100_000
const nested = (leaf: string): unknown => JSON.parse(`${'['.repeat(depth)}${leaf}${']'.repeat(depth)}`)

describe('what changed since the last answer', () => {
  it('tells additions, removals and changes in the order of the document', () => {
    const before = { 'message': 'ok', 'applicant': { name: 'A', old: null, tags: ['x', 'y'] }, 'first name': 1 }
    const after = { 'message': 'no', 'applicant': { name: 'A', tags: ['x', 'z', 'w'], fresh: true }, 'first name': 2 }
    expect(differences(before, after)).toEqual([
      { path: 'message', kind: 'changed', before: 'ok', after: 'no' },
      { path: 'applicant.old', kind: 'removed', before: null },
      { path: 'applicant.tags[1]', kind: 'changed', before: 'y', after: 'z' },
      { path: 'applicant.tags[2]', kind: 'added', after: 'w' },
      { path: 'applicant.fresh', kind: 'added', after: true },
      { path: '["first name"]', kind: 'changed', before: 1, after: 2 }
    ])
  })

  it.each([
    [{ a: 1 }, [1]],
    [[], {}],
    [null, {}],
    ['1', 1],
    [0, false]
  ])('a change of kind is one change: %j to %j', (before, after) => {
    expect(differences(before, after)).toEqual([{ path: '', kind: 'changed', before, after }])
  })

  it('finds nothing between equal values, and something between unequal ones', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const [one, other] = [JSON.stringify(a), JSON.stringify(b)]
        expect(differences(JSON.parse(one), JSON.parse(one))).toEqual([])
        if (!Object.is(a, b) && sorted(JSON.parse(one)) !== sorted(JSON.parse(other)))
          expect(differences(JSON.parse(one), JSON.parse(other))).not.toEqual([])
      })
    )
  })

  it('treats names such as __proto__ and constructor as data', () => {
    const before: unknown = JSON.parse('{"__proto__":{"a":1}}')
    expect(differences(before, {})).toEqual([{ path: '__proto__', kind: 'removed', before: { a: 1 } }])
    expect(differences({}, JSON.parse('{"constructor":1,"toString":2}'))).toHaveLength(2)
  })

  it('walks 100,000 levels, and stops at its limit', () => {
    const [found] = differences(nested('1'), nested('2'))
    expect(found).toMatchObject({ kind: 'changed', before: 1, after: 2 })
    expect(
      differences({}, Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`n${index}`, 1])))
    ).toHaveLength(maxDifferences)
  })
})

/** A canonical text: names sorted at every level. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner
  )
}
