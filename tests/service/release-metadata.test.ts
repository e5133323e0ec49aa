/** The script that signs the notice of a release, as a process, and minisign itself where it is installed. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readRelease } from '#core/updates/notice.ts'
import { createKey } from '../../scripts/releases/secret-key.ts'
import { cheap, hasMinisign, readerOf } from './support/release-notices.ts'

const script = resolve(import.meta.dirname, '../../scripts/release-metadata.ts')
const password = 'seven kettles'
const made = createKey(password, cheap)
let folder: string
const at = (name: string): string => join(folder, name)
const addresses = ['--base-url', 'https://example.com/download/1.0.0', '--notes', 'https://example.com/notes/1.0.0']

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'veridesk-release-'))
  mkdirSync(at('dist'))
  for (const name of [
    'Veridesk-1.0.0-linux-amd64.deb',
    'Veridesk-1.0.0-linux-x86_64.AppImage',
    'Veridesk-1.0.0-mac-arm64.dmg',
    'Veridesk-1.0.0-win-x64-setup.exe',
    'SHA256SUMS-linux.txt',
    'veridesk-sbom-linux.cdx.json'
  ])
    writeFileSync(at(`dist/${name}`), name)
  writeFileSync(at('secret.key'), made.secret)
  writeFileSync(at('public.pub'), made.public)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the script; the password is on standard input, never among the arguments. */
function run(
  words: readonly string[],
  { input = `${password}\n`, env = {} }: { input?: string; env?: Record<string, string> } = {}
) {
  const { VERIDESK_RELEASE_KEY: _key, VERIDESK_RELEASE_KEY_PASSWORD: _password, ...inherited } = process.env
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...words], {
    input,
    env: { ...inherited, ...env },
    encoding: 'utf8'
  })
  return { status, out: stdout, error: stderr }
}
const sign = (more: readonly string[] = [], given?: Parameters<typeof run>[1]) =>
  run(['sign', at('dist'), ...addresses, '--version', '1.0.0', '--out', at('release.update'), ...more], given)
function read(name = 'release.update') {
  const found = readRelease(readFileSync(at(name)), [readerOf(made.key)])
  if (!found.ok) throw new Error(found.failure.code)
  return found.value.release
}

describe('release-metadata', () => {
  it('signs a notice of the installers in a folder, and renews it', () => {
    expect(sign(['--key', at('secret.key'), '--sequence', '5'])).toMatchObject({
      status: 0,
      out: expect.stringContaining(made.key.id) as string,
      error: ''
    })
    const release = read()
    expect(release).toMatchObject({
      release: '1.0.0',
      channel: 'stable',
      sequence: 5,
      minimumSystem: { macos: 'macOS 13.0' },
      notes: 'https://example.com/notes/1.0.0'
    })
    expect(release.files.map(({ name, platform, architecture }) => [name, platform, architecture])).toEqual([
      ['Veridesk-1.0.0-linux-amd64.deb', 'linux', 'x64'],
      ['Veridesk-1.0.0-linux-x86_64.AppImage', 'linux', 'x64'],
      ['Veridesk-1.0.0-mac-arm64.dmg', 'macos', 'arm64'],
      ['Veridesk-1.0.0-win-x64-setup.exe', 'windows', 'x64']
    ])
    const [deb] = release.files
    expect(deb).toMatchObject({
      size: 30,
      sha256: createHash('sha256')
        .update(deb?.name ?? '')
        .digest('hex'),
      url: 'https://example.com/download/1.0.0/Veridesk-1.0.0-linux-amd64.deb'
    })
    expect(
      run(['renew', at('release.update'), '--out', at('renewed.update'), '--days', '300', '--key', at('secret.key')])
    ).toMatchObject({ status: 0 })
    const renewed = read('renewed.update')
    expect(renewed).toEqual({ ...release, sequence: renewed.sequence, expiresAt: renewed.expiresAt })
    expect(renewed.sequence).toBeGreaterThan(release.sequence)
    expect(Date.parse(renewed.expiresAt)).toBeGreaterThan(Date.parse(release.expiresAt))
  })

  it('takes the key and its password from the environment of a CI', () => {
    expect(
      sign([], { input: '', env: { VERIDESK_RELEASE_KEY: made.secret, VERIDESK_RELEASE_KEY_PASSWORD: password } })
    ).toMatchObject({ status: 0 })
    expect(read().sequence).toBeGreaterThan(1_700_000_000)
  })

  const other = createKey(password, cheap)
  const refused: readonly (readonly [string, readonly string[], RegExp, Parameters<typeof run>[1]?])[] = [
    ['no key', [], /no secret key/],
    ['a wrong password', ['--key', 'secret.key'], /password .* is wrong/, { input: 'eight kettles\n' }],
    ['no password', ['--key', 'secret.key'], /none was given/, { input: '' }],
    ['another version', ['--key', 'secret.key', '--version', '0.3.0'], /of another version than 0\.3\.0/],
    ['an unknown channel', ['--key', 'secret.key', '--channel', 'nightly'], /--channel takes one of stable, beta/],
    ['a notice without an end', ['--key', 'secret.key', '--days', '4000'], /valid for 1 to 400 days/],
    ['notes over http', ['--key', 'secret.key', '--notes', 'http://example.com'], /would be invalid: notes/]
  ]
  it.each(refused.map(([name, more, error, given]) => ({ name, more, error, given })))(
    'refuses $name',
    ({ more, error, given }) => {
      rmSync(at('release.update'), { force: true })
      expect(
        sign(
          more.map((word) => (word === 'secret.key' ? at(word) : word)),
          given
        )
      ).toMatchObject({ status: 1, error: expect.stringMatching(error) as string })
      expect(() => readFileSync(at('release.update'))).toThrow('ENOENT')
    }
  )
  it('refuses to renew what another key signed, and a key file without a password', () => {
    sign(['--key', at('secret.key')])
    writeFileSync(at('other.key'), other.secret)
    expect(run(['renew', at('release.update'), '--out', at('renewed.update'), '--key', at('other.key')])).toMatchObject(
      { status: 1, error: expect.stringContaining('update-key-unknown') as string }
    )
    expect(run(['sign', folder, ...addresses, '--out', at('x'), '--key', at('secret.key')])).toMatchObject({
      status: 1,
      error: expect.stringContaining('no installer') as string
    })
    expect(run(['publish'])).toMatchObject({ status: 1, error: expect.stringContaining('Type: create-key') as string })
  })
})

