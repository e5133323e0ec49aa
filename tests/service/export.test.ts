/**
 * Exports from a real store to real files: harmless in a spreadsheet, lossless in JSON, complete or absent.
 * @deadlines
 */
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ExportProgress } from '#contract/data-management/data-management.ts'
import { failure } from '#contract/failures/failures.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import type { RecordDetail } from '#contract/history/records.ts'
import { createExports, type Exports } from '#core/exports/exports.ts'
import { openWorkbook } from '#kit/workbook/read.ts'
import { createChosenFiles } from '#core/files/unfinished.ts'
import { openHistory, type OpenHistory } from '#core/history/open.ts'
import { exportLarge } from '../../scripts/prove/large-exports.ts'
import { linesOf, payloads, wouldRun, writeEverywhere } from './support/formulas.ts'
import { answer, clock, intentOf, lost, secretsInMemory } from './history-fixtures.ts'
import { launchWorkers } from './support/workers.ts'

const exportId = '00000000-0000-4000-8000-0000000000ee'
let folder: string
let store: OpenHistory
let exports: Exports
let path: string | undefined
let progress: ExportProgress[]
let notes: object[]

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'veridesk-export-'))
  const opened = await openHistory({
    folder: join(folder, 'history'),
    secrets: secretsInMemory(),
    launch: launchWorkers,
    clock,
    kept: 'session'
  })
  if (!opened.ok) throw new Error(sentencesOf(opened.failure).what)
  store = opened.value.store
  path = join(folder, 'out.csv')
  progress = []
  notes = []
  exports = createExports({
    clock,
    consoleVersion: 'test',
    store: async () => ({ ok: true, value: store }),
    chooseSavePath: async () => path,
    files: createChosenFiles(mkdtempSync(join(folder, 'own-'))),
    auditTrail: { note: async (note) => void notes.push(note) },
    progress: (each) => void progress.push(each)
  })
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

async function check(applicant: string, message?: string): Promise<string> {
  const begun = await store.begin(intentOf({ applicant, operation: 'get-applicant-details' }))
  if (!begun.ok) throw new Error(sentencesOf(begun.failure).what)
  await store.finish(begun.value.id, message === undefined ? lost : answer(message))
  return begun.value.id
}
const rowsOf = (file: string): Record<string, string>[] =>
  parse(readFileSync(file), { columns: true, bom: true }) as Record<string, string>[]

test(
  'no CSV file of the console holds a cell that a spreadsheet would run, and every text is whole in JSON',
  { timeout: 180_000 },
  async () => {
    expect(new Set(payloads).size).toBe(450)
    expect(payloads.filter(wouldRun).length).toBeGreaterThan(260)
    const written = await writeEverywhere()
    expect(written.flatMap(({ faults }) => faults)).toEqual([])
    expect(written.map(({ file }) => file)).toEqual([
      ...['comma', 'semicolon', 'tab'].flatMap((name) => [
        ...['results', 'unsuccessful', 'unknown', 'invalid'].map((file) => `batch, ${file} (CSV, ${name})`),
        `batch, lossless (JSON lines, from ${name})`
      ]),
      'history (CSV)',
      'applicants (CSV)',
      'batches (CSV)',
      'catalogue (CSV)',
      'history (JSON lines)',
      'applicants (JSON lines)',
      'catalogue (JSON lines)'
    ])
    for (const { file, attacked } of written) expect(attacked, file).toBeGreaterThan(30)
  }
)

