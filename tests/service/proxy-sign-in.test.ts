/** A whole console behind a proxy that requires a password: set, used by a verification and the diagnosis, cleared, never shown. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { credentialIds } from '#contract/connections/credentials.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'
import { ownKeyring } from './support/keyring.ts'
import { createTestAuthority } from './support/tls.ts'
import { proxyTo, requiring, tlsService, type TestProxy } from './support/way-servers.ts'

const authority = createTestAuthority()
const signIn = { user: 'CANARY-user-9b', password: 'CANARY-pass-"4c1d' }
const value = `Basic ${Buffer.from(`${signIn.user}:${signIn.password}`).toString('base64')}`
let folder: string
let endKeyring: () => Promise<void>
beforeAll(async () => {
  endKeyring = await ownKeyring()
  folder = await mkdtemp(join(tmpdir(), 'veridesk-proxy-sign-in-'))
})
afterAll(async () => {
  await endKeyring()
  await rm(folder, { recursive: true, force: true })
})

async function connected(console: TestConsole, port: number, proxy: TestProxy): Promise<string> {
  const caFile = join(folder, 'company.pem')
  await writeFile(caFile, authority.cert)
  await console.get('settings.change', {
    proxyMode: 'manual',
    proxyUrl: `http://127.0.0.1:${proxy.port}`,
    extraCaFile: caFile
  })
  const saved = await console.get('connections.save', {
    name: 'Company',
    baseUrl: `https://kyc.service.test:${port}`,
    mode: 'sandbox',
    colour: 'blue',
    mark: 'CO'
  })
  for (const credential of credentialIds)
    await console.get('credentials.set', { connectionId: saved.connection.id, credential, value: 'a-value' })
  return saved.connection.id
}

const filesIn = async (path: string): Promise<string> =>
  (
    await Promise.all(
      (await readdir(path, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => readFile(join(entry.parentPath, entry.name), 'latin1'))
    )
  ).join('\n')

test('a verification and a diagnosis sign in with what is stored for the proxy; nothing of it comes back or is written', async () => {
  const [service, proxy] = [
    await tlsService(authority.issue({ names: ['kyc.service.test'] })),
    await proxyTo(requiring(value, 'Company'))
  ]
  const console = await startTestConsole()
  const connectionId = await connected(console, service.port, proxy)
  const verify = () =>
    console.get('verification.run', {
      runId: randomUUID(),
      connectionId,
      operation: 'get-applicant-details',
      input: { applicant_id: `A-${randomUUID()}` }
    })
  const diagnose = () => console.get('diagnosis.run', { diagnosisId: randomUUID(), id: connectionId })

  expect(await verify()).toMatchObject({
    record: { state: 'not-sent', failure: { code: 'proxy-failed', details: { reason: 'sign-in' } } }
  })
  expect(await diagnose()).toMatchObject({ end: 'found', failure: { code: 'diagnosis-proxy-sign-in' } })
  expect(proxy.given.splice(0)).toEqual(['', ''])

  const address = `http://127.0.0.1:${proxy.port}`
  expect(
    (await console.get('proxySignIns.set', { proxy: `${address}/`, ...signIn })).map((each) => each.proxy)
  ).toEqual([address])
  expect(await verify()).toMatchObject({ record: { state: 'invalid-response', status: 404 } })
  expect(await diagnose()).toMatchObject({ end: 'good' })
  expect(proxy.given.splice(0)).toEqual(['', value, '', value])
  expect(service.requests.map(({ method }) => method)).toEqual(['POST', 'HEAD'])

  await console.get('proxySignIns.clear', { proxy: address })
  expect(await diagnose()).toMatchObject({ failure: { code: 'diagnosis-proxy-sign-in' } })
  const { events } = await console.get('audit.page', { limit: 50 })
  expect(events.map(({ words }) => words).join('\n')).toContain(address)
  await console.get('proxySignIns.set', { proxy: address, ...signIn })
  const shown = JSON.stringify([events, await console.get('proxySignIns.list'), console.events])
  for (const secret of ['CANARY', value.slice(6)])
    expect(shown + (await filesIn(console.dataFolder))).not.toContain(secret)
  await console.dispose()
})
