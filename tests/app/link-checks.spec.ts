/** Checks of links, against a real server of documents on this computer. */
import { createHash } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { card, face } from '../service/support/document-files.ts'
import { heldAnswer, serveDocuments, type DocumentServer } from '../service/support/document-server.ts'
import { inspect } from './fixtures/axe.ts'
import { ask, expect, test, usePractice } from './fixtures/workspace.ts'
import { choose } from './pages/fields.ts'
import { SettingsPage } from './pages/settings.ts'
import { VerifyPage } from './pages/verify.ts'
import { newBatch } from './fixtures/batch.ts'
import { resizeWindow } from './fixtures/window-size.ts'

let server: DocumentServer
test.beforeAll(async () => void (server = await serveDocuments()))
test.afterAll(() => server.close())

const panel = (page: Page): Locator => page.getByRole('region', { name: 'Link check' })
const question = (page: Page): Locator => page.getByRole('dialog', { name: 'Check before you send' })
const records = async (page: Page): Promise<number> =>
  (await ask(page, 'history.page', { filter: {}, limit: 50 })).records.length
const gone = (): string => server.at((response) => response.writeHead(404).end())

test(
  'the links of a form are checked by a button, by keyboard, and nothing is sent',
  { tag: '@electron-instead' },
  async ({ workspace }) => {
    const page = await workspace.open()
    await usePractice(page)
    const verify = new VerifyPage(page)
    await verify.open('validate-applicant-documents')
    await expect(panel(page)).toHaveCount(0)
    await verify.fill('validate-applicant-documents', {
      applicant_id: 'APP-1',
      photo_document_url: server.at(face, 'face.jpg'),
      id_document_url: gone()
    })
    await verify.field('ID document URL').press('Tab')
    const button = panel(page).getByRole('button', { name: 'Check links' })
    await expect(button).toBeFocused()
    await expect(panel(page)).toContainText('it costs nothing there')
    await page.keyboard.press('Enter')
    await expect(panel(page).getByTestId('link-photo_document_url')).toContainText('JPEG')
    await expect(panel(page).getByTestId('link-photo_document_url')).toContainText('640 × 720 pixels')
    await expect(panel(page).getByTestId('link-id_document_url')).toContainText('the status of the response was 404')
    await expect(panel(page)).toContainText('1 link with findings. You can send anyway.')
    await inspect(page, 'checked links')
    expect(await records(page)).toBe(0)

    // The results are those of what was checked.
    await verify.field('ID document URL').fill(server.at(card, 'card.png'))
    await expect(panel(page).getByTestId('link-photo_document_url')).toHaveCount(0)
    await button.click()
    await expect(panel(page)).toContainText('Nothing stands out. A check is not a verification.')
    await verify.send.click()
    await expect(verify.record.root).toBeVisible()

    // The same photo under another applicant, with a way to its record.
    await verify.field('Applicant ID').fill('APP-2')
    await button.click()
    const photo = panel(page).getByTestId('link-photo_document_url')
    await expect(photo).toContainText('The same file was checked for another applicant.')
    await expect(photo).toContainText('Its applicant is APP-1.')
    await photo.getByRole('link').click()
    await expect(page.getByTestId('record')).toContainText('APP-1')
  }
)

