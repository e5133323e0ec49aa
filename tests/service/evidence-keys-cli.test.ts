/** `evidence keys|revoke|replace-key|timestamp` as processes. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OwnKey } from '#contract/evidence/keys.ts'
import { readRevocation } from '#core/evidence/revocation.ts'
import { savedPack, evidenceWorkspace, furnish } from './evidence-workspace.ts'
import { runCommand, type CliRun } from './support/cli.ts'
import { ownKeyring } from './support/keyring.ts'
import { good, openssl, serveAuthority, type AuthorityServer, type Openssl } from './support/timestamp-authority.ts'

let folder: string
let authority: Openssl
let server: AuthorityServer
let ca: string
let endKeyring: () => Promise<void>
beforeAll(async () => {
  endKeyring = await ownKeyring()
  folder = mkdtempSync(join(tmpdir(), 'veridesk-keys-cli-'))
  authority = openssl()
  const root = authority.identity('Root')
  ca = join(authority.folder, `${root.name}.pem`)
  server = await serveAuthority(good(authority, authority.identity('Stamps', { issuer: root })))
})
afterAll(async () => {
  await endKeyring()
  await server.close()
  authority.remove()
  rmSync(folder, { recursive: true, force: true })
})
const path = (name: string): string => join(folder, name)
const cli = (...words: string[]): Promise<CliRun> => runCommand(words, { data: path('data') })
const keys = async (): Promise<OwnKey[]> => JSON.parse((await cli('evidence', 'keys', '--json')).out) as OwnKey[]

it('revokes the current key or another one, and replaces it only with its fingerprint', async () => {
  const [before] = await keys()
  expect(before).toMatchObject({ current: true })
  expect((await cli('evidence', 'revoke', '--to', path('none.json'))).code).toBe(64)
  expect(
    (await cli('evidence', 'revoke', '--reason', 'lost', '--since', 'some day', '--to', path('none.json'))).code
  ).toBe(64)
  const revoked = await cli(
    'evidence',
    'revoke',
    '--reason',
    'lost',
    '--since',
    '2026-01-02T03:04:05Z',
    '--note',
    'Stolen',
    '--to',
    path('own.json')
  )
  expect(revoked).toMatchObject({ code: 0, out: expect.stringContaining('replace-key') as string })
  expect(readRevocation(readFileSync(path('own.json'), 'utf8'))).toMatchObject({
    key: before!.fingerprint,
    revokedBy: before!.fingerprint,
    since: Date.UTC(2026, 0, 2, 3, 4, 5),
    note: 'Stolen'
  })
  expect((await cli('evidence', 'keys')).out).toContain('revoked since 2026-01-02T03:04:05.000Z (lost)')
  // Readers refuse what a revoked key signs.
  expect(
    await cli('evidence', 'pack', 'record', '00000000-0000-4000-8000-000000000000', '--to', path('revoked.json'))
  ).toMatchObject({
    code: 1,
    error: expect.stringContaining('Your signing key has been revoked since 2026-01-02') as string
  })
  expect((await cli('evidence', 'replace-key')).code).toBe(64)
  expect(await cli('evidence', 'replace-key', '--confirm', '00'.repeat(32))).toMatchObject({
    code: 1,
    error: expect.stringContaining('not the fingerprint of the current') as string
  })
  expect((await cli('evidence', 'replace-key', '--confirm', before!.fingerprint)).code).toBe(0)
  expect(
    (await cli('evidence', 'pack', 'record', '00000000-0000-4000-8000-000000000000', '--to', path('valid.json'))).error
  ).toContain('the record is not in the history')
  const [now, old] = await keys()
  expect([now!.current, old!.fingerprint, old!.current]).toEqual([true, before!.fingerprint, false])
  expect(
    (await cli('evidence', 'revoke', '--reason', 'replaced', '--key', old!.fingerprint, '--to', path('old.json'))).code
  ).toBe(0)
  expect(readRevocation(readFileSync(path('old.json'), 'utf8'))).toMatchObject({
    key: old!.fingerprint,
    revokedBy: now!.fingerprint
  })
})

it('adds a time-stamp to a pack', async () => {
  const workspace = await evidenceWorkspace(folder, 'packer')
  const saved = await savedPack(workspace, folder, { kind: 'record', id: await furnish(workspace) })
  await workspace.store.close()
  expect(await cli('evidence', 'timestamp', saved.path)).toMatchObject({
    code: 1,
    error: expect.stringContaining('No time-stamp authority is set') as string
  })
  await cli('timestamps', 'set', server.url, '--ca', ca)
  expect(await cli('evidence', 'timestamp', saved.path)).toMatchObject({
    code: 0,
    out: expect.stringContaining('CN=Stamps') as string
  })
  expect((await cli('evidence', 'verify', saved.path, '--tsa-ca', ca)).out).toContain('It existed on')
  expect((await cli('evidence', 'timestamp')).code).toBe(64)
  expect((await cli('evidence', 'verify', saved.path, '--tsa-ca', path('missing.pem'))).code).toBe(1)
  expect((await cli('evidence', 'verify', saved.path, '--may-revoke', 'short')).code).toBe(64)
})
