/** What the environment of a command may change: nothing but what is allowed, and no credential leaves by a variable. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { credentials } from '#contract/credentials.ts'
import { startPracticeService, type PracticeService } from '#practice/service.ts'
import { runCommand, type CliRun } from './support/cli.ts'
import { times } from './support/times.ts'

let folder: string
let practice: PracticeService
const headerLines = (): string => credentials.map(({ id, header }) => `${header}: ${practice.credentials[id]}\n`).join('')
const cli = (words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CliRun> => runCommand(words, { data: join(folder, 'data'), input: headerLines(), env })
const verify = ['verify', 'get-applicant-details', '--applicant-id', 'PRACTICE-pass', '--connection', 'Bench', '--credentials-stdin', '--without-history', '--repeat']

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'veridesk-environment-'))
  practice = await startPracticeService()
  expect((await cli(['connection', 'add', 'Bench', '--base-url', practice.baseUrl, '--credentials-stdin'])).code).toBe(0)
})
afterAll(async () => {
  await practice.close()
  await rm(folder, { recursive: true, force: true })
})

describe('NODE_DEBUG, which makes Node print what is sent', () => {
  test.each(['http', 'HTTP,net,tls,https', '*'])('%s is refused before anything is sent', { repeats: times - 1 }, async (value) => {
    const before = practice.ledger().length
    const { code, out, error } = await cli(verify, { NODE_DEBUG: value })
    for (const secret of Object.values(practice.credentials)) expect(`${out}${error}`).not.toContain(secret)
    expect(error).toContain('NODE_DEBUG')
    expect(code).toBe(1)
    expect(practice.ledger().length).toBe(before)
  })
})
