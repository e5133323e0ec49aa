/** Batches through the real window: read, corrected, run, halted, brought back after a crash, and saved. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { parse } from 'csv-parse/sync'
import { operationOf } from '#contract/operations.ts'
import { bodyDigest } from '#practice/ledger.ts'
import type { PracticeService } from '#practice/service.ts'
import { expect, test, useService, type Desk } from './fixtures/desk.ts'
import { BatchesPage, BatchPage, NewBatchPage } from './pages/batches.ts'
import { HistoryPage } from './pages/history.ts'
import { Shell } from './pages/shell.ts'
import { goTo } from './pages/go.ts'

const lookup = operationOf('get-applicant-details')
const idDocument = operationOf('validate-applicant-id-document')
const digestOf = (id: string): string => bodyDigest(JSON.stringify({ applicant_id: id }))
const idAt = (row: number): string => `00${String(row).padStart(5, '0')}`
const idsCsv = (rows: number, id = idAt): string => ['applicant_id,remark', ...Array.from({ length: rows }, (_, at) => `${id(at + 1)},r${at + 1}`)].join('\n')
/** How often each input reached the service. */
const arrivals = (service: PracticeService): Map<string, number> => {
  const found = new Map<string, number>()
  for (const { digest } of service.ledger()) found.set(digest, (found.get(digest) ?? 0) + 1)
  return found
}
const records = (text: string): Record<string, string>[] => parse(text, { columns: true, bom: true })

/** The side bar's sign that something runs. */
const underWay = (page: Page) => new Shell(page).navigation.getByRole('link', { name: /^Batches/ }).getByRole('img', { name: 'under way' })

async function begin(desk: Desk, practice: PracticeService, draft: Parameters<typeof useService>[2] = {}): Promise<Page> {
  const page = await desk.open()
  await useService(page, practice, draft, { lastOperation: lookup.id })
  return page
}
async function newBatch(page: Page, csv: string): Promise<NewBatchPage> {
  const form = new NewBatchPage(page)
  await form.open()
  await form.paste(csv)
  return form
}
/** Electron asks where to save; the answer of the dialog is given beforehand, all else is the product's own. */
async function saveInto(desk: Desk, folder: string): Promise<void> {
  await desk.sitting().electron?.evaluate(({ dialog }, place) => {
    dialog.showSaveDialog = ((...given: unknown[]) => {
      const { defaultPath } = given.at(-1) as { defaultPath: string }
      return Promise.resolve({ canceled: false, filePath: `${place}/${defaultPath.split(/[\\/]/).at(-1) ?? ''}` })
    }) as typeof dialog.showSaveDialog
  }, folder)
}
async function inspect(page: Page, what: string): Promise<void> {
  for (const theme of ['light', 'dark']) {
    await page.evaluate((chosen) => (document.documentElement.dataset['theme'] = chosen), theme)
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']).analyze()
    const found = violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 140)} ${node.failureSummary?.split('\n')[1] ?? ''}`))
    expect.soft(found, `${what}, ${theme}`).toEqual([])
  }
}

test('rows are matched by hand, faults stand at their cells, and nothing faulty is sent', async ({ desk, practice }) => {
  const page = await begin(desk, practice)
  const form = new NewBatchPage(page)
  await form.open()
  await form.operation.selectOption(idDocument.id)
  const link = (row: number): string => `https://files.example.com/${row}.jpg`
  await form.paste([
    'Customer;Scan;Remark',
    `0007;${link(1)};good`,
    `0008;not an address;bad link`,
    `0007;${link(1)};the first again`,
    `0009;${link(4)}`,
    `0010;${link(5)};good`
  ].join('\n'))
  await expect(form.delimiter).toHaveValue(';')
  // Neither heading is known: each field is put on its column by hand.
  await expect(form.column('Applicant ID')).toHaveAttribute('aria-invalid', 'true')
  await expect(form.start).toBeDisabled()
  await form.column('Applicant ID').selectOption({ label: '1: Customer' })
  await form.column('Document URL').selectOption({ label: '2: Scan' })
  await expect(form.figure('rows')).toHaveText('5')
  await expect(form.figure('good')).toHaveText('3')
  await expect(form.figure('faulty')).toHaveText('2')
  await expect(form.figure('duplicates')).toHaveText('1')
  await expect(form.sample.getByRole('columnheader', { name: /^Customer/ })).toContainText('Applicant ID')
  await expect(form.sample.getByText('0007').first()).toBeVisible()
  await expect(form.faults.getByRole('row', { name: /^2 Scan/ })).toBeVisible()
  await expect(form.faults.getByRole('row', { name: /^4 Whole row/ })).toContainText('2 cells')
  await expect(form.estimate).toContainText('At most 2 requests will be sent to Test service')
  expect(practice.ledger()).toEqual([])

  const batch = await form.run()
  await expect(batch.state).toHaveText('Finished')
  expect(await batch.count('answered')).toBe(2)
  expect(await batch.count('faulty')).toBe(2)
  expect(await batch.count('duplicate')).toBe(1)
  const sent = [['0007', link(1)], ['0010', link(5)]].map(([applicant_id, document_url]) => bodyDigest(JSON.stringify({ applicant_id, document_url })))
  expect([...arrivals(practice)].sort()).toEqual(sent.map((digest) => [digest, 1]).sort())
  await expect(batch.row(2)).toContainText('Faulty')
  // A row leads to its record, and the record to its batch.
  await batch.row(1).getByRole('link', { name: 'Record' }).click()
  const history = new HistoryPage(page)
  await expect(history.record.sentIn('applicant_id')).toHaveText('0007')
  await expect(history.record.outcome('Answered')).toBeVisible()
  await history.record.fact('Batch').getByRole('link').click()
  await expect(batch.state).toHaveText('Finished')
})

