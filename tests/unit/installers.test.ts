/** The installers' configuration: valid by the builder's own schema, and the rules of the archive can fail. */
import { linkScheme } from '#contract/app/link-to.ts'
import { approvalEnding, packEndings } from '#contract/app/opening.ts'
import { registryKey, type PolicyName } from '#contract/settings/policies.ts'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type * as Builder from 'electron-builder'
import type { Configuration } from 'electron-builder'
import type { ArchivedFile } from '../../scripts/checks/archive.ts'
import { contentFaults } from '../../scripts/checks/contents.ts'

const root = resolve(import.meta.dirname, '..', '..')

interface ConfigModule {
  getConfig(folder: string, file: string | null, options: object): Promise<Configuration>
  validateConfiguration(configuration: object, log: object): Promise<void>
}

// The schema belongs to electron-builder and is resolved through that package, since our own version could differ.
const builderRequire = createRequire(createRequire(import.meta.url).resolve('electron-builder'))
const { getConfig, validateConfiguration } = builderRequire('app-builder-lib/out/util/config/config.js') as ConfigModule
const templates = join(builderRequire.resolve('app-builder-lib/package.json'), '..', 'templates')
const log = { isEnabled: false, add: () => undefined }

/** Categories of freedesktop.org's menus that this program may have. */
const categories = ['Office', 'Finance', 'Utility']

