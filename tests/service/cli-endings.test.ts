/** How commands end when the output, its file or the process itself fails: never as if nothing had been sent. */
import { execFileSync } from 'node:child_process'
import { lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { BatchSummary } from '#contract/batches/batches.ts'
import { credentials } from '#contract/connections/credentials.ts'
import { startPracticeService, type PracticeService } from '#practice/service.ts'
import { exitCodes } from '../../electron/hosts/cli/exit.ts'
import { runCommand, type CliOrder, type CliRun } from './support/cli.ts'

const withKeyring = process.env['VERIDESK_KEYRING_PID'] !== undefined

let folder: string
let practice: PracticeService
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'veridesk-cli-endings-'))
  practice = await startPracticeService({ latency: 20 })
  await cli(['connection', 'add', 'Bench', '--base-url', practice.baseUrl, '--credentials-stdin'], {
    input: headerLines()
  })
})
afterAll(async () => {
  await practice.close()
  await rm(folder, { recursive: true, force: true })
})

const path = (...names: string[]): string => join(folder, ...names)
const headerLines = (): string =>
  credentials.map(({ id, header }) => `${header}: ${practice.credentials[id]}\n`).join('')
const cli = (words: readonly string[], order: Omit<CliOrder, 'data'> = {}): Promise<CliRun> =>
  runCommand(words, { data: path('data'), ...order })

let prefix = 0
/** Creates a file of rows that were never sent before; returns the arguments to run it, and its credentials. */
function batch(rows: number, ...more: string[]): [string[], { input: string }] {
  prefix += 1
  const file = path(`rows-${prefix}.csv`)
  writeFileSync(file, ['applicant_id', ...Array.from({ length: rows }, (_, n) => `R${prefix}-${n}`), ''].join('\n'))
  return [
    [
      'batch',
      'run',
      file,
      '--operation',
      'get-applicant-details',
      '--connection',
      'Bench',
      '--credentials-stdin',
      '--without-history',
      ...more
    ],
    { input: headerLines() }
  ]
}
const verifying = (id: string, ...more: string[]): [string[], { input: string }] => [
  [
    'verify',
    'get-applicant-details',
    '--applicant-id',
    id,
    '--connection',
    'Bench',
    '--credentials-stdin',
    '--without-history',
    ...more
  ],
  { input: headerLines() }
]
let before = 0
beforeEach(() => {
  before = practice.ledger().length
})
const sent = (): number => practice.ledger().length - before
const last = (text: string): BatchSummary => JSON.parse(text.trim().split('\n').at(-1) ?? '') as BatchSummary

/** Creates an obstacle at a path; returns the path. */
const obstacles = {
  'a missing folder': () => path('missing', 'out.csv'),
  'a folder': () => {
    mkdirSync(path('in-the-way'), { recursive: true })
    return path('in-the-way')
  },
  'a pipe': () => {
    rmSync(path('pipe'), { force: true })
    execFileSync('mkfifo', [path('pipe')])
    return path('pipe')
  },
  'a link': () => {
    writeFileSync(path('target'), 'untouched')
    rmSync(path('link'), { force: true })
    symlinkSync(path('target'), path('link'))
    return path('link')
  }
}
const kindOf = (at: string): string => {
  const found = lstatSync(at, { throwIfNoEntry: false })
  return !found
    ? 'nothing'
    : found.isFIFO()
      ? 'a pipe'
      : found.isSymbolicLink()
        ? 'a link'
        : found.isDirectory()
          ? 'a folder'
          : found.isFile()
            ? 'a file'
            : 'a device'
}

describe('a file that cannot be written is found out before anything is sent', () => {
  test.each(Object.entries(obstacles))('batch run --out where there is %s', async (_name, put) => {
    const at = put()
    const there = kindOf(at)
    const [words, order] = batch(4, '--out', at)
    const run = await cli(words, order)
    expect([run.code, sent(), kindOf(at)]).toEqual([exitCodes.failed.code, 0, there])
    expect(run.error).toMatch(/could not be written|cannot be written/)
    expect(run.error).toContain('Nothing was sent')
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([])
  })

  test.each(Object.entries(obstacles))(
    'every other command that writes a file, where there is %s',
    async (_name, put) => {
      const at = put()
      const there = kindOf(at)
      const id = '01890a5d-ac96-774b-bcce-b302099a8057'
      for (const words of [
        ['batch', 'save', id, '--out', at],
        ['export', 'history', '--to', at],
        ['export', 'applicants', '--to', at],
        ['evidence', 'pack', 'applicant', 'A-1', '--to', at],
        ['applicant', 'data', 'A-1', '--digest', '0'.repeat(64), '--to', at],
        ['applicant', 'erase', 'A-1', '--confirm', 'A-1', '--reason', 'asked', '--to', at],
        ['applicant', 'receipt', id, '--to', at]
      ]) {
        const run = await cli(words)
        expect([words.join(' '), run.code, kindOf(at)]).toEqual([words.join(' '), exitCodes.failed.code, there])
        expect(run.error).toContain('cannot be written')
      }
    }
  )

  test.skipIf(process.getuid?.() !== 0)('a device stays a device', async () => {
    execFileSync('mknod', [path('null'), 'c', '1', '3'])
    const [words, order] = batch(2, '--out', path('null'))
    const run = await cli(words, order)
    expect([run.code, sent(), kindOf(path('null'))]).toEqual([exitCodes.failed.code, 0, 'a device'])
  })
})