test.each([
  ['the applicants', (format: 'csv' | 'xlsx') => exports.applicants({ exportId, format }), 2],
  ['some applicants', (format: 'csv' | 'xlsx') => exports.applicants({ exportId, ids: ['=0042'], format }), 1],
  ['the catalogue', (format: 'csv' | 'xlsx') => exports.catalogue({ exportId, filter: {}, format }), 2],
  ['the audit trail', (format: 'csv' | 'xlsx') => exports.audit({ exportId, filter: {}, format }), 9],
  ['the batches', (format: 'csv' | 'xlsx') => exports.batches({ exportId, format }), 0]
])('%s are the same in a workbook as in CSV, without apostrophes', async (_name, make, count) => {
  for (const message of ['=1+1', 'plain', '=1+1']) await check(message === 'plain' ? 'APP-1' : '=0042', message)
  await make('csv')
  const [headings = [], ...lines] = parse(readFileSync(path!), { bom: true }) as string[][]
  path = join(folder, 'out.xlsx')
  expect(await make('xlsx')).toMatchObject({ ok: true, value: { rows: count, cut: 0 } })
  const rows: string[][] = []
  for await (const { cells } of (await openWorkbook(readFileSync(path))).rows(0)) rows.push([...cells])
  const plain = (cell: string): string => cell.replace(/^'(?==)/, '').replace(/(?<=T[\d:.]+)Z$/, '')
  // CSV has a column of marks, and a last row with its number of rows.
  const expected = lines.slice(0, -1).map((cells) => cells.slice(0, -1).map(plain))
  // Empty cells at the end of a row are left out.
  expect(rows.slice(1).map((cells) => headings.slice(0, -1).map((_, at) => cells[at] ?? ''))).toEqual(expected)
  expect(rows[0]?.map((heading) => heading.replace(' (UTC)', ''))).toEqual(headings.slice(0, -1))
})

describe('the history', () => {
  test('is marked where a spreadsheet would run it, and nowhere else; a record is exported as it is shown', async () => {
    for (const message of ['=1+1', 'plain', '  @x']) await check('APP-1', message)
    await exports.history({ exportId, filter: {}, format: 'csv' })
    expect(
      rowsOf(path!)
        .slice(0, -1)
        .map((row) => row['message'])
    ).toEqual([`'=1+1`, 'plain', `'  @x`])
    path = join(folder, 'out.jsonl')
    await exports.history({ exportId, filter: {}, format: 'jsonl' })
    for (const record of linesOf<RecordDetail>(path).slice(1, -1))
      expect(record).toEqual(JSON.parse(JSON.stringify({ ...(await whole(record.id)), previous: undefined })))
  })

  test('as a workbook has texts, numbers and times as such, and says of which state of the audit trail it is', async () => {
    for (const message of ['=1+1', 'plain\u0001', 'x'.repeat(40_000)]) await check('0042', message)
    path = join(folder, 'out.xlsx')
    const done = await exports.history({ exportId, filter: {}, format: 'xlsx' })
    if (!done.ok || !done.value) throw new Error('no export')
    expect(done.value).toMatchObject({ rows: 3, bytes: statSync(path).size, cut: 1 })
    const bytes = readFileSync(path)
    expect(done.value.sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
    const book = await openWorkbook(bytes)
    expect(book.sheets.map(({ name }) => name)).toEqual(['Rows', 'About'])
    const sheet = async (index: number): Promise<string[][]> => {
      const rows: string[][] = []
      for await (const { cells } of book.rows(index)) rows.push([...cells])
      return rows
    }
    const [headings = [], ...rows] = await sheet(0)
    const column = (name: string): (string | undefined)[] => rows.map((cells) => cells[headings.indexOf(name)])
    expect(column('message')).toEqual(['=1+1', 'plain\u0001', 'x'.repeat(32_767)])
    expect(column('applicant_id')).toEqual(['0042', '0042', '0042'])
    expect(column('status')).toEqual(['200', '200', '200'])
    const started = headings.find((heading) => heading.startsWith('started'))
    expect(started).toMatch(/ \(UTC\)$/)
    expect(column(started!)[0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/)
    expect(await sheet(1)).toContainEqual(['audit trail, head', done.value.head.hash])
    expect(notes.at(-1)).toMatchObject({ plain: { what: 'history', format: 'xlsx', rows: 3 } })
  })

  async function whole(id: string): Promise<RecordDetail> {
    const found = await store.record(id)
    if (!found.ok) throw new Error(sentencesOf(found.failure).what)
    return found.value
  }

  test('names the chain’s head, keeps to its filter, and leaves an event', async () => {
    for (let n = 0; n < 450; n += 1) await check(`APP-${n}`, n % 3 ? 'Accepted' : undefined)
    const head = await store.audit.head()
    path = join(folder, 'out.jsonl')
    const done = await exports.history({ exportId, filter: { states: ['unknown'] }, format: 'jsonl' })
    if (!done.ok || !done.value || !head.ok) throw new Error('no export')
    const lines = linesOf(path)
    expect(lines[0]).toMatchObject({ format: 'veridesk-history', head: { seq: head.value.seq, hash: head.value.hash } })
    expect(lines.at(-1)).toEqual({ end: true, rows: 150 })
    const seqs = lines.slice(1, -1).map((line) => line['seq'] as number)
    expect(seqs).toEqual([...seqs].sort((a, b) => a - b))
    expect(new Set(seqs).size).toBe(150)
    expect(done.value).toMatchObject({ rows: 150, bytes: readFileSync(path).length, head: { seq: head.value.seq } })
    expect(notes).toMatchObject([
      { kind: 'export.made', plain: { what: 'history', rows: 150, sha256: done.value.sha256 } }
    ])
    expect(progress.at(-1)).toEqual({ exportId, done: 150, total: 150 })
    path = join(folder, 'out.csv')
    await exports.history({ exportId, filter: { search: 'APP-44' }, format: 'csv' })
    const rows = rowsOf(path)
    expect(rows.slice(0, -1).map((row) => row['applicant_id'])).toEqual([
      'APP-44',
      ...Array.from({ length: 10 }, (_, n) => `APP-44${n}`)
    ])
    expect(Object.values(rows.at(-1)!).slice(0, 3)).toEqual([
      '# rows 11',
      expect.stringMatching(/^# chain event \d+$/),
      `# chain head ${head.value.hash}`
    ])
  })

  test('that is stopped or cannot be written leaves the file that was there', async () => {
    for (let n = 0; n < 650; n += 1) await check(`APP-${n}`, 'Accepted')
    writeFileSync(path!, 'before')
    const stopping = createExports({
      clock,
      consoleVersion: 'test',
      store: async () => ({ ok: true, value: store }),
      chooseSavePath: async () => path,
      files: createChosenFiles(mkdtempSync(join(folder, 'own-'))),
      auditTrail: { note: async () => undefined },
      progress: ({ exportId: id }) => void stopping.stop(id)
    })
    expect(await stopping.history({ exportId, filter: {}, format: 'csv' })).toMatchObject({
      ok: false,
      failure: { code: 'export-stopped' }
    })
    expect(readFileSync(path!, 'utf8')).toBe('before')
    expect(exports.stop(exportId)).toBe(false)
    // A policy that comes into force while the file is being written.
    let isOff = false
    const refused = createExports({
      clock,
      consoleVersion: 'test',
      store: async () => ({ ok: true, value: store }),
      chooseSavePath: async () => path,
      files: createChosenFiles(mkdtempSync(join(folder, 'own-'))),
      auditTrail: { note: async () => undefined },
      progress: () => void (isOff = true),
      refusal: () => (isOff ? failure('exports-off', { organisation: 'Example Bank' }) : undefined)
    })
    expect(await refused.history({ exportId, filter: {}, format: 'csv' })).toMatchObject({
      ok: false,
      failure: { code: 'exports-off' }
    })
    expect(readFileSync(path!, 'utf8')).toBe('before')
    path = join(folder, 'locked', 'out.csv')
    expect(await exports.history({ exportId, filter: {}, format: 'csv' })).toMatchObject({
      ok: false,
      failure: { code: 'file-unwritable' }
    })
    mkdirSync(join(folder, 'locked'))
    chmodSync(join(folder, 'locked'), 0o500)
    if (process.getuid?.() !== 0) await exports.history({ exportId, filter: {}, format: 'csv' })
    chmodSync(join(folder, 'locked'), 0o700)
    expect(existsSync(path)).toBe(false)
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([])
    path = undefined
    expect(await exports.history({ exportId, filter: {}, format: 'csv' })).toEqual({ ok: true, value: null })
  })
})

test('applicants come with their timeline', async () => {
  await check('00042', 'Accepted')
  await check('=1+1', 'Accepted')
  await store.applicants.note('00042', 'A note', { at: Date.now(), operator: 'tester' })
  await exports.applicants({ exportId, format: 'csv' })
  expect(
    rowsOf(path!)
      .map((row) => row['applicant_id'])
      .slice(0, -1)
      .sort()
  ).toEqual(["'=1+1", '00042'])
  path = join(folder, 'out.jsonl')
  expect(await exports.applicants({ exportId, format: 'jsonl' })).toMatchObject({ ok: true, value: { rows: 2 } })
  const applicant = linesOf(path).find((line) => line['id'] === '00042') as { timeline: { kind: string }[] }
  expect(applicant.timeline.map(({ kind }) => kind)).toEqual(['note', 'check'])
})

async function batch(name: string): Promise<string> {
  const created = await store.batches.create({
    name,
    fileName: 'people.csv',
    sha256: 'a'.repeat(64),
    operations: ['get-applicant-details'],
    connection: intentOf({}).connection,
    atOnce: 1,
    pace: 0,
    createdAt: clock.now(),
    operator: 'tester',
    consoleVersion: 'test',
    layout: { columns: ['applicant_id'], delimiter: ',', mapping: {}, applicantColumn: 0 }
  })
  if (!created.ok) throw new Error(created.failure.code)
  await store.batches.add(created.value.id, [
    { row: 1, state: 'waiting', cells: ['APP-1'] },
    { row: 2, state: 'invalid', cells: [''] }
  ])
  await store.batches.seal(created.value.id)
  return created.value.id
}

test('batches come as their list shows them: those of a search, or the selected ones', async () => {
  const ids = [await batch('October'), await batch('November'), await batch('November, again')]
  await exports.batches({ exportId, format: 'csv' })
  expect(
    rowsOf(path!)
      .slice(0, -1)
      .map(({ name, rows, waiting, invalid, state }) => ({ name, rows, waiting, invalid, state }))
  ).toEqual(
    ['November, again', 'November', 'October'].map((name) => ({
      name,
      rows: '2',
      waiting: '1',
      invalid: '1',
      state: 'made'
    }))
  )
  await exports.batches({ exportId, search: 'novem', format: 'csv' })
  expect(
    rowsOf(path!)
      .slice(0, -1)
      .map(({ name }) => name)
  ).toEqual(['November, again', 'November'])
  path = join(folder, 'out.jsonl')
  expect(await exports.batches({ exportId, ids: [ids[0]!, ids[0]!], format: 'jsonl' })).toMatchObject({
    ok: true,
    value: { rows: 1 }
  })
  expect(linesOf(path).slice(1, -1)).toMatchObject([{ id: ids[0], name: 'October' }])
  expect(notes).toMatchObject([
    { plain: { what: 'batches', rows: 3 } },
    { plain: { what: 'batches', rows: 2 } },
    { plain: { what: 'batches', rows: 1 } }
  ])
  expect(
    await exports.batches({ exportId, ids: ['00000000-0000-4000-8000-0000000000ff'], format: 'jsonl' })
  ).toMatchObject({ ok: false, failure: { code: 'batch-missing' } })
})

test('messages of the catalogue come with their interpretation, those of a filter or the selected ones', async () => {
  for (const message of ['Accepted', 'Document expired', 'Document unclear']) await check('APP-1', message)
  const page = await store.catalogue.page({ limit: 10 })
  if (!page.ok) throw new Error(page.failure.code)
  const idOf = (message: string): number => page.value.messages.find((each) => each.message === message)!.id
  await store.catalogue.read([{ id: idOf('Document expired'), means: 'bad', note: 'ask again' }], {
    at: clock.now(),
    operator: 'tester'
  })
  await exports.catalogue({ exportId, filter: { search: 'document' }, format: 'csv' })
  expect(
    rowsOf(path!)
      .slice(0, -1)
      .map(({ message, meaning, note, answers }) => ({ message, meaning, note, answers }))
      .sort((a, b) => a.message!.localeCompare(b.message!))
  ).toEqual([
    { message: 'Document expired', meaning: 'bad', note: 'ask again', answers: '1' },
    { message: 'Document unclear', meaning: '', note: '', answers: '1' }
  ])
  path = join(folder, 'out.jsonl')
  expect(await exports.catalogue({ exportId, filter: {}, ids: [idOf('Accepted')], format: 'jsonl' })).toMatchObject({
    ok: true,
    value: { rows: 1 }
  })
  expect(linesOf(path).slice(1, -1)).toMatchObject([{ message: 'Accepted', count: 1 }])
})

test(
  'a large history is exported whole, with progress, in memory that does not grow with it',
  { timeout: 300_000 },
  async () => {
    const exported = await exportLarge(5_000)
    expect(exported.map(({ what, format, faults }) => ({ what, format, faults }))).toEqual([
      { what: 'history', format: 'csv', faults: [] },
      { what: 'history', format: 'jsonl', faults: [] },
      { what: 'applicants', format: 'csv', faults: [] },
      { what: 'applicants', format: 'jsonl', faults: [] }
    ])
    for (const { reports, grown } of exported) {
      expect(reports).toBeGreaterThanOrEqual(2)
      expect(grown).toBeLessThan(48 * 2 ** 20)
    }
  }
)
