/** Scheduled backups in a complete core: recorded in the audit trail, and reported to every window if they fail. */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Failure } from '#contract/failures/failures.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'

let workspace: TestConsole
beforeEach(async () => {
  workspace = await startTestConsole()
})
afterEach(() => workspace.dispose())

/** A busy computer may need longer for a backup than a poll usually waits. */
const made = { timeout: 15_000 }

const notices = (): readonly Failure[] =>
  workspace.events.flatMap((event) => (event.kind === 'state-changed' ? [event.state.notices] : [])).at(-1) ?? []

test('a backup whose time has come is made, noted and told where it fails', async ({ skip }) => {
  const { history } = await workspace.get('app.state')
  if (history.state !== 'ready' || history.kept === 'session') return skip('no keychain for tests')
  const connection = await workspace.get('practice.start')
  await workspace.get('verification.run', {
    runId: crypto.randomUUID(),
    connectionId: connection.id,
    operation: 'get-applicant-details',
    input: { applicant_id: 'A-1' }
  })
  await writeFile(join(workspace.dataFolder, 'backups'), 'a file in the place of the folder')
  // A new schedule is tested at once.
  await workspace.get('settings.change', { backupHours: 12 })
  await expect.poll(() => notices().map(({ code }) => code), made).toEqual(['backup-by-schedule-failed'])
  expect((await workspace.get('backups.list')).lastFailure).toEqual(notices()[0])
  await rm(join(workspace.dataFolder, 'backups'))
  await workspace.get('settings.change', { backupHours: 6 })
  await expect.poll(async () => (await workspace.get('backups.list')).backups.length, made).toBe(1)
  await expect.poll(() => notices(), made).toEqual([])
  await workspace.get('backups.create')
  const { events } = await workspace.get('audit.page', { limit: 10, groups: ['exports'] })
  expect(events.map(({ words }) => words)).toEqual([
    'Export (backup, files) with 1 entry saved.',
    'Export (backup, files) with 1 entry saved by schedule.'
  ])
})
