/** Connections: adding, changing, credentials that are never shown, reachability, and the mark of a live one. */
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { credentials } from '#contract/connections/credentials.ts'
import { ask, expect, test, usePractice, useService } from './fixtures/workspace.ts'
import { textsIn } from './fixtures/files.ts'
import { ConnectionsPage } from './pages/connections.ts'
import { Shell } from './pages/shell.ts'
import { VerifyPage } from './pages/verify.ts'

async function openConnections(page: Page): Promise<ConnectionsPage> {
  const connections = new ConnectionsPage(page)
  await connections.open()
  return connections
}

async function addConnection(
  page: Page,
  name: string,
  baseUrl: string,
  mode: 'Sandbox' | 'Live' = 'Sandbox'
): Promise<ConnectionsPage> {
  const connections = await openConnections(page)
  await connections.add.click()
  await connections.form.name.fill(name)
  await connections.form.baseUrl.fill(baseUrl)
  await connections.form.mode(mode)
  await connections.form.save.click()
  await expect(connections.card(name).root).toBeVisible()
  return connections
}

test('from an empty start to a verification: add a connection, set the three credentials, send; a value is never shown', async ({
  workspace,
  practice,
  dataFolder
}) => {
  const page = await workspace.open()
  const connections = await openConnections(page)
  await expect(connections.empty).toBeVisible()
  await addConnection(page, 'Branch office', practice.baseUrl)
  const card = connections.card('Branch office')
  for (const credential of credentials) {
    await expect(card.credential(credential.label)).toContainText('Not set')
    await card.set(credential.label, practice.credentials[credential.id])
    await expect(card.credential(credential.label)).toContainText(/(?<!Not )Set/)
    await expect(card.credential(credential.label)).not.toContainText('Not set')
    // Neither the page's text nor any of its elements holds the value.
    expect(
      await page.evaluate(
        () =>
          document.documentElement.outerHTML +
          [...document.querySelectorAll('input')].map((input) => input.value).join()
      )
    ).not.toContain(practice.credentials[credential.id])
  }
  const verify = new VerifyPage(page)
  await verify.open('get-applicant-details')
  await verify.run('get-applicant-details', { applicant_id: 'APP-1' })
  await expect(verify.record.status).toHaveText('200')
  for (const credential of credentials) expect(textsIn(dataFolder)).not.toContain(practice.credentials[credential.id])

  // With a wrong value the service refuses; with a cleared one nothing is sent.
  await connections.open()
  await card.set('API key', 'another-key')
  await verify.open('get-applicant-details')
  await verify.run('get-applicant-details', { applicant_id: 'APP-2' })
  await expect(verify.record.status).toHaveText('401')
  await connections.open()
  await card.clear('API key')
  await expect(card.credential('API key')).toContainText('Not set')
  const sent = practice.ledger().length
  await verify.open('get-applicant-details')
  await expect(verify.form).toContainText('Not set yet: API key.')
  await verify.run('get-applicant-details', { applicant_id: 'APP-3' })
  await expect(verify.failure).toContainText('Credentials of this connection are missing: API key')
  expect(practice.ledger()).toHaveLength(sent)
})

test('credentials survive a restart in the keychain, and no file holds one', async ({
  workspace,
  practice,
  dataFolder
}) => {
  test.skip(!workspace.keyring, 'needs a keyring for tests')
  const page = await workspace.open()
  await useService(page, practice)
  const again = await workspace.again()
  const connections = await openConnections(again)
  for (const credential of credentials) {
    await expect(connections.card('Test service').credential(credential.label)).not.toContainText('Not set')
    expect(textsIn(dataFolder)).not.toContain(practice.credentials[credential.id])
  }
})

test('a value that headers do not allow is refused at its field', async ({ workspace, practice }) => {
  const page = await workspace.open()
  const connections = await addConnection(page, 'Branch office', practice.baseUrl)
  const card = connections.card('Branch office')
  for (const [value, fault] of [
    ['', 'Enter the value.'],
    [' outer-space', 'a space at either end'],
    ['schlüssel', 'a character that headers do not allow'],
    ['a'.repeat(2561), 'At most 2,560 characters']
  ] as const) {
    await card.set('API secret', value)
    await expect(card.credential('API secret')).toContainText(fault)
    await expect(card.credential('API secret')).toContainText('Not set')
    await page.keyboard.press('Escape')
  }
  await card.set('API secret', 'a'.repeat(2560))
  await expect(card.credential('API secret')).not.toContainText('Not set')
})

