/** The recovery key on paper, and nowhere else; and a scheduled backup that fails. */
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from './fixtures/axe.ts'
import { runCheck } from './fixtures/scene.ts'
import { ask, expect, test, usePractice } from './fixtures/workspace.ts'
import { goTo } from './pages/go.ts'
import { DataManagementPage } from './pages/records.ts'
import { Shell } from './pages/shell.ts'

/** Every file below a folder, as bytes. */
const filesBelow = (folder: string): Buffer[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => readFileSync(join(each.parentPath, each.name)))

test(
  'the recovery key is printed only by the window, is in no file, and disappears with its dialog',
  { tag: '@electron-instead' },
  async ({ workspace, dataFolder }) => {
    test.skip(!workspace.keyring, 'needs a keyring for tests')
    const page = await workspace.open()
    await usePractice(page)
    const dataManagement = new DataManagementPage(page)
    await dataManagement.open()
    // The print dialogue is the system's: only what it would receive is checked here.
    await page.evaluate(() => {
      const counted = window as unknown as { prints: number }
      counted.prints = 0
      window.print = () => void (counted.prints += 1)
    })
    await dataManagement.recovery.getByRole('button', { name: 'Create recovery key' }).click()
    const groups = dataManagement.recoveryDialog.getByTestId('recovery-key').getByRole('listitem')
    await expect(groups).toHaveCount(14)
    const key = (await groups.allInnerTexts()).map((line) => /([0-9A-Z]{4})\s*$/.exec(line)?.[1] ?? '')
    const sheet = page.getByTestId('recovery-sheet')
    await expect(sheet).toHaveCount(0)
    await inspect(page, 'the recovery key')
    await dataManagement.recoveryDialog.getByRole('button', { name: 'Print key' }).click()
    await expect.poll(() => page.evaluate(() => (window as unknown as { prints: number }).prints)).toBe(1)
    await expect(sheet).toHaveCount(1)
    await expect(sheet).toBeHidden()
    await page.emulateMedia({ media: 'print' })
    await expect(sheet).toBeVisible()
    await expect(dataManagement.recoveryDialog).toBeHidden()
    await expect(sheet.locator('li')).toHaveText(key.map((group, index) => `${index + 1}${group}`))
    await page.emulateMedia({ media: 'screen' })
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
    await expect(sheet).toHaveCount(0)
    await dataManagement.recoveryDialog.getByRole('button', { name: 'Print key' }).click()
    await expect(sheet).toHaveCount(1)
    // Cancelled half-way: the key leaves the page with the dialog.
    await page.keyboard.press('Escape')
    await expect(dataManagement.recoveryDialog.getByRole('alert')).toHaveText('The key is not shown again.')
    await expect(dataManagement.recoveryDialog.getByRole('button', { name: 'Back' })).toBeFocused()
    await expect(dataManagement.recoveryDialog.getByRole('button', { name: 'Close' })).toHaveCount(0)
    await dataManagement.recoveryDialog.getByRole('button', { name: 'Leave without a copy' }).click()
    await expect(dataManagement.recoveryDialog).toHaveCount(0)
    await expect(sheet).toHaveCount(0)
    const [first = '', second = ''] = key
    expect(await page.evaluate(() => document.documentElement.outerHTML)).not.toContain(first)
    await workspace.close()
    for (const bytes of filesBelow(dataFolder)) {
      expect(bytes.includes(`${first}-${second}`)).toBe(false)
      expect(bytes.includes(key.join(''))).toBe(false)
    }
  }
)

test('why a recovery key was not created stays, whatever else changes', async ({ workspace, dataFolder }) => {
  test.skip(!workspace.keyring, 'needs a keyring for tests')
  const page = await workspace.open()
  await usePractice(page)
  const dataManagement = new DataManagementPage(page)
  await dataManagement.open()
  const inTheWay = join(dataFolder, 'history', 'recovery.sealed')
  mkdirSync(join(inTheWay, 'a file cannot replace it'), { recursive: true })
  await dataManagement.recovery.getByRole('button', { name: 'Create recovery key' }).click()
  const why = dataManagement.recovery.getByRole('group', { name: 'What went wrong' })
  await expect(why).toContainText('recovery.sealed could not be written')
  rmSync(inTheWay, { recursive: true })
  await dataManagement.makeBackup.click()
  await expect(dataManagement.backups).toHaveCount(1)
  await expect(why).toContainText('recovery.sealed could not be written')
})

