/** What a person does is in the audit trail under that person's name, also where it once was not. */
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AuditEvent } from '#contract/audit.ts'
import { credentialIds } from '#contract/credentials.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'

let console: TestConsole
beforeEach(async () => {
  console = await startTestConsole()
})
afterEach(() => console.dispose())

/** Oldest first. */
const events = async (kind: string): Promise<AuditEvent[]> =>
  (await console.get('audit.page', { limit: 200 })).events.filter((event) => event.kind === kind).reverse()
const turns = async () => (await events('batch.changed')).map(({ words, operator, unnamed }) => [words, operator, unnamed])

async function checked(applicant = 'PRACTICE-pass'): Promise<string> {
  const { id: connectionId } = await console.get('practice.start')
  const input = { applicant_id: applicant }
  const ending = await console.get('verification.run', { runId: randomUUID(), connectionId, operation: 'get-applicant-details', input, repeatAnyway: true })
  if (ending.kind !== 'recorded') throw new Error(ending.kind)
  return ending.record.id
}

async function batchOf(ids: readonly string[], connectionId: string): Promise<string> {
  const { checkId } = await console.get('batches.checkText', { name: 'rows.csv', text: ['applicant_id', ...ids, ''].join('\n'), reading: { operation: 'get-applicant-details' } })
  return (await console.get('batches.create', { checkId, connectionId, name: 'Rows', atOnce: 1, pace: 0, skipDuplicates: true, skipRecent: false })).id
}
const standsAs = (id: string, state: string) => expect.poll(async () => (await console.get('batches.show', { id })).state, { timeout: 10_000 }).toBe(state)

async function liveConnection(): Promise<string> {
  const { connection } = await console.get('connections.save', { name: 'Real', baseUrl: console.practice.baseUrl, mode: 'live', colour: 'red', mark: 'LV' })
  for (const credential of credentialIds)
    await console.get('credentials.set', { connectionId: connection.id, credential, value: console.practice.credentials[credential] })
  return connection.id
}

test('who resolved an unknown outcome is in the audit trail and with the record', async () => {
  const id = await checked('PRACTICE-cut')
  const record = await console.get('history.resolve', { id, as: 'processed', note: 'asked by telephone' })
  expect(await events('record.settled')).toMatchObject([{ operator: 'tester', recordId: id }])
  expect(record.resolved).toMatchObject({ as: 'processed', operator: 'tester' })
})

test('who started, paused and cancelled a live batch is in the audit trail, and what Veridesk did by itself is nobody’s', async () => {
  const connection = await liveConnection()
  const id = await batchOf(['PRACTICE-slow-1', 'A-2'], connection)
  await console.get('batches.start', { id, confirmation: 'Real' })
  await console.get('batches.pause', { id })
  await standsAs(id, 'paused')
  await console.get('batches.start', { id, confirmation: 'Real' })
  await standsAs(id, 'finished')
  const other = await batchOf(['A-3'], connection)
  await console.get('batches.cancel', { id: other })
  expect(await turns()).toEqual([
    ['Batch started.', 'tester', undefined],
    ['Batch paused.', 'tester', undefined],
    ['Batch resumed.', 'tester', undefined],
    ['Batch finished.', undefined, undefined],
    ['Batch cancelled.', 'tester', undefined]
  ])
})

test('a running batch that is cancelled was cancelled by its operator', async () => {
  const id = await batchOf(['PRACTICE-slow-1', 'A-2'], (await console.get('practice.start')).id)
  await console.get('batches.start', { id })
  await console.get('batches.cancel', { id })
  await standsAs(id, 'cancelled')
  expect((await turns()).at(-1)).toEqual(['Batch cancelled.', 'tester', undefined])
})

test('a batch that is run again was made by who did that, not by who made the first', async ({ skip }) => {
  const id = await batchOf(['PRACTICE-400'], (await console.get('practice.start')).id)
  await console.get('batches.start', { id })
  await standsAs(id, 'finished')
  await console.close()
  console = await startTestConsole(console, 'another')
  const { history } = await console.get('app.state')
  skip(history.state !== 'ready' || history.kept === 'session', 'no keychain here, so nothing outlives the session; the runner provides one')
  await console.get('batches.again', { id })
  expect((await events('batch.made')).map(({ operator }) => operator)).toEqual(['tester', 'another'])
})

test('who resolved the unknown rows of a batch is in the audit trail', async () => {
  const id = await batchOf(['PRACTICE-cut'], (await console.get('practice.start')).id)
  await console.get('batches.start', { id })
  await standsAs(id, 'finished')
  await console.get('batches.resolve', { id, as: 'again' })
  expect(await events('record.settled')).toMatchObject([{ operator: 'tester' }])
  expect((await turns()).at(-1)).toEqual(['Batch paused.', 'tester', undefined])
})
