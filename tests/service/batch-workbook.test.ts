/** Workbooks as the source of a batch, read in a worker, with a real history and the practice service. */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BatchReading } from '#contract/batches/batches.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { openRows } from '#core/batches/reading/check.ts'
import { fileSource } from '#core/batches/reading/source.ts'
import { startPracticeService, type PracticeService } from '#practice/service.ts'
import type { WorkerLine } from '#wire/worker-line.ts'
import { writeWorkbook } from '#kit/workbook/write.ts'
import { openGround, groundConnection, type Ground } from '../../scripts/batch-ground.ts'
import { textRows, workbookFile, zip } from '../unit/support/workbook-files.ts'
import { launchInNode } from '../../electron/hosts/node/workers.ts'
import { counted, times } from './support/times.ts'

const details: BatchReading = { operations: ['get-applicant-details'] }
const noise = (): string => randomBytes(50_000).toString('hex')
let folder: string
let practice: PracticeService
let ground: Ground
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'veridesk-batch-workbook-'))
  practice = await startPracticeService()
  ground = await openGround({
    folder: join(folder, 'history'),
    masterKey: '0123456789abcdef'.repeat(4),
    baseUrl: practice.baseUrl
  })
})
afterAll(async () => {
  await ground.close()
  await practice.close()
  rmSync(folder, { recursive: true, force: true })
})

function file(name: string, bytes: Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}
async function checked(path: string, more: Partial<BatchReading> = {}) {
  const check = await ground.batches.checkFile(path, { ...details, ...more })
  if (!check.ok) throw new Error(sentencesOf(check.failure).what)
  return check.value
}

test('a sheet is chosen, its lines are checked, and its rows are run', async () => {
  const data =
    '<row r="1"><c r="A1" t="inlineStr"><is><t>Applicants of May</t></is></c></row>' +
    '<row r="3"><c r="A3" t="inlineStr"><is><t>applicant_id</t></is></c><c r="B3" t="inlineStr"><is><t>born</t></is></c></row>' +
    '<row r="4"><c r="A4" s="2"><v>42</v></c><c r="B4" s="1"><v>33000</v></c></row>' +
    '<row r="5" hidden="1"><c r="A5" t="inlineStr"><is><t>A-5</t></is></c></row>' +
    '<row r="7"><c r="A7" t="e"><f>A1/0</f><v>#DIV/0!</v></c></row>' +
    '<row r="8"><c r="A8"><v>12345678901234567</v></c></row>' +
    '<row r="9"><c r="A9" t="str"><f>"A-"&amp;9</f><v>A-9</v></c></row>'
  const path = file(
    'two.xlsx',
    workbookFile({
      sheets: [
        { name: 'Notes', data: textRows([['applicant_id'], ['N-1']]) },
        { name: 'Rows', data, before: '<cols><col min="2" max="2" hidden="1"/></cols>' },
        { name: 'Old', state: 'hidden' }
      ],
      formats: [14, '00000']
    })
  )
  expect(await checked(path)).toMatchObject({ rows: 1, reading: { sheet: 'Notes' } })
  const check = await checked(path, { sheet: 'Rows' })
  expect(check).toMatchObject({
    columns: ['applicant_id', 'born'],
    sample: [
      { row: 4, cells: ['00042', '1990-05-07'] },
      { row: 5, cells: ['A-5', ''] },
      { row: 7, cells: ['#DIV/0!', ''] },
      { row: 8 },
      { row: 9, cells: ['A-9', ''] }
    ],
    workbook: {
      sheets: [
        { name: 'Notes', state: 'visible' },
        { name: 'Rows', state: 'visible' },
        { name: 'Old', state: 'hidden' }
      ],
      hiddenRows: 1,
      hiddenColumns: ['born'],
      merged: 0
    },
    reading: { sheet: 'Rows', headingRow: 3 }
  })
  expect(check.faults).toMatchObject([
    { row: 7, column: 'applicant_id', fault: { code: 'cell-error' }, value: '#DIV/0!' }
  ])
  expect(check.notes.map(({ row, column, fault }) => [row, column, fault.code])).toEqual([
    [5, '', 'row-hidden'],
    [8, 'applicant_id', 'cell-long-number'],
    [9, 'applicant_id', 'cell-formula']
  ])
  const made = await ground.batches.create({
    checkId: check.checkId,
    connectionId: groundConnection.id,
    name: 'From a workbook',
    atOnce: 2,
    pace: 0,
    skipDuplicates: true,
    skipRecent: false
  })
  if (!made.ok) throw new Error(sentencesOf(made.failure).what)
  expect(made.value).toMatchObject({ sha256: check.sha256, fileName: 'two.xlsx', rows: 5 })
  await ground.batches.start(made.value.id)
  await ground.batches.ended(made.value.id)
  const rows = await ground.batches.rows({ id: made.value.id, offset: 0, limit: 50 })
  expect(rows.ok && rows.value.rows.map(({ row, state }) => [row, state])).toEqual([
    [4, 'answered'],
    [5, 'answered'],
    [7, 'invalid'],
    [8, 'answered'],
    [9, 'answered']
  ])

  // Signs in a search of batches or rows mean nothing, and find what has them.
  for (const [signs, batches, found] of [
    ['%', 0, 0],
    ['_', 0, 0],
    ['((', 0, 0],
    ['\u0301', 0, 0],
    ['#', 0, 1],
    ['.xlsx', 1, 0]
  ] as const) {
    const list = await ground.batches.list({ limit: 9, search: signs })
    const page = await ground.batches.rows({ id: made.value.id, offset: 0, limit: 9, search: signs })
    expect([signs, list.ok && list.value.length, page.ok && page.value.rows.length]).toEqual([signs, batches, found])
  }

  // Results and invalid rows as workbooks: their paths say so. They are read back as they are.
  const results = join(folder, 'results.xlsx')
  expect(await ground.batches.saveTo(made.value.id, 'results', results)).toEqual({
    ok: true,
    value: { path: results, rows: 5, cut: 0 }
  })
  const again = await checked(results)
  expect(again.columns.slice(0, 4)).toEqual(['applicant_id', 'born', 'line', 'outcome'])
  expect(again.columns).toContain('started (UTC)')
  expect(again.sample[0]?.cells.slice(0, 5)).toEqual(['00042', '1990-05-07', '4', 'Answered', '200'])
  expect(await ground.batches.saveTo(made.value.id, 'results', join(folder, 'as.txt'), 'xlsx')).toMatchObject({
    ok: true
  })
  expect(await checked(join(folder, 'as.txt'))).toMatchObject({ rows: 5, workbook: { hiddenRows: 0 } })
  const invalid = join(folder, 'invalid.XLSX')
  expect(await ground.batches.saveInvalidTo(check.checkId, invalid)).toMatchObject({ value: { rows: 1 } })
  const [fault] = (await checked(invalid)).sample
  expect(fault?.cells.slice(0, 3)).toEqual(['#DIV/0!', '', '7'])
})

