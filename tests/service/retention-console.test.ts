/** Holds, erasure, retention and the recovery key through the console's own door, with checks of the practice service. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestConsole, type TestConsole } from './support/console.ts'

let desk: TestConsole
let connectionId: string
beforeAll(async () => {
  desk = await startTestConsole()
  connectionId = (await desk.get('practice.start')).id
})
afterAll(() => desk.dispose())

async function check(applicant: string): Promise<string> {
  const ending = await desk.get('verification.run', { runId: crypto.randomUUID(), connectionId, operation: 'get-applicant-details', input: { applicant_id: applicant } })
  if (ending.kind !== 'recorded') throw new Error(ending.kind)
  return ending.record.id
}
const code = async (answer: Promise<{ ok: boolean; failure?: { code: string } }>): Promise<string | undefined> => (await answer).failure?.code

test('an applicant is held, released and erased, and the audit trail says so', async () => {
  const gone = await check('DOOR-1')
  await check('DOOR-2')
  expect(await desk.get('holds.place', { applicantId: 'DOOR-1', reason: 'a case' })).toMatchObject([{ applicantId: 'DOOR-1', reason: 'a case' }])
  const erase = () => desk.ask('erasure.run', { applicantId: 'DOOR-1', confirmation: 'DOOR-1', reason: 'asked for' })
  expect(await code(erase())).toBe('erasure-held')
  expect(await desk.get('erasure.preview', { applicantId: 'DOOR-1' })).toMatchObject({ records: 1, hold: { reason: 'a case' } })
  expect(await desk.get('holds.lift', { applicantId: 'DOOR-1', reason: 'closed' })).toEqual([])
  const erased = await erase()
  expect(erased).toMatchObject({ ok: true, value: { records: 1, cause: 'request' } })
  expect(desk.events.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['keeping-changed', 'history-changed']))
  expect(await desk.get('history.record', { id: gone })).toMatchObject({ erased: true, input: {} })
  expect((await desk.get('applicants.list', { limit: 10 })).applicants.map(({ id }) => id)).toEqual(['DOOR-2'])
  expect((await desk.get('applicants.list', { limit: 10, search: 'DOOR' })).applicants).toHaveLength(1)
  const { events } = await desk.get('audit.page', { limit: 50, groups: ['erasure'] })
  expect(events.map(({ kind }) => kind)).toEqual(['subject.erased', 'hold.lifted', 'hold.placed'])
  expect(await desk.get('audit.verify')).toMatchObject({ intact: true })
  expect(await desk.get('erasure.receipts')).toHaveLength(1)
})

test('retention lists by its rules, and runs only what was seen', async () => {
  await desk.get('settings.change', { retentionDays: { [connectionId]: 1 } })
  expect(await desk.get('retention.plan')).toMatchObject({ subjects: 0, records: 0 })
  expect(await code(desk.ask('retention.run', { subjects: 0, records: 0, reason: 'nothing' }))).toBe('retention-changed')
  expect(await code(desk.ask('retention.run', { subjects: 5, records: 9, reason: 'a guess' }))).toBe('retention-changed')
})

test('the recovery key is shown once and lies in no file and no log', async () => {
  const { history } = await desk.get('app.state')
  const made = await desk.ask('recovery.create')
  if (history.state !== 'ready' || history.kept === 'sitting') return expect(made).toMatchObject({ ok: false, failure: { code: 'keeping-not-on-file' } })
  if (!made.ok) throw new Error(made.failure.what)
  const { createdAt } = made.value
  expect(await desk.get('recovery.state')).toEqual({ exists: true, createdAt, confirmed: false })
  expect(await code(desk.ask('recovery.confirm', { createdAt: createdAt - 1 }))).toBe('recovery-missing')
  expect(await desk.get('recovery.state')).toMatchObject({ confirmed: false })
  expect(await desk.get('recovery.confirm', { createdAt })).toEqual({ exists: true, createdAt, confirmed: true })
  expect(await desk.get('recovery.state')).toMatchObject({ confirmed: true })
  expect(await code(desk.ask('recovery.open', { key: 'AAAA' }))).toBe('recovery-key-wrong')
  expect(await desk.get('recovery.open', { key: made.value.key })).toMatchObject({ state: 'ready' })
  expect(await readFile(join(desk.dataFolder, 'history', 'recovery.sealed'), 'utf8')).not.toContain(made.value.key.slice(0, 9))
  expect(JSON.stringify(desk.events)).not.toContain(made.value.key)
})