test('a dropped file keeps its letters, and a chosen one is read by the core', async ({ desk, practice, folder }) => {
  const page = await begin(desk, practice)
  const form = new NewBatchPage(page)
  await form.open()
  await form.dropFile('städte.csv', [...Buffer.from('applicant_id;Name\n0001;Zoë Ångström\n', 'latin1')])
  await expect(form.fileName).toHaveText('städte.csv')
  await expect(form.encoding).toHaveValue('windows-1252')
  await expect(form.sample).toContainText('Zoë Ångström')
  await form.encoding.selectOption('utf-8')
  await expect(form.sample).not.toContainText('Zoë')
  await expect(form.name).toHaveValue('städte')

  await form.main.getByRole('button', { name: 'Remove' }).click()
  const path = join(folder, 'chosen.csv')
  await writeFile(path, `\ufeff${idsCsv(3)}`, 'utf16le')
  const { electron } = desk.sitting()
  if (electron) {
    await electron.evaluate(({ dialog }, chosen) => {
      dialog.showOpenDialog = (() => Promise.resolve({ canceled: false, filePaths: [chosen] })) as typeof dialog.showOpenDialog
    }, path)
    await form.choose.click()
  } else {
    // The browser's own way: a file is chosen by its path, as a person does, and no bytes are handed in.
    const devTools = await page.context().newCDPSession(page)
    await devTools.send('Page.enable')
    await devTools.send('Page.setInterceptFileChooserDialog', { enabled: true })
    devTools.once('Page.fileChooserOpened', ({ backendNodeId }) => void devTools.send('DOM.setFileInputFiles', { files: [path], backendNodeId }))
    await form.choose.click()
  }
  await expect(form.fileName).toHaveText('chosen.csv')
  await expect(form.encoding).toHaveValue('utf-16le')
  await expect(form.figure('good')).toHaveText('3')
})

test('what is no table is refused with a sentence', async ({ desk, practice }) => {
  const page = await begin(desk, practice)
  const form = new NewBatchPage(page)
  await form.open()
  for (const [text, words] of [
    ['applicant_id\n', 'holds headings, but no rows'],
    ['applicant_id,applicant_id\n1,2\n', 'stands over two columns'],
    ['applicant_id\n"0001\n0002\n', 'never closed']
  ] as const) {
    await form.dropFile('x.csv', [...Buffer.from(text)])
    await expect(form.fault).toContainText(words)
    await expect(form.fault).toContainText('Nothing was sent')
  }
  expect(practice.ledger()).toEqual([])
})

