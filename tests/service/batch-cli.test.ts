/** `batch …` as a process: its output for programs, pausing with Ctrl-C, and resuming. */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BatchSummary } from '#contract/batches/batches.ts'
import { credentials } from '#contract/connections/credentials.ts'
import { startPracticeService, type PracticeService } from '#practice/service.ts'
import { exitCodes } from '../../electron/hosts/cli/exit.ts'
import { commandLine } from './support/program.ts'

const withKeyring = process.env['VERIDESK_KEYRING_PID'] !== undefined

let folder: string
let practice: PracticeService
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'veridesk-batch-cli-'))
  practice = await startPracticeService({ latency: 20 })
  const added = await cli(
    ['connection', 'add', 'Batch', '--base-url', practice.baseUrl, '--credentials-stdin'],
    headerLines()
  )
  if (withKeyring) expect(added.code).toBe(0)
  await file('good.csv', ['applicant_id', ...Array.from({ length: 12 }, (_, n) => `A-${n}`)])
  await file('mixed.csv', ['Kunde;Notiz', '007;a', ';b', 'PRACTICE-cut;c'])
  await file('long.csv', ['applicant_id', ...Array.from({ length: 400 }, (_, n) => `L-${n}`)])
})
afterAll(async () => {
  await practice.close()
  await rm(folder, { recursive: true, force: true })
})

const headerLines = (): string =>
  credentials.map(({ id, header }) => `${header}: ${practice.credentials[id]}\n`).join('')
const file = (name: string, lines: readonly string[]): Promise<void> =>
  writeFile(join(folder, name), `${lines.join('\n')}\n`)
const path = (name: string): string => join(folder, name)

interface Run {
  readonly code: number | null
  readonly out: string
  readonly error: string
}
function cli(
  words: readonly string[],
  input = '',
  onLine?: (line: string, interrupt: () => void) => void
): Promise<Run> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [commandLine, ...words, '--data', join(folder, 'data')])
    const text = { out: '', error: '' }
    child.stdout.on('data', (part: Buffer) => {
      text.out += part.toString()
      onLine?.(text.out, () => child.kill('SIGINT'))
    })
    child.stderr.on('data', (part: Buffer) => (text.error += part.toString()))
    child.on('close', (code) => resolve({ code, ...text }))
    child.stdin.end(input)
  })
}
const lastLine = ({ out }: Run): BatchSummary & { event: string } =>
  JSON.parse(out.trim().split('\n').at(-1) ?? '') as BatchSummary & { event: string }
// Without a keychain the credentials are passed to each run, and the history lasts for one run.
const running = (name: string, ...more: string[]): [string[], string] => [
  [
    'batch',
    'run',
    path(name),
    '--operation',
    'get-applicant-details',
    '--connection',
    'Batch',
    '--credentials-stdin',
    '--without-history',
    ...more
  ],
  headerLines()
]

test('check says what is in a file, by exit code too', async () => {
  const good = await cli(['batch', 'check', path('good.csv'), '--operation', 'get-applicant-details', '--json'])
  expect([good.code, JSON.parse(good.out)]).toMatchObject([0, { rows: 12, good: 12 }])
  const mixed = await cli([
    'batch',
    'check',
    path('mixed.csv'),
    '--operation',
    'get-applicant-details',
    '--map',
    'applicant_id=KUNDE'
  ])
  expect(mixed.code).toBe(exitCodes.batchSomeNot.code)
  expect(mixed.out).toContain('3 rows, 2 valid, 1 invalid')
  expect(mixed.out).toContain('line 3, “Kunde”: Enter the applicant’s ID.')
})

test('check points out an apostrophe before a sign with its row, and removes it where it is told to', async () => {
  await file('earlier.csv', ['applicant_id', "'-5001", 'MARK-2', "'@ada"])
  const check = ['batch', 'check', path('earlier.csv'), '--operation', 'get-applicant-details']
  const kept = await cli(check)
  expect(kept).toMatchObject({
    code: 0,
    out: expect.stringContaining(
      'There is an apostrophe before =, +, - or @ in 2 rows. It is sent as part of the value.'
    )
  })
  expect(kept.out).toMatch(/line 2, “applicant_id”[^]*line 4, “applicant_id”/)
  const removed = await cli([...check, '--apostrophes', 'remove', '--json'])
  expect(JSON.parse(removed.out)).toMatchObject({
    sample: [{ cells: ['-5001'] }, { cells: ['MARK-2'] }, { cells: ['@ada'] }],
    apostrophes: { rows: 2 }
  })
  expect((await cli([...check, '--apostrophes', 'perhaps'])).code).toBe(exitCodes.usage.code)
  // A run reports it as well, without a previous check.
  const run = await cli(...running('earlier.csv', '--out', path('marked.csv')))
  expect(run.error).toContain('There is an apostrophe before =, +, - or @ in 2 rows')
  await file('minus.csv', ['applicant_id', '-5001', 'MARK-2'])
  await cli(...running('minus.csv', '--out', path('marked.csv')))
  expect(await readFile(path('marked.csv'), 'utf8')).toContain("'-5001,")
  const back = await cli(['batch', 'check', path('marked.csv'), '--operation', 'get-applicant-details'])
  expect(back.out).toContain('Saved by Veridesk: the apostrophes added for spreadsheets were removed in 1 row.')
})