test('what cannot be read is refused by name', async () => {
  const good = workbookFile({ sheets: [{ name: 'A', data: textRows([['applicant_id'], ['A-1']]) }] })
  const path = file('good.xlsx', good)
  expect(await ground.batches.checkFile(path, { ...details, sheet: 'B' })).toMatchObject({
    failure: { code: 'batch-sheet-missing', details: { sheet: 'B', sheets: '“A”' } }
  })
  const refused = async (name: string, bytes: Uint8Array) => ground.batches.checkFile(file(name, bytes), details)
  expect(await refused('cut.xlsx', good.subarray(0, 600))).toMatchObject({
    failure: { code: 'batch-workbook-refused', details: { reason: 'damaged' } }
  })
  expect(await refused('a.zip', zip([{ name: 'a.txt', data: 'a' }]))).toMatchObject({
    failure: { code: 'batch-workbook-refused', details: { reason: 'not-a-workbook' } }
  })
  expect(await refused('old.xls', Buffer.from('d0cf11e0a1b11ae100', 'hex'))).toMatchObject({
    failure: { code: 'batch-workbook-refused', details: { reason: 'old-excel' } }
  })
  // A fault that shows only while rows are read.
  const late = `${textRows([['applicant_id'], ['A-1']])}<row r="1"/>`
  expect(await refused('late.xlsx', workbookFile({ sheets: [{ name: 'A', data: late }] }))).toMatchObject({
    failure: { code: 'batch-workbook-refused', details: { reason: 'order' } }
  })
})

test('the worker ends when nobody reads on, and reads no further than it is asked', async () => {
  const many = textRows([['applicant_id'], ...Array.from({ length: 30_000 }, (_, n) => [`A-${n}-${'x'.repeat(40)}`])])
  const path = file('many.xlsx', workbookFile({ sheets: [{ name: 'A', data: many }] }))
  for (let run = 0; run < times; run += 1) {
    let asked = 0
    let ended: Promise<string> | undefined
    const launch = (): WorkerLine => {
      const line = launchInNode()('workbook')
      ended = new Promise((resolve) => line.onEnd(resolve))
      return { ...line, post: (message) => ((asked += 1), line.post(message)) }
    }
    const opened = await openRows(fileSource(path, launch), details)
    if (!opened.ok) throw new Error(sentencesOf(opened.failure).what)
    for await (const { row } of opened.value.rows()) if (row > 100) break
    await ended
    // Opened, one block taken, one ahead.
    expect(asked).toBeLessThanOrEqual(3)
  }
})

