/** Policies on the command line: the same refusals as in the window, with a sentence on standard error. */
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { credentials } from '#contract/connections/credentials.ts'
import { startPracticeService, type PracticeService } from '#practice/service.ts'
import { exitCodes } from '../../electron/hosts/cli/exit.ts'
import { runCommand, type CliRun } from './support/cli.ts'

let folder: string
let practice: PracticeService
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'veridesk-policies-cli-'))
  practice = await startPracticeService()
  writeFileSync(path('rows.csv'), 'applicant_id\nROW-1\n')
})
afterAll(async () => {
  await practice.close()
  await rm(folder, { recursive: true, force: true })
})

const path = (name: string): string => join(folder, name)
const headerLines = (): string =>
  credentials.map(({ id, header }) => `${header}: ${practice.credentials[id]}\n`).join('')
const cli = (...words: string[]): Promise<CliRun> =>
  runCommand(words, {
    data: path('data'),
    input: headerLines(),
    env: { VERIDESK_TEST_POLICIES: path('policies.json') }
  })
function policies(values: object, mode = 0o644): void {
  writeFileSync(path('policies.json'), JSON.stringify({ format: 'veridesk-policies', version: 1, policies: values }))
  chmodSync(path('policies.json'), mode)
}
const sending = [
  'get-applicant-details',
  '--connection',
  'Bench',
  '--credentials-stdin',
  '--without-history',
  '--repeat'
]

test('refuse each locked thing before anything is sent or written, and are listed', async () => {
  expect(
    await cli('connection', 'add', 'Bench', '--base-url', practice.baseUrl, '--credentials-stdin')
  ).not.toMatchObject({ code: exitCodes.failed.code })
  policies({
    OrganisationName: 'Example Bank',
    AllowedBaseUrls: ['https://kyc.example.com'],
    ExportsAllowed: false,
    Connections: [{ name: 'Ready', baseUrl: 'https://ready.example.com', mode: 'live' }]
  })
  const refused: readonly (readonly [words: string[], sentence: string])[] = [
    [
      ['verify', ...sending, '--applicant-id', 'A-1'],
      `The address ${practice.baseUrl} is not allowed by Example Bank.`
    ],
    [
      ['batch', 'run', path('rows.csv'), '--operation', ...sending],
      `The address ${practice.baseUrl} is not allowed by Example Bank.`
    ],
    [
      ['batch', 'run', path('rows.csv'), '--operation', ...sending, '--out', path('results.csv')],
      'turned off by Example Bank'
    ],
    [
      ['connection', 'add', 'Other', '--base-url', 'https://other.example.com', '--credentials-stdin'],
      'The address https://other.example.com is not allowed by Example Bank.'
    ],
    [['connection', 'remove', 'Ready'], 'The connection “Ready” is managed by Example Bank.'],
    [['export', 'batches', '--to', path('batches.csv')], 'turned off by Example Bank']
  ]
  for (const [words, sentence] of refused) {
    const run = await cli(...words)
    expect([words.slice(0, 2).join(' '), run.code, run.error]).toEqual([
      words.slice(0, 2).join(' '),
      exitCodes.failed.code,
      expect.stringContaining(sentence)
    ])
  }
  expect(practice.ledger()).toEqual([])
  expect(['results.csv', 'batches.csv'].filter((name) => existsSync(path(name)))).toEqual([])
  const listed = await cli('policies', '--json')
  expect(JSON.parse(listed.out)).toMatchObject({
    organisation: 'Example Bank',
    policies: [
      { name: 'OrganisationName' },
      { name: 'AllowedBaseUrls', value: 'https://kyc.example.com', place: path('policies.json') },
      { name: 'Connections' },
      { name: 'ExportsAllowed', value: 'false' }
    ]
  })
})

test('that anybody can change are reported on standard error, and the earlier ones stay in force', async () => {
  policies({ OrganisationName: 'Anybody' }, 0o666)
  const run = await cli('verify', ...sending, '--applicant-id', 'A-1')
  expect([run.code, run.error]).toEqual([
    exitCodes.failed.code,
    expect.stringContaining('users other than the administrator can change it')
  ])
  expect(run.error).toContain('is not allowed by Example Bank')
  expect(practice.ledger()).toEqual([])
})

test('that set the data folder move it for every command, and let nobody name another', async () => {
  policies({ OrganisationName: 'Example Bank', DataFolder: '${user_home}/Own data' })
  const env = {
    VERIDESK_TEST_POLICIES: path('policies.json'),
    HOME: path('home'),
    XDG_CONFIG_HOME: path('home/.config')
  }
  const named = await runCommand(['policies'], { data: path('data'), env })
  expect([named.code, named.error]).toEqual([
    exitCodes.unavailable.code,
    expect.stringContaining('The data folder is set by Example Bank.')
  ])
  expect(await runCommand(['policies'], { env })).toMatchObject({ code: exitCodes.done.code })
  expect(existsSync(path('home/Own data/data-folder.json')) || existsSync(path('home/Own data/logs'))).toBe(true)
  expect(existsSync(path('home/.config/Veridesk'))).toBe(false)
  policies({ DataFolder: 'C:\\Data' })
  const elsewhere = await runCommand(['policies'], { env })
  expect([elsewhere.code, elsewhere.error]).toEqual([
    exitCodes.unavailable.code,
    expect.stringContaining('it is no absolute path on this system')
  ])
})

test('that cannot be used fail the command that lists them, which shows what is in force', async () => {
  policies({ OrganisationName: 'Example Bank' })
  expect(await cli('policies')).toMatchObject({ code: exitCodes.done.code, error: '' })
  policies({ OrganisationName: 'Anybody' }, 0o666)
  const earlier = await cli('policies')
  expect([earlier.code, earlier.error]).toEqual([
    exitCodes.failed.code,
    expect.stringContaining('users other than the administrator can change it')
  ])
  expect(earlier.out).toContain('OrganisationName  Example Bank')
  writeFileSync(path('policies.json'), 'not JSON')
  chmodSync(path('policies.json'), 0o644)
  expect(
    await runCommand(['policies', '--json'], {
      data: path('without-earlier'),
      env: { VERIDESK_TEST_POLICIES: path('policies.json') }
    })
  ).toMatchObject({ code: exitCodes.failed.code, out: expect.stringContaining('ExportsAllowed') as string })
  policies({ OrganisationName: 'Example Bank', FromANewerVersion: true })
  expect(await cli('policies')).toMatchObject({ code: exitCodes.done.code })
})
