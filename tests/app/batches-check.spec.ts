/** Before a batch is created: its file is read, settings are corrected manually, and rows are validated and shown. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator } from '@playwright/test'
import { parse } from 'csv-parse/sync'
import { operationOf } from '#contract/verification/operations.ts'
import { bodyDigest } from '#practice/ledger.ts'
import { arrivals, begin, idDocument, idsCsv, newBatch, saveInto } from './fixtures/batch.ts'
import { inspect } from './fixtures/axe.ts'
import { ask, expect, test } from './fixtures/workspace.ts'
import { BatchPage, NewBatchPage, savedPath } from './pages/batches.ts'
import { HistoryPage } from './pages/history.ts'
import { choose } from './pages/fields.ts'
import { goTo } from './pages/go.ts'
import { TablePage } from './pages/table.ts'

test('columns are mapped manually, errors are shown at their cells, and nothing invalid is sent', async ({
  workspace,
  practice
}) => {
  const page = await begin(workspace, practice)
  const form = new NewBatchPage(page)
  await form.open()
  await choose(form.operation, idDocument.title)
  const link = (row: number): string => `https://files.example.com/${row}.jpg`
  await form.paste(
    [
      'Customer;Scan;Remark',
      `0007;${link(1)};good`,
      `0008;not an address;bad link`,
      `0007;${link(1)};the first again`,
      `0009;${link(4)};x;y`,
      `0010;${link(5)};good`
    ].join('\n')
  )
  await expect(form.delimiter).toHaveText('Semicolon (;)')
  // Neither heading is recognised: each field is mapped to its column manually, and nothing goes on before.
  await form.go('Columns')
  await expect(form.column('Applicant ID')).toHaveAttribute('aria-invalid', 'true')
  await form.keep.click()
  await expect(form.main.getByText('No row can be sent until you choose them.')).toBeVisible()
  await choose(form.column('Applicant ID'), '1: Customer')
  await choose(form.column('Document URL'), '2: Scan')
  await form.go('File')
  await expect(form.sample.getByRole('columnheader', { name: /^Customer/ })).toContainText('Applicant ID')
  await expect(form.sample.getByText('0007').first()).toBeVisible()
  await form.go('Rows')
  await expect(form.figure('rows')).toHaveText('5')
  await expect(form.figure('valid')).toHaveText('2')
  await expect(form.figure('invalid')).toHaveText('2')
  await expect(form.figure('duplicate')).toHaveText('1')
  await expect(form.faults.getByRole('gridcell', { name: /^Line 3, Scan, invalid: .* not_an_address$/ })).toBeVisible()
  await expect(form.faults.getByRole('row', { name: /^4 / })).toContainText('Same as line 2. Skipped.')
  await expect(form.faults.getByRole('row', { name: /^5 / })).toContainText('4 cells')
  await expect(form.figure('recently-answered')).toHaveText('0')
  await form.go('Send')
  await expect(form.estimate).toContainText('2 requests will be sent to Test service')
  expect(practice.ledger()).toEqual([])

  const batch = await form.run()
  await expect(batch.state).toHaveText('Finished')
  await expect.poll(() => batch.count('answered')).toBe(2)
  await expect.poll(() => batch.count('invalid')).toBe(2)
  await expect.poll(() => batch.count('duplicate')).toBe(1)
  const sent = [
    ['0007', link(1)],
    ['0010', link(5)]
  ].map(([applicant_id, document_url]) => bodyDigest(JSON.stringify({ applicant_id, document_url })))
  expect([...arrivals(practice)].sort()).toEqual(sent.map((digest) => [digest, 1]).sort())
  await expect(batch.row(3)).toContainText('Invalid')
  // A row leads to its record, and the record to its batch.
  await batch.row(2).getByRole('link', { name: 'Record' }).click()
  const history = new HistoryPage(page)
  await expect(history.record.sentIn('applicant_id')).toHaveText('0007')
  await expect(history.record.outcome('Answered')).toBeVisible()
  await history.record.open('Record')
  await history.record.fact('Batch').getByRole('link').click()
  await expect(batch.state).toHaveText('Finished')
})

test('columns mapped while the rows are still being read for the previous change are all kept', async ({
  workspace,
  practice
}) => {
  const page = await begin(workspace, practice)
  const form = new NewBatchPage(page)
  await form.open()
  await choose(form.operation, operationOf('validate-applicant-documents').title)
  const rows = 20_000
  const link = (row: number, what: string): string => `https://files.example.com/${row}/${what}.jpg`
  await form.paste(
    [
      'Customer;Portrait;Card',
      ...Array.from({ length: rows }, (_, at) => `00${at};${link(at, 'portrait')};${link(at, 'card')}`)
    ].join('\n')
  )
  await form.go('Columns')
  const labels = operationOf('validate-applicant-documents').fields.map(({ label }) => label)
  // Within one reading, if it takes as long as opening a list: nothing else waits in between.
  const fields = await Promise.all(labels.map((label) => form.column(label).elementHandle()))
  const toRows = await form.steps.getByRole('button', { name: 'Rows' }).elementHandle()
  await page.evaluate(
    async ([found, rowsStep]) => {
      const press = (element: Element): boolean =>
        element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
      for (const [at, field] of found.entries()) {
        if (!field) continue
        press(field)
        const options = (): NodeListOf<Element> => document.querySelectorAll('[role="listbox"] [role="option"]')
        while (options().length === 0) await new Promise(requestAnimationFrame)
        // The first option is “No column”.
        press(options()[at + 1] as Element)
        while (options().length > 0) await new Promise(requestAnimationFrame)
      }
      // Asked for while further readings wait: followed after the last of them.
      ;(rowsStep as HTMLElement | null)?.click()
    },
    [fields, toRows] as const
  )
  const columns = ['1: Customer', '2: Portrait', '3: Card']
  await form.step('Rows').waitFor()
  await expect(form.figure('valid')).toHaveText('20,000')
  await form.go('Columns')
  for (const [at, label] of labels.entries()) await expect(form.column(label)).toHaveText(columns[at] ?? '')
  // The batch is created from what was read last.
  const { state } = await form.kept()
  await expect(state).toHaveText('Draft')
  const [{ id } = { id: '' }] = await ask(page, 'batches.list', { limit: 1 })
  expect(Object.values((await ask(page, 'batches.columns', { id })).mapping)).toEqual([0, 1, 2])
})

test(
  'a dropped file keeps its characters, and core reads a chosen one',
  { tag: '@electron-instead' },
  async ({ workspace, practice, folder }) => {
    const page = await begin(workspace, practice)
    const form = new NewBatchPage(page)
    await form.open()
    await form.dropFile('städte.csv', [...Buffer.from('applicant_id;Name\n0001;Zoë Ångström\n', 'latin1')])
    await expect(form.fileName).toHaveText('städte.csv')
    // Several encodings fit: nothing can be created before a person has chosen one.
    const choices = form.main.getByRole('region', { name: 'Choose the encoding of the file' })
    await expect(choices).toContainText('Zoë Ångström')
    await form.steps.getByRole('button', { name: 'Send' }).click()
    await expect(form.main.getByText('Choose the encoding first.')).toBeVisible()
    await choices.getByRole('button', { name: 'Read as Windows-1252 (Western European)' }).click()
    await expect(choices).toHaveCount(0)
    await expect(form.encoding).toHaveText('Windows-1252 (Western European)')
    await expect(form.sample).toContainText('Zoë Ångström')
    // It is not valid UTF-8: this is reported, and the rows stay as they were read.
    await choose(form.encoding, 'UTF-8')
    await expect(form.fault).toContainText('Line 2 of the file contains 0xEB, which is not valid UTF-8.')
    await expect(form.encoding).toHaveText('Windows-1252 (Western European)')
    await expect(form.sample).toContainText('Zoë Ångström')
    await form.go('Send')
    await expect(form.name).toHaveValue('städte')

    await form.main.getByRole('button', { name: 'Discard' }).click()
    const path = join(folder, 'chosen.csv')
    await writeFile(path, `\ufeff${idsCsv(3)}`, 'utf16le')
    const { electron } = workspace.session()
    if (electron) {
      await electron.evaluate(({ dialog }, chosen) => {
        dialog.showOpenDialog = (() =>
          Promise.resolve({ canceled: false, filePaths: [chosen] })) as typeof dialog.showOpenDialog
      }, path)
      await form.choose.click()
    } else {
      // The browser's own mechanism: the file is chosen by its path, as a user does, without passing bytes.
      const devTools = await page.context().newCDPSession(page)
      await devTools.send('Page.enable')
      await devTools.send('Page.setInterceptFileChooserDialog', { enabled: true })
      devTools.once(
        'Page.fileChooserOpened',
        ({ backendNodeId }) => void devTools.send('DOM.setFileInputFiles', { files: [path], backendNodeId })
      )
      await form.choose.click()
    }
    await expect(form.fileName).toHaveText('chosen.csv')
    await expect(form.encoding).toHaveText('UTF-16 little-endian')
    await form.go('Rows')
    await expect(form.figure('valid')).toHaveText('3')
  }
)

test('an invalid byte is reported however far it is from the beginning, and the file can be read in its own encoding', async ({
  workspace,
  practice
}) => {
  const page = await begin(workspace, practice)
  const form = new NewBatchPage(page)
  await form.open()
  const far = Array.from({ length: 6000 }, (_, n) => `A-${n},plain text\n`).join('')
  const bytes = [...Buffer.from(`applicant_id,name\nA,Zoë\n${far}B,`), 0xe9, 0x0a]
  await form.dropFile('mixed.csv', bytes)
  await expect(form.fault).toContainText('Line 6,003 of the file contains 0xE9, which is not valid UTF-8.')
  await expect(form.fault).toContainText('no character was replaced')
  await expect(form.fileName).toHaveCount(0)
  await choose(form.readAs, 'Windows-1252 (Western European)')
  await expect(form.fileName).toHaveText('mixed.csv')
  await expect(form.encoding).toHaveText('Windows-1252 (Western European)')
  await expect(form.readAs).toHaveCount(0)
  await form.go('Rows')
  await expect(form.figure('valid')).toHaveText('6,002')
  expect(practice.ledger()).toEqual([])
})

test('invalid rows are saved before a batch is created, each with all of its errors', async ({
  workspace,
  practice,
  home
}) => {
  const page = await begin(workspace, practice)
  await saveInto(workspace, home)
  const form = new NewBatchPage(page)
  await form.open()
  await choose(form.operation, idDocument.title)
  await form.paste(
    ['applicant_id;document_url;line', '0007;https://files.example.com/7.jpg;a', ';=SUM(1);b', '0009;ftp:9;c'].join(
      '\n'
    )
  )
  await form.go('Rows')
  await expect(form.figure('invalid')).toHaveText('2')
  await expect(form.faults.getByRole('gridcell', { name: /^Line 3, .*, invalid: / })).toHaveCount(2)
  await form.saveInvalid()
  const saved = await readFile(await savedPath(page), 'utf8')
  const [headings, first, second] = parse(saved, { bom: true, delimiter: ';' }) as string[][]
  expect(headings).toEqual(['applicant_id', 'document_url', 'line', 'veridesk_line', 'faults', 'veridesk_escaped'])
  expect(first?.slice(0, 4)).toEqual(['', "'=SUM(1)", 'b', '3'])
  expect(first?.[4]).toMatch(/^applicant_id: .* document_url: /)
  expect(second?.slice(0, 4)).toEqual(['0009', 'ftp:9', 'c', '4'])
  expect(await ask(page, 'batches.list', { limit: 5 })).toEqual([])
  expect(practice.ledger()).toEqual([])
})

test('rows saved to be fixed are read back unchanged; apostrophes of another file are shown, and removed by choice', async ({
  workspace,
  practice,
  home
}) => {
  const page = await begin(workspace, practice)
  await saveInto(workspace, home)
  const form = new NewBatchPage(page)
  await form.open()
  await choose(form.operation, idDocument.title)
  await form.paste(['applicant_id,document_url', '-5001,none', '@ada,none'].join('\n'))
  await form.go('Rows')
  await form.saveInvalid()
  const saved = await readFile(await savedPath(page), 'utf8')
  expect(saved).toContain("'-5001,none")
  const fixed = saved.replaceAll(',none,', ',https://files.example.com/1.jpg,')
  await form.main.getByRole('button', { name: 'Discard' }).click()
  await form.dropFile('fixed.csv', [...Buffer.from(fixed)])
  await expect(form.sample.getByRole('cell', { name: '-5001', exact: true })).toBeVisible()
  await expect(form.sample).not.toContainText('veridesk_escaped')
  await form.go('Rows')
  await expect(form.figure('valid')).toHaveText('2')
  await expect(form.restored).toContainText(
    'In 2 rows the apostrophes that it had added for spreadsheets were removed.'
  )
  await expect(form.apostrophes).toHaveCount(0)

  // The same without our mark, whose column somebody deleted.
  const unmarked = fixed
    .split('\r\n')
    .map((line) => line.replace(/,[^,]*$/, ''))
    .join('\r\n')
  await form.main.getByRole('button', { name: 'Discard' }).click()
  await form.dropFile('earlier.csv', [...Buffer.from(unmarked)])
  const cellIs = async (text: string): Promise<void> => {
    await form.go('File')
    await expect(form.sample.getByRole('cell', { name: text, exact: true })).toBeVisible()
  }
  await cellIs("'-5001")
  await form.go('Rows')
  await expect(form.apostrophes).toContainText('2 rows have an apostrophe before a formula sign')
  await expect(form.apostrophes.getByRole('listitem')).toHaveText(['applicant_id: rows 2, 3'])
  await form.apostrophes.getByRole('button', { name: 'Remove apostrophes' }).click()
  await expect(form.apostrophes).toContainText('In 2 rows the apostrophe before a formula sign')
  // The choice is kept when other settings change, and ends with the file.
  await cellIs('-5001')
  await choose(form.delimiter, 'Semicolon (;)')
  await choose(form.delimiter, 'Comma (,)')
  await cellIs('-5001')
  await form.go('Rows')
  await form.apostrophes.getByRole('button', { name: 'Keep apostrophes' }).click()
  await expect(form.apostrophes).toContainText('2 rows have an apostrophe before a formula sign')
  await cellIs("'-5001")
  await form.go('Rows')
  await form.apostrophes.getByRole('button', { name: 'Remove apostrophes' }).click()
  await expect(form.figure('valid')).toHaveText('2')
  const batch = await form.run()
  await expect(batch.state).toHaveText('Finished')
  const sent = ['-5001', '@ada'].map((applicant_id) =>
    bodyDigest(JSON.stringify({ applicant_id, document_url: 'https://files.example.com/1.jpg' }))
  )
  expect([...arrivals(practice)].sort()).toEqual(sent.map((digest) => [digest, 1]).sort())
})

test('with hundreds of columns the row’s line stays visible, and only visible columns are drawn', async ({
  workspace,
  practice
}) => {
  const page = await begin(workspace, practice)
  await workspace.session().resize(1024, 700)
  const more = Array.from({ length: 400 }, (_, at) => at + 1)
  const form = await newBatch(
    page,
    [
      `${more.map((at) => `c${at}`).join(',')},applicant_id`,
      ...['A', 'B', 'C'].map((id) => `${more.map((at) => `${id}${at}`).join(',')},${id}`)
    ].join('\n')
  )
  await form.keep.click()
  const batch = new BatchPage(page)
  await expect(batch.row(3)).toContainText('Waiting')
  await expect(batch.table.getByRole('columnheader').nth(2)).toHaveText('applicant_id, Sent as Applicant ID')
  await expect(batch.column('c300')).toHaveCount(0)
  await expect.poll(() => batch.table.getByRole('columnheader').count()).toBeLessThan(60)
  await batch.table.evaluate((grid) => (grid.scrollLeft = grid.scrollWidth))
  await expect(batch.column('c400')).toBeInViewport()
  await expect(batch.row(3).getByText('B400', { exact: true })).toBeInViewport()
  await expect(batch.row(3).locator('[aria-colindex="2"]')).toBeInViewport()
  await expect.poll(() => page.getByRole('main').evaluate((main) => main.scrollWidth - main.clientWidth)).toBe(0)
})

test('the columns of a batch’s rows are moved, sized and hidden between the fixed ones, and stay so until Veridesk is closed', async ({
  workspace,
  practice
}) => {
  test.slow()
  const page = await begin(workspace, practice)
  await workspace.session().resize(1024, 700)
  const more = Array.from({ length: 60 }, (_, at) => `c${at + 1}`)
  const form = await newBatch(
    page,
    [
      `${more.join(',')},applicant_id`,
      ...['A', 'B'].map((id) => `${more.map((name) => `${id}-${name}`).join(',')},${id}`)
    ].join('\n')
  )
  await form.keep.click()
  const batch = new BatchPage(page)
  await expect(batch.row(3)).toContainText('Waiting')
  const table = new TablePage(page)
  const names = async (): Promise<string[]> => (await table.headings.allTextContents()).slice(0, 5)
  await expect.poll(names).toEqual(['applicant_id, Sent as Applicant ID', 'State', 'Message', 'Interpretation', 'HTTP'])

  // One tab stop; the arrow keys reach every column, also those that are not drawn yet, and none is beneath a fixed one.
  await table.headings.first().focus()
  await page.keyboard.press('End')
  await expect(table.heading('Attempts')).toBeFocused()
  const held = batch.table.getByRole('columnheader', { name: 'Record' })
  const right = async (name: string): Promise<number> => {
    const box = await table.heading(name).boundingBox()
    return (box?.x ?? 0) + (box?.width ?? 0)
  }
  expect(await right('Attempts')).toBeLessThanOrEqual((await held.boundingBox())?.x ?? 0)
  await page.keyboard.press('ArrowLeft')
  await expect(table.heading('c60')).toBeFocused()
  await page.keyboard.press('Home')
  await expect(table.headings.first()).toBeFocused()
  for (let press = 0; press < 17; press += 1) await page.keyboard.press('ArrowRight')
  await expect(table.heading('c12')).toBeFocused()
  expect(await right('c12')).toBeLessThanOrEqual((await held.boundingBox())?.x ?? 0)
  await expect(batch.row(3).getByText('B-c12', { exact: true })).toBeInViewport()
  await expect(batch.row(3).locator('[aria-colindex="2"]')).toBeInViewport()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ControlOrMeta+Shift+ArrowLeft')
  await expect.poll(names).toEqual(['State', 'applicant_id, Sent as Applicant ID', 'Message', 'Interpretation', 'HTTP'])
  await expect(batch.row(2).getByRole('gridcell').nth(3)).toHaveText('A')
  await table.headings.nth(6).focus()
  const width = async (): Promise<number> => (await table.heading('c1').boundingBox())?.width ?? 0
  const before = await width()
  await page.keyboard.press('Shift+ArrowRight')
  await expect.poll(width).toBe(before + 16)
  const menu = await table.openColumns()
  await menu.getByRole('checkbox', { name: 'Message', exact: true }).uncheck()
  await page.keyboard.press('Escape')
  await batch.table.evaluate((grid) => (grid.scrollLeft = 0))
  await expect
    .poll(names)
    .toEqual(['State', 'applicant_id, Sent as Applicant ID', 'Interpretation', 'HTTP', 'Decision'])
  await inspect(page, 'the rows of a batch with other columns')

  const address = page.url()
  await goTo(page, '/about')
  await page.evaluate((url) => (window.location.href = url), address)
  await expect(batch.row(3)).toContainText('Waiting')
  await expect
    .poll(names)
    .toEqual(['State', 'applicant_id, Sent as Applicant ID', 'Interpretation', 'HTTP', 'Decision'])
  expect(await width()).toBe(before + 16)
  // The headings of a file are in no settings.
  expect((await ask(page, 'app.state')).settings.tables).toEqual({})
})

test('rounded numbers stop their rows until they are kept, and cells to look at are listed', async ({
  workspace,
  practice
}) => {
  const page = await begin(workspace, practice)
  const form = await newBatch(page, 'applicant_id;remark\n1.23457E+11;a\n123456789012340000;b\nA-3;c')
  await form.go('Rows')
  await expect(form.figure('valid')).toHaveText('2')
  await expect(
    form.faults.getByRole('gridcell', { name: /^Line 2, applicant_id, invalid: .* 1\.23457E\+11$/ })
  ).toBeVisible()
  const notes = form.main.getByRole('region', { name: /^Look at / })
  await expect(notes.getByRole('columnheader')).toHaveText(['Line', 'Column', 'Note'])
  await expect(notes.getByRole('cell').nth(0)).toHaveText('3')
  await expect(notes.getByRole('cell').nth(1)).toHaveText('applicant_id')
  await expect(notes.getByRole('cell').nth(2)).toContainText('The cell says “123456789012340000”.')

  const rounded = form.main.getByRole('region', { name: 'Rounded numbers' })
  await expect(rounded).toContainText('Its row is not sent.')
  const keep = rounded.getByRole('checkbox', { name: 'Keep 1 cell as it is' })
  await keep.focus()
  await page.keyboard.press('Space')
  await expect(form.figure('valid')).toHaveText('3')
  await expect(keep).toBeFocused()
  await expect(rounded).toContainText('It is sent with the text that the file has.')
  await expect(notes.getByRole('row')).toHaveCount(3)
  await inspect(page, 'a checked file with cells to look at')
  const batch = await form.run()
  await expect(batch.state).toHaveText('Finished')
  expect([...arrivals(practice).keys()]).toContain(bodyDigest(JSON.stringify({ applicant_id: '1.23457E+11' })))
})

test('a faulty cell is corrected in place by keyboard alone, repaired by one click, and sent as corrected', async ({
  workspace,
  practice,
  home
}) => {
  const page = await begin(workspace, practice)
  await saveInto(workspace, home)
  const form = await newBatch(page, 'applicant_id,ref\nA-1,a\n ,b\n A-3,c\nA-4,d')
  await form.go('Rows')
  await expect(form.figure('invalid')).toHaveText('2')
  await form.faults.focus()
  await page.keyboard.press('F8')
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await page.keyboard.type('A-2')
  await page.keyboard.press('Escape')
  await expect(form.figure('invalid')).toHaveText('2')
  await page.keyboard.press('Enter')
  await page.keyboard.type('A-2')
  await page.keyboard.press('Enter')
  await expect(form.figure('invalid')).toHaveText('1')
  const line = form.faults.getByRole('row', { name: /^3 / })
  await expect(line).toContainText('Corrected by you.')
  await expect(line.getByRole('gridcell', { name: /^Line 3, applicant_id, corrected by you/ })).toContainText('A-2')
  await expect(form.faults).toBeFocused()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(form.figure('invalid')).toHaveText('2')
  await page.keyboard.press('Enter')
  await page.keyboard.type('A-2')
  await page.keyboard.press('Enter')
  await expect(form.figure('invalid')).toHaveText('1')
  await form.faults.getByRole('button', { name: 'Trim' }).click()
  await expect(form.figure('valid')).toHaveText('4')
  await inspect(page, 'a file with corrected cells')

  // A profile made from these headings is chosen by itself for the next file.
  await form.go('Columns')
  await form.main.getByRole('button', { name: 'Save as profile' }).click()
  await page.keyboard.type('Branch office')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('toast')).toContainText('Branch office')
  const batch = await form.run()
  await expect(batch.state).toHaveText('Finished')
  const sent = ['A-1', 'A-2', 'A-3', 'A-4'].map((id) => bodyDigest(JSON.stringify({ applicant_id: id })))
  expect([...arrivals(practice).keys()].sort()).toEqual(sent.sort())
  const saved = parse(await readFile(await batch.saveFile(/^Save 4 results/), 'utf8'), { columns: true, bom: true })
  expect((saved as Record<string, string>[])[1]?.['corrections']).toContain('corrected to “A-2”')
  const next = await newBatch(page, 'ref,applicant_id\nz,A-9')
  await next.go('Columns')
  await expect(next.main.getByText('These headings match the profile Branch office.')).toBeVisible()
})

test('lines are shown by kind, several at once, whole; one is skipped, and F8 leads from error to error', async ({
  workspace,
  practice
}) => {
  const page = await begin(workspace, practice)
  await page.setViewportSize({ width: 1024, height: 700 })
  const good = Array.from({ length: 600 }, (_, at) => `A-${at},r${at}`)
  const form = await newBatch(page, ['applicant_id,ref', ...good, 'A-7,again', 'B-1,x,more', ' ,gap'].join('\n'))
  await form.go('Rows')
  const total = (): Promise<number> => form.faults.evaluate((grid) => Number(grid.getAttribute('aria-rowcount')) - 1)
  const counts = async (): Promise<readonly number[]> =>
    Promise.all(
      (['rows', 'valid', 'invalid', 'duplicate', 'recently-answered'] as const).map(async (kind) =>
        Number(await form.figure(kind).innerText())
      )
    )
  await expect.poll(counts).toEqual([603, 600, 2, 1, 0])
  // It opens on what has to be looked at; each count is what its button shows.
  await expect.poll(total).toBe(3)
  const kind = (name: string): Locator => form.main.getByRole('button', { name: new RegExp(`^${name} \\d`) })
  await kind('Invalid').click()
  await expect.poll(total).toBe(1)
  await expect(form.faults.getByRole('row', { name: /^602 A-7 again Same as line 9. Skipped./ })).toBeVisible()
  await kind('All').click()
  await expect.poll(total).toBe(603)
  await form.faults.focus()
  await page.keyboard.press('F8')
  await expect(form.faults.getByRole('row', { name: /^603 / })).toBeInViewport()
  await page.keyboard.press('F8')
  const cell = form.faults.getByRole('gridcell', { name: /^Line 604, applicant_id, invalid: / })
  await expect(cell).toBeInViewport()
  await expect(form.faults).toHaveAttribute('aria-activedescendant', (await cell.getAttribute('id')) ?? '')
  await expect(form.main.getByRole('button', { name: 'Continue with 600 rows' })).toBeVisible()

  await form.faults.getByRole('row', { name: /^603 / }).getByRole('button', { name: 'Skip line' }).click()
  await expect(form.faults.getByRole('row', { name: /^603 / })).toContainText('Skipped by you.')
  await expect(form.faults).toBeFocused()
  await expect(page.getByTestId('invalid-left')).toContainText('2 invalid lines left.')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(form.faults.getByRole('row', { name: /^603 / })).toContainText('3 cells')
  await inspect(page, 'the lines of a file')
})

test('a file that is not a table is refused with a message', async ({ workspace, practice }) => {
  const page = await begin(workspace, practice)
  const form = new NewBatchPage(page)
  await form.open()
  for (const [text, words] of [
    ['applicant_id\n', 'contains headings, but no rows'],
    ['applicant_id,applicant_id\n1,2\n', 'have the same heading'],
    ['applicant_id,ref\nA-1,"open\nA-2\nA-3,y\n', 'never closed']
  ] as const) {
    await form.dropFile('x.csv', [...Buffer.from(text)])
    await expect(form.fault).toContainText(words)
    await expect(form.fault).toContainText('Nothing was sent')
  }
  expect(practice.ledger()).toEqual([])
})