test('check reports an invalid byte after plain text, and reads the file with the given encoding', async () => {
  const far = Array.from({ length: 6000 }, (_, n) => `A-${n},plain text\n`).join('')
  await writeFile(
    path('mixed-bytes.csv'),
    Buffer.concat([Buffer.from(`applicant_id,name\nA,Zoë\n${far}B,`), Buffer.from([0xe9, 0x0a])])
  )
  const check = ['batch', 'check', path('mixed-bytes.csv'), '--operation', 'get-applicant-details']
  const refused = await cli(check)
  expect([refused.code, refused.error]).toEqual([
    exitCodes.failed.code,
    expect.stringContaining('Line 6,003 of the file contains 0xE9, which is not valid UTF-8.')
  ])
  expect((await cli([...check, '--encoding', 'windows-1252'])).out).toContain('6,002 rows, 6,002 valid')
})

test('an encoding that is not certain is chosen before anything is sent, by any of its names', async () => {
  const text = Buffer.from([
    ...Buffer.from('applicant_id;name\n'),
    0xdd,
    0xde,
    0x4c,
    0x2d,
    0x31,
    ...Buffer.from(';Ay'),
    0xfe,
    0x65,
    0x0a
  ])
  await writeFile(path('turkish.csv'), text)
  const check = ['batch', 'check', path('turkish.csv'), '--operation', 'get-applicant-details']
  const run = await cli(...running('turkish.csv'))
  for (const { code, error } of [await cli(check), run]) {
    expect(code).toBe(exitCodes.failed.code)
    expect(error).toContain('The encoding of the file is not certain')
    expect(error).toMatch(/--encoding windows-1254 +line 2: İŞL-1 \| Ayşe/)
  }
  const chosen = await cli([...check, '--encoding', 'CP1254', '--json'])
  expect(JSON.parse(chosen.out)).toMatchObject({
    good: 1,
    encodings: [],
    sample: [{ row: 2, cells: ['İŞL-1', 'Ayşe'] }]
  })
  expect((await cli([...check, '--encoding', 'klingon'])).code).toBe(exitCodes.usage.code)
})

test('headings below other lines are found or named, and a rounded number is kept by choice alone', async () => {
  await file('report.csv', ['Report', '', 'applicant_id;x', 'ID;Kunde', '1.23457E+11;1', '1.23457E+11;2'])
  const check = ['batch', 'check', path('report.csv'), '--operation', 'get-applicant-details']
  const found = await cli(check)
  expect(found.out).toContain('headings in line 3')
  expect(found.out).toMatch(/line 5, “applicant_id”: .*rounded.* The cell says “1\.23457E\+11”\./)
  const chosen = await cli([...check, '--heading-row', '4', '--rounded', 'keep'])
  expect(chosen.out).toContain('2 rows, 2 valid, 0 invalid, 1 duplicate')
  expect(chosen.out).toContain('Look at 2 cells before the rows are sent:')
  expect((await cli([...check, '--heading-row', '2'])).error).toContain('Line 2 cannot be the line of the headings')
})

test.each([
  [['batch', 'check']],
  [['batch', 'check', 'x.csv']],
  [['batch', 'check', 'x.csv', '--operation', 'no-such']],
  [['batch', 'check', 'x.csv', '--recipe', 'No such recipe']],
  [['batch', 'check', 'x.csv', '--recipe', 'Details only', '--operation', 'get-applicant-details']],
  [['batch', 'show']],
  [['batch', 'settle', 'abc']],
  [['batch', 'save', 'abc']]
])('%j is not understood, and says how', async (words) => {
  const { code, error } = await cli(words)
  expect([code, error]).toEqual([exitCodes.usage.code, expect.stringMatching(/\S/)])
})

test('run sends the operations of a recipe for each row, and a row that is incomplete for one of them is invalid', async () => {
  const [header, whole] = ['applicant,photo,passport', 'R-1,https://example.com/r1.jpg,https://example.com/p1.jpg']
  await file('recipe.csv', [header, whole, 'R-2,https://example.com/r2.jpg,'])
  const recipe = ['--recipe', 'passport, photo and details']
  const check = await cli(['batch', 'check', path('recipe.csv'), ...recipe])
  expect([check.code, check.out]).toEqual([
    exitCodes.batchSomeNot.code,
    expect.stringContaining('2 rows, 1 valid, 1 invalid')
  ])
  expect(check.out).toContain('  id_url from “passport”')
  const before = practice.ledger().length
  const [words, input] = running('recipe.csv', '--out', path('recipe-out.csv'))
  const at = words.indexOf('--operation')
  const run = await cli(words.toSpliced(at, 2, ...recipe), input)
  expect(run.code).toBe(exitCodes.batchSomeNot.code)
  expect(lastLine(run)).toMatchObject({ counts: { answered: 1, invalid: 1 } })
  expect(practice.ledger().length).toBe(before + 3)
  const [first] = parse(await readFile(path('recipe-out.csv'), 'utf8'), { columns: true, bom: true }) as Record<
    string,
    string
  >[]
  expect(first).toMatchObject({ validate_passport_outcome: 'Answered', get_applicant_details_outcome: 'Answered' })
})

