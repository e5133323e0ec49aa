/** The files of copies in the real window: what Data management and the overview say of them, and what the viewer shows in their place. */
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, unlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { card, face } from '../service/support/document-files.ts'
import { serveDocuments, type DocumentServer } from '../service/support/document-server.ts'
import { inspect } from './fixtures/axe.ts'
import { ask, expect, test, usePractice } from './fixtures/workspace.ts'
import { goTo } from './pages/go.ts'

let server: DocumentServer
test.beforeAll(async () => void (server = await serveDocuments()))
test.afterAll(() => server.close())

test('a missing and a damaged file are found by a key, named with their records, and counted on the overview', async ({
  workspace,
  dataFolder
}, testInfo) => {
  test.skip(!workspace.keyring, 'needs a keyring for tests')
  test.slow()
  const page = await workspace.open()
  const { id, name, baseUrl, mode, colour, mark } = await usePractice(page)
  await ask(page, 'connections.save', { id, name, baseUrl, mode, colour, mark, copies: 'required' })
  for (const [document, applicant_id] of [
    [card, 'APP-1'],
    [face, 'APP-2'],
    [card, 'APP-3']
  ] as const)
    await ask(page, 'verification.run', {
      runId: randomUUID(),
      connectionId: id,
      operation: 'validate-applicant-id-document',
      input: { applicant_id, document_url: server.at(document) }
    })
  const folder = join(dataFolder, 'documents')
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name))
  expect(files).toHaveLength(3)
  await goTo(page, '/administration/data-management', 'Data management')
  const section = page.getByRole('region', { name: 'Copies of documents' })
  await expect(section).toContainText('3 files')
  await section.getByRole('button', { name: 'Verify all' }).press('Enter')
  await expect(page.getByText('3 files verified. All are whole.').first()).toBeVisible()
  unlinkSync(files[0] ?? '')
  writeFileSync(files[1] ?? '', 'something else')
  await section.getByRole('button', { name: 'Verify all' }).press('Enter')
  await expect(section).toContainText('2 files cannot be opened: 1 missing, 1 damaged.')
  await section.scrollIntoViewIfNeeded()
  await inspect(page, 'copies that are missing or damaged')
  await page.screenshot({ path: testInfo.outputPath('data-management.png') })

  await section.getByRole('link').first().press('Enter')
  await expect(
    page.getByText(/^The copy of this document cannot be opened: its file is (missing|damaged)/)
  ).toBeVisible()
  // What it was, the record still says.
  await expect(page.getByTestId('kept-document_url')).toContainText(/[0-9a-f]{64}/)
  await page.screenshot({ path: testInfo.outputPath('viewer.png') })

  await goTo(page, '/overview', 'Overview')
  const line = page.getByRole('region', { name: 'Copies of documents' })
  await expect(line).toContainText('2 files are missing or damaged.')
  await line.scrollIntoViewIfNeeded()
  await page.screenshot({ path: testInfo.outputPath('overview.png') })
  await line.getByRole('link', { name: 'Data management' }).press('Enter')
  await expect(section).toBeVisible()

  // As long as its link is whole, a copy is kept again on its record.
  await section.getByRole('link').first().press('Enter')
  const kept = page.getByTestId('kept-document_url')
  await expect(kept).toContainText(/(Missing|Damaged): this copy cannot be opened/)
  await inspect(page, 'a record whose copy cannot be opened')
  await kept.getByRole('button', { name: 'Keep a copy now', exact: true }).press('Enter')
  await expect(kept.getByRole('button', { name: 'Keep a copy now', exact: true })).toHaveCount(0)
  await expect(kept).toBeFocused()
  await expect(kept).not.toContainText('cannot be opened')
  expect(await ask(page, 'documents.condition')).toMatchObject({ files: 3, faulty: [{ field: 'document_url' }] })
  await goTo(page, '/administration/data-management', 'Data management')
  await expect(section).toContainText(/1 file cannot be opened/)

  // A file that nothing names, and one with another name than copies have.
  const stray = join(dirname(files[2] ?? ''), basename(dirname(files[2] ?? '')) + 'f'.repeat(62))
  writeFileSync(stray, 'of nobody')
  writeFileSync(join(folder, 'note.txt'), 'of somebody')
  await section.getByRole('button', { name: 'Verify all' }).press('Enter')
  await expect(section).toContainText('2 other files are in the folder')
  await section.getByRole('button', { name: 'Delete other files' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Delete other files?' })
  await expect(dialog).toContainText('1 file (9 B) is named by no history and no backup in the data folder.')
  await expect(dialog).toContainText('1 other file stays, because it has another name than copies have.')
  await inspect(page, 'deleting files that nothing names')
  await page.screenshot({ path: testInfo.outputPath('other-files.png') })
  await dialog.getByRole('button', { name: 'Delete 1 file' }).press('Enter')
  await expect(section).toContainText('1 other file is in the folder')
  expect([existsSync(stray), existsSync(join(folder, 'note.txt'))]).toEqual([false, true])
  await expect(section.getByRole('button', { name: 'Delete other files' })).toBeFocused()
  // Without other files the button goes, and the focus stays in the page.
  unlinkSync(join(folder, 'note.txt'))
  writeFileSync(stray, 'of nobody')
  await section.getByRole('button', { name: 'Delete other files' }).press('Enter')
  await dialog.getByRole('button', { name: 'Delete 1 file' }).press('Enter')
  await expect(section).not.toContainText('in the folder')
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY')
})
