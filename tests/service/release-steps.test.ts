/** The steps of the release's workflow that need no key of another company, run as GitHub runs them, with test keys. */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { readRelease } from '#core/updates/notice.ts'
import { createKey } from '../../scripts/releases/secret-key.ts'
import { cheap, hasMinisign, readerOf } from './support/release-notices.ts'

const root = resolve(import.meta.dirname, '..', '..')
const workflow = readFileSync(join(root, '.github', 'workflows', 'release.yml'), 'utf8')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string }
const password = 'seven kettles'
const made = createKey(password, cheap)

/** The commands of a step, with the expressions of the matrix filled in for Linux. */
function commandsOf(name: string): string {
  const step = workflow.split(/\n {6}- /).find((each) => each.startsWith(`name: ${name}`))
  if (!step) throw new Error(`There is no step “${name}”.`)
  const [, block = '', line = ''] = /\n {8}run: (?:\|\n([^]*)|(.*))/.exec(step) ?? []
  const text = (block || line).replace(/^ {10}/gm, '').replaceAll('${{ matrix.name }}', 'linux')
  if (text.trim() === '' || text.includes('${{')) throw new Error(`“${name}” cannot be run here.`)
  return text
}

let folder: string
const at = (name: string): string => join(folder, name)
/** What Node and the shell need; no variable of this computer reaches a step. */
const tools = { PATH: `${dirname(process.execPath)}:${process.env['PATH']}` }

/** Runs a step in the folder as GitHub does. */
function run(
  name: string,
  { env = {}, cwd = '' }: { readonly env?: Record<string, string>; readonly cwd?: string } = {}
) {
  const { status, stdout, stderr } = spawnSync(
    'bash',
    ['--noprofile', '--norc', '-eo', 'pipefail', '-c', commandsOf(name)],
    {
      cwd: join(folder, cwd),
      env: { ...tools, GITHUB_REF_NAME: `v${version}`, RUNNER_TEMP: at('temp'), ...env },
      encoding: 'utf8'
    }
  )
  return { status, said: stdout + stderr }
}

const installers = [
  `Veridesk-${version}-linux-amd64.deb`,
  `Veridesk-${version}-linux-arm64.deb`,
  `Veridesk-${version}-linux-x86_64.rpm`,
  `Veridesk-${version}-linux-x86_64.AppImage`,
  `Veridesk-${version}-mac-arm64.pkg`,
  `Veridesk-${version}-win-x64-setup.exe`,
  `Veridesk-${version}-win-arm64.msi`
]

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'veridesk-release-steps-'))
  for (const name of ['dist', 'temp', 'out/verifier', 'docs']) mkdirSync(at(name), { recursive: true })
  // A checkout, whose scripts are these.
  symlinkSync(join(root, 'scripts'), at('scripts'))
  for (const name of ['package.json', 'docs/openvex.json']) cpSync(join(root, name), at(name))
  for (const name of ['verify.html', 'verify.mjs']) writeFileSync(at(`out/verifier/${name}`), `the ${name}`)
  for (const name of [...installers, 'veridesk-sbom-linux.cdx.json']) writeFileSync(at(`dist/${name}`), name)
  return () => rmSync(folder, { recursive: true, force: true })
})

describe.skipIf(process.platform === 'win32')('a release', () => {
  it('is of the version that its tag names', () => {
    expect(run('The tag is the version').status).toBe(0)
    expect(run('The tag is the version', { env: { GITHUB_REF_NAME: 'v0.0.1' } }).status).not.toBe(0)
  })

  it('stops without the key of notarisation, and keeps it from others', () => {
    const env = { GITHUB_ENV: at('environment'), KEY: Buffer.from('a key').toString('base64') }
    expect(run('Key of notarisation', { env: { ...env, KEY: '' } }).status).not.toBe(0)
    expect(run('Key of notarisation', { env })).toEqual({ status: 0, said: '' })
    expect(readFileSync(at('environment'), 'utf8')).toBe(`APPLE_API_KEY=${at('temp/notarise.p8')}\n`)
    expect(readFileSync(at('temp/notarise.p8'), 'utf8')).toBe('a key')
    expect(execFileSync('ls', ['-l', at('temp/notarise.p8')], { encoding: 'utf8' })).toMatch(/^-rw-{7}/)
  })

  it('has the digests of all its files', () => {
    expect(run('Known findings, and the stand-alone verifier').status).toBe(0)
    expect(run('Checksums', { cwd: 'dist' })).toEqual({ status: 0, said: '' })
    const listed = readFileSync(at('dist/SHA256SUMS-linux.txt'), 'utf8').trim().split('\n')
    expect(listed).toHaveLength(installers.length + 4)
    mkdirSync(at('empty'))
    expect(run('Checksums', { cwd: 'empty' }).status).not.toBe(0)
  })

  it.skipIf(!hasMinisign)(
    'has a notice and signatures that minisign verifies by the published key, or there is no draft',
    () => {
      cpSync(at('dist'), at('files'), { recursive: true })
      const env = {
        VERIDESK_RELEASE_KEY: made.secret,
        VERIDESK_RELEASE_KEY_PASSWORD: password,
        ADDRESS: 'https://github.com/example/veridesk/releases'
      }
      expect(run('Signed notice', { env: { ...env, VERIDESK_RELEASE_KEY: '' } }).status).not.toBe(0)
      expect(run('Signed notice', { env }).status).toBe(0)
      const read = readRelease(readFileSync(at('veridesk-stable.update')), [readerOf(made.key)])
      expect(read).toMatchObject({ ok: true, value: { release: { release: version } } })
      if (!read.ok) return
      expect(read.value.release.files.map(({ name }) => name)).toEqual([...installers].sort())
      expect(read.value.release.files[0]?.url).toBe(
        `${env.ADDRESS}/download/v${version}/${read.value.release.files[0]?.name}`
      )
      const verified = (publicLine: string) => run('minisign verifies them', { env: { PUBLIC_KEY: publicLine } })
      expect(verified(made.key.publicLine).status).toBe(0)
      expect(verified(createKey(password, cheap).key.publicLine).status).not.toBe(0)
      expect(verified('').status).not.toBe(0)
      writeFileSync(at('verify.mjs'), 'another')
      expect(verified(made.key.publicLine).status).not.toBe(0)
    }
  )
})