test('a workbook that is saved again between its check and its batch is not taken for the one that was checked', async () => {
  const book = (id: string) => workbookFile({ sheets: [{ name: 'A', data: textRows([['applicant_id'], [id]]) }] })
  const path = file('changes.xlsx', book('A-1'))
  const check = await checked(path)
  file('changes.xlsx', book('A-2'))
  const made = await ground.batches.create({
    checkId: check.checkId,
    connectionId: groundConnection.id,
    name: 'Changed',
    atOnce: 1,
    pace: 0,
    skipDuplicates: true,
    skipRecent: false
  })
  expect(made).toMatchObject({ failure: { code: 'batch-file-changed', details: { file: 'changes.xlsx' } } })
  const list = await ground.batches.list({ limit: 50 })
  expect(list.ok && list.value.map(({ name }) => name)).not.toContain('Changed')
  expect(await ground.batches.saveInvalidTo(check.checkId, join(folder, 'stale.csv'))).toMatchObject({
    failure: { code: 'batch-file-changed' }
  })
})

test.runIf(existsSync('/proc/self/fd'))('no file stays open that was looked into only', async () => {
  const data = textRows([['applicant_id', 'note'], ...Array.from({ length: 40 }, (_, n) => [`A-${n}`, noise()])])
  await checked(file('opened.xlsx', workbookFile({ sheets: [{ name: 'A', data }] })))
  expect(
    await ground.batches.checkFile(file('picture.csv', Buffer.from(`\u0089PNG${noise()}`, 'latin1')), details)
  ).toMatchObject({ failure: { code: 'batch-file-not-text' } })
  const open = (): string[] =>
    readdirSync('/proc/self/fd').flatMap((fd) => {
      try {
        return [readlinkSync(`/proc/self/fd/${fd}`)].filter((path) => /opened|picture/.test(path))
      } catch {
        return []
      }
    })
  // The worker's own is closed with its thread.
  await expect.poll(open).toEqual([])
})

test('a worker that runs out of memory is not a damaged workbook', async () => {
  const path = file(
    'hungry.xlsx',
    workbookFile({ sheets: [{ name: 'A', data: textRows([['applicant_id'], ['A-1']]) }] })
  )
  for (const moment of ['open', 'read'] as const) {
    const launch = (): WorkerLine => {
      const line = launchInNode()('workbook')
      // Ended from outside, as a system without memory ends it.
      const fatal = (message: unknown): boolean => (message as { readonly method: string }).method === moment
      return { ...line, post: (message) => (fatal(message) ? line.kill() : line.post(message)) }
    }
    const opened = await openRows(fileSource(path, launch), details)
    expect(opened).toMatchObject({ failure: { code: 'batch-workbook-ended' } })
  }
})

test('100,000 rows of 10 columns are read within 200 MB', { timeout: 120_000 }, async (context) => {
  const count = 100_000
  async function* rows(): AsyncGenerator<string[][]> {
    for (let at = 0; at < count; at += 500)
      yield Array.from({ length: 500 }, (_, row) =>
        Array.from({ length: 10 }, (__, column) => `A-${at + row}-${column}`)
      )
  }
  const headings = ['applicant_id', ...Array.from({ length: 9 }, (_, column) => `column ${column}`)]
  const pieces: Uint8Array[] = []
  for await (const piece of writeWorkbook([{ name: 'Rows', headings, rows: rows() }]).pieces) pieces.push(piece)
  const path = file('large.xlsx', Buffer.concat(pieces))
  pieces.length = 0
  const before = process.memoryUsage().rss
  const begun = performance.now()
  let most = 0
  const opened = await openRows(fileSource(path, launchInNode()), details)
  if (!opened.ok) throw new Error(sentencesOf(opened.failure).what)
  let read = 0
  for await (const _ of opened.value.rows()) {
    read += 1
    if (read % 1000 === 0) most = Math.max(most, process.memoryUsage().rss - before)
  }
  expect(read).toBe(count)
  counted(context.task, { 'most MB': most / 1024 / 1024, 'most seconds': (performance.now() - begun) / 1000 })
  expect(most).toBeLessThan(200 * 1024 * 1024)
})
