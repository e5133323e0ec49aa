/** `batch check` and `batch run` with `--check-links` as a process: what they print, how they end, and what is sent. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { credentials } from '#contract/connections/credentials.ts'
import { startPracticeService, type PracticeService } from '#practice/service.ts'
import { exitCodes } from '../../electron/hosts/cli/exit.ts'
import { runCommand, type CliOrder, type CliRun } from './support/cli.ts'
import { card, heic } from './support/document-files.ts'
import { serveDocuments, type DocumentServer } from './support/document-server.ts'

let folder: string
let practice: PracticeService
let server: DocumentServer
/** Requests that the service and the document server had received before the test. */
let before: { readonly sent: number; readonly asked: number }
const data = (): string => join(folder, 'data')
const headerLines = (): string =>
  credentials.map(({ id, header }) => `${header}: ${practice.credentials[id]}\n`).join('')
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'veridesk-links-cli-'))
  practice = await startPracticeService()
  server = await serveDocuments()
  await runCommand(['connection', 'add', 'Links', '--base-url', practice.baseUrl, '--credentials-stdin'], {
    data: data(),
    input: headerLines()
  })
  // The documents of the test are on this computer.
  const path = join(data(), 'connections.json')
  await writeFile(path, (await readFile(path, 'utf8')).replace(/"privateAddresses": false/, '"privateAddresses": true'))
})
afterAll(async () => {
  await Promise.all([practice.close(), server.close()])
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => void (before = { sent: practice.ledger().length, asked: server.asked.length }))
const sent = (): number => practice.ledger().length - before.sent
const asked = (): number => server.asked.length - before.asked

/** A new file each time: the same picture with another end. */
let files = 0
const own = (): Buffer => Buffer.concat([card, Buffer.from(`end ${(files += 1)}`)])
async function rows(...links: readonly string[]): Promise<string> {
  const path = join(folder, `rows-${(files += 1)}.csv`)
  await writeFile(path, ['photo_url', ...links, ''].join('\n'))
  return path
}
const mixed = (): Promise<string> => {
  const expired = `${server.at(own())}?X-Amz-Date=20200101T000000Z&X-Amz-Expires=60&X-Amz-Signature=0123456789abcdef`
  return rows(
    server.at(own()),
    server.at((response) => response.writeHead(404).end()),
    server.at(Buffer.from('<html>')),
    server.at(heic(512, 512)),
    expired
  )
}
const check = (path: string, ...more: string[]): Promise<CliRun> =>
  runCommand(
    ['batch', 'check', path, '--operation', 'validate-kyc-photo', '--check-links', '--connection', 'Links', ...more],
    { data: data() }
  )
// Without a keychain the credentials are passed to each run, and the history lasts for one run.
const run = (path: string, more: readonly string[], order: Partial<CliOrder> = {}): Promise<CliRun> =>
  runCommand(
    [
      'batch',
      'run',
      path,
      '--operation',
      'validate-kyc-photo',
      '--connection',
      'Links',
      '--credentials-stdin',
      '--without-history',
      ...more
    ],
    { data: data(), input: headerLines(), ...order }
  )
const linesOf = ({ out }: CliRun) =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly event: string; readonly counts?: object; readonly found?: number })

test('check lists the findings of each row, as text and as JSON, and ends with a code of its own; nothing is sent', async () => {
  const path = await mixed()
  const text = await check(path)
  expect(text).toMatchObject({ code: exitCodes.linksFound.code, error: '' })
  expect(text.out.split('\n').slice(-6)).toEqual([
    '5 of 5 links checked, 4 rows with findings (unreachable 1, no-document 1, expired 1, small 1)',
    '  line 3, “photo_url”: The server of the link answered with status 404.',
    '  line 4, “photo_url”: The link does not lead to a usable image or PDF.',
    expect.stringMatching(/^ {2}line 5, “photo_url”: The image has 512 × 512 pixels/),
    '  line 6, “photo_url”: The signed link has expired.',
    ''
  ])
  expect(text.out).not.toContain('0123456789abcdef')
  expect(asked()).toBe(5)
  const json = await check(path, '--json')
  expect(json.code).toBe(exitCodes.linksFound.code)
  expect(JSON.parse(json.out)).toMatchObject({
    rows: 5,
    good: 5,
    links: {
      links: 5,
      done: 5,
      fine: 1,
      found: 4,
      figures: { 'unreachable': 1, 'no-document': 1, 'expired': 1, 'small': 1 },
      moreRows: 0
    }
  })
  const { findings } = (JSON.parse(json.out) as { links: { findings: { row: number; kind: string }[] } }).links
  expect(findings[0]).toEqual({
    row: 3,
    column: 'photo_url',
    kind: 'unreachable',
    fault: 'The server of the link answered with status 404.'
  })
  expect(findings.map(({ row, kind }) => [row, kind])).toEqual([
    [3, 'unreachable'],
    [4, 'no-document'],
    [5, 'small'],
    [6, 'expired']
  ])
  expect(sent()).toBe(0)
})

