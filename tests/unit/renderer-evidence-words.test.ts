/** Countersigners in the window: each whose fingerprint was typed must agree, or a sentence names it. */
import { describe, expect, test } from 'vitest'
import type { Countersignature } from '#contract/evidence/evidence.ts'
import { inGroups, missingCountersigners } from '../../renderer/features/evidence/evidence-words.ts'

const [first, second] = ['a1'.repeat(32), 'b2'.repeat(32)] as const
const said = (key: string, agrees: boolean, at = 1): Countersignature => ({
  by: 'second.person',
  key,
  at,
  agrees,
  note: ''
})

describe('countersigners that were typed', () => {
  test('are named if they did not countersign or do not agree', () => {
    expect(missingCountersigners('', [said(first, false)])).toEqual([])
    expect(missingCountersigners(`${inGroups(first).toUpperCase()}\n\n`, [said(first, true)])).toEqual([])
    expect(missingCountersigners(`${first}\n${second}`, [said(first, true)])).toEqual([
      `The key ${inGroups(second)} did not countersign.`
    ])
    expect(missingCountersigners(first, [said(first, true), said(first, false, 2)])).toEqual([
      `The key ${inGroups(first)} does not agree.`
    ])
    expect(missingCountersigners(first, [said(first, false), said(first, true, 2)])).toEqual([])
    expect(missingCountersigners(first, [said(first, true), said(first, false)])).toEqual([
      `The key ${inGroups(first)} does not agree.`
    ])
  })

  test('must be fingerprints', () => {
    expect(missingCountersigners(first.slice(1), [said(first, true)])).toEqual([
      expect.stringContaining('Not a fingerprint')
    ])
  })
})
