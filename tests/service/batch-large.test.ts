/**
 * Files larger than memory should hold: read with bounded memory, and stopped at the limit.
 * @deadlines
 */
import { expect, test } from 'vitest'
import type { BatchReading } from '#contract/batches/batches.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { checkSource, openRows } from '#core/batches/reading/check.ts'

const details: BatchReading = { operations: ['get-applicant-details'] }
const checkId = '00000000-0000-4000-8000-000000000001'

test('more than a million rows stop the reading', { timeout: 60_000 }, async () => {
  let given = 0
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('applicant_id\n')
    const lines = Buffer.from('A-1\n'.repeat(16_384))
    for (; given < 200; given += 1) yield lines
  }
  const source = {
    name: 'endless.csv',
    open: async () => ({
      ok: true as const,
      value: { bytes: bytes(), digest: () => ({ bytes: 0, sha256: '' }), unchanged: async () => true }
    })
  }
  expect(await checkSource(source, details, checkId)).toMatchObject({ failure: { code: 'batch-too-many-rows' } })
  expect(given).toBeLessThan(80)
})

test('a file of 120 MB is read in bounded memory', { timeout: 60_000 }, async () => {
  const line = Buffer.from(`A-1,${'x'.repeat(2000)}\n`.repeat(30))
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('applicant_id,note\n')
    for (let sent = 0; sent < 120 * 1024 * 1024; sent += line.length) yield line
  }
  const source = {
    name: 'big.csv',
    open: async () => ({
      ok: true as const,
      value: { bytes: bytes(), digest: () => ({ bytes: 0, sha256: '' }), unchanged: async () => true }
    })
  }
  const opened = await openRows(source, details)
  if (!opened.ok) throw new Error(sentencesOf(opened.failure).what)
  const before = process.memoryUsage().rss
  let most = 0
  let rows = 0
  for await (const { row } of opened.value.rows()) {
    rows = row
    if (row % 5000 === 0) most = Math.max(most, process.memoryUsage().rss - before)
  }
  expect(rows).toBeGreaterThan(60_000)
  expect(most).toBeLessThan(100 * 1024 * 1024)
})