test('a failed scheduled backup is reported in every view, with its impact and the next step', async ({
  workspace,
  dataFolder
}) => {
  test.skip(!workspace.keyring, 'needs a keyring for tests')
  const page = await workspace.open()
  const connection = await usePractice(page)
  await ask(page, 'verification.run', {
    runId: randomUUID(),
    connectionId: connection.id,
    operation: 'get-applicant-details',
    input: { applicant_id: 'APP-1' }
  })
  const folder = join(dataFolder, 'backups')
  writeFileSync(folder, 'a file in the place of the folder')
  const dataManagement = new DataManagementPage(page)
  await dataManagement.open()
  const hours = dataManagement.main.getByRole('textbox', { name: 'Back up every' })
  await hours.fill('12')
  await hours.press('Tab')
  const { notices } = new Shell(page)
  await expect(notices).toContainText('The last scheduled backup failed')
  await expect(notices).toContainText('all earlier backups are unchanged')
  await expect(notices).toContainText('Back up now')
  await expect(dataManagement.main).toContainText('The last scheduled backup failed')
  await inspect(page, 'a failed backup by schedule')
  rmSync(folder)
  await dataManagement.makeBackup.click()
  await expect(dataManagement.backups).toHaveCount(1)
  await expect(notices).toHaveCount(0)
  await expect(dataManagement.main).not.toContainText('by schedule failed')
  expect(existsSync(join(folder, 'snapshot'))).toBe(false)
})

test('Administration is marked until a copy of the recovery key is confirmed', async ({ workspace }) => {
  test.skip(!workspace.keyring, 'needs a keyring for tests')
  const page = await workspace.open()
  const connection = await usePractice(page)
  const link = new Shell(page).navigation.getByRole('link', { name: /^Administration/ })
  await goTo(page, '/overview/health', 'Overview')
  await expect(page.getByText('No records yet')).toBeVisible()
  await expect(link).not.toContainText('Recovery key not confirmed')
  await runCheck(page, connection.id, 'get-applicant-details', { applicant_id: 'APP-1' })
  await expect(link).toContainText('Recovery key not confirmed')
  const dataManagement = new DataManagementPage(page)
  await goTo(page, '/administration/data-management', 'Data management')
  await dataManagement.createRecoveryKey()
  await expect(link).not.toContainText('Recovery key not confirmed')
})

test('setting a passphrase goes on with the recovery key, which is left out only with its consequence', async ({
  workspace
}) => {
  test.setTimeout(90_000)
  test.skip(!workspace.keyring, 'needs a keyring for tests')
  const page = await workspace.open()
  await usePractice(page)
  await goTo(page, '/administration/settings', 'Settings')
  await page.getByRole('button', { name: 'Set passphrase' }).press('Enter')
  const form = page.getByRole('form', { name: 'Set passphrase' })
  await expect(form).toContainText('Step 1 of 2')
  await form.getByLabel('New passphrase').fill('seven green kettles')
  await form.getByLabel('Repeat passphrase').fill('seven green kettles')
  await form.getByLabel('Repeat passphrase').press('Enter')
  const step = page.getByRole('region', { name: 'Step 2 of 2: recovery key' })
  const create = step.getByRole('button', { name: 'Create recovery key' })
  await expect(create).toBeFocused({ timeout: 40_000 })
  await expect(step).toContainText('Without it, a forgotten passphrase loses the history.')
  await page.keyboard.press('Escape')
  await expect(step).toBeVisible()
  await inspect(page, 'the second step of a passphrase')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByTestId('recovery-key')).toBeFocused()
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Leave without a copy' }).press('Enter')
  await expect(step).toBeVisible()
  await step.getByRole('button', { name: 'Continue without a recovery key' }).press('Enter')
  await expect(step).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Change passphrase' })).toBeVisible()
})
