import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { redacted } from '../../electron/hosts/main/faults.ts'
import { refusedFlag, refusedFlags, switchOf, takenFlags } from '../../electron/hosts/main/flags.ts'
import { defaultDataFolder } from '../../electron/hosts/node/data-folder.ts'
import { cloudByName, cloudOf } from '../../electron/hosts/node/cloud-folder.ts'
import { prepareDataFolder } from '../../electron/hosts/node/prepare-folder.ts'
import { networkOf, remoteName } from '../../electron/hosts/node/network-folder.ts'
import { commandShortcuts, withMnemonics } from '../../electron/hosts/node/shortcuts.ts'
import { menuCommands } from '#contract/ipc/ipc.ts'

const root = resolve(import.meta.dirname, '..', '..')

describe('a start of the installed console', () => {
  it.each([
    '--remote-debugging-port=9222',
    '--remote-debugging-pipe',
    '--inspect',
    '--inspect-brk=0',
    '--js-flags=--expose-gc',
    '--proxy-server=http://evil',
    '--proxy-pac-url=http://evil',
    '--ignore-certificate-errors',
    '--ignore-certificate-errors-spki-list=x',
    '--load-extension=/x',
    '--disable-web-security',
    '--no-sandbox',
    '--host-resolver-rules=MAP * evil',
    '--user-data-dir=/x',
    '--ssl-key-log-file=/x',
    '--log-net-log=/x',
    '--REMOTE-DEBUGGING-PORT=1',
    '-inspect',
    '--renderer-cmd-prefix=x',
    '--enable-logging',
    '--disable-site-isolation-trials',
    // What no list of hostile flags would have.
    '--vmodule=*=9',
    '--v=1',
    '--webrtc-ip-handling-policy=default',
    '--trace-startup',
    '--crash-dumps-dir=/x',
    '--unknown-to-everybody',
    '--ozone-platform=headless',
    '--lang=',
    '--sample=1',
    '--data=/x'
  ])('is refused with %s', (flag) => {
    expect(refusedFlags(['--ozone-platform=wayland', flag], 'linux')).toEqual([flag])
  })
  it('takes the flags of display, language and assistive technology, and words', () => {
    const taken = [
      '--sample',
      '--ozone-platform=wayland',
      '--ozone-platform-hint=auto',
      '--force-device-scale-factor=1.5',
      '--lang=de',
      '--enable-wayland-ime',
      '--wayland-text-input-version=3',
      '--force-renderer-accessibility',
      '--disable-gpu',
      '-psn_0_1',
      'inspect',
      '-',
      '/home/a/file',
      '--',
      '--inspect'
    ]
    expect(refusedFlags(taken, 'linux')).toEqual([])
    expect(refusedFlags([])).toEqual([])
  })
  it('is refused on Windows with a slash as well', () => {
    expect(refusedFlags(['/remote-debugging-port=1', 'C:\\x'], 'win32')).toEqual(['/remote-debugging-port=1'])
  })
  it.each([
    ['--Enable-Logging=file', 'enable-logging'],
    ['-inspect', 'inspect'],
    ['/lang=a=b', 'lang']
  ])('%s is Chromium’s switch %s', (flag, name) => {
    expect(switchOf(flag)).toBe(name)
  })
  it('says what to install where an AppImage cannot have a sandbox', () => {
    expect(refusedFlag('--no-sandbox', true)).toContain('Install the deb or rpm package instead.')
    expect(refusedFlag('--no-sandbox', false)).toContain('does not start with --no-sandbox')
    expect(refusedFlag('--inspect', true)).toContain('does not start with --inspect')
  })
  it('finds its flags in the administration guide', () => {
    const documented = [...readFileSync(join(root, 'docs', 'administration.md'), 'utf8').matchAll(/`(-[^`]*)`/g)].map(
      ([, flag]) => flag ?? ''
    )
    const examples = documented.map((flag) =>
      flag.replace('FACTOR', '1.5').replace('LANGUAGE', 'de').replace('NUMBER', '3')
    )
    for (const taken of takenFlags.filter((each) => !each.source.includes('psn')))
      expect(
        examples.filter((flag) => taken.test(flag)),
        String(taken)
      ).not.toEqual([])
  })
})

describe('the data folder', () => {
  it('is the one that Electron names, but on Windows stays on the computer', () => {
    expect(defaultDataFolder('linux', {}, '/home/a')).toBe('/home/a/.config/Veridesk')
    expect(defaultDataFolder('linux', { XDG_CONFIG_HOME: '/x' }, '/home/a')).toBe('/x/Veridesk')
    expect(defaultDataFolder('linux', { XDG_CONFIG_HOME: 'x' }, '/home/a')).toBe('/home/a/.config/Veridesk')
    expect(defaultDataFolder('darwin', {}, '/Users/a')).toBe('/Users/a/Library/Application Support/Veridesk')
    const windows = { APPDATA: String.raw`\\server\profiles\a`, LOCALAPPDATA: String.raw`D:\Local` }
    expect(defaultDataFolder('win32', windows, String.raw`C:\Users\a`)).toBe(String.raw`D:\Local\Veridesk`)
    expect(defaultDataFolder('win32', {}, String.raw`C:\Users\a`)).toBe(String.raw`C:\Users\a\AppData\Local\Veridesk`)
  })
  it.each([
    ['win32', String.raw`\\server\share\Veridesk`, 0, 'SMB'],
    ['win32', String.raw`\\?\UNC\server\share`, 0, 'SMB'],
    ['win32', String.raw`\\?\C:\Users\a`, 0, undefined],
    ['win32', String.raw`C:\Users\a`, 0, undefined],
    ['linux', '/home/a', 0x6969, 'NFS'],
    ['linux', '/home/a', 0xff534d42 | 0, 'SMB'],
    ['linux', '/home/a', 0xef53, undefined],
    ['darwin', '/Users/a', 0x6969, undefined]
  ] as const)('on %s, %s with the file system %i is on %s', (system, path, type, name) => {
    expect(remoteName(system, path, type)).toBe(name)
  })
  it.each([
    ['win32', String.raw`D:\Firma\Veridesk`, { OneDriveCommercial: String.raw`d:\Firma` }, 'OneDrive'],
    ['win32', String.raw`D:\Firma2\Veridesk`, { OneDriveCommercial: String.raw`D:\Firma` }, undefined],
    ['win32', String.raw`C:\Users\a\OneDrive - Example Bank\V`, {}, 'OneDrive'],
    ['win32', String.raw`C:\Users\a\iCloudDrive\V`, {}, 'iCloud Drive'],
    ['darwin', '/Users/a/Library/Mobile Documents/com~apple~CloudDocs/V', {}, 'iCloud Drive'],
    ['darwin', '/Users/a/Library/CloudStorage/GoogleDrive-a@example.com/V', {}, 'Google Drive'],
    ['darwin', '/Users/a/Library/Application Support/Veridesk', {}, undefined],
    ['linux', '/home/a/Dropbox (Example)/V', {}, 'Dropbox'],
    ['linux', '/home/onedriver/V', { OneDrive: '/home/onedriver' }, undefined]
  ] as const)('on %s, %s with %j is synchronised by %s', (system, path, environment, name) => {
    expect(cloudByName(system, path, environment)).toBe(name)
  })
  it('is known as synchronised by what a program left above it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'veridesk-cloud-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const below = join(folder, 'a', 'b')
    mkdirSync(below, { recursive: true, mode: 0o700 })
    expect(await cloudOf(below)).toBeUndefined()
    mkdirSync(join(folder, '.dropbox.cache'))
    expect(await cloudOf(below)).toBe('Dropbox')
    const prepared = await prepareDataFolder(below)
    expect(prepared).toMatchObject({
      ok: true,
      value: { notices: [{ code: 'data-folder-synchronised', details: { folder: below, cloud: 'Dropbox' } }] }
    })
  })
  it('is on this computer here, whether it is there or not yet', async () => {
    expect(await networkOf(tmpdir())).toBeUndefined()
    expect(await networkOf(join(tmpdir(), 'not-there', 'nor-this'))).toBeUndefined()
  })
})

describe('what nothing caught', () => {
  it('is reported by kind and place, never by its text', () => {
    const error = Object.assign(new TypeError('secret-canary in a header'), {
      code: 'ERR_INVALID_CHAR',
      config: { headers: 'secret-canary' }
    })
    const line = redacted(error)
    expect(line).toMatch(/^TypeError ERR_INVALID_CHAR at [\w.-]+\.ts:\d+:\d+$/)
    expect(line).not.toContain('canary')
    expect(redacted('secret-canary')).toBe('string')
    expect(redacted(undefined)).toBe('undefined')
  })
})

describe('the shortcuts', () => {
  it.each(['linux', 'win32', 'darwin'] as const)(
    'cover every command of the menu on %s, each with keys of its own',
    (platform) => {
      const shortcuts = commandShortcuts(platform)
      expect(shortcuts.map((shortcut) => shortcut.command).sort()).toEqual([...menuCommands].sort())
      const keys = shortcuts.flatMap(({ accelerator }) => accelerator ?? [])
      expect(keys.length).toBeGreaterThan(8)
      expect(new Set(keys).size).toBe(keys.length)
    }
  )

  it('have a letter each in a menu, no letter twice', () => {
    const all = commandShortcuts('linux').map(({ label }) => label)
    const lettered = withMnemonics(all)
    expect(lettered.map((label) => label.replace('&', ''))).toEqual(all)
    const letters = lettered.flatMap((label) => /&(.)/.exec(label)?.[1]?.toLowerCase() ?? [])
    expect(letters.length).toBeGreaterThan(18)
    expect(new Set(letters).size).toBe(letters.length)
    expect(withMnemonics(['', 'Cut', 'Copy', 'Cut', 'Go to'])).toEqual(['', '&Cut', 'C&opy', 'C&ut', '&Go to'])
  })

  it('leave to macOS what every application does there: hide, minimise, close, quit', () => {
    const taken = ['H', 'M', 'W', 'Q', 'Tab', 'Space'].flatMap((key) => [`Cmd+${key}`, `CmdOrCtrl+${key}`])
    expect(
      commandShortcuts('darwin')
        .flatMap(({ accelerator }) => accelerator ?? [])
        .filter((keys) => taken.includes(keys))
    ).toEqual([])
  })
})
