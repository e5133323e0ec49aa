/** docs/accessibility.md: each criterion of WCAG 2.2 at A and AA once, and each named test exists. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { criteria, type Criterion } from '../../scripts/accessibility-page.ts'

const specs = join(import.meta.dirname, '..', 'app')

function faultsOf(all: readonly Criterion[]): string[] {
  return all.flatMap(({ id, result, tried, remark }) => [
    ...tried.flatMap(([file, title]) => {
      const path = join(specs, `${file}.spec.ts`)
      if (!existsSync(path)) return [`${id} names ${file}, which does not exist`]
      return readFileSync(path, 'utf8').includes(title)
        ? []
        : [`${id} names “${title}”, which ${file} does not contain`]
    }),
    ...(result === 'supports' && tried.length === 0 ? [`${id} is said to be supported, and was not tried`] : []),
    ...(result !== 'supports' && result !== 'not evaluated' && remark === undefined ? [`${id} does not say why`] : [])
  ])
}

describe('the accessibility report', () => {
  it('names tests that exist, and says nothing is supported that was not tried', () => {
    expect(faultsOf(criteria)).toEqual([])
    const [first] = criteria
    if (!first) throw new Error('no criteria')
    expect(faultsOf([{ ...first, tried: [['accessibility', 'a test that is not there']] }])).toHaveLength(1)
    expect(faultsOf([{ ...first, result: 'supports', tried: [] }])).toHaveLength(1)
  })
  it('has all criteria at A and AA, in order', () => {
    expect(criteria.filter(({ level }) => level === 'A')).toHaveLength(31)
    expect(criteria.filter(({ level }) => level === 'AA')).toHaveLength(24)
    const ids = criteria.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual(ids.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })))
  })
})
