/** Clearing a credential: a live connection asks first, and an undo restores a value that the window never sees. */
import type { Page } from '@playwright/test'
import { expect, test, useService } from './fixtures/workspace.ts'
import { inspect } from './fixtures/axe.ts'
import { ConnectionsPage } from './pages/connections.ts'
import { Shell } from './pages/shell.ts'
import { VerifyPage } from './pages/verify.ts'

async function openCard(page: Page): Promise<ReturnType<ConnectionsPage['card']>> {
  const connections = new ConnectionsPage(page)
  await connections.open()
  return connections.card('Test service')
}

test('clearing a live connection’s credential needs confirmation, and cancelling keeps the value', async ({
  workspace,
  practice
}) => {
  const page = await workspace.open()
  await useService(page, practice, { mode: 'live' })
  const card = await openCard(page)
  const row = card.credential('API key')
  const dialog = new Shell(page).dialog('Clear “API key”?')
  await row.getByRole('button', { name: 'Clear API key' }).focus()
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText('Test service')
  await inspect(page, 'clearing a live credential')
  // An accidental second press of Enter does not confirm.
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(row).not.toContainText('Not set')
  await expect(row.getByRole('button', { name: 'Clear API key' })).toBeFocused()

  await row.getByRole('button', { name: 'Clear API key' }).click()
  await page.keyboard.press('Escape')
  await expect(row).not.toContainText('Not set')

  await row.getByRole('button', { name: 'Clear API key' }).click()
  await dialog.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect(row).toContainText('Not set')
  await expect(row.getByRole('button', { name: 'Set API key' })).toBeFocused()
  await new Shell(page).undo()
  await expect(row).not.toContainText('Not set')
})

test('a cleared value is restored by keyboard alone, is announced, and works again', async ({
  workspace,
  practice
}) => {
  const page = await workspace.open()
  await useService(page, practice)
  const shell = new Shell(page)
  const card = await openCard(page)
  const row = card.credential('API secret')
  await row.getByRole('button', { name: 'Clear API secret' }).focus()
  await page.keyboard.press('Enter')
  await expect(row).toContainText('Not set')
  await expect(row.getByRole('button', { name: 'Set API secret' })).toBeFocused()
  await expect(shell.announced).toHaveText(/^API secret cleared\. .*(Ctrl|⌘) Z/)
  await expect(shell.message.getByRole('button', { name: 'Undo' })).toHaveAttribute(
    'aria-keyshortcuts',
    /^(Control|Meta)\+Z$/
  )
  await inspect(page, 'a cleared credential')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(row).not.toContainText('Not set')
  await expect(shell.announced).toHaveText(/^API secret restored/)
  await expect(row.getByRole('button', { name: 'Clear API secret' })).toBeFocused()
  // An undo works only once.
  await page.keyboard.press('ControlOrMeta+z')
  await expect(row).not.toContainText('Not set')

  const verify = new VerifyPage(page)
  await verify.open('get-applicant-details')
  await verify.run('get-applicant-details', { applicant_id: 'APP-1' })
  await expect(verify.record.status).toHaveText('200')
})

test('in a field, the undo keys apply to the typed text; after another value was set, nothing is restored', async ({
  workspace,
  practice
}) => {
  const page = await workspace.open()
  await useService(page, practice)
  const shell = new Shell(page)
  const card = await openCard(page)
  const row = card.credential('API key')
  await card.clear('API key')
  await row.getByRole('button', { name: 'Set API key' }).click()
  await page.keyboard.type('half')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(row).toContainText('Not set')
  await row.getByLabel('API key', { exact: true }).fill('another-key')
  await page.keyboard.press('Enter')
  await expect(row).not.toContainText('Not set')
  await expect(shell.message).toHaveText(/API key set/)
  await expect(shell.message.getByRole('button', { name: 'Undo' })).toHaveCount(0)
})
