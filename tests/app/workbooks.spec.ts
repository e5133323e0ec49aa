/** Workbooks in the real window: a sheet becomes a batch, and what is saved as a workbook can be opened again. */
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { openWorkbook } from '#kit/workbook/read.ts'
import { textRows, workbookFile } from '../unit/support/workbook-files.ts'
import { begin, saveInto } from './fixtures/batch.ts'
import { inspect } from './fixtures/axe.ts'
import { savedFile } from './fixtures/files.ts'
import { expect, test } from './fixtures/workspace.ts'
import { BatchesPage, NewBatchPage, saveAs, savedPath } from './pages/batches.ts'
import { choose } from './pages/fields.ts'
import { HistoryPage } from './pages/history.ts'
import { Shell } from './pages/shell.ts'

const form = 'Workbook (.xlsx)'
const headings = ['Nr', 'applicant_id']

/** The cells of the first sheet, with its headings. */
async function cellsOf(path: string): Promise<readonly (readonly string[])[]> {
  expect(path).toMatch(/\.xlsx$/)
  const rows: (readonly string[])[] = []
  for await (const { cells } of (await openWorkbook(await readFile(path))).rows(0)) rows.push(cells)
  return rows
}

/** The words of the message about a saved file, so that the next one is told from it. */
const shown = async (page: Page): Promise<string> => (await page.getByTestId('toast').allInnerTexts()).join('')

test(
  'the second sheet of a workbook is chosen and run, and everything of it is saved as a workbook',
  { tag: '@electron-instead' },
  async ({ workspace, practice, home }) => {
    const page = await begin(workspace, practice)
    await saveInto(workspace, home)
    const list = new BatchesPage(page)
    await list.open()
    await saveAs(list.templates.first(), form)
    const template = await cellsOf(await savedPath(page))
    expect(template[0]).toContain('applicant_id')
    expect(template).toHaveLength(2)

    const batchForm = new NewBatchPage(page)
    await batchForm.open()
    const sheets = [
      { name: 'Notes', data: textRows([['Ask Anna'], ['before Friday']]) },
      { name: 'March', data: textRows([headings, ['1', '00042'], ['2', '=1+1'], ['3', ''], ['4', '00043']]) }
    ]
    await batchForm.dropFile('applicants.xlsx', [...workbookFile({ sheets })])
    await choose(batchForm.main.getByRole('combobox', { name: 'Sheet' }), 'March')
    await expect(batchForm.sample.getByRole('cell', { name: '00042' })).toBeVisible()
    await inspect(page, 'a sheet of a workbook')
    await batchForm.go('Rows')
    await expect(batchForm.figure('rows')).toHaveText('4')

    let before = await shown(page)
    await batchForm.saveInvalid(form)
    const invalid = await cellsOf(await savedPath(page, before))
    expect(invalid.map((cells) => cells.slice(0, 3))).toEqual([
      [...headings, 'line'],
      ['3', '', '4']
    ])

    const batch = await batchForm.run()
    await expect(batch.state).toHaveText('Finished')
    expect(practice.ledger()).toHaveLength(3)
    before = await shown(page)
    await batch.save.click()
    await page.getByRole('menuitemradio', { name: form }).click()
    await page.getByRole('menuitem', { name: /^Save 4 results/ }).click()
    const results = await cellsOf(await savedPath(page, before))
    expect(results.map((cells) => cells.slice(0, 5))).toEqual([
      [...headings, 'line', 'outcome', 'status'],
      ['1', '00042', '2', 'Answered', '200'],
      ['2', '=1+1', '3', 'Answered', '200'],
      ['3', '', '4', 'Invalid', ''],
      ['4', '00043', '5', 'Answered', '200']
    ])

    await new HistoryPage(page).open()
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    const dialog = new Shell(page).dialog('Export records')
    await choose(dialog.getByLabel('Format'), 'Workbook (.xlsx), for Excel')
    await dialog.getByRole('button', { name: 'Export records' }).click()
    await expect(dialog.getByRole('region', { name: 'Exported' })).toContainText('3 rows')
    const [columns = [], ...records] = await cellsOf(
      await savedFile(home, `${new Date().toISOString().slice(0, 10)}.xlsx`)
    )
    const at = columns.indexOf('applicant_id')
    expect(records.map((cells) => cells[at]).sort()).toEqual(['00042', '00043', '=1+1'])
  }
)