test.describe('a service that takes its time', () => {
  test.use({ practiceOptions: { latency: 200 } })

  test('a batch pauses, goes on, and is cancelled; no row is sent twice', async ({ desk, practice }) => {
    test.setTimeout(90_000)
    const page = await begin(desk, practice)
    const form = await newBatch(page, idsCsv(300))
    const batch = await form.run()
    await expect(batch.state).toHaveText('Running')
    await expect(underWay(page)).toBeVisible()
    await expect.poll(() => batch.count('answered')).toBeGreaterThan(8)
    await batch.pause.click()
    await expect(batch.state).toHaveText('Paused')
    const atPause = practice.ledger().length
    expect(await batch.count('open')).toBe(0)
    expect(await batch.count('answered')).toBe(atPause)
    await expect(new Shell(page).announced).toContainText('paused')
    await page.waitForTimeout(400)
    expect(practice.ledger()).toHaveLength(atPause)

    await batch.start.click()
    await expect(batch.state).toHaveText('Running')
    await expect.poll(() => batch.count('answered')).toBeGreaterThan(atPause + 8)
    await batch.cancel.click()
    await batch.confirm('Cancel the batch')
    await expect(batch.state).toHaveText('Cancelled')
    const sent = practice.ledger().length
    expect(await batch.count('answered')).toBe(sent)
    expect(await batch.count('cancelled')).toBe(300 - sent)
    expect([...arrivals(practice).values()].every((times) => times === 1)).toBe(true)
    await expect(batch.start).toHaveCount(0)
    await expect(underWay(page)).toHaveCount(0)
  })

  test('a crash in the middle: finished rows stay, rows under way wait for a person, the rest goes on', async ({ desk, practice }) => {
    test.skip(process.platform === 'linux' && !desk.keyring, 'needs a keyring that outlives the crash')
    test.setTimeout(120_000)
    const page = await begin(desk, practice)
    const form = await newBatch(page, idsCsv(200))
    await form.atOnce.fill('4')
    const batch = await form.run()
    await expect.poll(() => batch.count('answered')).toBeGreaterThan(10)
    desk.sitting().process.kill('SIGKILL')
    const reopened = await desk.again()
    await new BatchesPage(reopened).open()
    await expect(new BatchesPage(reopened).lines).toContainText('Paused')
    await new BatchesPage(reopened).lines.getByRole('link').click()
    const next = new BatchPage(reopened)
    await expect(next.state).toHaveText('Paused')
    const unknown = await next.count('unknown')
    expect(unknown).toBeGreaterThan(0)
    expect(unknown).toBeLessThanOrEqual(6)
    const before = arrivals(practice)
    await expect(next.unknown).toContainText(`${unknown} row`)

    // The rows that were under way are not sent by the batch itself.
    await next.start.click()
    await expect(next.state).toHaveText('Finished', { timeout: 40_000 })
    expect(await next.count('answered')).toBe(200 - unknown)
    expect(await next.count('unknown')).toBe(unknown)
    expect([...arrivals(practice).values()].every((times) => times === 1)).toBe(true)

    // One is sent again by a person's word, the others are counted as sent.
    await next.unknown.getByRole('button', { name: 'Show them in the table' }).click()
    await expect(next.rowsTotal).toHaveText(`${unknown} row${unknown === 1 ? '' : 's'}`)
    await next.table.focus()
    await reopened.keyboard.press('Space')
    const chosen = Number((await next.rows.first().getByRole('gridcell').nth(1).innerText()).replaceAll(',', ''))
    await next.unknown.getByRole('button', { name: 'Send 1 chosen again' }).click()
    await next.confirm('Send it again')
    await expect(next.state).toHaveText('Paused')
    if (unknown > 1) {
      await next.unknown.getByRole('button', { name: /as sent$/ }).click()
      await expect(next.unknown).toHaveCount(0)
    }
    await next.start.click()
    await expect(next.state).toHaveText('Finished')
    expect(await next.count('answered')).toBe(201 - unknown)
    expect(arrivals(practice).get(digestOf(idAt(chosen)))).toBe((before.get(digestOf(idAt(chosen))) ?? 0) + 1)
    expect(practice.ledger().length).toBeLessThanOrEqual(201)
  })
})

test('results come back in the file’s own columns, and failed rows run again as a new batch', async ({ desk, practice, home }) => {
  const page = await begin(desk, practice)
  await saveInto(desk, home)
  const ids = ['=0001', 'PRACTICE-404', 'PRACTICE-markup', 'PRACTICE-html', '00005']
  const form = await newBatch(page, ['note,applicant_id', ...ids.map((id, at) => `n${at},${id}`), 'empty,'].join('\n'))
  await form.name.fill('Five and a fault')
  const batch = await form.run()
  await expect(batch.state).toHaveText('Finished')
  expect(await batch.count('unreadable')).toBe(1)

  const path = await batch.saveFile('Results')
  const saved = records(await readFile(path, 'utf8'))
  expect(saved.map((row) => row['note'])).toEqual(['n0', 'n1', 'n2', 'n3', 'n4', 'empty'])
  expect(saved.map((row) => row['outcome'])).toEqual(['answered', 'answered', 'answered', 'unreadable', 'answered', 'faulty'])
  expect(saved.map((row) => row['status'])).toEqual(['200', '404', '200', '200', '200', ''])
  // Leading zeros stay, and a spreadsheet computes nothing of what is saved.
  expect(saved[4]?.['applicant_id']).toBe('00005')
  expect(saved[0]?.['applicant_id']).toBe("'=0001")
  const lossless = (await readFile(await batch.saveFile('Everything'), 'utf8')).trim().split('\n')
  // The first line tells of the batch itself.
  expect(lossless).toHaveLength(7)
  expect(lossless[1]).toContain('=0001')
  expect(records(await readFile(await batch.saveFile('Faulty rows'), 'utf8'))).toHaveLength(1)

  await batch.again.click()
  await expect(batch.state).toHaveText('Ready to start')
  await expect(batch.rowsTotal).toHaveText('2 rows')
  await expect(batch.rows.first()).toContainText('PRACTICE-404')
  const before = practice.ledger().length
  await batch.start.click()
  await expect(batch.state).toHaveText('Finished')
  expect(practice.ledger()).toHaveLength(before + 2)
  await batch.main.getByRole('link', { name: 'failed rows of an earlier batch' }).click()
  await expect(new Shell(page).heading).toHaveText('Five and a fault')

  const list = new BatchesPage(page)
  await list.open()
  await expect(list.lines).toHaveCount(2)
  await list.search.fill('nothing like that')
  await expect(list.lines).toHaveCount(0)
  await list.search.fill('five')
  await expect(list.lines.first()).toContainText('Five and a fault')
})