test('a new host requires entering the credentials again; a new name does not', async ({ workspace, practice }) => {
  const page = await workspace.open()
  await useService(page, practice)
  const connections = await openConnections(page)
  await connections.card('Test service').edit.click()
  await connections.form.name.fill('Renamed')
  await connections.form.save.click()
  const card = connections.card('Renamed')
  await expect(card.credential('API key')).not.toContainText('Not set')

  await card.edit.click()
  await connections.form.baseUrl.fill('https://elsewhere.example.com')
  await expect(connections.form.root).toContainText('This is a different host.')
  await connections.form.save.click()
  await expect(new Shell(page).message).toContainText('Its host changed, so enter the credentials again.')
  for (const credential of credentials) await expect(card.credential(credential.label)).toContainText('Not set')
})

test('an invalid base URL and a duplicate name are reported at their fields', async ({ workspace, practice }) => {
  const page = await workspace.open()
  const connections = await addConnection(page, 'Branch office', practice.baseUrl)
  await connections.add.click()
  const { form } = connections
  await form.name.fill('Another')
  for (const [address, fault] of [
    ['kyc.example.com', 'Enter a complete address such as https://kyc.example.com.'],
    ['http://kyc.example.com', 'Use https. Plain http is allowed only for services on this computer.'],
    ['https://kyc.example.com/a//b', 'The path of the address has an empty part'],
    ['https://kyc.example.com?x=1', 'The address must not contain a query'],
    ['https://kyc.example.com/#x', 'The address must not contain a fragment'],
    ['https://user:word@kyc.example.com', 'The address must not contain a user name or password.'],
    ['ftp://kyc.example.com', 'The address must begin with https://']
  ] as const) {
    await form.baseUrl.fill(address)
    await form.baseUrl.blur()
    await expect(form.root).toContainText(fault)
    await expect(form.baseUrl).toHaveAttribute('aria-invalid', 'true')
  }
  await form.baseUrl.fill('https://kyc.example.com')
  await form.name.fill('Branch office')
  await form.save.click()
  await expect(form.root).toContainText('This name is already used.')
  await form.name.fill('Head office')
  await form.save.click()
  await expect(connections.card('Head office').root).toContainText('https://kyc.example.com')
})

test('the connection test reports each step and sends no request', async ({ workspace, practice }) => {
  const page = await workspace.open()
  await useService(page, practice)
  const connections = await openConnections(page)
  const card = connections.card('Test service')
  await card.reach.click()
  await expect(card.steps).toHaveText([/DNS lookup passed/, /Connection passed/, /TLS skipped/])
  await expect(card.root).toContainText('Reachable.')
  expect(practice.ledger()).toEqual([])

  const closed = createServer()
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
  const { port } = closed.address() as AddressInfo
  await new Promise((resolve) => closed.close(resolve))
  await addConnection(page, 'Gone', `https://127.0.0.1:${port}`)
  const gone = connections.card('Gone')
  await gone.reach.click()
  await expect(gone.steps).toHaveText([/DNS lookup (passed|skipped)/, /Connection failed/, /TLS skipped/])
  await expect(gone.root).toContainText('Not reachable.')
})

test('a live connection is marked in every view, in its button and in its records', async ({ workspace, practice }) => {
  const page = await workspace.open()
  await useService(page, practice, { name: 'Production', mode: 'live', colour: 'red', mark: 'PR' })
  const shell = new Shell(page)
  for (const view of ['Connections', 'Settings', 'Help', 'History', 'Passport']) {
    await shell.open(view)
    await expect(shell.liveMark).toBeVisible()
    await expect(page.locator('[data-live]').first()).toBeVisible()
  }
  const verify = new VerifyPage(page)
  await expect(verify.send).toHaveText('Send to LIVE')
  await verify.run('validate-passport', { id_url: 'https://files.example.com/p.jpg' })
  await expect(verify.record.root).toContainText('LIVE')
  await verify.send.click()
  await expect(verify.sendAnyway).toHaveText('Send to LIVE anyway')
  await usePractice(page)
  await expect(shell.sandboxMark).toBeVisible()
  await expect(shell.liveMark).toHaveCount(0)
})

test('removing needs confirmation, for a live one by its name, and keeps the records', async ({
  workspace,
  practice
}) => {
  const page = await workspace.open()
  await useService(page, practice, { name: 'Production', mode: 'live' })
  const verify = new VerifyPage(page)
  await verify.open('get-applicant-details')
  await verify.run('get-applicant-details', { applicant_id: 'APP-1' })
  await expect(verify.record.status).toHaveText('200')
  const connections = await openConnections(page)
  await connections.card('Production').remove.click()
  const dialog = new Shell(page).dialog('Remove “Production”?')
  await expect(dialog.getByRole('button', { name: 'Remove' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await connections.card('Production').removeFor('Production', true)
  await expect(connections.empty).toBeVisible()
  expect((await ask(page, 'history.page', { filter: {}, limit: 10 })).records).toHaveLength(1)
})
