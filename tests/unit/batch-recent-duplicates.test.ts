/**
 * The count of recently answered rows: in chunks, with progress, ended when nobody waits. The real history: service
 * tests.
 */
import type { BatchReading } from '#contract/batches/batches.ts'
import { describe, expect, it } from 'vitest'
import { sentencesOf } from '#contract/failures/sentences.ts'
import type { VerificationInput } from '#contract/verification/verification.ts'
import { ok } from '#contract/failures/result.ts'
import { countRecentDuplicates, type RecentDuplicateParts } from '#core/batches/recent-duplicates.ts'
import { checkSource } from '#core/batches/reading/check.ts'
import { createLineIndex } from '#core/batches/reading/line-index.ts'
import { textSource } from '#core/batches/reading/source.ts'

const secret = 'c0ffee'.repeat(8)
async function parts(rows: readonly string[], more: Partial<RecentDuplicateParts> = {}) {
  const source = textSource('rows.csv', ['id_url', ...rows].join('\n'))
  const index = createLineIndex()
  const reading: BatchReading = { operations: ['validate-passport'] }
  const check = await checkSource(source, reading, '00000000-0000-4000-8000-000000000001', undefined, index.add)
  if (!check.ok) throw new Error(sentencesOf(check.failure).what)
  const asked: (readonly VerificationInput[])[] = []
  const seen: number[] = []
  const given: RecentDuplicateParts = {
    source,
    check: check.value,
    index,
    connectionId: 'c',
    since: 0,
    store: {
      recentDuplicates: async (_of, checks) => {
        asked.push(checks)
        return ok(checks.map(({ id_url }) => (id_url ?? '').endsWith('7')))
      }
    },
    over: () => false,
    onProgress: (row) => void seen.push(row),
    ...more
  }
  return { given, asked, seen }
}
const links = (count: number): string[] => Array.from({ length: count }, (_, at) => `https://files.example.com/${at}`)

describe('Recently answered rows', () => {
  it('are asked for some hundreds at a time, first ones and duplicates apart, invalid ones not at all', async () => {
    const { given, asked, seen } = await parts([
      ...links(1000),
      'no link',
      'https://files.example.com/17',
      'https://files.example.com/18'
    ])
    expect(await countRecentDuplicates(given)).toEqual(ok({ rows: 100, duplicates: 1 }))
    expect(asked.map(({ length }) => length)).toEqual([400, 400, 202])
    expect(seen).toEqual([400, 800])
  })

  it('are asked for as they would be stored: without the signatures of links', async () => {
    const { given, asked } = await parts([`https://b.s3.amazonaws.com/7?X-Amz-Signature=${secret}`])
    await countRecentDuplicates(given)
    expect(JSON.stringify(asked)).not.toContain(secret)
    expect(asked[0]?.[0]?.['id_url']).toContain('REMOVED')
  })

  it('are not counted to the end where nobody waits any more', async () => {
    const { given, asked } = await parts(links(2000), { over: () => asked.length === 2 })
    expect(await countRecentDuplicates(given)).toEqual(ok(null))
    expect(asked).toHaveLength(2)
  })
})