test('a live connection’s name is typed, each time', async ({ desk, practice }) => {
  const page = await begin(desk, practice, { name: 'Production', mode: 'live', colour: 'red', mark: 'PROD' })
  const form = await newBatch(page, idsCsv(4))
  await expect(form.estimate).toContainText('4 requests will be sent to Production')
  await expect(form.start).toBeDisabled()
  await form.confirmation.fill('production')
  await expect(form.start).toBeDisabled()
  await form.keep.click()
  const batch = new BatchPage(page)
  await expect(batch.state).toHaveText('Ready to start')
  expect(practice.ledger()).toEqual([])
  await batch.start.click()
  const go = page.getByRole('dialog').getByRole('button', { name: 'Start on LIVE' })
  await expect(go).toBeDisabled()
  await page.getByRole('dialog').getByRole('textbox').fill('Productio')
  await expect(go).toBeDisabled()
  await batch.confirm('Start on LIVE', 'Production')
  await expect(batch.state).toHaveText('Finished')
  expect(practice.ledger()).toHaveLength(4)

  // From the new batch's own page, with the name typed there.
  const next = await newBatch(page, idsCsv(3, (row) => `L-${row}`))
  await next.confirmation.fill('Production')
  await expect((await next.run()).state).toHaveText('Finished')
  expect(practice.ledger()).toHaveLength(7)
})

test('the breaker stops a batch with its reason, and rows answered lately are left out', async ({ desk, practice }) => {
  const page = await begin(desk, practice)
  const bad = await newBatch(page, idsCsv(40, (row) => `PRACTICE-500.${row}`))
  const stopped = await bad.run()
  await expect(stopped.state).toHaveText('Stopped by itself')
  await expect(stopped.reason).toContainText('rows in succession met trouble')
  await expect(stopped.reason).toContainText('What is safe')
  expect(practice.ledger().length).toBeLessThan(20)
  await expect(stopped.start).toHaveText(/Go on/)

  await (await newBatch(page, idsCsv(3))).run()
  const batch = new BatchPage(page)
  await expect(batch.state).toHaveText('Finished')
  const sent = practice.ledger().length
  const again = await newBatch(page, idsCsv(5))
  await expect(again.estimate).toContainText('At most 5 requests')
  await again.run()
  await expect(batch.state).toHaveText('Finished')
  expect(await batch.count('lately')).toBe(3)
  expect(practice.ledger()).toHaveLength(sent + 2)
})

test('the pages of batches meet WCAG 2.2 AA in both themes, and fit a small window', async ({ desk, practice }) => {
  test.setTimeout(90_000)
  const page = await begin(desk, practice)
  await desk.sitting().resize(900, 600)
  const list = new BatchesPage(page)
  await list.open()
  await expect(list.templates).toHaveCount(6)
  await inspect(page, 'no batches')
  const form = await newBatch(page, `${idsCsv(20)}\n,without an id\nPRACTICE-html,x`)
  await expect(form.figure('faulty')).toHaveText('1')
  await inspect(page, 'a new batch')
  const batch = await form.run()
  await expect(batch.state).toHaveText('Finished')
  await inspect(page, 'a finished batch')
  await list.open()
  await inspect(page, 'the list')
  for (const path of ['/batches', '/batches/new']) {
    await goTo(page, path)
    expect(await page.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth)).toBe(0)
  }
})