test('with the setting, sending checks first and asks only if something stands out', async ({ workspace }) => {
  const page = await workspace.open()
  await usePractice(page)
  const settings = new SettingsPage(page)
  await settings.open()
  await settings.toggle('Check links before sending').click()
  const verify = new VerifyPage(page)
  await verify.open('validate-kyc-photo')

  const asked = server.asked.length
  await verify.run('validate-kyc-photo', { photo_url: server.at(face, 'face.jpg') })
  await expect(verify.record.root).toBeVisible()
  await expect(question(page)).toHaveCount(0)
  expect(server.asked.length).toBe(asked + 1)
  expect(await records(page)).toBe(1)

  await verify.run('validate-kyc-photo', { photo_url: gone() })
  await expect(question(page)).toContainText('the status of the response was 404')
  await expect(question(page)).toContainText('Nothing was sent to the service yet.')
  await inspect(page, 'the question before sending')
  await page.keyboard.press('Escape')
  await expect(question(page)).toHaveCount(0)
  await expect(verify.field('Photo URL')).toBeFocused()
  expect(await records(page)).toBe(1)

  await page.keyboard.press('Enter')
  await question(page).getByRole('button', { name: 'Send anyway' }).click()
  await expect.poll(() => records(page)).toBe(2)

  // Off again, nothing is asked of the servers of links.
  await settings.open()
  await settings.toggle('Check links before sending').click()
  await verify.open('validate-kyc-photo')
  const before = server.asked.length
  await verify.run('validate-kyc-photo', { photo_url: gone() })
  await expect.poll(() => records(page)).toBe(3)
  expect(server.asked.length).toBe(before)
})

test('a check is stopped by Escape and sends nothing, and an erasure removes its results', async ({ workspace }) => {
  const page = await workspace.open()
  const connection = await usePractice(page, { checkLinks: true })
  const verify = new VerifyPage(page)
  await verify.open('validate-kyc-photo')
  const stopped = heldAnswer(face)
  await verify.run('validate-kyc-photo', { photo_url: server.at(stopped.answer) })
  const releaseStopped = await stopped.asked
  await expect(panel(page)).toContainText('Checking the links')
  await expect(verify.send).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(panel(page)).not.toContainText('Checking the links')
  releaseStopped()
  expect(await records(page)).toBe(0)

  // What is changed while it is checked is not sent either.
  const changed = heldAnswer(face)
  await verify.run('validate-kyc-photo', { photo_url: server.at(changed.answer) })
  const releaseChanged = await changed.asked
  await expect(panel(page)).toContainText('Checking the links')
  await verify.field('Photo URL').fill(server.at(card))
  releaseChanged()
  await expect(panel(page)).not.toContainText('Checking the links')
  expect(await records(page)).toBe(0)

  await verify.field('Photo URL').fill(server.at(face))
  await panel(page).getByRole('button', { name: 'Check links' }).click()
  await expect(panel(page).getByTestId('link-photo_url')).toContainText('JPEG')
  await ask(page, 'verification.run', {
    runId: crypto.randomUUID(),
    connectionId: connection.id,
    operation: 'get-applicant-details',
    input: { applicant_id: 'APP-9' }
  })
  await ask(page, 'erasure.run', { applicantId: 'APP-9', confirmation: 'APP-9', reason: 'asked for' })
  await expect(panel(page)).toHaveCount(0)
})

test(
  'a record compares its document with today, and the viewer says that it changed',
  { tag: '@electron-instead' },
  async ({ workspace }) => {
    const page = await workspace.open()
    await usePractice(page, { checkLinks: true })
    const verify = new VerifyPage(page)
    await verify.open('validate-passport')
    let file: Buffer | undefined = card
    await verify.run('validate-passport', {
      id_url: server.at((response) => (file ? response.end(file) : response.writeHead(404).end()))
    })
    const kept = verify.record.root.getByTestId('kept-id_url')
    await expect(kept).toContainText('At the check')
    const button = kept.getByRole('button', { name: 'Compare with today' })
    await button.click()
    await expect(kept.getByTestId('result')).toHaveText('The same file today.')
    const documents = page.getByRole('region', { name: 'Documents', exact: true })
    await documents.getByRole('button', { name: 'Show 1 document' }).click()
    await expect(documents).toContainText('Same file as when it was verified')

    file = face
    await button.click()
    await expect(kept.getByTestId('result')).toHaveText('The file behind this link has changed.')
    await expect(kept).toContainText(createHash('sha256').update(card).digest('hex'))
    await expect(kept).toContainText(createHash('sha256').update(face).digest('hex'))
    await inspect(page, 'a changed document')
    file = undefined
    await button.click()
    await expect(kept.getByTestId('result')).toContainText('could not be fetched today.')
    await expect(kept.getByTestId('result')).toContainText('404')

    file = face
    // It is fetched again for another opening of the same record.
    await verify.record.more.click()
    await verify.record.openInHistory.click()
    await documents.getByRole('button', { name: 'Show 1 document' }).click()
    await expect(documents.getByTestId('drift')).toHaveText(
      /^The file behind this link has changed since the verification of .*2\d{3}.*\.\s*$/
    )
  }
)

