/** No restore while a batch is running: neither during a row nor between two rows. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestConsole, type TestConsole } from './support/console.ts'

let workspace: TestConsole
beforeEach(async () => {
  workspace = await startTestConsole()
})
afterEach(() => workspace.dispose())

test('a batch that waits for its next row holds the history, and releases it when paused', async ({ skip }) => {
  const { history } = await workspace.get('app.state')
  if (history.state !== 'ready' || history.kept === 'session') return skip('no keychain for tests')
  const { id: connectionId } = await workspace.get('practice.start')
  const backup = await workspace.get('backups.create')
  const { checkId } = await workspace.get('batches.checkText', {
    name: 'rows.csv',
    text: 'applicant_id\nA-1\nA-2\nA-3\n',
    reading: { operations: ['get-applicant-details'] }
  })
  // One per minute: the first is sent at once, and the batch then waits between two rows for the whole test.
  const { id } = await workspace.get('batches.create', {
    checkId,
    connectionId,
    name: 'Slow',
    atOnce: 1,
    pace: 1,
    skipDuplicates: true,
    skipRecent: true
  })
  await workspace.get('batches.start', { id })
  await expect
    .poll(async () => (await workspace.get('batches.show', { id })).counts)
    .toMatchObject({ answered: 1, open: 0, waiting: 2 })
  expect(await workspace.ask('backups.restore', { id: backup.id })).toMatchObject({
    ok: false,
    failure: { code: 'restore-busy', details: { reason: 'batch' } }
  })
  expect((await workspace.get('batches.show', { id })).state).toBe('running')
  await workspace.get('batches.pause', { id })
  await expect.poll(async () => (await workspace.get('batches.show', { id })).state).toBe('paused')
  expect(await workspace.get('backups.restore', { id: backup.id })).toMatchObject({
    history: { state: 'ready', recordsAtOpening: 0 }
  })
  expect(await workspace.ask('batches.show', { id })).toMatchObject({ failure: { code: 'batch-missing' } })
})
