/** `diagnose` as a process: its exit code, its text, a connection by name, and the system's own store of certificates. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { exitCodes } from '../../electron/hosts/cli/exit.ts'
import { runCommand } from './support/cli.ts'
import { createTestAuthority } from './support/tls.ts'
import { tlsService } from './support/way-servers.ts'

test('a company’s authority in the system’s store is trusted and named; without it, the report says who can fix it', async () => {
  const data = await mkdtemp(join(tmpdir(), 'veridesk-diagnose-'))
  onTestFinished(() => rm(data, { recursive: true, force: true }))
  const authority = createTestAuthority()
  const service = await tlsService(authority.issue({ names: ['localhost'] }))
  const store = join(data, 'system.pem')
  await writeFile(store, authority.cert)
  const url = `https://localhost:${service.port}`
  // The file that OpenSSL takes for the system's store on Linux; nothing else of this process is trusted.
  const trusted = await runCommand(['diagnose', '--url', url, '--json'], { data, env: { SSL_CERT_FILE: store } })
  expect(trusted).toMatchObject({ code: exitCodes.done.code })
  expect(JSON.parse(trusted.out)).toMatchObject({
    end: 'good',
    steps: expect.arrayContaining([
      expect.objectContaining({
        step: 'tls',
        certificates: [expect.anything(), expect.objectContaining({ store: 'system' })]
      })
    ]) as unknown
  })

  expect(
    (await runCommand(['connection', 'add', 'Company', '--base-url', url, '--credentials-stdin'], { data })).code
  ).toBe(exitCodes.done.code)
  const refused = await runCommand(['diagnose', 'company'], { data })
  expect(refused.code).toBe(exitCodes.networkFault.code)
  expect(refused.out).toMatch(
    /^Network diagnosis of https:\/\/localhost:\d+\n.*\n\nResult: The certificate of localhost:\d+ was issued by “Veridesk test CA [0-9a-f]{8}”.*\nWho can fix it: Your network administrator\n/
  )
  expect(refused.out).toMatch(
    /\nFAILED {2}TLS, \d+ ms\n[^]*Certificate 1: localhost, in no store\n[^]*SHA-256: ([0-9A-F]{2}:){31}/
  )
  expect((await runCommand(['diagnose', 'company', '--url', url], { data })).code).toBe(exitCodes.usage.code)
  expect(service.requests.map(({ method }) => method)).toEqual(['HEAD'])
})