test('a record that was not checked is noted from now on', async ({ workspace }) => {
  const page = await workspace.open()
  await usePractice(page)
  const verify = new VerifyPage(page)
  await verify.open('validate-passport')
  let file = card
  await verify.run('validate-passport', { id_url: server.at((response) => response.end(file)) })
  const kept = verify.record.root.getByTestId('kept-id_url')
  await expect(kept).toContainText('Nothing to compare with')
  await kept.getByRole('button', { name: 'Note from now on' }).press('Enter')
  await expect(kept).toContainText('Noted')
  file = face
  await kept.getByRole('button', { name: 'Compare with today' }).click()
  await expect(kept.getByTestId('result')).toHaveText('The file behind this link has changed.')
})

test('the links of a batch are checked on request, stopped, filtered, saved and left out by choice', async ({
  workspace
}) => {
  const page = await workspace.open()
  await usePractice(page, { lastOperation: 'validate-passport' })
  await resizeWindow(page, { width: 900, height: 800 })
  const waiting: (() => void)[] = []
  const slow = Array.from({ length: 8 }, () => server.at((response) => void waiting.push(() => response.end(face))))
  const form = await newBatch(page, ['id_url', ...slow].join('\n'))
  await form.go('Send')
  const links = page.getByRole('region', { name: 'Links', exact: true })
  await expect(links).toContainText('learns that somebody is looking')
  await links.getByRole('button', { name: 'Check 8 links' }).press('Enter')
  await expect(links.getByRole('progressbar')).toBeVisible()
  await expect.poll(() => waiting.length).toBe(4)
  await links.getByRole('button', { name: 'Stop' }).click()
  await expect(links.getByTestId('links-done')).toContainText('0 of 8 links checked, then stopped.')
  expect(waiting).toHaveLength(4)

  await page.getByRole('main').getByRole('button', { name: 'Discard', exact: true }).click()
  await expect(links).toHaveCount(0)
  const rows = [server.at(Buffer.concat([face, Buffer.from('1')])), gone(), server.at(card), server.at(card)]
  await form.paste(['id_url', ...rows].join('\n'))
  await form.go('Send')
  await links.getByRole('button', { name: 'Check 4 links' }).click()
  await expect(links.getByTestId('links-done')).toHaveText(
    '4 of 4 links checked. 1 row without findings. 3 rows with findings.'
  )
  await expect(links.getByTestId('links-unreachable')).toHaveText('1')
  await expect(links.getByTestId('links-same-file')).toHaveText('2')
  const found = links
    .getByRole('grid', { name: 'Findings' })
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell') })
  await expect(found).toHaveCount(3)
  await inspect(page, 'links of a batch')
  await choose(links.getByRole('combobox', { name: 'Show' }), 'Unreachable')
  await expect(found).toHaveCount(1)
  await expect(found).toContainText('status 404')
  expect(await records(page)).toBe(0)

  await expect(form.estimate).toContainText('4 requests')
  await links.getByRole('checkbox', { name: 'Skip 3 rows with findings' }).check()
  await expect(form.estimate).toContainText('1 request')
  const batch = await form.run()
  await expect(batch.state).toHaveText('Finished')
  await expect.poll(() => batch.count('answered')).toBe(1)
  await expect.poll(() => batch.count('invalid')).toBe(3)
})