test('results that cannot be written after the run are missing, and the batch is not', async () => {
  mkdirSync(path('going'))
  const [words, order] = batch(30, '--out', path('going', 'out.csv'))
  const run = await cli(words, { ...order, onText: () => rmSync(path('going'), { recursive: true, force: true }) })
  expect([run.code, sent()]).toEqual([exitCodes.fileMissing.code, 30])
  expect(last(run.out)).toMatchObject({ state: 'finished', counts: { answered: 30 } })
  expect(run.error).toContain(`batch save ${last(run.out).id} --out FILE`)
  expect(run.error).not.toMatch(/nothing was sent/i)
})

describe('standard output that fails', () => {
  test('on a full disk is found out before a batch sends', async () => {
    const [words, order] = batch(6)
    const run = await cli(words, { ...order, redirection: '> /dev/full' })
    expect([run.code, sent()]).toEqual([exitCodes.outputLost.code, 0])
    expect(run.error).toMatch(/disk is full/)
    expect(run.error).not.toMatch(/ at .*:\d+/)
  })

  test('closed by its reader pauses a batch, and no row is unknown', async () => {
    const [words, order] = batch(200, '--concurrency', '4')
    const run = await cli(words, { ...order, redirection: '| head -1' })
    expect(run.code).toBe(exitCodes.outputLost.code)
    expect(sent()).toBeLessThan(200)
    expect(run.error).not.toMatch(/nothing was sent|EPIPE|node:/i)
    if (!withKeyring) return
    const listed = last((await cli(['batch', 'list', '--json', `rows-${prefix}`])).out)
    expect(listed).toMatchObject({ state: 'paused', counts: { open: 0, unknown: 0, answered: sent() } })
    expect(run.error).toContain(`batch resume ${listed.id}`)
  })

  test.each(['> /dev/full', '| head -c 0'])(
    'verify %s says that it was sent, and where the answer is',
    async (redirection) => {
      // The reader has certainly gone before the answer arrives: the service takes a second.
      const [words, order] = verifying(`PRACTICE-slow-1`, '--json', '--repeat')
      const run = await cli(words, { ...order, redirection })
      expect([run.code, sent()]).toEqual([exitCodes.outputLost.code, 1])
      expect(run.error).toMatch(/history show [0-9a-f-]{36}/)
      expect(run.error).not.toMatch(/nothing was sent|EPIPE|node:/i)
    }
  )

  test('is told of by a command that only reads', async () => {
    const run = await cli(['help'], { redirection: '> /dev/full' })
    expect(run.code).toBe(exitCodes.outputLost.code)
    expect(run.error).toMatch(/disk is full/)
  })
})

describe('signals', () => {
  test.each([
    ['SIGTERM', 'terminated'],
    ['SIGHUP', 'hungUp']
  ] as const)('%s pauses a batch as Ctrl-C does', async (signal, exit) => {
    const [words, order] = batch(200, '--concurrency', '4')
    let killed = false
    const run = await cli(words, {
      ...order,
      onText: (text, kill) => {
        if (killed || !/"answered":[1-9]/.test(text)) return
        killed = true
        kill(signal)
      }
    })
    expect(run.code).toBe(exitCodes[exit].code)
    expect(last(run.out)).toMatchObject({
      event: 'end',
      state: 'paused',
      counts: { open: 0, unknown: 0, answered: sent() }
    })
    expect(sent()).toBeLessThan(200)
  })

  test.each(['SIGTERM', 'SIGHUP'] as const)('%s cancels a check and its outcome is recorded', async (signal) => {
    const [words, order] = verifying('PRACTICE-slow-20', '--json', '--unknown-again')
    const run = await cli(words, {
      ...order,
      // Only once the request has arrived: it must be recorded.
      onStart: (kill) =>
        void expect
          .poll(() => sent(), { timeout: 20_000, interval: 20 })
          .toBe(1)
          .then(() => kill(signal))
    })
    expect(run.code).toBe(exitCodes.unknown.code)
    expect(JSON.parse(run.out)).toMatchObject({ state: 'unknown' })
  })
})

test.runIf(withKeyring)('a batch whose rows were all answered before says so', async () => {
  const [words, order] = batch(3)
  expect(await cli(words, order)).toMatchObject({ code: 0 })
  const again = await cli(words, order)
  expect([again.code, sent()]).toEqual([exitCodes.recentlyAnswered.code, 3])
  expect(again.error).toMatch(/3 rows/)
  expect(again.error).toContain('--repeat')
})
