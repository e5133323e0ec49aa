/** A batch of a restored history, and a repeated request: nothing is sent again before a person has confirmed it. */
import { randomUUID } from 'node:crypto'
import { ask, expect, test } from './fixtures/workspace.ts'
import { inspect } from './fixtures/axe.ts'
import { begin, idsCsv, lookup, newBatch } from './fixtures/batch.ts'
import { BatchPage } from './pages/batches.ts'
import { goTo } from './pages/go.ts'
import { DataManagementPage } from './pages/records.ts'
import { VerifyPage } from './pages/verify.ts'

test('rows sent after the backup are unknown, reported where it matters, and held until confirmed', async ({
  workspace,
  practice
}) => {
  test.skip(!workspace.keyring, 'needs a keyring for tests')
  const page = await begin(workspace, practice)
  const batch = await (await newBatch(page, idsCsv(4))).kept()
  const dataManagement = new DataManagementPage(page)
  await dataManagement.open()
  await dataManagement.makeBackup.click()
  await expect(dataManagement.backups).toHaveCount(1)
  const [kept] = await ask(page, 'batches.list', { limit: 1 })
  if (!kept) throw new Error('there is no batch')
  await goTo(page, `/batches/${kept.id}`, kept.name)
  await batch.start.click()
  await expect(batch.state).toHaveText('Finished')
  const { settings } = await ask(page, 'app.state')
  const check = {
    connectionId: settings.lastConnection,
    operation: lookup.id,
    input: { applicant_id: 'ALONE-1' }
  } as const
  await ask(page, 'verification.run', { runId: randomUUID(), ...check })
  expect(practice.ledger()).toHaveLength(5)

  await dataManagement.open()
  await dataManagement.backups.getByRole('button', { name: /^Restore/ }).click()
  const dialog = dataManagement.dialog('Restore this backup?')
  const left =
    'Recorded after the backup, and only in the files that are set aside: 5 verifications and 1 batch that was made or changed.'
  await expect(dialog).toContainText(left)
  await dialog.getByLabel(/Type restore/).fill('restore')
  await dialog.getByRole('button', { name: 'Restore' }).click()
  const note = page.getByRole('status', { name: 'Restored' })
  await expect(note).toContainText(left)
  await expect(note).toContainText('Sent after that backup: 5 requests.')
  await expect(note).toContainText('1 batch is held until you confirm. 4 unknown rows are to be resolved.')
  await inspect(page, 'data management, restored')

  await goTo(page, `/batches/${kept.id}`, kept.name)
  const held = new BatchPage(page)
  await expect(held.state).toHaveText('Held after a restore')
  await expect(held.reason).toContainText('4 of its rows were sent since then')
  await expect(held.start).toBeDisabled()
  await expect(held.unknown).toBeVisible()
  await inspect(page, 'batch, held')
  expect(practice.ledger()).toHaveLength(5)

  // A person resolves the rows, and confirms the batch separately.
  await held.unknown.getByRole('button', { name: 'Resolve 4 rows' }).click()
  await page.getByRole('dialog').getByRole('button', { name: /again/ }).click()
  await expect(held.start).toBeEnabled()
  await held.start.click()
  await expect(page.getByRole('dialog')).toContainText('restored from a backup')
  await held.confirm(/^(Resume|Start)/)
  await expect(held.state).toHaveText('Finished')
  expect(practice.ledger()).toHaveLength(9)

  const verify = new VerifyPage(page)
  await verify.open(lookup.id)
  await verify.run(lookup.id, check.input)
  const guard = verify.result.getByRole('region', { name: 'May have been sent already' })
  await expect(guard).toContainText('Already sent')
  await inspect(page, 'verify, may have been sent')
  expect(practice.ledger()).toHaveLength(9)
  await guard.getByRole('button', { name: 'Send anyway' }).click()
  await expect(verify.record.status).toContainText('200')
  expect(practice.ledger()).toHaveLength(10)
})
