/** The first start: three steps to the first verification, with the practice service or an own connection. */
import { credentials } from '#contract/credentials.ts'
import { operations } from '#contract/operations.ts'
import { expect, test } from './fixtures/workspace.ts'
import { examples } from './fixtures/inputs.ts'
import { ConnectionsPage } from './pages/connections.ts'
import { Shell, WelcomePage } from './pages/shell.ts'
import { VerifyPage } from './pages/verify.ts'

const [first] = operations

test('a new user starts the practice service and gets an answer with three clicks and the examples', async ({ workspace }) => {
  const page = await workspace.open()
  const welcome = new WelcomePage(page)
  await expect(welcome.heading).toBeVisible()
  await expect(welcome.presentStep).toContainText('Choose a connection')
  await welcome.startPractice.click()
  await expect(welcome.presentStep).toContainText('Run a first verification')
  await welcome.firstCheck.click()
  const verify = new VerifyPage(page)
  await verify.run(first.id, examples(first.fields))
  await expect(verify.record.status).toHaveText('200')
  const shell = new Shell(page)
  await shell.link('Getting started').click()
  await expect(page.getByText('All steps are done.')).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: 'Get started' }).click()
  await expect(shell.heading).toHaveText(first.title)
  await expect(shell.link('Getting started')).toHaveCount(0)
})

test('with a connection of one’s own the same steps ask for its credentials', async ({ workspace, practice }) => {
  const page = await workspace.open()
  const welcome = new WelcomePage(page)
  await welcome.ownConnection.click()
  const { form } = new ConnectionsPage(page)
  await form.name.fill('Head office')
  await form.baseUrl.fill(practice.baseUrl)
  await expect(form.mark).toHaveValue('HO')
  await form.save.click()
  await expect(welcome.presentStep).toContainText('Set its credentials')
  for (const credential of credentials) {
    const row = page.getByRole('group', { name: credential.label, exact: true })
    await row.getByRole('button', { name: `Set ${credential.label}` }).click()
    await row.getByLabel(credential.label, { exact: true }).fill(practice.credentials[credential.id])
    await page.keyboard.press('Enter')
    if (credential !== credentials.at(-1)) await expect(row).not.toContainText('Not set')
  }
  await expect(welcome.presentStep).toContainText('Run a first verification')
})

test('once skipped, it does not return, and the form says what is missing', async ({ workspace }) => {
  const page = await workspace.open()
  await new WelcomePage(page).skip.click()
  const verify = new VerifyPage(page)
  await expect(verify.send).toBeDisabled()
  await expect(verify.form).toContainText('To verify, you need a connection')
  const again = await workspace.again()
  await expect(new Shell(again).heading).toHaveText(first.title)
})
