/** The list of batches: its orders, its search and its pages. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BatchSort, BatchSummary } from '#contract/batches/batches.ts'
import { startPracticeService, type PracticeService } from '#practice/service.ts'
import { makeApplicantBatch, openGround, type Ground } from '../../scripts/batch-ground.ts'

let folder: string
let practice: PracticeService
let ground: Ground
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'veridesk-batch-list-'))
  practice = await startPracticeService()
  ground = await openGround({
    folder: join(folder, 'history'),
    masterKey: '0123456789abcdef'.repeat(4),
    baseUrl: practice.baseUrl
  })
})
afterEach(async () => {
  await ground.close()
  await practice.close()
  rmSync(folder, { recursive: true, force: true })
})
const ids = (count: number, prefix = 'APP'): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index + 1}`)

describe('the list', () => {
  it('is newest first, found by name and by file, a page at a time', async () => {
    const made = [
      await makeApplicantBatch(ground, ids(1)),
      await makeApplicantBatch(ground, ids(2)),
      await makeApplicantBatch(ground, ids(3))
    ]
    const page = async (query: { search?: string; after?: string }) => {
      const list = await ground.batches.list({ limit: 2, ...query })
      return list.ok ? list.value : []
    }
    const first = await page({})
    expect(first.map(({ id }) => id)).toEqual([made[2], made[1]])
    expect((await page({ after: first[1]!.id })).map(({ id }) => id)).toEqual([made[0]])
    expect((await page({ search: first[0]!.name.toUpperCase() })).map(({ id }) => id)).toEqual([made[2]])
    expect(await page({ search: 'no such batch' })).toEqual([])
  })

  it('is in any order of its columns, both ways, across pages', async () => {
    const answered = await makeApplicantBatch(ground, ids(3))
    const waiting = await makeApplicantBatch(ground, ids(2, 'WAIT'))
    const failing = await makeApplicantBatch(ground, ['PRACTICE-html', 'PRACTICE-html.2', 'PRACTICE-404'])
    for (const id of [answered, failing]) {
      expect(await ground.batches.start(id)).toMatchObject({ ok: true })
      await ground.batches.ended(id)
    }
    const inOrder = async (by: BatchSort, reversed = false): Promise<(string | undefined)[]> => {
      const found: BatchSummary[] = []
      for (;;) {
        const list = await ground.batches.list({
          limit: 1,
          order: { by, ...(reversed && { reversed }) },
          ...(found.length > 0 && { after: found.at(-1)!.id })
        })
        if (!list.ok || list.value.length === 0)
          return found.map(({ id }) => ({ [answered]: 'answered', [waiting]: 'waiting', [failing]: 'failing' })[id])
        found.push(...list.value)
      }
    }
    expect(await inOrder('created')).toEqual(['answered', 'waiting', 'failing'])
    expect(await inOrder('created', true)).toEqual(['failing', 'waiting', 'answered'])
    // Equal ones: newest first.
    expect(await inOrder('rows')).toEqual(['waiting', 'failing', 'answered'])
    expect(await inOrder('rows', true)).toEqual(['failing', 'answered', 'waiting'])
    expect(await inOrder('answered', true)).toEqual(['answered', 'failing', 'waiting'])
    expect(await inOrder('invalid-response', true)).toEqual(['failing', 'waiting', 'answered'])
    expect(await inOrder('state')).toEqual(['waiting', 'failing', 'answered'])
    // One that has not ended comes last, both ways.
    expect(await inOrder('ended')).toEqual(['answered', 'failing', 'waiting'])
    expect(await inOrder('ended', true)).toEqual(['failing', 'answered', 'waiting'])
  })
})