test('a file that cannot be read is refused', async () => {
  const { code, error } = await cli(['batch', 'check', path('nowhere.csv'), '--operation', 'get-applicant-details'])
  expect([code, error]).toEqual([exitCodes.failed.code, expect.stringContaining('could not be read')])
})

test('run prints JSON lines for a program, writes the results, and ends with 0 where all were answered', async () => {
  const before = practice.ledger().length
  const run = await cli(...running('good.csv', '--concurrency', '4', '--out', path('out.csv')))
  expect(run).toMatchObject({ code: 0 })
  expect(lastLine(run)).toMatchObject({ event: 'end', state: 'finished', counts: { answered: 12 } })
  for (const line of run.out.trim().split('\n'))
    expect(JSON.parse(line)).toMatchObject({ event: expect.stringMatching(/progress|end/) })
  expect((await readFile(path('out.csv'), 'utf8')).trim().split('\r\n')).toHaveLength(13)
  expect(practice.ledger().length - before).toBe(12)
})

test('run says by its exit code that some were not answered', async () => {
  const run = await cli(...running('mixed.csv', '--map', 'applicant_id=Kunde'))
  expect(run.code).toBe(exitCodes.batchSomeNot.code)
  expect(lastLine(run)).toMatchObject({
    state: 'finished',
    unresolved: 1,
    counts: { answered: 1, unknown: 1, invalid: 1 }
  })
})

test('an unknown outcome is asked about before it is sent again, by verify and by run', async ({ skip }) => {
  skip(!withKeyring, 'no keychain here, so no history outlives its process; the runner provides one')
  const before = practice.ledger().length
  const words = ['verify', 'get-applicant-details', '--applicant-id', 'PRACTICE-cut', '--connection', 'Batch']
  const asked = await cli(words)
  expect([asked.code, asked.error]).toEqual([
    exitCodes.recentlyAnswered.code,
    expect.stringContaining(
      'The outcome of the same request is unknown: it may have been processed. It was not sent again.'
    )
  ])
  expect(asked.error).toContain('Add --unknown-again to send it all the same.')
  // What is said about recent answers is no answer to this question.
  expect((await cli([...words, '--repeat'])).code).toBe(exitCodes.recentlyAnswered.code)
  await file('cut.csv', ['applicant_id', 'PRACTICE-cut'])
  const run = await cli(...running('cut.csv', '--repeat'))
  expect([run.code, run.error]).toEqual([exitCodes.batchSomeNot.code, expect.stringContaining('“batch resolve')])
  expect(lastLine(run)).toMatchObject({ state: 'finished', unresolved: 1 })
  expect(practice.ledger().length).toBe(before)
})

test('Ctrl-C pauses, and resume goes on to the end without a row twice', async ({ skip }) => {
  skip(!withKeyring, 'no keychain here, so no batch outlives its process; the runner provides one')
  const before = practice.ledger().length
  let interrupted = false
  const run = await cli(...running('long.csv', '--concurrency', '4', '--name', 'Long one'), (text, interrupt) => {
    if (interrupted || !/"answered":[1-9]/.test(text)) return
    interrupted = true
    interrupt()
  })
  expect(run.code).toBe(exitCodes.batchStopped.code)
  const paused = lastLine(run)
  expect(paused).toMatchObject({ state: 'paused', counts: { open: 0, unknown: 0 } })
  expect(paused.counts.waiting).toBeGreaterThan(0)
  expect((await cli(['batch', 'list', 'long ONE', '--json'])).out).toContain(paused.id)
  const refused = await cli(...running('long.csv'))
  expect([refused.code, refused.error]).toEqual([
    exitCodes.batchUnfinished.code,
    expect.stringContaining('The batch “Long one” of the same file is unfinished')
  ])
  expect(refused.error).toContain(`“batch resume ${paused.id}”, or add --another`)
  expect(practice.ledger().length - before).toBe(400 - paused.counts.waiting)
  const resumed = await cli(['batch', 'resume', paused.id.slice(0, 24)])
  expect(resumed).toMatchObject({ code: 0 })
  expect(practice.ledger().length - before).toBe(400)
  expect((await cli(['batch', 'save', paused.id, '--file', 'lossless', '--out', path('all.jsonl')])).out).toContain(
    '400 rows'
  )
  expect((await cli(['batch', 'resume', paused.id])).code).toBe(exitCodes.failed.code)
})
