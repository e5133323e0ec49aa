/** `timestamps set|show|test|off` as processes, with an authority made by OpenSSL. */
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCommand, type CliRun } from './support/cli.ts'
import { good, openssl, serveAuthority, type AuthorityServer, type Openssl } from './support/timestamp-authority.ts'

let authority: Openssl
let server: AuthorityServer
let data: string
let ca: string
let other: string
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'veridesk-timestamps-cli-'))
  authority = openssl()
  const root = authority.identity('Root')
  ca = join(authority.folder, `${root.name}.pem`)
  other = join(authority.folder, `${authority.identity('Other').name}.pem`)
  server = await serveAuthority(good(authority, authority.identity('Stamps', { issuer: root })))
})
afterAll(async () => {
  await server.close()
  authority.remove()
  rmSync(data, { recursive: true, force: true })
})
const cli = (...words: string[]): Promise<CliRun> => runCommand(words, { data })

it('sets, tests, shows and removes an authority', async () => {
  expect(await cli('timestamps', 'test')).toMatchObject({
    code: 1,
    error: expect.stringContaining('No time-stamp authority is set') as string
  })
  expect(await cli('timestamps', 'set', server.url, '--ca', ca)).toMatchObject({
    code: 0,
    out: expect.stringContaining(server.url) as string
  })
  expect(await cli('timestamps', 'test')).toMatchObject({
    code: 0,
    out: expect.stringContaining('The time-stamp is valid.') as string
  })
  expect(JSON.parse((await cli('timestamps', 'show', '--json')).out)).toMatchObject({
    url: server.url,
    name: new URL(server.url).host
  })
  expect((await cli('timestamps', 'off')).code).toBe(0)
  expect((await cli('timestamps', 'show')).out).toContain('No time-stamp authority is set')
})
it('says why an authority cannot be used', async () => {
  expect(await cli('timestamps', 'set', 'http://timestamps.example.com', '--ca', ca)).toMatchObject({
    code: 64,
    error: expect.stringContaining('Use https') as string
  })
  expect(await cli('timestamps', 'set', server.url, '--ca', join(data, 'missing.pem'))).toMatchObject({ code: 1 })
  expect((await cli('timestamps', 'set', server.url)).code).toBe(64)
  await cli('timestamps', 'set', server.url, '--ca', other)
  expect(await cli('timestamps', 'test')).toMatchObject({
    code: 1,
    error: expect.stringContaining('does not lead to a certificate authority') as string
  })
})
