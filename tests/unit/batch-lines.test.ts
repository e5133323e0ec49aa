/** The lines of a checked file by kind, before anything is sent. */
import { expect, test } from 'vitest'
import type { BatchReading } from '#contract/batches/batches.ts'
import { lineKinds, type LineKind } from '#contract/batches/lines.ts'
import { checkedLines } from '#core/batches/lines.ts'
import { checkSource } from '#core/batches/reading/check.ts'
import { createLineIndex } from '#core/batches/reading/line-index.ts'
import { textSource } from '#core/batches/reading/source.ts'

const checkId = '00000000-0000-4000-8000-000000000001'
const text = ['applicant_id;note', 'A-1;x', ' ;gap', '', 'A-2;y', 'A-1;again', 'A-3', ' A-4;space', 'x;y;z'].join('\n')

async function linesOf(more: Partial<BatchReading> = {}) {
  const source = textSource('rows.csv', text)
  const index = createLineIndex()
  const reading: BatchReading = { operations: ['get-applicant-details'], ...more }
  const checked = await checkSource(source, reading, checkId, undefined, index.add)
  if (!checked.ok) throw new Error(checked.failure.code)
  const { value: check } = checked
  async function page(kinds?: LineKind[], offset = 0, limit = 100) {
    const answer = await checkedLines({ source, check, index }, { checkId, offset, limit, ...(kinds && { kinds }) })
    if (!answer.ok) throw new Error(answer.failure.code)
    return answer.value
  }
  return { check, index, page }
}

test('are numbered as in the file, and each is of one kind; the kinds add up', async () => {
  const { check, index, page } = await linesOf()
  index.setRecent([2])
  const all = await page()
  expect(all.rows.map(({ row, kind }) => [row, kind])).toEqual([
    [2, 'valid'],
    [3, 'invalid'],
    [5, 'recently-answered'],
    [6, 'duplicate'],
    [7, 'valid'],
    [8, 'invalid'],
    [9, 'invalid']
  ])
  const totals = await Promise.all(lineKinds.map(async (kind) => (await page([kind])).total))
  expect(totals).toEqual([2, check.invalid, check.duplicates, 1])
  expect(all.total).toBe(check.rows)
  expect(all.rows[3]).toMatchObject({ sameAs: 2, cells: ['A-1', 'again'] })
  expect(all.rows[5]).toMatchObject({ cells: [' A-4', 'space'], faults: [{ column: 'applicant_id', cell: ' A-4' }] })
})

test('come in pages of several kinds, and the next invalid one is found from any of them', async () => {
  const { index, page } = await linesOf()
  const some = await page(['invalid', 'duplicate'], 1, 2)
  expect(some.total).toBe(4)
  expect(some.rows.map(({ row }) => row)).toEqual([6, 8])
  expect([-1, 1, 4, 6].map((after) => index.nextInvalid(undefined, after))).toEqual([1, 5, 5, 1])
  expect(index.nextInvalid(['valid'], 0)).toBeNull()
})

test('that a person skips are never sent, and corrected ones stay among the invalid', async () => {
  const { check, page } = await linesOf({
    skipped: [{ row: 2 }, { row: 9 }],
    corrections: [{ row: 8, column: 0, value: 'A-4' }]
  })
  expect(check).toMatchObject({ invalid: 3, good: 4, duplicates: 0 })
  const invalid = await page(['invalid'])
  expect(invalid.rows.map(({ row, kind, faults }) => [row, kind, faults[0]?.fault.code])).toEqual([
    [2, 'invalid', 'row-skipped'],
    [3, 'invalid', 'applicant-id-missing'],
    [8, 'valid', undefined],
    [9, 'invalid', 'row-skipped']
  ])
})
