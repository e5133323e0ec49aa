/**
 * Holds, erasure, retention and the recovery key through the console's router, with verifications by the practice
 * service.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isoDue, today } from '#contract/applicants/due-dates.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'

let workspace: TestConsole
let connectionId: string
beforeAll(async () => {
  workspace = await startTestConsole()
  connectionId = (await workspace.get('practice.start')).id
})
afterAll(() => workspace.dispose())

async function check(applicant: string): Promise<string> {
  const ending = await workspace.get('verification.run', {
    runId: crypto.randomUUID(),
    connectionId,
    operation: 'get-applicant-details',
    input: { applicant_id: applicant }
  })
  if (ending.kind !== 'recorded') throw new Error(ending.kind)
  return ending.record.id
}
const code = async (answer: Promise<{ ok: boolean; failure?: { code: string } }>): Promise<string | undefined> =>
  (await answer).failure?.code

test('an applicant is held, released and erased, with events in the audit trail', async () => {
  const gone = await check('ROUTER-1')
  await check('ROUTER-2')
  expect(await workspace.get('holds.place', { applicantId: 'ROUTER-1', reason: 'a case' })).toMatchObject([
    { applicantId: 'ROUTER-1', reason: 'a case' }
  ])
  const erase = () =>
    workspace.ask('erasure.run', { applicantId: 'ROUTER-1', confirmation: 'ROUTER-1', reason: 'asked for' })
  expect(await code(erase())).toBe('erasure-held')
  expect(await workspace.get('erasure.preview', { applicantId: 'ROUTER-1' })).toMatchObject({
    records: 1,
    hold: { reason: 'a case' }
  })
  expect(await workspace.get('holds.lift', { applicantId: 'ROUTER-1', reason: 'closed' })).toEqual([])
  const erased = await erase()
  expect(erased).toMatchObject({ ok: true, value: { records: 1, cause: 'request' } })
  expect(workspace.events.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['data-management-changed', 'history-changed'])
  )
  expect(await workspace.get('history.record', { id: gone })).toMatchObject({ erased: true, input: {} })
  expect((await workspace.get('applicants.list', { limit: 10 })).applicants.map(({ id }) => id)).toEqual(['ROUTER-2'])
  expect((await workspace.get('applicants.list', { limit: 10, search: 'ROUTER' })).applicants).toHaveLength(1)
  const { events } = await workspace.get('audit.page', { limit: 50, groups: ['erasure'] })
  expect(events.map(({ kind }) => kind)).toEqual(['subject.erased', 'hold.lifted', 'hold.placed'])
  expect(await workspace.get('audit.verify')).toMatchObject({ intact: true })
  expect(await workspace.get('erasure.receipts')).toHaveLength(1)
})

test('retention lists by its rules, and erases only what was shown', async () => {
  await workspace.get('settings.change', { retentionDays: { [connectionId]: 1 } })
  const { digest, ...plan } = await workspace.get('retention.plan')
  expect(plan).toMatchObject({ subjects: 0, records: 0 })
  expect(await code(workspace.ask('retention.run', { digest, reason: 'nothing' }))).toBe('retention-changed')
  expect(await code(workspace.ask('retention.run', { digest: '00'.repeat(32), reason: 'a guess' }))).toBe(
    'retention-changed'
  )
})

test('the recovery key is shown once and lies in no file and no log', async () => {
  const { history } = await workspace.get('app.state')
  const made = await workspace.ask('recovery.create')
  if (history.state !== 'ready' || history.kept === 'session')
    return expect(made).toMatchObject({ ok: false, failure: { code: 'history-not-on-file' } })
  if (!made.ok) throw new Error(sentencesOf(made.failure).what)
  const { createdAt } = made.value
  expect(await workspace.get('recovery.state')).toEqual({ exists: true, createdAt, confirmed: false })
  expect(await code(workspace.ask('recovery.confirm', { createdAt: createdAt - 1 }))).toBe('recovery-missing')
  expect(await workspace.get('recovery.state')).toMatchObject({ confirmed: false })
  expect(await workspace.get('recovery.confirm', { createdAt })).toEqual({ exists: true, createdAt, confirmed: true })
  expect(await workspace.get('recovery.state')).toMatchObject({ confirmed: true })
  expect(await code(workspace.ask('recovery.open', { key: 'AAAA' }))).toBe('recovery-key-wrong')
  expect(await workspace.get('recovery.open', { key: made.value.key })).toMatchObject({ state: 'ready' })
  expect(await readFile(join(workspace.dataFolder, 'history', 'recovery.sealed'), 'utf8')).not.toContain(
    made.value.key.slice(0, 9)
  )
  expect(JSON.stringify(workspace.events)).not.toContain(made.value.key)
})

test('retention erases nobody whom the confirmed list did not show, whatever the totals are', async () => {
  const day = 24 * 3_600_000
  await workspace.get('settings.change', { retentionDays: { [connectionId]: 1 } })
  await check('PAST-1')
  workspace.ahead = 2.5 * day
  await check('LATER-1')
  workspace.ahead = 3 * day
  const seen = await workspace.get('retention.plan')
  await workspace.get('holds.place', { applicantId: 'PAST-1', reason: 'a case' })
  workspace.ahead = 4 * day
  const now = await workspace.get('retention.plan')
  expect(now).toMatchObject({ subjects: seen.subjects, records: seen.records })
  expect(await code(workspace.ask('retention.run', { digest: seen.digest, reason: 'past its days' }))).toBe(
    'retention-changed'
  )
  expect(await workspace.get('retention.plan')).toMatchObject({ digest: now.digest })
  expect(await workspace.get('retention.run', { digest: now.digest, reason: 'past its days' })).toMatchObject({
    records: now.records,
    cause: 'retention'
  })
  expect((await workspace.get('applicants.list', { limit: 10 })).applicants.map(({ id }) => id)).toEqual(['PAST-1'])
})

test('retention by the relationship proposes who is past its years, and erases them', async () => {
  await check('ENDED-1')
  await check('ACTIVE-1')
  const relate = (applicantId: string, state: 'ended' | 'active') =>
    workspace.get('applicants.relate', { applicantId, state, on: '2015-02-01', note: '' })
  await relate('ENDED-1', 'ended')
  await relate('ACTIVE-1', 'active')
  await workspace.get('settings.change', { retentionFrom: 'relationship', retentionYears: 5 })
  const { digest, lines, undated } = await workspace.get('retention.plan')
  expect(
    lines.flatMap(({ applicantId, relationship }) => (applicantId ? [[applicantId, relationship?.on]] : []))
  ).toEqual([['ENDED-1', '2015-02-01']])
  // The one under the hold.
  expect(undated).toBe(1)
  await workspace.get('retention.run', { digest, reason: 'five years are over' })
  expect((await workspace.get('applicants.list', { limit: 10 })).applicants.map(({ id }) => id).toSorted()).toEqual([
    'ACTIVE-1',
    'PAST-1'
  ])
  expect(await code(workspace.ask('settings.change', { retentionYears: 0 }))).toBe('request-refused')
})

test('a hold may have a last day and a reference, which are sealed; past it, it still holds until it is lifted', async () => {
  const day = 24 * 3_600_000
  const place = (until?: string, reference?: string) =>
    workspace.ask('holds.place', {
      applicantId: 'ACTIVE-1',
      reason: 'an order',
      ...(until !== undefined && { until }),
      ...(reference !== undefined && { reference })
    })
  const dayIn = (days: number): string => isoDue(today(Date.now() + (workspace.ahead ?? 0) + days * day))
  for (const wrong of [dayIn(-1), dayIn(3660), '2026-02-30', '']) expect(await code(place(wrong)), wrong).toBeDefined()
  expect(await code(place(dayIn(-1)))).toBe('hold-until-invalid')
  expect(await place(dayIn(2), 'Court of Example 7 C 12/26')).toMatchObject({ ok: true })
  const [hold] = (await workspace.get('holds.list', { visit: crypto.randomUUID() })).filter(
    ({ applicantId }) => applicantId === 'ACTIVE-1'
  )
  expect(hold).toMatchObject({ until: dayIn(2), reference: 'Court of Example 7 C 12/26' })
  expect(JSON.stringify(await workspace.get('audit.page', { limit: 1, kinds: ['hold.placed'] }))).not.toContain(
    '7 C 12'
  )
  expect((await workspace.get('retention.plan')).passed).toEqual([])
  workspace.ahead = (workspace.ahead ?? 0) + 3 * day
  expect((await workspace.get('retention.plan')).passed).toMatchObject([{ applicantId: 'ACTIVE-1' }])
  expect(
    await code(workspace.ask('erasure.run', { applicantId: 'ACTIVE-1', confirmation: 'ACTIVE-1', reason: 'asked for' }))
  ).toBe('erasure-held')
  await workspace.get('holds.lift', { applicantId: 'ACTIVE-1', reason: 'the order is over' })
  expect((await workspace.get('retention.plan')).passed).toEqual([])
})
