/** What the environment of a command may change: nothing but what is allowed, and no credential leaves by a variable. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { credentials } from '#contract/connections/credentials.ts'
import { startPracticeService, type PracticeService } from '#practice/service.ts'
import { exitCodes } from '../../electron/hosts/cli/exit.ts'
import { runCommand, type CliRun } from './support/cli.ts'
import { setTrap } from './support/document-server.ts'
import { createTestAuthority } from './support/tls.ts'
import { tlsService } from './support/way-servers.ts'

let folder: string
let practice: PracticeService
const headerLines = (): string =>
  credentials.map(({ id, header }) => `${header}: ${practice.credentials[id]}\n`).join('')
const cli = (words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CliRun> =>
  runCommand(words, { data: join(folder, 'data'), input: headerLines(), env })
const verify = [
  'verify',
  'get-applicant-details',
  '--applicant-id',
  'PRACTICE-pass',
  '--connection',
  'Bench',
  '--credentials-stdin',
  '--without-history',
  '--repeat'
]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'veridesk-environment-'))
  practice = await startPracticeService()
  expect((await cli(['connection', 'add', 'Bench', '--base-url', practice.baseUrl, '--credentials-stdin'])).code).toBe(
    0
  )
})
afterAll(async () => {
  await practice.close()
  await rm(folder, { recursive: true, force: true })
})

describe('NODE_DEBUG, which makes Node print what is sent', () => {
  test.each(['http', 'HTTP,net,tls,https', '*'])('%s is refused before anything is sent', async (value) => {
    const before = practice.ledger().length
    const { code, out, error } = await cli(verify, { NODE_DEBUG: value })
    for (const secret of Object.values(practice.credentials)) expect(`${out}${error}`).not.toContain(secret)
    expect(error).toContain('NODE_DEBUG')
    expect(code).toBe(exitCodes.failed.code)
    expect(practice.ledger().length).toBe(before)
  })
})

test('a proxy that Node itself would take from the environment is not used, and untrusted certificates stay refused', async () => {
  const trap = await setTrap()
  const service = await tlsService(createTestAuthority().issue({ names: ['localhost'] }))
  try {
    const env = {
      NODE_USE_ENV_PROXY: '1',
      HTTP_PROXY: `http://127.0.0.1:${trap.port}`,
      http_proxy: `http://127.0.0.1:${trap.port}`,
      NO_PROXY: '',
      NODE_TLS_REJECT_UNAUTHORIZED: '0'
    }
    const before = practice.ledger().length
    expect(await cli(verify, env)).toMatchObject({ code: 0, error: '' })
    expect(practice.ledger().length).toBe(before + 1)
    const untrusted = await cli(['diagnose', '--url', `https://localhost:${service.port}`], env)
    expect(untrusted.code).toBe(exitCodes.networkFault.code)
    expect(service.requests).toEqual([])
    expect(trap.connections()).toBe(0)
  } finally {
    await trap.close()
  }
})
