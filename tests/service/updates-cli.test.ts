/** `updates` as processes, with a feed on loopback, and a policy that locks it. */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exitCodes } from '../../electron/hosts/cli/exit.ts'
import { runCommand, type CliRun } from './support/cli.ts'
import { fileOf, newSigner, noticeAt } from './support/release-notices.ts'
import { serveFeed, type FeedServer } from './support/update-feed.ts'

const signer = newSigner()
const installer = 'Veridesk-9.1.0-linux-amd64.deb'
const content = Buffer.from('hello')
const good = (changes: Parameters<typeof noticeAt>[1] = {}): Buffer => {
  const notice = noticeAt(Date.now(), changes)
  return fileOf(
    {
      ...notice,
      files: notice.files.map((file) => ({
        ...file,
        size: content.length,
        sha256: createHash('sha256').update(content).digest('hex')
      }))
    },
    signer
  )
}
let folder: string
let server: FeedServer
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'veridesk-updates-cli-'))
  server = await serveFeed(good())
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})
const at = (name: string): string => join(folder, name)
const cli = (...words: string[]): Promise<CliRun> =>
  runCommand(words, { data: at('data'), env: { VERIDESK_TEST_POLICIES: at('policies.json') } })

describe('updates', () => {
  it('says that it is off and contacts nobody, then what a feed says', async () => {
    expect(await cli('updates')).toMatchObject({
      code: 0,
      out: expect.stringContaining('Off: no update feed is set') as string
    })
    expect(await cli('updates', 'check')).toMatchObject({
      code: exitCodes.failed.code,
      error: expect.stringContaining('No update feed is set.') as string
    })
    expect(server.connections()).toBe(0)
    writeFileSync(at('veridesk.pub'), `untrusted comment: minisign public key ${signer.id}\n${signer.publicLine}\n`)
    expect(await cli('updates', 'set', server.url, '--key', at('veridesk.pub'))).toMatchObject({
      code: 0,
      out: expect.stringContaining(signer.publicLine) as string
    })
    expect(server.connections()).toBe(0)
    const checked = await cli('updates', 'check')
    expect(checked).toMatchObject({ code: exitCodes.updateAvailable.code, error: '' })
    for (const said of [
      'Veridesk 9.1.0 is available',
      'https://example.com/notes',
      `SHA-256 ${createHash('sha256').update(content).digest('hex')}`
    ])
      expect(checked.out).toContain(said)
    expect(JSON.parse((await cli('updates', '--json')).out)).toMatchObject({
      mode: 'on',
      feed: { url: server.url, channel: 'stable' },
      notice: { newer: true }
    })
    expect(server.connections()).toBe(1)

    server.answer(good({ sequence: 3 }))
    expect(await cli('updates', 'check')).toMatchObject({
      code: exitCodes.updateRefused.code,
      error: expect.stringContaining('serves an older notice than before') as string
    })
    server.answer((_request, response) => void response.writeHead(503).end())
    expect(await cli('updates', 'check', '--json')).toMatchObject({
      code: exitCodes.failed.code,
      out: expect.stringContaining('"update-not-fetched"') as string
    })
  })

  it('refuses what is no feed, and what a policy locks', async () => {
    for (const words of [
      ['http://updates.example.com/x'],
      [server.url],
      [`${server.url}?x`, '--key', signer.publicLine],
      [server.url, '--key', 'RWQ'],
      [server.url, '--key', signer.publicLine, '--channel', 'nightly']
    ])
      expect((await cli('updates', 'set', ...words)).code, words.join(' ')).toBe(exitCodes.usage.code)
    writeFileSync(
      at('policies.json'),
      JSON.stringify({
        format: 'veridesk-policies',
        version: 1,
        policies: { OrganisationName: 'Example Bank', UpdateFeed: { off: true } }
      }),
      { mode: 0o644 }
    )
    expect(await cli('updates', 'set', server.url, '--key', signer.publicLine)).toMatchObject({
      code: exitCodes.failed.code,
      error: expect.stringContaining('managed by Example Bank') as string
    })
    // Neither advises a setting that nobody here can change.
    expect(await cli('updates')).toMatchObject({
      code: 0,
      out: `Off: turned off by Example Bank, in ${at('policies.json')}. Nothing is fetched.\n`
    })
    const checked = await cli('updates', 'check')
    expect(checked).toMatchObject({
      code: exitCodes.failed.code,
      error: expect.stringContaining(
        `Notices of newer releases are turned off by Example Bank, in ${at('policies.json')}.`
      ) as string
    })
    expect(checked.error).toContain('ask your administrator')
    expect(checked.error + checked.out).not.toContain('updates set')
    rmSync(at('policies.json'))
    expect((await cli('updates', 'off')).code).toBe(0)
  })

  it('verifies a downloaded file against a notice, without data and without a connection', async () => {
    const before = server.connections()
    writeFileSync(at('notice'), good())
    writeFileSync(at(installer), content)
    const verify = (file: string, key = signer.publicLine) =>
      cli('updates', 'verify', at(file), '--notice', at('notice'), '--key', key)
    expect(await verify(installer)).toMatchObject({
      code: 0,
      out: expect.stringContaining('is a file of Veridesk 9.1.0') as string
    })
    expect(await verify(installer, newSigner().publicLine)).toMatchObject({
      code: exitCodes.updateRefused.code,
      error: expect.stringContaining('not one of the public keys') as string
    })
    expect(await verify('veridesk.pub')).toMatchObject({
      code: exitCodes.updateRefused.code,
      error: expect.stringContaining('names no file veridesk.pub') as string
    })
    writeFileSync(at(installer), 'hullo')
    expect(await verify(installer)).toMatchObject({
      code: exitCodes.updateRefused.code,
      error: expect.stringContaining('SHA-256') as string
    })
    writeFileSync(at(installer), 'hello, and more')
    expect(await verify(installer)).toMatchObject({
      code: exitCodes.updateRefused.code,
      error: expect.stringContaining('bytes') as string
    })
    expect(server.connections()).toBe(before)
  })
})
