import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { credentials } from '#contract/connections/credentials.ts'
import { startPracticeService } from '#practice/service.ts'
import { exitCodes } from '../../electron/hosts/cli/exit.ts'
import { runCommand } from './support/cli.ts'
import { card } from './support/document-files.ts'
import { startKeyring } from './support/keyring.ts'
import { commandLine, commandLineSource } from './support/program.ts'

const withKeyring = process.env['VERIDESK_KEYRING_PID'] !== undefined

let folder: string
let practice: Awaited<ReturnType<typeof startPracticeService>>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'veridesk-cli-'))
  practice = await startPracticeService()
})
afterAll(async () => {
  await practice.close()
  await rm(folder, { recursive: true, force: true })
})

interface Run {
  readonly code: number | null
  readonly out: string
  readonly error: string
}

interface Order {
  readonly input?: string
  readonly env?: NodeJS.ProcessEnv
  readonly onStart?: (kill: () => void) => void
  readonly program?: string
}

function cli(
  words: readonly string[],
  { input = '', env = process.env, onStart, program = commandLine }: Order = {}
): Promise<Run> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program, ...words, '--data', folder], { env })
    let out = ''
    let error = ''
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString()))
    child.on('close', (code) => resolve({ code, out, error }))
    child.stdin.end(input)
    onStart?.(() => child.kill('SIGINT'))
  })
}

const headerLines = (): string =>
  credentials.map((credential) => `${credential.header}: ${practice.credentials[credential.id]}\n`).join('')

