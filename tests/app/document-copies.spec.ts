/** Copies of documents: switched on in the form of a connection, and opened from their record. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { operationOf } from '#contract/verification/operations.ts'
import { card, face } from '../service/support/document-files.ts'
import { serveDocuments, type DocumentServer } from '../service/support/document-server.ts'
import { inspect } from './fixtures/axe.ts'
import { chooseWith } from './fixtures/files.ts'
import { ask, expect, test, usePractice } from './fixtures/workspace.ts'
import { NewBatchPage } from './pages/batches.ts'
import { ConnectionsPage } from './pages/connections.ts'
import { choose } from './pages/fields.ts'
import { VerifyPage } from './pages/verify.ts'

let server: DocumentServer
test.beforeAll(async () => void (server = await serveDocuments()))
test.afterAll(() => server.close())

const viewer = (page: Page): Locator => page.getByRole('region', { name: 'Documents', exact: true })
const width = (page: Page): Promise<number> =>
  viewer(page)
    .getByTestId('document')
    .evaluate((found) => (found as HTMLImageElement).naturalWidth)

test('a copy is kept before sending, opened without a request, and asked about where there is none', async ({
  workspace
}) => {
  const page = await workspace.open()
  await usePractice(page)
  const connections = new ConnectionsPage(page)
  await connections.open()
  await connections.card('Practice').edit.click()
  await connections.form.root.getByRole('radio', { name: /^When possible/ }).check()
  await connections.form.save.click()
  await expect
    .poll(async () => (await ask(page, 'connections.list')).find(({ name }) => name === 'Practice')?.copies)
    .toBe('possible')

  const verify = new VerifyPage(page)
  await verify.open('validate-passport')
  await verify.run('validate-passport', { id_url: server.at(card, 'card.jpg') })
  await expect(verify.record.root).toBeVisible()
  const asked = server.asked.length
  await verify.record.root.getByRole('button', { name: 'Show 1 document' }).click()
  await expect.poll(() => width(page)).toBe(800)
  await viewer(page).getByRole('button', { name: 'About this file' }).click()
  await expect(viewer(page).getByTestId('when')).toHaveText(/^This is the copy that was kept at /)
  expect(server.asked).toHaveLength(asked)

  await verify.open('validate-passport')
  await verify.fill('validate-passport', { id_url: server.at((response) => response.writeHead(410).end(), 'gone.jpg') })
  await verify.send.click()
  const question = page.getByRole('region', { name: 'No copy of a document' })
  await expect(question).toContainText('the status of the response was 410')
  await inspect(page, 'no copy of a document')
  await question.getByRole('button', { name: 'Send anyway' }).press('Enter')
  await expect(verify.record.root).toBeVisible()
  const { events } = await ask(page, 'audit.page', { limit: 20 })
  expect(events.filter(({ kind }) => kind === 'document.missed')).toHaveLength(1)
})

test('a batch says before it starts what copies of its documents take, and keeps them beside it', async ({
  workspace
}) => {
  const page = await workspace.open()
  const { id, name, baseUrl, mode, colour, mark } = await usePractice(page)
  await ask(page, 'connections.save', { id, name, baseUrl, mode, colour, mark, copies: 'possible' })
  const form = new NewBatchPage(page)
  await form.open()
  await choose(form.operation, operationOf('validate-applicant-id-document').title)
  const links = [card, face].map((document, at) => `APP-${at + 1}\t${server.at(document)}`)
  await form.paste(['applicant_id\tdocument_url', ...links].join('\n'))
  await form.go('Send')
  await expect(page.getByTestId('copy-need')).toHaveText(
    /^Copies of 2 documents take about 3\.8 MiB; [\d,.]+ [GM]i?B are free for copies\.\s*$/
  )
  const batch = await form.run()
  await expect(batch.state).toHaveText('Finished')
  const kept = async () =>
    (await ask(page, 'audit.page', { limit: 50 })).events.filter(({ kind }) => kind === 'document.kept')
  await expect.poll(async () => (await kept()).length).toBe(2)
  expect((await kept())[0]?.words).toMatch(/kept for the batch, after the request\.$/)
})

test('copies of rows that could not be stored are said on the batch, and on the overview', async ({
  workspace,
  dataFolder
}) => {
  test.skip(process.getuid?.() !== 0, 'only root may mount a small disk')
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
  // Less than what copies leave free, and enough for the rest.
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256m,mode=700', 'tmpfs', dataFolder])
  try {
    const page = await workspace.open()
    const { id, name, baseUrl, mode, colour, mark } = await usePractice(page, {
      lastOperation: operationOf('validate-applicant-id-document').id
    })
    await ask(page, 'connections.save', { id, name, baseUrl, mode, colour, mark, copies: 'possible' })
    const form = new NewBatchPage(page)
    await form.open()
    await form.paste(['applicant_id,document_url', ...[1, 2, 3].map((at) => `APP-${at},${server.at(card)}`)].join('\n'))
    await form.go('Send')
    await inspect(page, 'copies of a batch without space')
    const batch = await form.run()
    await expect(batch.state).toHaveText('Finished')
    const said = page.getByRole('group', { name: 'Copies that could not be stored' })
    await expect(said).toContainText('Documents of which no copy could be stored: 3. The disk is full')
    await inspect(page, 'a batch without copies')
    await page.getByRole('navigation').getByRole('link', { name: 'Overview' }).click()
    await expect(said).toContainText('could be stored: 3')
    await expect(said.getByRole('link', { name: 'All batches' })).toBeInViewport()
    await inspect(page, 'the overview with copies that could not be stored')
    await workspace.close()
  } finally {
    execFileSync('umount', ['--lazy', dataFolder])
  }
})

test('where a copy is required, nothing is sent without one, and no button offers it', async ({ workspace }) => {
  const page = await workspace.open()
  const { id, name, baseUrl, mode, colour, mark } = await usePractice(page)
  await ask(page, 'connections.save', { id, name, baseUrl, mode, colour, mark, copies: 'required' })
  const verify = new VerifyPage(page)
  await verify.open('validate-passport')
  await verify.fill('validate-passport', { id_url: server.at((response) => response.writeHead(410).end(), 'gone.jpg') })
  await verify.send.press('Enter')
  const refusal = page.getByRole('region', { name: 'No copy of a document' })
  await expect(refusal).toContainText('Nothing was sent, and nothing was recorded')
  await expect(refusal).toContainText('the status of the response was 410')
  await expect(refusal.getByRole('button', { name: 'Send anyway' })).toHaveCount(0)
  const { events } = await ask(page, 'audit.page', { limit: 20 })
  expect(events.filter(({ kind }) => kind === 'record.begun' || kind === 'document.missed')).toEqual([])
})

test('a copy is kept later and a file is added, by keyboard alone, and each says when', async ({ workspace, home }) => {
  const page = await workspace.open()
  await usePractice(page)
  const verify = new VerifyPage(page)
  await verify.open('validate-passport')
  await verify.run('validate-passport', { id_url: server.at(card, 'card.jpg') })
  const kept = verify.record.root.getByRole('group', { name: 'Passport URL', exact: true })
  const names = async () => (await kept.getByRole('button').allTextContents()).map((name) => name.trim())
  const button = (name: string): Locator => kept.getByRole('button', { name, exact: true })
  await expect.poll(names).toEqual(['Keep a copy now', 'Add file', 'Note from now on'])

  await button('Keep a copy now').press('Enter')
  await expect(kept).toContainText(/Copy kept \d+ seconds? after the request/)
  await expect(button('Keep a copy now')).toHaveCount(0)
  await expect(kept).toBeFocused()
  await expect(page.getByTestId('announcer')).toContainText('copy kept.')

  const wrong = join(home, 'wrong.pdf')
  writeFileSync(wrong, 'It is a letter.')
  await chooseWith(workspace.session(), wrong, () => button('Add file').press('Enter'))
  await expect(kept).toContainText('it is no photo or document that can be shown')
  const file = join(home, 'face.jpg')
  writeFileSync(file, face)
  await chooseWith(workspace.session(), file, () => button('Add file').press('Enter'))
  await expect(kept).toContainText(/File added \d+ seconds? after the request/)
  await expect(button('Add file')).toBeFocused()
  await inspect(page, 'copies that were kept later')

  const asked = server.asked.length
  await verify.record.root.getByRole('button', { name: 'Show 2 documents' }).press('Enter')
  await expect(viewer(page).getByRole('figure', { name: 'Passport (later copy)' })).toBeVisible()
  await viewer(page)
    .getByRole('button', { name: /^About this file/ })
    .press('Enter')
  await expect(viewer(page).getByTestId('when')).toHaveText(/^This is the copy that was kept at .*, \d+ seconds? after/)
  await viewer(page)
    .getByRole('button', { name: /^Passport \(added file\), 2 of 2/ })
    .press('Enter')
  await expect(viewer(page).getByTestId('when')).toHaveText(/^This is a file that was added at .*, \d+ seconds? after/)
  expect(server.asked).toHaveLength(asked)
})
