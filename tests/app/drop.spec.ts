/** Files dropped anywhere, as the system delivers them: each leads to the page that reads it, and none navigates the window. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CDPSession, Page } from '@playwright/test'
import { expect, test, usePractice } from './fixtures/workspace.ts'
import { inspect } from './fixtures/axe.ts'
import { windowUrl } from './fixtures/hosts.ts'
import { goTo } from './pages/go.ts'
import { NewBatchPage } from './pages/batches.ts'
import { Shell } from './pages/shell.ts'
import { VerifyPage } from './pages/verify.ts'
import { fileOf, keeper, signed, version } from '../unit/support/trust-files.ts'

test.slow()

const keepers = [keeper(), keeper()]

/** A drag belongs to the session that began it. */
const sessions = new WeakMap<Page, CDPSession>()

type Step = 'dragEnter' | 'dragOver' | 'drop' | 'dragCancel'
/** Drags files, or a link, over the middle of the window, as the system does. */
async function drag(page: Page, steps: readonly Step[], files: readonly string[], link?: string): Promise<void> {
  const devTools = sessions.get(page) ?? (await page.context().newCDPSession(page))
  sessions.set(page, devTools)
  // What was dragged over last gets the drop: nobody does, if its rows arrive between the two.
  await expect(page.getByRole('main').locator('[aria-busy="true"]')).toHaveCount(0)
  const items = link === undefined ? [] : [{ mimeType: 'text/uri-list', data: link }]
  for (const type of steps)
    await devTools.send('Input.dispatchDragEvent', {
      type,
      x: 700,
      y: 400,
      data: { items, files: [...files], dragOperationsMask: 1 }
    })
}
const drop = (page: Page, ...files: string[]): Promise<void> => drag(page, ['dragEnter', 'dragOver', 'drop'], files)

test('a CSV file begins a batch, and replaces the rows of another only after a question', async ({
  workspace,
  home
}) => {
  const page = await workspace.open()
  await usePractice(page)
  const file = (name: string, text: string): string => {
    writeFileSync(join(home, name), text)
    return join(home, name)
  }
  await goTo(page, '/applicants', 'Applicants')
  const first = file('first.csv', 'applicant_id\nAPP-1\nAPP-2\n')
  await drag(page, ['dragEnter', 'dragOver'], [first])
  await expect(page.getByTestId('drop-anywhere')).toContainText('By keyboard')
  await inspect(page, 'a file over the window')
  await drag(page, ['dragCancel'], [first])
  await page.mouse.move(300, 300)
  await expect(page.getByTestId('drop-anywhere')).toHaveCount(0)
  await drop(page, first)
  const form = new NewBatchPage(page)
  await expect(form.fileName).toHaveText('first.csv')
  await goTo(page, '/history', 'History')
  await drop(page, file('second.csv', 'applicant_id\nAPP-3\n'))
  const question = new Shell(page).dialog('Replace the rows of the new batch?')
  await expect(question).toContainText('first.csv')
  await question.getByRole('button', { name: 'Replace rows' }).click()
  await expect(form.fileName).toHaveText('second.csv')
})

test('lists fill the form, packs are verified, backups lead to their place', async ({ workspace, home }) => {
  const page = await workspace.open()
  await usePractice(page, { lastOperation: 'validate-applicant-documents' })
  const links = join(home, 'links.txt')
  writeFileSync(links, 'APP-5\nhttps://files.example.com/p.jpg\nhttps://files.example.com/i.jpg\n')
  await goTo(page, '/administration/settings', 'Settings')
  await drop(page, links)
  const form = new VerifyPage(page)
  await expect(form.field('Applicant ID')).toHaveValue('APP-5')
  await expect(form.field('ID document URL')).toHaveValue('https://files.example.com/i.jpg')
  // On a form, the list goes to this form.
  await form.open('get-applicant-details')
  const one = join(home, 'one.json')
  writeFileSync(one, '{"applicant_id":"APP-6"}')
  await drop(page, one)
  await expect(form.field('Applicant ID')).toHaveValue('APP-6')

  const pack = join(home, 'case.json')
  writeFileSync(pack, '{"envelope":{},"format":"veridesk-evidence"}')
  await drop(page, pack)
  await expect(page.getByRole('heading', { level: 1, name: 'Evidence' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Verification result' })).toContainText('Pack not verified')

  // By its content: one that was sent may have any name.
  const trust = join(home, 'sent.json')
  writeFileSync(trust, fileOf(signed(version(keepers), keepers)))
  await drop(page, trust)
  await expect(page.getByRole('region', { name: 'Version 1 of the trust file of Sample Bank' })).toContainText(
    'It counts: enough keepers have signed it.'
  )

  const backup = join(home, 'backup-1')
  mkdirSync(backup)
  writeFileSync(join(backup, 'backup.json'), '{}')
  await drop(page, backup)
  await expect(page.getByRole('region', { name: 'Data management', exact: true })).toBeVisible()
  await expect(page.getByTestId('toast')).toContainText('This belongs to a backup.')
})

test('documents, several files and unknown kinds get a sentence, and nothing that is dropped navigates the window', async ({
  workspace,
  home
}) => {
  const page = await workspace.open()
  await usePractice(page)
  await goTo(page, '/applicants', 'Applicants')
  const photo = join(home, 'photo.csv')
  writeFileSync(photo, Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0x10, 0x4a, 0x46]))
  const hostile = join(home, 'page.html')
  writeFileSync(hostile, '<!doctype html><script>document.title = "taken"</script>')
  const toast = page.getByTestId('toast')
  await drop(page, photo)
  await expect(toast).toContainText(
    'photo.csv is an image or a PDF. Documents are named by their link and are never uploaded.'
  )
  await drop(page, hostile)
  await expect(toast).toContainText('page.html cannot be used here: it is a web page or a drawing.')
  const gone = join(home, 'gone.csv')
  writeFileSync(gone, 'applicant_id\nAPP-1\n')
  await drag(page, ['dragEnter', 'dragOver'], [gone])
  rmSync(gone)
  await drag(page, ['drop'], [gone])
  await expect(toast).toContainText('gone.csv')
  await drop(page, photo, hostile)
  await expect(toast).toContainText('Several files were dropped at once: 2.')
  await drag(page, ['dragEnter', 'dragOver', 'drop'], [], 'https://hostile.example.com/')
  await drag(page, ['dragEnter', 'dragOver', 'drop'], [], 'javascript:document.title="taken"')
  await expect(page.getByRole('heading', { level: 1, name: 'Applicants' })).toBeVisible()
  expect(page.url()).toMatch(windowUrl)
  await expect(page).toHaveTitle(/Veridesk/)
  // A dialog has the window for itself.
  await page.getByRole('button', { name: /^Go to/ }).click()
  await drop(page, photo)
  await expect(page.getByRole('dialog')).toBeVisible()
})
