/** *Data of the applicant*, by the keyboard alone: read, saved, checked as its recipient checks it, and read as a PDF. */
import { execFileSync } from 'node:child_process'
import { createPublicKey, randomUUID, verify } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { fromBufferPromise } from 'yauzl'
import { card } from '../service/support/document-files.ts'
import { serveDocuments, type DocumentServer } from '../service/support/document-server.ts'
import { inspect } from './fixtures/axe.ts'
import { savedFile } from './fixtures/files.ts'
import { readPdf } from './fixtures/pdf.ts'
import { ask, expect, test, usePractice } from './fixtures/workspace.ts'
import { ApplicantPage } from './pages/applicants.ts'
import { Shell } from './pages/shell.ts'

let server: DocumentServer
test.beforeAll(async () => void (server = await serveDocuments()))
test.afterAll(() => server.close())

const canary = 'CANARY'

/** Moves the focus with a key until it is on an element. */
async function walkTo(page: Page, key: string, element: Locator): Promise<void> {
  while (!(await element.evaluate((found) => found === document.activeElement))) await page.keyboard.press(key)
}

/** Unpacks a ZIP file into a folder. */
async function unpack(file: string, folder: string): Promise<string[]> {
  const zip = await fromBufferPromise(readFileSync(file), { lazyEntries: true })
  const names: string[] = []
  for await (const entry of zip.eachEntry()) {
    const pieces: Buffer[] = []
    for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(piece as Buffer)
    const path = join(folder, entry.fileName)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, Buffer.concat(pieces))
    names.push(entry.fileName)
  }
  return names
}

test('the data of an escalated applicant is read and saved by keyboard, and tells nothing of it', async ({
  workspace,
  home
}) => {
  const page = await workspace.open()
  const { id, name, baseUrl, mode, colour, mark } = await usePractice(page)
  await ask(page, 'connections.save', { id, name, baseUrl, mode, colour, mark, copies: 'possible' })
  const input = { applicant_id: 'APP-1', document_url: server.at(card, 'card.jpg') }
  const operation = 'validate-applicant-id-document'
  await ask(page, 'verification.run', { runId: randomUUID(), connectionId: id, operation, input })
  await ask(page, 'applicants.note', { applicantId: 'APP-1', text: `${canary} suspicion` })
  const { evidence } = await ask(page, 'applicants.show', { applicantId: 'APP-1' })
  await ask(page, 'decisions.make', {
    applicantId: 'APP-1',
    decision: 'escalate',
    reasons: ['second-opinion'],
    note: `${canary} escalation`,
    evidence,
    due: Date.UTC(2030, 2, 18)
  })
  await ask(page, 'holds.place', { applicantId: 'APP-1', reason: `${canary} hold` })

  await new ApplicantPage(page).open('APP-1')
  const menu = page.getByRole('button', { name: 'More actions' })
  await menu.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await walkTo(page, 'ArrowDown', page.getByRole('menuitem', { name: 'Data of the applicant' }))
  await page.keyboard.press('Enter')
  const dialog = new Shell(page).dialog('Data of the applicant')
  await expect(dialog.getByTestId('data-counts')).toHaveText(/^1 request, 1 answer, 1 copy of a document \(/)
  const text = dialog.getByRole('region', { name: 'Text of the file' })
  await expect(text).toContainText('Request 1: Validate applicant identity document')
  await expect(text).toContainText('Copies of documents')
  await expect(text).not.toContainText(canary)
  // The text can be scrolled before anything is saved.
  await walkTo(page, 'Tab', text)
  await walkTo(page, 'Tab', dialog.getByRole('button', { name: 'Save as ZIP' }))
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('region', { name: 'Data of the applicant saved' })).toContainText('SHA-256')
  await page.keyboard.press('Escape')
  await expect(menu).toBeFocused()

  const folder = join(home, 'unpacked')
  const names = await unpack(await savedFile(home, '.zip'), folder)
  const at = (each: string): string => join(folder, each)
  const read = (each: string): Buffer => readFileSync(at(each))
  expect(read('documents/1 document_url.jpeg').equals(card)).toBe(true)
  const paper = readPdf(read('data.pdf'))
  for (const words of ['Dataoftheapplicant', 'APP-1', 'Request1:', 'Validateapplicantidentitydocument'])
    expect(paper.text).toContain(words)
  expect(paper.text).not.toContain(canary)
  for (const each of names) expect(read(each).toString('latin1')).not.toContain(canary)
  expect(verify(null, read('data.json'), createPublicKey(read('public-key.pem')), read('data.json.sig'))).toBe(true)
  // The command of the guide.
  const check = (): string => {
    const given = ['-inkey', at('public-key.pem'), '-rawin', '-in', at('data.json'), '-sigfile', at('data.json.sig')]
    return String(execFileSync('openssl', ['pkeyutl', '-verify', '-pubin', ...given], { stdio: 'pipe' }))
  }
  expect(check()).toContain('Verified Successfully')
  writeFileSync(at('data.json'), String(read('data.json')).replace('"status": 2', '"status": 4'))
  expect(check).toThrow('Command failed')

  const { events } = await ask(page, 'audit.page', { limit: 5, kinds: ['export.made'] })
  expect(events.map(({ words }) => words)).toEqual(['Export (data of the applicant, zip) with 1 entry saved.'])
})

test('the dialog can be used by everybody, and says that there is no copy', async ({ workspace }) => {
  const page = await workspace.open()
  const { id: connectionId } = await usePractice(page)
  const input = { applicant_id: 'APP-1' }
  await ask(page, 'verification.run', {
    runId: randomUUID(),
    connectionId,
    operation: 'get-applicant-details',
    input
  })
  await new ApplicantPage(page).open('APP-1')
  await page.getByRole('button', { name: 'More actions' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Data of the applicant' }).press('Enter')
  const dialog = new Shell(page).dialog('Data of the applicant')
  await expect(dialog.getByTestId('data-counts')).toHaveText('1 request, 1 answer, 0 copies of documents (0 B)')
  await inspect(page, 'the data of an applicant')
})
