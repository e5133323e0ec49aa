/** Credentials and the file that determines where they are sent, with real sockets and a real keychain. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { credentials } from '#contract/connections/credentials.ts'
import { startPracticeService } from '#practice/service.ts'
import { exitCodes } from '../../electron/hosts/cli/exit.ts'
import { command } from './support/command.ts'

const withKeyring = process.env['VERIDESK_KEYRING_PID'] !== undefined

let folder = ''
let service: Awaited<ReturnType<typeof startPracticeService>>
let other: Server
/** What the other service received. */
const received: string[] = []
let elsewhere = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'veridesk-bound-'))
  service = await startPracticeService()
  other = createServer((request, response) => {
    received.push(JSON.stringify(request.headers))
    response.setHeader('content-type', 'application/json').end('{"message":"thanks"}')
  })
  await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening))
  elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
})
afterAll(async () => {
  other.close()
  await service.close()
  await rm(folder, { recursive: true, force: true })
})

const lines = (): string => credentials.map(({ id, header }) => `${header}: ${service.credentials[id]}\n`).join('')
const verify = (id: string, ...more: string[]) =>
  command(
    ['verify', 'get-applicant-details', '--applicant-id', id, '--connection', 'Bank', '--data', folder, ...more],
    lines()
  )
async function edit(from: string, to: string): Promise<void> {
  const file = join(folder, 'connections.json')
  await writeFile(file, (await readFile(file, 'utf8')).replaceAll(from, to))
}

describe.runIf(withKeyring)('an address that was edited by hand', () => {
  test('is sent no credentials that were set for another one, by no command', async () => {
    await command(
      [
        'connection',
        'add',
        'Bank',
        '--base-url',
        service.baseUrl,
        '--mode',
        'live',
        '--credentials-stdin',
        '--data',
        folder
      ],
      lines()
    )
    expect((await verify('A-1', '--live')).code).toBe(0)
    await edit(service.baseUrl, elsewhere)

    const refused = await verify('A-2', '--live')
    expect(refused.code).toBe(exitCodes.failed.code)
    expect(refused.error).toContain(
      `were set for ${service.baseUrl} (live), but the connection now points to ${elsewhere} (live)`
    )
    expect(refused.error).toContain('Nothing was sent')
    const rows = join(folder, 'rows.csv')
    await writeFile(rows, 'applicant_id\nA-3\n')
    expect(
      (
        await command([
          'batch',
          'run',
          rows,
          '--operation',
          'get-applicant-details',
          '--connection',
          'Bank',
          '--live',
          '--data',
          folder
        ])
      ).code
    ).not.toBe(0)
    expect((await command(['connection', 'list', '--data', folder])).out).toContain(
      `entered for ${service.baseUrl} (live)`
    )
    expect(received).toEqual([])

    // Given for the other address, they are sent there.
    expect((await verify('A-4', '--live', '--credentials-stdin')).code).toBe(0)
    expect(received).toHaveLength(1)
  }, 120_000)

  test('nor where a live connection is called a sandbox, which asks nothing before a check', async () => {
    await edit('"mode": "live"', '"mode": "sandbox"')
    const before = received.length
    const refused = await verify('A-5')
    expect(refused.code).toBe(exitCodes.failed.code)
    expect(refused.error).toContain('(live), but the connection now points to')
    expect(received).toHaveLength(before)
  }, 60_000)
})