describe('the command line', () => {
  test('explains itself, with every operation, flag and exit code', async () => {
    const { code, out } = await cli(['help'])
    expect(code).toBe(0)
    for (const { code: each } of Object.values(exitCodes)) expect(out).toMatch(new RegExp(`^ +${each} `, 'm'))
    expect(out).toContain('--photo-document-url')
  })

  test('is the same from its source', async () => {
    expect(await cli(['help'], { program: commandLineSource })).toEqual(await cli(['help']))
    const listed = await cli(['connection', 'list', '--json'], { program: commandLineSource })
    expect(listed.code).toBe(0)
    expect(listed).toEqual(await cli(['connection', 'list', '--json']))
  })

  test.each([
    [['fly']],
    [['verify']],
    [['verify', 'validate-nothing']],
    [['verify', 'validate-passport']],
    [['verify', 'validate-passport', '--id-url', 'https://x.example/p.jpg', '--connection', 'Nowhere']],
    [['verify', 'validate-passport', '--api-key', 'secret']],
    [['connection', 'add', 'X', '--base-url', 'http://kyc.example.com']],
    [['connection', 'add', 'X', '--base-url', 'https://kyc.example.com/a//b']],
    [['history', 'search', '--outcome', 'fine']],
    [['history', 'search', '--from', 'yesterday-ish']],
    [['history', 'show', 'seven']],
    [['history', 'copy', 'seven', '--field', 'id_url']],
    [['history', 'copy', '01890a5d-ac96-774b-bcce-b302099a8057', '--field', 'name']],
    [['export', 'history', '--to', '/tmp/never.csv', '--limit', '1']],
    [['export', 'applicants', '--to', '/tmp/never.csv', '--operation', 'validate-passport']],
    [['export', 'applicants', 'somebody', '--to', '/tmp/never.csv']]
  ])('refuses %j with a sentence and the code for usage', async (words) => {
    const { code, out, error } = await cli(words)
    expect(code).toBe(exitCodes.usage.code)
    expect(error.length).toBeGreaterThan(10)
    expect(out).toBe('')
  })

  test.each([
    ['https://', 'complete address'],
    ['https://a:b@kyc.example.com', 'must not contain'],
    ['https://kyc.example.com?key=1', 'must not contain'],
    ['https://kyc.example.com/a//b', 'path']
  ])('says in words what is wrong with the base URL %s', async (baseUrl, word) => {
    const { error } = await cli(['connection', 'add', 'X', '--base-url', baseUrl])
    expect(error).toMatch(/^--base-url: [A-Z].*\.\s*$/)
    expect(error).toContain(word)
  })

  test.runIf(withKeyring).each([
    ['locked', 'locked', {}],
    ['none', 'no keychain', {}],
    ['unlocked', 'no keychain', { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus' }]
  ] as const)('a keychain that is %s (%s: %j) leaves nothing that is said to be set', async (kind, why, other) => {
    const keyring = await startKeyring(kind)
    try {
      const env = { ...process.env, ...keyring.env, ...other }
      const name = `Kept ${kind}`
      const add = ['connection', 'add', name, '--base-url', practice.baseUrl, '--credentials-stdin']
      const { code, out, error } = await cli(add, { input: headerLines(), env })
      expect(code).toBe(exitCodes.unavailable.code)
      expect(out).toContain('(credentials given for this run only)')
      expect(error).toContain(why)
      expect(`${out}${error}`).not.toContain('credentials set')
      await cli(['connection', 'remove', name], { env })
    } finally {
      await keyring.end()
    }
  })

  test.runIf(withKeyring)(
    'adds a connection with secrets from standard input, and runs, finds and shows a check',
    async () => {
      const add = ['connection', 'add', 'Bench', '--base-url', practice.baseUrl, '--credentials-stdin', '--json']
      // Refused credentials leave no connection, which a second attempt would double.
      expect((await cli(add, { input: headerLines().replace(/\n$/, ' \n') })).code).toBe(exitCodes.failed.code)
      expect((await cli(['connection', 'list', '--json'])).out).toBe('')
      // In columns, as the practice service prints them.
      const added = await cli(add, { input: headerLines().replaceAll(': ', ': \t  ') })
      expect(added).toMatchObject({ code: 0 })
      expect(JSON.parse(added.out)).toMatchObject({ name: 'Bench', kept: 'keychain' })

      const words = ['verify', 'get-applicant-details', '--applicant-id', '000123', '--connection', 'bench', '--json']
      const verified = await cli(words)
      expect(verified.code).toBe(exitCodes.done.code)
      const record = JSON.parse(verified.out) as { id: string; fullMessage: string; input: unknown }
      expect(record.input).toEqual({ applicant_id: '000123' })
      expect((await cli(words)).code).toBe(exitCodes.recentlyAnswered.code)

      const found = await cli(['history', 'search', '000123', '--outcome', 'answered', '--json'])
      expect(
        found.out
          .trim()
          .split('\n')
          .map((line) => (JSON.parse(line) as { id: string }).id)
      ).toEqual([record.id])
      expect((await cli(['history', 'show', record.id])).out).toContain(record.fullMessage)
      expect((await cli(['history', 'search', 'no such words'])).error).toContain('No records match')
    }
  )

  test.runIf(withKeyring)('keeps a file as a copy of a document of a record, and says why it does not', async () => {
    const add = ['connection', 'add', 'Copies', '--base-url', practice.baseUrl, '--credentials-stdin']
    expect((await cli(add, { input: headerLines() })).code).toBe(exitCodes.done.code)
    const link = ['--id-url', 'https://files.example/p.jpg']
    const verified = await cli(['verify', 'validate-passport', ...link, '--connection', 'Copies', '--json'])
    const { id } = JSON.parse(verified.out) as { id: string }
    const file = join(folder, 'passport.jpg')
    await writeFile(file, card)
    const copy = ['history', 'copy', id, '--field', 'id_url']
    expect((await cli([...copy, '--path', join(folder, 'nowhere.jpg')])).error).toContain('The file was not added')
    const kept = await cli([...copy, '--path', file, '--json'])
    expect(kept.code).toBe(exitCodes.done.code)
    expect(JSON.parse(kept.out)).toMatchObject([{ when: 'file', type: 'jpeg', bytes: card.length }])
    expect((await cli(copy)).error).toContain('The document could not be fetched from files.example')
  })

  test.runIf(withKeyring)(
    'replaces the credentials of a connection from standard input, and only those given',
    async () => {
      const add = ['connection', 'add', 'Renewed', '--base-url', practice.baseUrl, '--credentials-stdin']
      expect((await cli(add, { input: headerLines() })).code).toBe(exitCodes.done.code)
      const verify = ['verify', 'get-applicant-details', '--applicant-id', 'R-1', '--connection', 'Renewed', '--repeat']
      const renew = ['connection', 'credentials', 'Renewed']
      const [first] = credentials
      const wrong = `${first.header}: another-secret\n`
      expect(await cli(renew, { input: wrong })).toMatchObject({ code: exitCodes.done.code, error: '' })
      expect((await cli(verify)).code).toBe(exitCodes.answeredOtherwise.code)
      expect((await cli(renew, { input: headerLines() })).code).toBe(exitCodes.done.code)
      expect((await cli(verify)).code).toBe(exitCodes.done.code)
      // Nothing, something else, and another connection: refused without a change.
      for (const [words, input] of [
        [renew, ''],
        [renew, 'X-Other: 1\n'],
        [['connection', 'credentials', 'Nowhere'], headerLines()]
      ] as const)
        expect(await cli([...words], { input })).toMatchObject({ code: exitCodes.usage.code, out: '' })
      expect((await cli(verify)).code).toBe(exitCodes.done.code)
      await cli(['connection', 'remove', 'Renewed'])
    }
  )

  test.runIf(withKeyring).each([
    ['PRACTICE-400', 'answeredOtherwise'],
    ['PRACTICE-html', 'invalid-response'],
    ['PRACTICE-cut', 'unknown']
  ] as const)('%s ends with the exit code for %s', async (id, exit) => {
    const run = await cli(['verify', 'get-applicant-details', '--applicant-id', id, '--connection', 'Bench'])
    expect(run.code).toBe(exitCodes[exit].code)
  })

  test.runIf(withKeyring)('ends with the code for not sent where nobody listens', async () => {
    await cli(['connection', 'add', 'Deaf', '--base-url', 'http://127.0.0.1:9', '--credentials-stdin'], {
      input: headerLines()
    })
    const run = await cli(['verify', 'get-applicant-details', '--applicant-id', 'A-1', '--connection', 'Deaf'])
    expect(run.code).toBe(exitCodes.notSent.code)
  })

  test.runIf(withKeyring)('asks for --live before a live check, and sends nothing without it', async () => {
    const sent = practice.ledger().length
    await cli(['connection', 'add', 'Real', '--mode', 'live', '--base-url', practice.baseUrl, '--credentials-stdin'], {
      input: headerLines()
    })
    const words = ['verify', 'get-applicant-details', '--applicant-id', 'L-1', '--connection', 'Real']
    expect(await cli(words)).toMatchObject({ code: exitCodes.usage.code })
    expect(practice.ledger()).toHaveLength(sent)
    expect((await cli([...words, '--live'])).code).toBe(0)
    expect(practice.ledger()).toHaveLength(sent + 1)
  })

  test.runIf(withKeyring)('cancels on Ctrl-C and records the outcome', async () => {
    const before = practice.ledger().length
    const run = await cli(
      ['verify', 'get-applicant-details', '--applicant-id', 'PRACTICE-slow-20', '--connection', 'Bench'],
      {
        // Only once the request has arrived: it must be recorded.
        onStart: (kill) =>
          void expect
            .poll(() => practice.ledger().length, { timeout: 20_000, interval: 20 })
            .toBe(before + 1)
            .then(kill)
      }
    )
    expect(run.code).toBe(exitCodes.unknown.code)
    expect((await cli(['history', 'search', 'PRACTICE-slow-20', '--outcome', 'unknown', '--json'])).out).toContain(
      '"state":"unknown"'
    )
  })

  test('without a keychain keeps no secret and says what can be done', async () => {
    const { DBUS_SESSION_BUS_ADDRESS: _bus, DISPLAY: _display, ...rest } = process.env
    const env = { ...rest, XDG_RUNTIME_DIR: '/nonexistent', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' }
    const added = await cli(['connection', 'add', 'Bare', '--base-url', practice.baseUrl, '--credentials-stdin'], {
      input: headerLines(),
      env
    })
    expect(added).toMatchObject({ code: exitCodes.unavailable.code })
    const verify = await cli(['verify', 'get-applicant-details', '--applicant-id', 'A-9', '--connection', 'Bare'], {
      env
    })
    expect(verify.code).toBe(exitCodes.unavailable.code)
    expect(verify.error).toMatch(/keychain/)
  })

  test('with --without-history sends while the history cannot be opened, and leaves its files as they are', async ({
    skip
  }) => {
    skip(!withKeyring, 'no keychain here; the runner provides one')
    const aside = await mkdtemp(join(tmpdir(), 'veridesk-cli-damaged-'))
    try {
      const run = (words: readonly string[], env?: Record<string, string>): Promise<Run> =>
        runCommand(words, { data: aside, input: headerLines(), ...(env && { env }) })
      await run(['connection', 'add', 'Bench', '--base-url', practice.baseUrl, '--credentials-stdin'])
      const file = join(aside, 'history', 'history.db')
      const whole = await readFile(file)
      await writeFile(join(aside, 'rows.csv'), 'applicant_id\nA-31\n')
      const damaged = Buffer.from(whole).fill(7, 0, 4096)
      const noKeychain = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' }
      const verifying = ['verify', 'get-applicant-details', '--applicant-id', 'A-30']
      const batch = ['batch', 'run', join(aside, 'rows.csv'), '--operation', 'get-applicant-details']
      const runs = [
        [damaged, {}, verifying, exitCodes.unavailable.code, 0],
        [damaged, {}, [...verifying, '--without-history'], 0, 1],
        [whole, noKeychain, [...batch, '--without-history'], 0, 1]
      ] as const
      for (const [bytes, env, words, code, requests] of runs) {
        await writeFile(file, bytes)
        const before = practice.ledger().length
        const ran = await run([...words, '--connection', 'Bench', '--credentials-stdin'], env)
        expect([ran.error, ran.code, practice.ledger().length - before]).toEqual([ran.error, code, requests])
        expect((await readFile(file)).equals(bytes)).toBe(true)
      }
    } finally {
      await rm(aside, { recursive: true, force: true })
    }
  })

  test('leaves no secret in the data folder', async () => {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const bytes = await readFile(join(entry.parentPath, entry.name))
      for (const secret of Object.values(practice.credentials)) expect(bytes.includes(secret)).toBe(false)
    }
  })
})
