/** The first start: two steps to the first verification, with the practice service or an own connection. */
import { credentials } from '#contract/connections/credentials.ts'
import { firstOperation, operationOf } from '#contract/verification/operations.ts'
import { inspect } from './fixtures/axe.ts'
import { textsIn } from './fixtures/files.ts'
import { ask, expect, noKeychain, test } from './fixtures/workspace.ts'
import { examples } from './fixtures/inputs.ts'
import { ConnectionsPage } from './pages/connections.ts'
import { Shell, WelcomePage } from './pages/shell.ts'
import { VerifyPage } from './pages/verify.ts'

const first = operationOf(firstOperation)

test('a new user starts the practice service and gets an answer with three clicks and the examples', async ({
  workspace
}) => {
  const page = await workspace.open()
  const welcome = new WelcomePage(page)
  await expect(welcome.heading).toBeVisible()
  await expect(welcome.ownConnection).toBeVisible()
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

test('one form tests the address, adds the connection and stores its three credentials', async ({
  workspace,
  practice,
  dataFolder
}) => {
  test.setTimeout(90_000)
  const page = await workspace.open()
  const welcome = new WelcomePage(page)
  await welcome.ownConnection.click()
  const { form } = new ConnectionsPage(page)
  await form.name.fill('Head office')
  await form.baseUrl.fill(practice.baseUrl)
  await expect(form.mark).toHaveValue('HO')
  // The address is tested before anything is stored.
  await form.root.getByRole('button', { name: 'Test connection' }).click()
  await expect(form.root).toContainText('Reachable.')
  expect(await ask(page, 'connections.list')).toEqual([])
  // With one of the three, the others are required, and nothing is stored yet.
  const [key, ...others] = credentials
  await form.credential(key.label).fill(practice.credentials[key.id])
  await form.save.click()
  for (const { label } of others) await expect(form.credential(label)).toHaveAccessibleDescription('Enter the value.')
  await expect(form.credential(others[0]?.label ?? '')).toBeFocused()
  expect(await ask(page, 'connections.list')).toEqual([])
  await inspect(page, 'a new connection with credentials', ['light'])
  for (const { id, label } of others) await form.credential(label).fill(practice.credentials[id])
  await page.keyboard.press('Enter')
  await expect(welcome.presentStep).toContainText('Run a first verification')
  await expect(new Shell(page).announced).toContainText(
    workspace.keyring
      ? '“Head office” saved, with its credentials in this computer’s keychain.'
      : 'for this session only'
  )
  await welcome.firstCheck.click()
  await page.getByRole('button', { name: 'Fill with examples' }).click()
  await page.keyboard.press('Enter')
  await expect(new VerifyPage(page).record.status).toHaveText('200')
  for (const { id } of credentials) expect(textsIn(dataFolder)).not.toContain(practice.credentials[id])
})

test('without a keychain the form says before and after that credentials last for this session only', async ({
  workspace,
  practice
}) => {
  const page = await workspace.open(noKeychain)
  await new WelcomePage(page).ownConnection.click()
  const { form } = new ConnectionsPage(page)
  await expect(form.root).toContainText('Stored for this session only, since the keychain is not available.')
  await form.name.fill('Head office')
  await form.baseUrl.fill(practice.baseUrl)
  for (const { id, label } of credentials) await form.credential(label).fill(practice.credentials[id])
  await form.save.click()
  await expect(new Shell(page).announced).toContainText('Its credentials are stored for this session only')
})

test('with the practice service, examples can ask for another outcome', async ({ workspace }) => {
  const page = await workspace.open()
  await new WelcomePage(page).startPractice.click()
  await new WelcomePage(page).firstCheck.click()
  const verify = new VerifyPage(page)
  await verify.open('validate-passport')
  await page.getByRole('button', { name: 'Examples for another outcome' }).click()
  await page.getByRole('menuitem', { name: 'Server error (500)' }).click()
  await expect(verify.send).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(verify.record.status).toHaveText('500')
})

test('once skipped, it does not return, and the form says what is missing', async ({ workspace }) => {
  const page = await workspace.open()
  await new WelcomePage(page).skip.click()
  const verify = new VerifyPage(page)
  await expect(verify.send).toBeDisabled()
  await expect(verify.form).toContainText('To verify, you need a connection')
  const again = await workspace.again()
  await expect(new Shell(again).heading).toHaveText('Check an applicant')
})
