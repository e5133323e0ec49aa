/** Sentences are whole: no view puts one together from a number and words, which no translation could follow. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  heldBatches,
  rowsToResolve,
  interpretationImpact,
  recordsPastRetention,
  sendAgainLabel,
  unmappedFields
} from '../../renderer/kit/count-words.ts'

const root = join(import.meta.dirname, '../../renderer')
const views = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.vue'))
/** A word that is chosen by a number, and a sentence that goes on after a number and its noun. */
const parts = [/=== 1 \?/, /\{\{ plural\([^}]*\}\} [a-z][^<{]*\./]
const faultsIn = (template: string): string[] => parts.flatMap((part) => part.exec(template)?.[0] ?? [])

describe('sentences in views', () => {
  it('are not put together from a number and words', () => {
    const found = views.flatMap((path) => {
      const text = readFileSync(join(root, path), 'utf8')
      return faultsIn(text.slice(text.indexOf('<template>'))).map((fault) => `${path}: ${fault}`)
    })
    expect(views.length).toBeGreaterThan(50)
    expect(found).toEqual([])
  })
  it.each([
    "<p>{{ plural(n, 'row') }} {{ n === 1 ? 'is' : 'are' }} held.</p>",
    "<p>{{ plural(n, 'row') }} will never be sent.</p>"
  ])('are found in %s', (template) => {
    expect(faultsIn(template)).toHaveLength(1)
  })
})

describe('sentences about numbers', () => {
  it('agree with their number', () => {
    expect([1, 2].map(heldBatches)).toEqual([
      '1 batch is held until you confirm.',
      '2 batches are held until you confirm.'
    ])
    expect([1, 2].map(rowsToResolve)).toEqual([
      '1 unknown row is to be resolved.',
      '2 unknown rows are to be resolved.'
    ])
    expect(recordsPastRetention(1)).toMatch(/^1 record permanently loses its /)
    expect(recordsPastRetention(1200)).toMatch(/^1,200 records permanently lose their /)
    expect([sendAgainLabel(1), sendAgainLabel(3)]).toEqual(['Send it again', 'Send 3 rows again'])
    expect(
      [interpretationImpact(0, true), interpretationImpact(1, true), interpretationImpact(2, false)].map(
        (text) => text.split(' this ')[0]
      )
    ).toEqual(['No other record has', '1 other record has', '2 records have'])
    expect(unmappedFields(['A', 'B', 'C'])).toContain('“A”, “B”, and “C”. No row can be sent until you choose them')
  })
})