/** What breaks the rules of AppStream's components in a file, by the name of the element. */
function appStreamFaults(
  text: string,
  { id, executable }: { readonly id: string; readonly executable: string }
): string[] {
  const open: string[] = []
  for (const [, end, name = '', rest = ''] of text.replace(/<\?.*?\?>/g, '').matchAll(/<(\/?)([a-z_]+)([^>]*)>/g)) {
    if (end) {
      if (open.pop() !== name) return ['not well-formed']
    } else if (!rest.endsWith('/')) open.push(name)
  }
  if (open.length > 0) return ['not well-formed']
  const of = (name: string): string[] =>
    [...text.matchAll(new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>`, 'g'))].map(([, content = '']) =>
      content.trim()
    )
  const [summary = ''] = of('summary')
  return [
    ...(of('id').join() === id && /^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*){2,}$/.test(id) ? [] : ['id']),
    ...(['CC0-1.0', 'FSFAP', 'MIT'].includes(of('metadata_license').join()) ? [] : ['metadata_license']),
    ...(of('project_license').join() === 'MIT' ? [] : ['project_license']),
    ...(of('name')[0] === 'Veridesk' ? [] : ['name']),
    ...(summary !== '' && summary.length <= 80 && !summary.endsWith('.') ? [] : ['summary']),
    ...(of('p').some((paragraph) => paragraph.length > 80) ? [] : ['description']),
    ...(of('launchable').join() === `${executable}.desktop` ? [] : ['launchable']),
    ...(of('category').every((category) => categories.includes(category)) ? [] : ['category']),
    ...(/<content_rating type="oars-1\.1"\/>/.test(text) ? [] : ['content_rating'])
  ]
}

describe('electron-builder.yml', () => {
  let configuration: Configuration
  beforeAll(async () => {
    configuration = await getConfig(root, null, {})
  })

  it('is valid by the schema of electron-builder, which refuses a wrong one', async () => {
    await expect(validateConfiguration(configuration, log)).resolves.toBeUndefined()
    await expect(validateConfiguration({ ...configuration, fuses: {} }, log)).rejects.toThrow(/unknown property/)
    // The schema takes seconds to compile.
  }, 60_000)

  it('sets each fuse as the security requirements ask', () => {
    expect(configuration.electronFuses).toMatchObject({
      runAsNode: false,
      enableCookieEncryption: true,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      grantFileProtocolExtraPrivileges: false
    })
  })

  it('installs per machine on Windows, and hardened on macOS', () => {
    expect(configuration.nsis).toMatchObject({ perMachine: true, oneClick: false, deleteAppDataOnUninstall: false })
    expect(configuration.msi).toMatchObject({ perMachine: true })
    expect(configuration.mac).toMatchObject({ hardenedRuntime: true })
  })

  it('asks for the macOS that the pinned Electron needs', () => {
    const needed = /macOS \((\w+) and up\)/.exec(
      readFileSync(join(root, 'node_modules', 'electron', 'README.md'), 'utf8')
    )?.[1]
    const versions: Readonly<Record<string, string>> = {
      Monterey: '12.0',
      Ventura: '13.0',
      Sonoma: '14.0',
      Sequoia: '15.0',
      Tahoe: '26.0'
    }
    expect(configuration.mac?.minimumSystemVersion).toBe(versions[needed ?? ''])
  })

  it('asks for the glibc and the libstdc++ that its native modules need, as the guide says', () => {
    const highest = (pattern: RegExp): string =>
      ['better-sqlite3-multiple-ciphers/prebuilds/linux-%.node', 'keytar/prebuilds/linux-%/keytar.node']
        .flatMap((path) => ['x64', 'arm64'].map((arch) => join(root, 'node_modules', path.replace('%', arch))))
        .flatMap((path) => [...readFileSync(path, 'latin1').matchAll(pattern)].map(([, version = '']) => version))
        .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
        .at(-1) ?? ''
    const glibc = highest(/\0GLIBC_(\d+\.\d+)/g)
    expect(glibc).toMatch(/^2\.\d\d$/)
    // The symbols of GCC 11.
    expect(highest(/\0GLIBCXX_(3\.4\.\d+)/g)).toBe('3.4.29')
    expect(configuration.deb?.depends).toEqual(expect.arrayContaining([`libc6 (>= ${glibc})`, 'libstdc++6 (>= 11)']))
    expect(configuration.rpm?.depends).toEqual(expect.arrayContaining([`glibc >= ${glibc}`, 'libstdc++ >= 11']))
    const guide = readFileSync(join(root, 'docs', 'administration.md'), 'utf8')
    expect(guide).toContain(`glibc ${glibc}`)
    expect(guide).toContain(`macOS ${configuration.mac?.minimumSystemVersion?.replace(/\.0$/, '')}`)
    // Both architectures, as the guide says.
    for (const targets of [configuration.win?.target, configuration.mac?.target, configuration.linux?.target])
      for (const target of targets as { readonly arch: string[] }[]) expect(target.arch).toEqual(['x64', 'arm64'])
  })

  it('installs AppStream data that follow its rules', () => {
    const file = 'app.veridesk.console.metainfo.xml'
    const text = readFileSync(join(root, 'build', 'linux', file), 'utf8')
    for (const options of [configuration.deb, configuration.rpm])
      expect(options?.fpm).toContain(`build/linux/${file}=/usr/share/metainfo/${file}`)
    expect(
      appStreamFaults(text, { id: 'app.veridesk.console', executable: String(configuration.linux?.executableName) })
    ).toEqual([])
    const changed = (from: string, to: string) =>
      appStreamFaults(text.replace(from, to), { id: 'app.veridesk.console', executable: 'veridesk' })
    expect(changed('</component>', '')).toEqual(['not well-formed'])
    expect(changed('veridesk.desktop', 'other.desktop')).toEqual(['launchable'])
    expect(changed('<metadata_license>CC0-1.0</metadata_license>', '')).toEqual(['metadata_license'])
    expect(changed('eKYC service</summary>', 'eKYC service.</summary>')).toEqual(['summary'])
    expect(changed('<category>Finance</category>', '<category>Banking</category>')).toEqual(['category'])
  })

  it('asks a running Veridesk to end before files are replaced, and waits before it ends it', () => {
    for (const { fpm } of [configuration.deb, configuration.rpm] as { readonly fpm: string[] }[])
      for (const when of ['install', 'remove']) expect(fpm).toContain(`--before-${when}=build/linux/before-upgrade.sh`)
    const nsis = readFileSync(join(root, 'build', 'installer.nsh'), 'utf8')
    const [, own = ''] = /!macro customCheckAppRunning\n([^]*?)!macroend/.exec(nsis) ?? []
    expect(own).toMatch(/taskkill\.exe" \/IM[^]*Sleep 1000[^]*\$R1 == 20[^]*taskkill\.exe" \/F \/IM/)
    // The builder's template still calls it, with the variable that it uses.
    expect(readFileSync(join(templates, 'nsis', 'include', 'allowOnlyOneInstallerInstance.nsh'), 'utf8')).toMatch(
      /Var \/GLOBAL CmdPath[^]*!insertmacro customCheckAppRunning/
    )
    // The same for a package of macOS, but for how processes are found.
    const [linux = '', mac = ''] = ['linux/before-upgrade.sh', 'pkg-scripts/preinstall'].map((path) => {
      const text = readFileSync(join(root, 'build', path), 'utf8')
      return text.slice(text.indexOf('asked=\n'))
    })
    expect(linux.length).toBeGreaterThan(400)
    expect(mac).toBe(linux)
  })

  it('starts an AppImage from its desktop entry without a flag, since Veridesk refuses --no-sandbox', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'veridesk-appimage-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    // As in a build, up to the entry: then the builder is told to stop, and fetches no tools.
    const { build, Platform, Arch } = builderRequire('electron-builder') as typeof Builder
    let entry = ''
    await build({
      projectDir: root,
      prepackaged: folder,
      publish: 'never',
      targets: Platform.LINUX.createTarget('AppImage', Arch.x64),
      config: { directories: { output: join(folder, 'out') } },
      effectiveOptionComputed: async ({ desktop }: { readonly desktop: string }) => ((entry = desktop), true)
    } as Builder.CliOptions)
    expect(/^Exec=(.*)$/m.exec(entry)?.[1]).toBe('AppRun %U')
    expect(configuration.toolsets).toEqual({ appimage: '1.0.3' })
  })

  it('names the desktop file as the package does, so that Wayland finds the window’s icon and name', () => {
    const { desktopName } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      readonly desktopName?: string
    }
    expect(desktopName).toBe(`${configuration.linux?.executableName}.desktop`)
    expect(configuration.linux?.syncDesktopName).toBe(true)
  })

  it('asks every Linux package for the keychain’s library', () => {
    expect(configuration.deb?.depends).toContain('libsecret-1-0')
    expect(configuration.rpm?.depends).toContain('libsecret')
  })

  it('names icons and entitlements that are there', () => {
    const { win, mac, linux } = configuration
    const named = [win?.icon, mac?.icon, linux?.icon, mac?.entitlements, mac?.entitlementsInherit]
    expect(named.filter((path) => typeof path !== 'string' || !existsSync(join(root, path)))).toEqual([])
    for (const size of [16, 32, 48, 256, 512])
      expect(existsSync(join(root, 'build', 'icons', `${size}x${size}.png`))).toBe(true)
  })

  it('puts the command line beside the program on each system, and into the PATH', async () => {
    const { withOwnEntries } = (await import(join(root, 'build', 'msi-project.mjs'))) as {
      readonly withOwnEntries: (project: string) => string
    }
    for (const { extraResources } of [configuration.linux, configuration.mac, configuration.win] as {
      extraResources: { from: string; to: string }[]
    }[]) {
      expect(extraResources.filter(({ from }) => !existsSync(join(root, from)))).toEqual([])
      expect(extraResources.map(({ to }) => to).filter((to) => /^bin\/veridesk(?:\.cmd)?$/.test(to))).toHaveLength(1)
    }
    // The icon that a window gives to X11.
    expect(configuration.linux?.extraResources).toContainEqual({ from: 'build/icons/256x256.png', to: 'icon.png' })
    const { deb, rpm, nsis, pkg } = configuration
    expect([deb?.afterInstall, rpm?.afterInstall]).toEqual(Array(2).fill('build/linux/after-install.sh'))
    expect([deb?.afterRemove, rpm?.afterRemove]).toEqual(Array(2).fill('build/linux/after-remove.sh'))
    expect(nsis?.include).toBe('build/installer.nsh')
    expect(readFileSync(join(root, 'build', pkg?.scripts ?? '', 'postinstall'), 'utf8')).toContain(
      'Contents/Resources/bin/veridesk /usr/local/bin/veridesk'
    )
    const template = readFileSync(join(templates, 'msi', 'template.xml'), 'utf8')
    expect(withOwnEntries(template)).toMatch(
      /<ComponentGroup Id="ProductComponents"[^>]*>\s*<Component Id="CommandLine"/
    )
    expect(() => withOwnEntries('<Wix/>')).toThrow(/no group of components/)
  })

  it('sets the data folder on Windows by the value that the policy is read from', async () => {
    const nsis = readFileSync(join(root, 'build', 'installer.nsh'), 'utf8')
    const msi = readFileSync(join(root, 'build', 'msi-project.mjs'), 'utf8').replaceAll('\\\\', '\\')
    const name: PolicyName = 'DataFolder'
    expect(nsis).toContain(`WriteRegStr HKLM "${registryKey}" "${name}" "$R1"`)
    expect(msi).toMatch(/<Component Id="DataFolder"[^>]* Permanent="yes">\s*<Condition>DATAFOLDER<\/Condition>/)
    expect(msi).toContain(`Root="HKLM" Key="${registryKey}" Name="${name}" Type="string" Value="[DATAFOLDER]"`)
  })

  it('opens links and packs with the window, and leaves tables to the spreadsheet’s program', () => {
    expect(configuration.protocols).toMatchObject([{ schemes: [linkScheme] }])
    const kinds = configuration.fileAssociations as { ext: string; mimeType: string }[]
    expect(kinds.map(({ ext }) => ext)).toEqual([...packEndings, approvalEnding])
    expect(new Set(kinds.map(({ mimeType }) => mimeType)).size).toBe(packEndings.length + 1)
    for (const path of ['installer.nsh', 'msi-project.mjs'])
      expect(readFileSync(join(root, 'build', path), 'utf8')).toMatch(/Classes\\{1,2}veridesk[^]*URL Protocol[^]*%1/)
  })

  it('runs the builder’s own scripts of deb and rpm, but for the launcher and the data', () => {
    for (const name of ['after-install', 'after-remove']) {
      const own = readFileSync(join(root, 'build', 'linux', `${name}.sh`), 'utf8').split('\n')
      const theirs = readFileSync(join(templates, 'linux', `${name}.tpl`), 'utf8')
        .replaceAll(
          "/opt/${sanitizedProductName}/${executable}'",
          "/opt/${sanitizedProductName}/resources/bin/${executable}'"
        )
        .split('\n')
      expect(
        theirs.filter((line) => !own.includes(line)),
        name
      ).toEqual([])
    }
  })

  it('takes files of each system by name, never everything but a few', () => {
    for (const { files } of [configuration, configuration.win, configuration.mac, configuration.linux] as {
      files: unknown[]
    }[]) {
      const inclusions = JSON.stringify(files).match(/"(?!!)[^"]+"/g)
      expect(inclusions?.length).toBeGreaterThan(0)
      expect(inclusions).not.toContain('"**/*"')
    }
  })
})

describe('icons', () => {
  it('are containers of PNG images of the stated sizes', () => {
    const ico = readFileSync(join(root, 'build', 'icon.ico'))
    const widths = Array.from({ length: ico.readUInt16LE(4) }, (_, index) => {
      const offset = ico.readUInt32LE(6 + 16 * index + 12)
      expect(ico.toString('latin1', offset + 1, offset + 4)).toBe('PNG')
      return ico.readUInt32BE(offset + 16)
    })
    expect(widths).toEqual([16, 24, 32, 48, 64, 128, 256])
    const icns = readFileSync(join(root, 'build', 'icon.icns'))
    expect(icns.toString('ascii', 0, 4)).toBe('icns')
    expect(icns.readUInt32BE(4)).toBe(icns.length)
  })
})

describe('contents of the archive', () => {
  const file = (path: string): ArchivedFile => ({
    path,
    unpacked: path.endsWith('.node'),
    digested: !path.endsWith('.node')
  })
  const good = [
    'package.json',
    'LICENSE',
    'out/main/index.js',
    'out/main/history-worker.js',
    'out/main/keychain-worker.js',
    'out/main/team-worker.js',
    'out/main/workbook-worker.js',
    'out/main/sample-starter.js',
    'out/preload/index.cjs',
    'out/renderer/index.html',
    'out/verifier/verify.html',
    'out/verifier/verify.mjs',
    'out/renderer/assets/index-a1.js',
    'node_modules/keytar/lib/keytar.js',
    'node_modules/keytar/prebuilds/linux-x64/keytar.node',
    'node_modules/better-sqlite3-multiple-ciphers/prebuilds/linux-x64.node'
  ].map(file)

  it('finds nothing wrong with a good one', () => {
    expect(contentFaults(good, 'linux-x64')).toEqual([])
  })

  it.each([
    ['a source', [...good, file('electron/hosts/main/index.ts')], 'electron/hosts/main/index.ts does not belong'],
    ['a test', [...good, file('tests/unit/rules.test.ts')], 'does not belong'],
    ['a map', [...good, file('out/main/index.js.map')], 'does not belong'],
    ['another package', [...good, file('node_modules/axios/index.js')], 'does not belong'],
    [
      'a native of another system',
      [...good, file('node_modules/keytar/prebuilds/win32-x64/keytar.node')],
      'of another system'
    ],
    ['a missing worker', good.filter(({ path }) => !path.includes('history-worker')), 'history-worker.js is missing'],
    [
      'a missing verifier',
      good.filter(({ path }) => path !== 'out/verifier/verify.mjs'),
      'out/verifier/verify.mjs is missing'
    ],
    ['a missing native', good.filter(({ path }) => !path.includes('keytar.node')), 'keytar.node is missing'],
    ['code outside', good.map((each) => ({ ...each, unpacked: true })), 'is outside'],
    ['code without a digest', good.map((each) => ({ ...each, digested: false })), 'has no digest']
  ])('refuses %s', (_what, files, sentence) => {
    expect(contentFaults(files, 'linux-x64').join('\n')).toContain(sentence)
  })
})