describe.skipIf(!hasMinisign)('minisign', () => {
  const minisign = (words: readonly string[], input = '') =>
    spawnSync('minisign', words, { cwd: folder, input, encoding: 'utf8' })

  it('verifies a notice, and reads the key', () => {
    sign(['--key', at('secret.key')])
    const text = readFileSync(at('release.update'), 'utf8').split('\n')
    writeFileSync(at('notice.json.minisig'), `${text.slice(0, 4).join('\n')}\n`)
    writeFileSync(at('notice.json'), text.slice(4).join('\n'))
    expect(minisign(['-V', '-H', '-P', made.key.publicLine, '-m', 'notice.json'])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('app.veridesk.console 1.0.0 stable') as string
    })
    expect(minisign(['-R', '-s', 'secret.key', '-p', 'again.pub', '-f'], `${password}\n`)).toMatchObject({ status: 0 })
    expect(readFileSync(at('again.pub'), 'utf8')).toBe(made.public)
    writeFileSync(at('notice.json'), text.slice(4).join('\n').replace('1.0.0', '1.0.1'))
    expect(minisign(['-V', '-P', made.key.publicLine, '-m', 'notice.json']).status).not.toBe(0)
  })

  it('verifies a single file of a release', () => {
    writeFileSync(at('verify.mjs'), 'one')
    expect(run(['sign-file', at('verify.mjs'), '--key', at('secret.key')])).toMatchObject({ status: 0 })
    const verified = () => minisign(['-V', '-H', '-P', made.key.publicLine, '-m', 'verify.mjs'])
    expect(verified()).toMatchObject({ status: 0, stdout: expect.stringMatching(/Veridesk \S+ verify\.mjs/) as string })
    writeFileSync(at('verify.mjs'), 'two')
    expect(verified().status).not.toBe(0)
  })

  it('makes keys and signatures that are read here; a key file without a password is refused', () => {
    expect(minisign(['-G', '-W', '-f', '-s', 'own.key', '-p', 'own.pub']).status).toBe(0)
    expect(sign(['--key', at('own.key')])).toMatchObject({
      status: 1,
      error: expect.stringContaining('has no password') as string
    })
    const own = readFileSync(at('own.key'), 'utf8')
    expect(sign([], { input: '', env: { VERIDESK_RELEASE_KEY: own } })).toMatchObject({ status: 0 })
    const damaged = Buffer.from(own.split('\n')[1] ?? '', 'base64')
    damaged[80] = (damaged[80] ?? 0) ^ 1
    expect(sign([], { input: '', env: { VERIDESK_RELEASE_KEY: damaged.toString('base64') } })).toMatchObject({
      status: 1,
      error: expect.stringContaining('damaged') as string
    })
    writeFileSync(at('own.json'), readFileSync(at('release.update'), 'utf8').split('\n').slice(4).join('\n'))
    expect(minisign(['-S', '-s', 'own.key', '-m', 'own.json']).status).toBe(0)
    const publicLine = readFileSync(at('own.pub'), 'utf8').split('\n')[1] ?? ''
    const signed = Buffer.concat([readFileSync(at('own.json.minisig')), readFileSync(at('own.json'))])
    expect(readRelease(signed, [readerOf({ ...made.key, publicLine })])).toMatchObject({
      ok: true,
      value: { release: { release: '1.0.0' } }
    })
  })
})
