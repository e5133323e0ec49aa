/** Nothing is restored from under a batch: not while a row is under way, not between two rows. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestConsole, type TestConsole } from './support/console.ts'

let desk: TestConsole
beforeEach(async () => {
  desk = await startTestConsole()
})
afterEach(() => desk.dispose())

test('a batch that waits for its next row keeps the history, and gives it free when it is paused', async ({ skip }) => {
  const { history } = await desk.get('app.state')
  if (history.state !== 'ready' || history.kept === 'sitting') return skip('no keychain for tests')
  const { id: connectionId } = await desk.get('practice.start')
  const backup = await desk.get('backups.make')
  const { checkId } = await desk.get('batches.checkText', { name: 'rows.csv', text: 'applicant_id\nA-1\nA-2\nA-3\n', reading: { operation: 'get-applicant-details' } })
  // One a minute: the first goes at once, and the batch then stands between two rows for the whole test.
  const { id } = await desk.get('batches.make', { checkId, connectionId, name: 'Slow', atOnce: 1, pace: 1, skipDuplicates: true, skipLately: true })
  await desk.get('batches.start', { id })
  await expect.poll(async () => (await desk.get('batches.show', { id })).counts).toMatchObject({ answered: 1, open: 0, waiting: 2 })
  expect(await desk.ask('backups.restore', { id: backup.id })).toMatchObject({ ok: false, failure: { code: 'restore-busy', what: 'No backup can be restored now: a batch is running.' } })
  expect((await desk.get('batches.show', { id })).state).toBe('running')
  await desk.get('batches.pause', { id })
  await expect.poll(async () => (await desk.get('batches.show', { id })).state).toBe('paused')
  expect(await desk.get('backups.restore', { id: backup.id })).toMatchObject({ history: { state: 'ready', recordsAtOpening: 0 } })
  expect(await desk.ask('batches.show', { id })).toMatchObject({ failure: { code: 'batch-missing' } })
})