test('check ends with 0 if no link has a finding, and with that of the rows if one is invalid as well', async () => {
  const fine = await check(await rows(server.at(own()), server.at(own())))
  expect(fine).toMatchObject({ code: 0, out: expect.stringContaining('2 of 2 links checked, 0 rows with findings\n') })
  expect((await check(await rows(server.at(Buffer.from('<html>')), 'no link'))).code).toBe(exitCodes.batchSomeNot.code)
  // Without the option, no server is asked.
  const path = await mixed()
  const asking = asked()
  expect((await runCommand(['batch', 'check', path, '--operation', 'validate-kyc-photo'], { data: data() })).code).toBe(
    0
  )
  expect(asked()).toBe(asking)
})

test('run stops before anything is sent, sends all rows, or leaves those with findings out', async () => {
  const path = await mixed()
  const stopped = await run(path, ['--check-links'])
  expect(stopped).toMatchObject({
    code: exitCodes.linksFound.code,
    error: expect.stringContaining('4 rows have links with findings.\nNothing was sent.')
  })
  expect(linesOf(stopped)).toMatchObject([{ event: 'links', found: 4 }])
  expect([sent(), asked()]).toEqual([0, 5])
  const skipped = await run(path, ['--check-links', '--on-findings', 'skip'])
  expect(skipped.code).toBe(exitCodes.batchSomeNot.code)
  expect(linesOf(skipped).at(-1)).toMatchObject({ event: 'end', counts: { answered: 1, invalid: 4 } })
  expect(sent()).toBe(1)
  const all = await run(path, ['--check-links', '--on-findings', 'send', '--repeat'])
  expect(all.code).toBe(0)
  expect(linesOf(all).at(-1)).toMatchObject({ event: 'end', counts: { answered: 5 } })
  expect([sent(), asked()]).toEqual([6, 15])
})

test('Ctrl-C stops the check, and nothing is sent', async () => {
  let interrupt: (signal: NodeJS.Signals) => void = () => undefined
  const path = await rows(
    server.at(() => interrupt('SIGINT')),
    server.at(own())
  )
  const stopped = await run(path, ['--check-links'], { onStart: (kill) => void (interrupt = kill) })
  expect(stopped).toMatchObject({
    code: exitCodes.interrupted.code,
    error: expect.stringMatching(/The check of the links was stopped after \d of 2\.\nNothing was sent\./)
  })
  expect(sent()).toBe(0)
})

test.each([
  [['--on-findings', 'send']],
  [['--check-links', '--on-findings', 'perhaps']],
  [['--check-links', '--concurrency', '0']]
])('%j is not understood, and nothing is asked or sent', async (more) => {
  const path = await mixed()
  const refused = await run(path, more)
  expect([refused.code, sent(), asked()]).toEqual([exitCodes.usage.code, 0, 0])
})

test('a file without links is refused, and nothing is sent', async () => {
  const path = join(folder, 'ids.csv')
  await writeFile(path, 'applicant_id\nA-1\n')
  const refused = await runCommand(
    ['batch', 'check', path, '--operation', 'get-applicant-details', '--check-links', '--connection', 'Links'],
    { data: data() }
  )
  expect(refused).toMatchObject({ code: exitCodes.failed.code, error: expect.stringContaining('there are none') })
})
