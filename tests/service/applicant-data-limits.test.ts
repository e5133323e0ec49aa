/** *Data of the applicant* beyond its limits: refused by what is recorded, before a copy is opened. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { applicantDataLimits, readApplicantData } from '#core/exports/applicant-data.ts'
import { openHistory, type OpenHistory } from '#core/history/open.ts'
import { answer, clock, intentOf, secretsInMemory } from './history-fixtures.ts'
import { launchWorkers } from './support/workers.ts'

const field = 'document_url'
const body = 'é'.repeat(500)
const mebibyte = 1024 ** 2
let folder: string
let store: OpenHistory
let opened: string[]

const valueOf = <Value>(answered: Result<Value, Failure>): Value => {
  if (!answered.ok) throw new Error(sentencesOf(answered.failure).what)
  return answered.value
}
beforeEach(async () => {
  opened = []
  folder = mkdtempSync(join(tmpdir(), 'veridesk-applicant-data-'))
  const options = { folder: join(folder, 'history'), secrets: secretsInMemory(), launch: launchWorkers, clock }
  store = valueOf(await openHistory({ ...options, kept: 'session' })).store
  await asked(['a', 'b'])
  await asked(['b'])
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A request with an answer of 1000 bytes; its documents have 20 MiB each, as it is recorded. */
async function asked(documents: readonly string[]): Promise<void> {
  const { under } = valueOf(await store.documents.keys('APP-1'))
  const kept = documents.map((of) => {
    const sha256 = of.repeat(64)
    return { field, type: 'jpeg' as const, bytes: 20 * mebibyte, sha256, name: sha256 }
  })
  const { id } = valueOf(
    await store.begin({ ...intentOf({ applicant: 'APP-1' }), copies: { under, kept, missed: [] } })
  )
  valueOf(await store.finish(id, answer('', 200, body)))
}
const read = (limits?: { readonly copies?: number; readonly answers?: number }) =>
  readApplicantData(store, 'APP-1', {
    copy: async (_record, _field, sha256) => {
      opened.push(sha256.slice(0, 1))
      return { ok: false, failure: { code: 'document-copy-unusable', details: { reason: 'missing' } } }
    },
    ...(limits && { limits: { ...applicantDataLimits, ...limits } })
  })
const refused = (reason: string, limitBytes: number) => ({
  ok: false,
  failure: { code: 'applicant-data-too-large', details: { reason, limitBytes } }
})

it('counts each document once as it is recorded, and opens none beyond the limit', async () => {
  const limit = 40 * mebibyte
  expect(await read({ copies: limit - 1 })).toMatchObject(refused('copies', limit - 1))
  expect(opened).toEqual([])
  expect(await read({ copies: limit })).toMatchObject({ ok: true, value: { copies: 3, unreadable: 3, bytes: 0 } })
  expect(opened).toEqual(['a', 'b', 'b'])
})

it('counts the bytes of all answers', async () => {
  expect(await read({ answers: 1999 })).toMatchObject(refused('answers', 1999))
  expect(opened).toEqual([])
  expect(await read({ answers: 2000 })).toMatchObject({ ok: true, value: { answers: 2 } })
  const failed = await read({ answers: 1999 })
  if (failed.ok) throw new Error('not refused')
  expect(sentencesOf(failed.failure).what).toContain('the answers have more than')
})
