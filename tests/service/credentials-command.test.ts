/** Credentials that a command of the organisation prints: a real program, run without a shell, and nothing of them kept. */
import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { credentials } from '#contract/connections/credentials.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { credentialsCommandRunner } from '../../electron/hosts/node/credentials-command.ts'
import { fileReader } from '../../electron/hosts/node/policies/linux.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'

const user = process.getuid?.() ?? 0
let folder: string
let own: TestConsole
let id: string
const path = (name: string): string => join(folder, name)
const program = (): string => path('bin/print')
const headers = (): string =>
  credentials.map((each) => `${each.header}: ${own.practice.credentials[each.id]}\n`).join('')
/** Writes the program; each run adds a line to `runs`. */
function printing(body: string, mode = 0o755): void {
  writeFileSync(program(), `#!/bin/sh\necho "$#:$1" >> '${path('runs')}'\n${body}\n`, { mode })
  chmodSync(program(), mode)
}
const runs = (): string[] => (existsSync(path('runs')) ? readFileSync(path('runs'), 'utf8').trim().split('\n') : [])
const run = () =>
  own.ask('verification.run', {
    runId: randomUUID(),
    connectionId: id,
    operation: 'get-applicant-details',
    input: { applicant_id: 'PRACTICE-pass' },
    repeatAnyway: true
  })
/** Every file of a folder, as text. */
const texts = (at: string): string =>
  readdirSync(at, { recursive: true, encoding: 'utf8' })
    .map((name) => join(at, name))
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, 'latin1'))
    .join('\n')

async function start(): Promise<void> {
  const earlier = own as TestConsole | undefined
  await earlier?.close()
  own = await startTestConsole(earlier, 'tester', {
    policies: fileReader(path('etc/policies.json'), [user]),
    runCredentialsCommand: credentialsCommandRunner([0, user], 1)
  })
}
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'veridesk-command-'))
  for (const name of ['etc', 'bin']) mkdirSync(path(name), { mode: 0o755 })
  await start()
  writeFileSync(
    path('etc/policies.json'),
    JSON.stringify({
      format: 'veridesk-policies',
      version: 1,
      policies: {
        OrganisationName: 'Example Bank',
        Connections: [
          {
            name: 'Bank KYC',
            baseUrl: own.practice.baseUrl,
            mode: 'sandbox',
            credentialsCommand: [program(), '$(id); production']
          }
        ]
      }
    }),
    { mode: 0o644 }
  )
  await start()
  id = (await own.get('connections.list'))[0]?.id ?? ''
})
beforeEach(() => rm(path('runs'), { force: true }))
afterAll(async () => {
  await own.dispose()
  await rm(folder, { recursive: true, force: true })
})

test('are printed for a request, once for several, and are stored and logged nowhere', async () => {
  printing(`cat <<'END'\n${headers()}END\necho "${own.practice.credentials['api-key']}" >&2`)
  const listed = await own.get('connections.list')
  expect(listed).toMatchObject([{ byCommand: true, credentials: { 'api-key': true, 'authorization': true } }])
  expect(runs()).toEqual([])
  expect(await run()).toMatchObject({ ok: true, value: { record: { state: 'answered' } } })
  expect(await run()).toMatchObject({ ok: true, value: { record: { state: 'answered' } } })
  // One argument, as the policy has it: no shell has read it.
  expect(runs()).toEqual(['1:$(id); production'])
  const kept = texts(own.dataFolder)
  for (const each of credentials) expect(kept).not.toContain(own.practice.credentials[each.id])
  expect(await own.ask('credentials.set', { connectionId: id, credential: 'api-key', value: 'x' })).toMatchObject({
    failure: { code: 'credentials-by-command', details: { organisation: 'Example Bank' } }
  })
  expect(await own.ask('credentials.clear', { connectionId: id, credential: 'api-key' })).toMatchObject({
    failure: { code: 'credentials-by-command' }
  })
})

test('are asked for again after the service has refused them', async () => {
  await start()
  printing(`cat <<'END'\n${headers().replaceAll(/: .*/g, ': wrong-value')}END`)
  expect(await run()).toMatchObject({ ok: true, value: { record: { reply: { status: 401 } } } })
  printing(`cat <<'END'\n${headers()}END`)
  expect(await run()).toMatchObject({ ok: true, value: { record: { reply: { status: 200 } } } })
  expect(runs()).toHaveLength(2)
})

test.each<[string, string, number, string]>([
  ['ends with an error', 'exit 3', 0o755, 'it ended with exit code 3'],
  ['takes too long', 'exec sleep 60', 0o755, 'it took longer than 1 seconds'],
  ['prints something else', 'echo "secret-in-a-line"', 0o755, 'it did not print each of the three headers'],
  ['prints two of three', 'echo "x-api-key: secret-a"; echo "x-api-secret: secret-b"', 0o755, 'it did not print each'],
  [
    'prints what no header can have',
    `printf 'x-api-key: secret\\001a\\nx-api-secret: b\\nAuthorization: c\\n'`,
    0o755,
    'the value of x-api-key cannot be sent'
  ],
  ['can be changed by others', 'echo', 0o777, 'no file that belongs to the administrator alone'],
  ['may not be run', 'echo', 0o644, 'it could not be started (access is denied)']
])(
  'that fail because the command %s are a sentence without a secret, and nothing is sent',
  async (_why, body, mode, says) => {
    await start()
    printing(body, mode)
    const before = own.practice.ledger().length
    const answer = await run()
    const said = answer.ok ? '' : Object.values(sentencesOf(answer.failure)).join(' ')
    expect(said).toContain('The command of Example Bank')
    expect(said).toContain(says)
    expect(said).not.toContain('secret')
    expect(own.practice.ledger()).toHaveLength(before)
    expect(texts(own.dataFolder)).not.toMatch(/secret-(?:a|b|in-a-line)/)
  }
)

test('come from no program that a folder above it lets others replace', async () => {
  await start()
  printing(`cat <<'END'\n${headers()}END`)
  chmodSync(path('bin'), 0o777)
  expect(await run()).toMatchObject({ ok: false, failure: { code: 'credentials-command-failed' } })
  expect(runs()).toEqual([])
  chmodSync(path('bin'), 0o755)
  expect(await run()).toMatchObject({ ok: true })
})
