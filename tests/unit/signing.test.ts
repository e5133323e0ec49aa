/** What a release signs with on each system, and that it is complete only if everything it runs afterwards ends with 0. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { afterBuild, incomplete, signingOf } from '../../scripts/releases/signing.ts'

const root = resolve(import.meta.dirname, '..', '..')
const azure = [
  ...['AZURE_TENANT_ID', 'AZURE_CLIENT_ID', 'AZURE_CLIENT_SECRET'],
  ...['WIN_SIGNING_ENDPOINT', 'WIN_SIGNING_ACCOUNT', 'WIN_SIGNING_PROFILE', 'WIN_PUBLISHER']
]
const apple = [
  ...['CSC_LINK', 'CSC_KEY_PASSWORD', 'CSC_INSTALLER_LINK', 'CSC_INSTALLER_KEY_PASSWORD'],
  ...['APPLE_API_KEY', 'APPLE_API_KEY_ID', 'APPLE_API_ISSUER']
]
const all = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, `the ${name}`]))

describe('what a release signs with', () => {
  it.each([
    ['win32', azure],
    ['darwin', apple]
  ])('%s: each variable is asked for', (platform, names) => {
    expect(signingOf(platform, {}).missing).toEqual(names)
    expect(signingOf(platform, all(names)).missing).toEqual([])
    for (const name of names) expect(signingOf(platform, { ...all(names), [name]: '' }).missing).toEqual([name])
  })

  it('is a certificate in the store of Windows where one is named, and nothing on Linux', () => {
    expect(signingOf('win32', { WIN_CERTIFICATE_SHA1: 'ab12' })).toMatchObject({
      missing: [],
      options: ['-c.forceCodeSigning=true', '-c.win.signtoolOptions.certificateSha1=ab12']
    })
    expect(signingOf('linux', {})).toEqual({ missing: [], options: [] })
  })

  it('is told to the builder in options that its schema knows, and that it reads as they are meant', async () => {
    // Through the builder, whose own version of its library reads the options.
    const builderRequire = createRequire(createRequire(import.meta.url).resolve('electron-builder'))
    interface Words {
      parse(words: readonly string[]): object
    }
    const { createYargs, configureBuildCommand, normalizeOptions } = builderRequire(
      'electron-builder/out/builder.js'
    ) as {
      createYargs(): Words
      configureBuildCommand(yargs: Words): Words
      normalizeOptions(words: object): { readonly config: Record<string, Record<string, unknown>> }
    }
    const { getConfig, validateConfiguration } = builderRequire('app-builder-lib/out/util/config/config.js') as {
      getConfig(folder: string, file: string | null, options: object): Promise<Readonly<Record<string, object>>>
      validateConfiguration(configuration: object, log: object): Promise<void>
    }
    const check = (whole: object) => validateConfiguration(whole, { isEnabled: false, add: () => undefined })
    const told = async (words: readonly string[]) => {
      const whole = await getConfig(
        root,
        null,
        normalizeOptions(configureBuildCommand(createYargs()).parse(words)).config
      )
      // It also makes “true” what it is meant as.
      return check(whole).then(() => whole)
    }
    const byAzure = await told(signingOf('win32', all(azure)).options)
    expect(byAzure).toMatchObject({
      forceCodeSigning: true,
      win: {
        azureSignOptions: {
          endpoint: 'the WIN_SIGNING_ENDPOINT',
          codeSigningAccountName: 'the WIN_SIGNING_ACCOUNT',
          certificateProfileName: 'the WIN_SIGNING_PROFILE',
          publisherName: 'the WIN_PUBLISHER'
        }
      }
    })
    expect(await told(signingOf('darwin', all(apple)).options)).toMatchObject({ dmg: { sign: true } })
    const { win } = await told(signingOf('win32', { WIN_CERTIFICATE_SHA1: 'ab12' }).options)
    expect(win).toMatchObject({ signtoolOptions: { certificateSha1: 'ab12', signingHashAlgorithms: ['sha256'] } })
    await expect(check({ ...byAzure, win: { ...win, certificateSha1: 'ab12' } })).rejects.toThrow(
      /configuration\.win should be/
    )
    // The builder and its schema take seconds to load.
  }, 60_000)
})

describe('the files of a release', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'veridesk-signing-'))
    for (const path of ['dist/mac/Veridesk.app', 'dist/mac-arm64/Veridesk.app', 'dist/win-unpacked', 'bin'])
      mkdirSync(join(folder, path), { recursive: true })
    for (const name of ['V-x64.dmg', 'V-arm64.pkg', 'V.zip', 'V-setup.exe', "V's.msi", 'win-unpacked/Veridesk.exe'])
      writeFileSync(join(folder, 'dist', name), '')
    return () => rmSync(folder, { recursive: true, force: true })
  })
  const words = (platform: string): string[] =>
    afterBuild(platform, join(folder, 'dist'), all(apple)).map(({ program, args }) =>
      [program, ...args].join(' ').replaceAll(`${join(folder, 'dist')}/`, '')
    )

  it('on macOS the image is notarised and stapled, then all are asked about', () => {
    const sent =
      'xcrun notarytool submit V-x64.dmg --key the APPLE_API_KEY --key-id the APPLE_API_KEY_ID --issuer the APPLE_API_ISSUER --wait'
    expect(words('darwin').slice(0, 2)).toEqual([sent, 'xcrun stapler staple V-x64.dmg'])
    const asked = words('darwin').slice(2)
    for (const name of ['mac/Veridesk.app', 'mac-arm64/Veridesk.app', 'V-arm64.pkg', 'V-x64.dmg'])
      expect(asked).toContain(`xcrun stapler validate ${name}`)
    for (const name of ['mac/Veridesk.app', 'mac-arm64/Veridesk.app']) {
      expect(asked).toContain(`codesign --verify --deep --strict ${name}`)
      expect(asked).toContain(`spctl --assess --type execute ${name}`)
    }
    expect(asked).toContain('pkgutil --check-signature V-arm64.pkg')
    expect(asked).toContain('spctl --assess --type install V-arm64.pkg')
    expect(asked).toContain('codesign --verify V-x64.dmg')
    expect(asked).toHaveLength(12)
  })

  it('on Windows the signature of each is valid and has a time', () => {
    const asked = words('win32').map(
      (text) => /-LiteralPath '(.*?)'; if .*Valid.*TimeStamperCertificate/.exec(text)?.[1]
    )
    expect(asked).toHaveLength(3)
    expect(new Set(asked.map((path) => path?.split('/').at(-1)))).toEqual(
      new Set(['V-setup.exe', "V''s.msi", 'Veridesk.exe'])
    )
    expect(words('linux')).toEqual([])
  })

  it('a folder without a kind of file is no release', () => {
    expect(() => afterBuild('darwin', join(folder, 'bin'), {})).toThrow(/no \*\.dmg/)
    expect(() => afterBuild('win32', join(folder, 'bin'), {})).toThrow(/no \*\.exe/)
  })

  it.skipIf(process.platform === 'win32')('the first that does not end with 0 ends it, and no key is repeated', () => {
    const bin = mkdtempSync(join(folder, 'bin-'))
    onTestFinished(() => rmSync(bin, { recursive: true }))
    const log = join(bin, 'log')
    const tool = (name: string, last: string): void =>
      writeFileSync(join(bin, name), `#!/bin/sh\necho "$0 $*" >> ${log}\n${last}\n`, { mode: 0o755 })
    for (const name of ['xcrun', 'codesign', 'spctl', 'pkgutil']) tool(name, 'exit 0')
    const commands = afterBuild('darwin', join(folder, 'dist'), all(apple))
    const environment = { PATH: `${bin}:${process.env['PATH']}` }
    const run = (): number => readFileSync(log, 'utf8').trim().split('\n').length
    expect(incomplete(commands, environment)).toBeUndefined()
    expect(run()).toBe(commands.length)
    // What Apple refuses has no ticket.
    tool('xcrun', 'case "$*" in "stapler staple"*) exit 65;; esac')
    rmSync(log)
    expect(incomplete(commands, environment)).toBe('“xcrun stapler staple” ended with 65')
    expect(run()).toBe(2)
    tool('xcrun', 'exit 1')
    expect(incomplete(commands, environment)).toBe('“xcrun notarytool submit” ended with 1')
    expect(incomplete(commands, { PATH: folder })).toMatch(/^“xcrun notarytool submit” ended with .*ENOENT/)
  })
})
