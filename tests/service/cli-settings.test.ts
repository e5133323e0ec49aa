/** Unusable settings and connections: nothing is sent as if they did not exist, until a user resets them. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { credentials } from '#contract/connections/credentials.ts'
import { startPracticeService, type PracticeService } from '#practice/service.ts'
import { exitCodes } from '../../electron/hosts/cli/exit.ts'
import { runCommand, type CliRun } from './support/cli.ts'

let folder: string
let practice: PracticeService
let number = 0
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'veridesk-cli-settings-'))
  practice = await startPracticeService()
  writeFileSync(path('rows.csv'), 'applicant_id\nROW-1\nROW-2\n')
})
afterAll(async () => {
  await practice.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  for (const name of ['settings.json', 'connections.json']) rmSync(data(name), { force: true, recursive: true })
  await cli('connection', 'add', 'Bench', '--base-url', practice.baseUrl, '--credentials-stdin')
  before = practice.ledger().length
  number += 1
})

const path = (...names: string[]): string => join(folder, ...names)
const data = (name: string): string => path('data', name)
const headerLines = (): string =>
  credentials.map(({ id, header }) => `${header}: ${practice.credentials[id]}\n`).join('')
const cli = (...words: string[]): Promise<CliRun> => runCommand(words, { data: path('data'), input: headerLines() })
let before = 0
const sent = (): number => practice.ledger().length - before
const envelope = (of: 'settings' | 'connections', version: number, content: unknown): string =>
  JSON.stringify({ format: `veridesk-${of}`, version, data: content })

const unusable: Readonly<Record<string, () => void>> = {
  'is damaged': () =>
    writeFileSync(
      data('settings.json'),
      '{"format":"veridesk-settings","version":1,"data":{"proxyMode":"manual","proxyU'
    ),
  'is of a newer version': () => writeFileSync(data('settings.json'), envelope('settings', 3, { proxyMode: 'manual' })),
  'has a field that cannot be': () =>
    writeFileSync(data('settings.json'), envelope('settings', 1, { proxyMode: 'manuel' })),
  'is a folder': () => mkdirSync(data('settings.json'))
}
const sending = (): string[][] => [
  [
    'verify',
    'get-applicant-details',
    '--applicant-id',
    `A-${number}`,
    '--connection',
    'Bench',
    '--credentials-stdin',
    '--without-history',
    '--repeat'
  ],
  [
    'batch',
    'run',
    path('rows.csv'),
    '--operation',
    'get-applicant-details',
    '--connection',
    'Bench',
    '--credentials-stdin',
    '--without-history',
    '--repeat'
  ]
]

describe.each(Object.entries(unusable))('where settings.json %s', (_name, spoil) => {
  test('nothing is sent, at the second start as little as at the first, until the settings are reset', async () => {
    spoil()
    for (const words of sending()) {
      const run = await cli(...words)
      expect([words.slice(0, 2).join(' '), run.code, sent()]).toEqual([
        words.slice(0, 2).join(' '),
        exitCodes.failed.code,
        0
      ])
      expect(run.error).toContain('settings.json')
      expect(run.error).toContain('Nothing was sent')
      expect(run.error).toContain('settings reset')
    }
    // Commands that only read work, and report it too.
    const listed = await cli('connection', 'list')
    expect(listed).toMatchObject({ code: exitCodes.done.code })
    expect(listed.out).toContain('Bench')
    expect(listed.error).toContain('settings.json')

    const reset = await cli('settings', 'reset')
    expect(reset).toMatchObject({ code: exitCodes.done.code, error: '' })
    const kept = /settings\.[a-z]+-[^ ]+\.json/.exec(reset.out)?.[0] ?? ''
    expect(readdirSync(path('data'))).toContain(kept)
    expect(await cli(...(sending()[0] ?? []))).toMatchObject({ code: exitCodes.done.code })
    expect(sent()).toBe(1)
  })
})

test('settings that are put back are in force again at the next start', async () => {
  writeFileSync(data('settings.json'), 'x')
  expect((await cli(...(sending()[0] ?? []))).code).toBe(exitCodes.failed.code)
  expect(readFileSync(data('settings.json'), 'utf8')).toBe('x')
  writeFileSync(data('settings.json'), envelope('settings', 1, { theme: 'dark' }))
  expect(await cli(...(sending()[0] ?? []))).toMatchObject({ code: exitCodes.done.code, error: '' })
})

test('a certificate file that the settings name and that is gone: nothing is sent', async () => {
  writeFileSync(data('settings.json'), envelope('settings', 1, { extraCaFile: path('gone.pem') }))
  const run = await cli(...(sending()[0] ?? []))
  expect([run.code, sent()]).toEqual([exitCodes.failed.code, 0])
  expect(run.error).toContain('Nothing was sent')
})

test('a manual proxy whose address cannot be read: nothing is sent', async () => {
  await cli('connection', 'add', 'Far', '--base-url', 'https://kyc.example.com', '--credentials-stdin')
  for (const proxyUrl of ['', 'half typed', 'socks4://proxy:1']) {
    writeFileSync(data('settings.json'), envelope('settings', 1, { proxyMode: 'manual', proxyUrl }))
    const run = await cli(
      'verify',
      'get-applicant-details',
      '--applicant-id',
      'A-1',
      '--connection',
      'Far',
      '--credentials-stdin',
      '--without-history'
    )
    expect(run.code).toBe(exitCodes.failed.code)
    expect(run.error).toMatch(
      /^The proxy in the settings cannot be used\.[^\n]*\n(?:  proxyUrl: [^\n]*\n)?Nothing was sent/
    )
  }
})

test.each([
  ['damaged', '{"format":"veridesk-connections","version":1,"data":{"conn'],
  ['of a newer version', envelope('connections', 2, {})]
])('connections that are %s are never listed as none', async (_name, text) => {
  writeFileSync(data('connections.json'), text)
  for (const more of [[], ['--json'], []]) {
    const run = await cli('connection', 'list', ...more)
    expect(run).toMatchObject({ code: exitCodes.incomplete.code, out: '' })
    expect(run.error).toContain('connections.json')
    expect(run.error).toContain('connection reset')
  }
  const verify = await cli(...(sending()[0] ?? []))
  expect([verify.code, sent()]).toEqual([exitCodes.failed.code, 0])
  expect(verify.error).toContain('connections.json')
  expect((await cli('connection', 'add', 'New', '--base-url', practice.baseUrl, '--credentials-stdin')).code).toBe(
    exitCodes.failed.code
  )
  expect(readFileSync(data('connections.json'), 'utf8')).toBe(text)

  const reset = await cli('connection', 'reset')
  const kept = /connections\.[a-z]+-[^ ]+\.json/.exec(reset.out)?.[0] ?? ''
  expect(readFileSync(data(kept), 'utf8')).toBe(text)
  const listed = await cli('connection', 'list')
  expect(listed).toMatchObject({ code: exitCodes.done.code, error: '' })
  expect(listed.out).toContain('No connections yet')
})

test('unreadable retention days do not count as none', async () => {
  writeFileSync(data('settings.json'), 'x')
  const run = await cli('retention', '--dry-run')
  expect(run).toMatchObject({ code: exitCodes.failed.code, out: '' })
})
