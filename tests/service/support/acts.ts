/** What a person does at a console, for tests that need it done. */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { credentialIds } from '#contract/connections/credentials.ts'
import type { TestConsole } from './console.ts'

/** One check that was recorded; its record's id. */
export async function checked(console: TestConsole, applicant = 'PRACTICE-pass'): Promise<string> {
  const { id: connectionId } = await console.get('practice.start')
  const input = { applicant_id: applicant }
  const ending = await console.get('verification.run', {
    runId: randomUUID(),
    connectionId,
    operation: 'get-applicant-details',
    input,
    repeatAnyway: true
  })
  if (ending.kind !== 'recorded') throw new Error(ending.kind)
  return ending.record.id
}

/** Rows that were read and checked; the id of the check. */
export const readRows = async (console: TestConsole, ids: readonly string[]): Promise<string> =>
  (
    await console.get('batches.checkText', {
      name: 'rows.csv',
      text: ['applicant_id', ...ids, ''].join('\n'),
      reading: { operations: ['get-applicant-details'] }
    })
  ).checkId

/** A batch that was not started. */
export async function batchOf(console: TestConsole, ids: readonly string[], connectionId?: string): Promise<string> {
  const checkId = await readRows(console, ids)
  const connection = connectionId ?? (await console.get('practice.start')).id
  const order = {
    checkId,
    connectionId: connection,
    name: 'Rows',
    atOnce: 1,
    pace: 0,
    skipDuplicates: true,
    skipRecent: false,
    another: true
  }
  return (await console.get('batches.create', order)).id
}
export const standsAs = (console: TestConsole, id: string, state: string) =>
  expect.poll(async () => (await console.get('batches.show', { id })).state, { timeout: 10_000 }).toBe(state)

/** A batch that ran to its end. */
export async function batchThatRan(console: TestConsole, ids: readonly string[]): Promise<string> {
  const id = await batchOf(console, ids)
  await console.get('batches.start', { id })
  await standsAs(console, id, 'finished')
  return id
}

/** A live connection to the practice service, with its credentials. */
export async function liveConnection(console: TestConsole): Promise<string> {
  const { connection } = await console.get('connections.save', {
    name: 'Real',
    baseUrl: console.practice.baseUrl,
    mode: 'live',
    colour: 'red',
    mark: 'LV'
  })
  for (const credential of credentialIds)
    await console.get('credentials.set', {
      connectionId: connection.id,
      credential,
      value: console.practice.credentials[credential]
    })
  return connection.id
}

/** Whether what the console records outlives it; it does with a keychain. */
export async function lasts(console: TestConsole): Promise<boolean> {
  const { history } = await console.get('app.state')
  return history.state === 'ready' && history.kept === 'file'
}
