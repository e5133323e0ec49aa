/** Data management in the real window: backups, the recovery key, retention, holds, erasure, exports. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { parse } from 'csv-parse/sync'
import { ask, expect, test, usePractice, useService } from './fixtures/workspace.ts'
import { inspect } from './fixtures/axe.ts'
import { savedFile, savesInto } from './fixtures/files.ts'
import { withoutHistoryKey } from './fixtures/history.ts'
import { ApplicantPage } from './pages/applicants.ts'
import { HistoryPage } from './pages/history.ts'
import { DataManagementPage } from './pages/records.ts'
import { Shell } from './pages/shell.ts'
import { goTo } from './pages/go.ts'
import { choose } from './pages/fields.ts'

async function look(page: Page, applicant_id: string): Promise<void> {
  const { settings } = await ask(page, 'app.state')
  await ask(page, 'verification.run', {
    runId: randomUUID(),
    connectionId: settings.lastConnection,
    operation: 'get-applicant-details',
    input: { applicant_id }
  })
}

test('a backup is created, verified and restored with a typed confirmation', async ({ workspace }) => {
  test.skip(!workspace.keyring, 'needs a keyring for tests')
  const page = await workspace.open()
  await usePractice(page)
  await look(page, 'APP-1')
  const dataManagement = new DataManagementPage(page)
  await dataManagement.open()
  await dataManagement.makeBackup.click()
  await expect(dataManagement.backups).toHaveCount(1)
  await expect(dataManagement.backups).toContainText('1 record')
  await inspect(page, 'data-management')
  await dataManagement.backups.getByRole('button', { name: /^Verify/ }).click()
  await expect(new Shell(page).message).toContainText('The backup is valid.')
  await look(page, 'APP-2')
  await dataManagement.backups.getByRole('button', { name: /^Restore/ }).click()
  const dialog = dataManagement.dialog('Restore this backup?')
  await expect(dialog.getByRole('button', { name: 'Restore' })).toBeDisabled()
  await dialog.getByLabel(/Type restore/).fill('restore')
  await dialog.getByRole('button', { name: 'Restore' }).click()
  await expect(new Shell(page).message).toContainText('Restored.')
  const history = new HistoryPage(page)
  await history.open()
  await expect(history.total).toHaveText('1 record')
})

test('a recovery key is confirmed by its last characters, and opens the history when the keychain has lost its own', async ({
  workspace,
  dataFolder
}) => {
  test.skip(!workspace.keyring, 'needs a keyring for tests')
  const page = await workspace.open()
  await usePractice(page)
  await look(page, 'APP-1')
  const dataManagement = new DataManagementPage(page)
  await dataManagement.open()
  await expect(dataManagement.recovery).toContainText('There is no recovery key.')
  const key = await dataManagement.createRecoveryKey()
  expect(key).toMatch(/^[0-9A-Z]{4}(-[0-9A-Z]{4}){13}$/)
  await expect(dataManagement.recovery).toContainText('There is a recovery key')
  await workspace.close()
  if (workspace.keyring) await withoutHistoryKey(workspace.keyring, dataFolder)
  const again = await workspace.open()
  const history = new HistoryPage(again)
  await expect(new Shell(again).heading).toBeVisible()
  await history.open()
  const form = again.getByRole('form', { name: 'Open with recovery key' })
  await form.getByLabel('Recovery key').fill(`${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`)
  await form.getByRole('button', { name: 'Open with recovery key' }).click()
  await expect(form.getByRole('group', { name: 'Key not accepted' })).toBeVisible()
  await inspect(again, 'a refused recovery key')
  await form.getByLabel('Recovery key').fill(key.toLowerCase())
  await form.getByRole('button', { name: 'Open with recovery key' }).click()
  await expect(history.row(1)).toBeVisible()
})

test('an unconfirmed recovery key is reported as such', async ({ workspace }) => {
  test.skip(!workspace.keyring, 'needs a keyring for tests')
  const page = await workspace.open()
  await usePractice(page)
  const dataManagement = new DataManagementPage(page)
  await dataManagement.open()
  await dataManagement.recovery.getByRole('button', { name: 'Create recovery key' }).click()
  await expect(dataManagement.recoveryDialog).toBeVisible()
  // An accidental click outside the dialog does not close what is shown only once.
  await page.mouse.click(5, 5)
  await expect(dataManagement.recoveryDialog).toBeVisible()
  // Escape asks first, from the keyboard alone.
  await page.keyboard.press('Escape')
  await expect(dataManagement.recoveryDialog.getByRole('alert')).toContainText('not shown again')
  await expect(dataManagement.recoveryDialog.getByRole('button', { name: 'Back' })).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(dataManagement.recoveryDialog).toHaveCount(0)
  await expect(dataManagement.recovery).toContainText('no copy has been confirmed')
  // It is reported on every view, and in each session until a copy is confirmed.
  await new HistoryPage(page).open()
  await dataManagement.open()
  await expect(dataManagement.recovery).toContainText('no copy has been confirmed')
  await inspect(page, 'a recovery key without a copy')
  const again = new DataManagementPage(await workspace.again())
  await again.open()
  await expect(again.recovery).toContainText('no copy has been confirmed')
})

test('a hold prevents erasure; after an erasure only the receipt is left', async ({ workspace, home }) => {
  const page = await workspace.open()
  await savesInto(workspace.session(), home)
  await usePractice(page)
  await look(page, 'APP-1')
  await look(page, 'APP-2')
  const applicant = new ApplicantPage(page)
  await applicant.open('APP-1')
  await applicant.more('Legal hold or erasure')
  const dataManagement = new DataManagementPage(page)
  await expect(dataManagement.applicantId).toHaveValue('APP-1')
  await dataManagement.button('Place legal hold').click()
  await dataManagement.dialog('Place legal hold?').getByLabel('Reason').fill('Court order')
  await dataManagement.dialog('Place legal hold?').getByRole('button', { name: 'Place hold' }).click()
  await expect(dataManagement.holds).toContainText('Court order')
  // The case says it, and who looked at it is in its timeline, among all and alone.
  await applicant.open('APP-1')
  await expect(page.getByTestId('hold')).toHaveText(/^Legal hold since .+, by .+: Court order$/)
  await applicant.timeline.scrollIntoViewIfNeeded()
  await expect(applicant.timeline.getByText('Details of an applicant opened.').first()).toBeVisible()
  await expect(applicant.entries.first()).toBeVisible()
  await page.getByRole('region', { name: 'Timeline' }).getByText('Views', { exact: true }).click()
  await expect(applicant.timeline.getByText('Details of an applicant opened.').first()).toBeVisible()
  await expect(applicant.entries).toHaveCount(0)
  await applicant.more('Legal hold or erasure')
  await dataManagement.button('Erase').click()
  await expect(dataManagement.dialog('Permanently erase this applicant?')).toContainText('A legal hold prevents this')
  // For an impossible action there is no confirmation: only the reason, the impact and the next step.
  await expect(dataManagement.dialog('Permanently erase this applicant?')).toContainText(
    'Nothing was erased. If the hold has ended, lift it'
  )
  await expect(dataManagement.dialog('Permanently erase this applicant?').getByRole('textbox')).toHaveCount(0)
  await expect(
    dataManagement.dialog('Permanently erase this applicant?').getByRole('button', { name: 'Permanently erase' })
  ).toBeDisabled()
  await page.keyboard.press('Escape')
  await dataManagement.holds.getByRole('button', { name: /^Lift/ }).click()
  await dataManagement.dialog('Lift legal hold?').getByLabel('Reason').fill('Ended')
  await dataManagement.dialog('Lift legal hold?').getByRole('button', { name: 'Lift hold' }).click()
  await expect(dataManagement.holds).toHaveCount(0)
  await dataManagement.button('Erase').click()
  const dialog = dataManagement.dialog('Permanently erase this applicant?')
  await expect(dialog.getByLabel('Reason'), 'where something is to be written, the keyboard begins').toBeFocused()
  await dialog.getByLabel('Reason').fill('Request of the person')
  await expect(dialog.getByRole('button', { name: 'Permanently erase' })).toBeDisabled()
  await dialog.getByLabel(/Type APP-1/).fill('APP-1')
  await inspect(page, 'erasure')
  await dialog.getByRole('button', { name: 'Permanently erase' }).click()
  await expect(dataManagement.receipts).toHaveCount(1)
  await expect(dataManagement.receipts).toContainText('1 record erased by request')
  await dataManagement.receipts.getByRole('button', { name: /^Save/ }).click()
  await expect(new Shell(page).message).toContainText('Receipt saved as')
  expect(readFileSync(await savedFile(home, '.json'), 'utf8')).not.toContain('APP-1')
  await goTo(page, '/applicants/APP-1')
  await expect(page.getByText('No applicant with this ID.')).toBeVisible()
  await expect(page.getByText('only a receipt is left')).toBeVisible()
  const verdict = await ask(page, 'audit.verify')
  expect(verdict).toMatchObject({ intact: true })
})

test('an erased record with an unknown outcome is resolved without a note about the person', async ({ workspace }) => {
  const page = await workspace.open()
  await usePractice(page)
  await look(page, 'PRACTICE-cut')
  const history = new HistoryPage(page)
  await history.open()
  await history.row(1).click()
  await expect(history.record.resolveForm.getByRole('textbox', { name: 'Note' })).toBeVisible()
  await ask(page, 'erasure.run', {
    applicantId: 'PRACTICE-cut',
    confirmation: 'PRACTICE-cut',
    reason: 'Request of the person'
  })
  await history.closeRecord.click()
  await history.row(1).click()
  const form = history.record.resolveForm
  await expect(form).toContainText('Notes are not available')
  await expect(form.getByRole('textbox')).toHaveCount(0)
  await expect(form, 'nothing is left that could be resent').not.toContainText('Resending')
  await inspect(page, 'an erased record to resolve')
  await form.getByRole('radio', { name: 'It was processed' }).check()
  await form.getByRole('button', { name: 'Save resolution' }).click()
  await expect(history.record.resolved).toContainText('It was processed')
})

test('a preview lists what is past retention and changes nothing', async ({ workspace, practice }) => {
  const page = await workspace.open()
  const other = await useService(page, practice, { name: 'Another service' })
  const connection = await usePractice(page)
  await look(page, 'APP-1')
  const dataManagement = new DataManagementPage(page)
  await dataManagement.open()
  const days = dataManagement.main.getByRole('textbox', { name: connection.name })
  await days.fill('0')
  await days.press('Tab')
  const fault = dataManagement.main.getByText('Enter at least 1.')
  await expect(fault).toBeVisible()
  await expect(days).toHaveAttribute('aria-invalid', 'true')
  // A refused value stays with its error while another connection's days are saved.
  const others = dataManagement.main.getByRole('textbox', { name: other.name })
  await others.fill('40')
  await others.press('Tab')
  await expect.poll(async () => (await ask(page, 'app.state')).settings.retentionDays).toEqual({ [other.id]: 40 })
  await expect(fault).toBeVisible()
  await expect(days).toHaveValue('0')
  await others.fill('')
  await days.fill('30')
  await days.press('Tab')
  await expect.poll(async () => (await ask(page, 'app.state')).settings.retentionDays).toEqual({ [connection.id]: 30 })
  await dataManagement.button('Preview deletions').click()
  await expect(dataManagement.main.getByRole('group', { name: 'Preview of deletions' })).toContainText(
    'Nothing would be erased now.'
  )
  await inspect(page, 'a dry run')

  // The connection is removed, its record stays, and the retention days still apply to it.
  await ask(page, 'connections.remove', { id: connection.id })
  await expect(dataManagement.main.getByText('Removed connection. This applies to its 1 record.')).toBeVisible()
  await expect(days).toHaveValue('30')
  await days.fill('60')
  await days.press('Tab')
  await expect.poll(async () => (await ask(page, 'app.state')).settings.retentionDays).toEqual({ [connection.id]: 60 })
  await inspect(page, 'the days of a removed connection')
})

test('the history is exported as filtered, in both formats', async ({ workspace, home }) => {
  const page = await workspace.open()
  await savesInto(workspace.session(), home)
  await usePractice(page)
  for (const id of ['=HYPERLINK("x")', '0002', '0003']) await look(page, id)
  const history = new HistoryPage(page)
  await history.open()
  await history.search.fill('0002')
  await expect(history.total).toHaveText('1 record')
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const dialog = new Shell(page).dialog('Export records')
  await inspect(page, 'an export')
  await dialog.getByRole('button', { name: 'Export records' }).click()
  await expect(dialog.getByRole('region', { name: 'Exported' })).toContainText('1 row')
  expect(readFileSync(await savedFile(home, '.csv'), 'utf8')).toContain('0002')
  await page.keyboard.press('Escape')
  const dataManagement = new DataManagementPage(page)
  await dataManagement.open()
  await choose(dataManagement.main.getByLabel('Format').last(), 'JSON lines, lossless')
  await dataManagement.button('Export applicants').click()
  await expect(dataManagement.main.getByRole('region', { name: 'Exported' })).toContainText('3 rows')
  expect(readFileSync(await savedFile(home, '.jsonl'), 'utf8')).toContain(
    JSON.stringify('=HYPERLINK("x")').slice(1, -1)
  )
  expect(
    parse(readFileSync(await savedFile(home, '.csv'), 'utf8'), { bom: true, relax_column_count: true, comment: '#' })
      .length
  ).toBeGreaterThanOrEqual(2)
})
