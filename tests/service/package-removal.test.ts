/** Removal of the package with the data of all users: real folders and a real keyring, by the script of deb and rpm. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const require = createRequire(import.meta.url)
const root = join(import.meta.dirname, '..', '..')
const product = `Removal ${process.pid}`
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'veridesk-removal-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const path = (name: string): string => join(folder, name)
function write(name: string, text: string): void {
  mkdirSync(dirname(path(name)), { recursive: true })
  writeFileSync(path(name), text)
}
const dataFolder = (name: string): void => write(`${name}/data-folder.json`, '{}')

/** The script as the package has it, with the system's folders below one of ours. */
function script(): string {
  let text = readFileSync(join(root, 'build', 'linux', 'after-remove.sh'), 'utf8')
    .replaceAll('${sanitizedProductName}', product)
    .replaceAll('${executable}', 'veridesk')
  for (const place of ['/etc/environment', '/etc/security', '/etc/profile', '/etc/veridesk', '/run/user'])
    text = text.replaceAll(place, path(place.slice(1)))
  return text
}
/** Runs it. The list of users is ours, and nobody changes to another user: the tests have only their own. */
function remove(data: '' | 'yes'): string {
  const tool = (name: string, lines: string): void => {
    write(`bin/${name}`, `#!/bin/sh\n${lines}\n`)
    execFileSync('chmod', ['755', path(`bin/${name}`)])
  }
  tool('getent', `[ $# = 2 ] && echo "me:x:$2:0::/:" || echo "listed:x:1:1::${folder}/home/listed:/bin/sh"`)
  tool('runuser', 'shift 3; exec "$@"')
  for (const name of ['update-alternatives', 'update-mime-database', 'update-desktop-database']) tool(name, 'exit 0')
  tool('apparmor_status', 'exit 1')
  return execFileSync('bash', ['-c', script(), 'after-remove', 'remove'], {
    env: { PATH: `${path('bin')}:${process.env['PATH']}`, VERIDESK_REMOVE_DATA: data },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit']
  })
}

test('reaches users of a directory and other folders, and says what stays', ({ skip }) => {
  skip(process.platform !== 'linux', 'deb and rpm only')
  for (const home of ['listed', 'directory', 'EXAMPLE.COM/jane']) dataFolder(`home/${home}/.config/${product}`)
  mkdirSync(path('home/directory/.cache/veridesk'), { recursive: true })
  const autostart = 'home/directory/.config/autostart/app.veridesk.console.desktop'
  write(autostart, '[Desktop Entry]\n')
  // Set for everybody, by each user in a file of their own, and by the policy.
  write('etc/environment', `XDG_CONFIG_HOME="${folder}/system/$USER"\n`)
  dataFolder(`system/me/${product}`)
  write('home/listed/.profile', 'umask 077\nexport XDG_CONFIG_HOME=$HOME/settings # mine\n')
  dataFolder(`home/listed/settings/${product}`)
  write('home/directory/.config/environment.d/folders.conf', 'XDG_CONFIG_HOME=${HOME}/other\n')
  dataFolder(`home/directory/other/${product}`)
  write('etc/veridesk/policies.json', '{"policies": {"DataFolder": "${user_home}/data of veridesk"}}')
  dataFolder('home/directory/data of veridesk')
  // What is not one of ours, or only looks like it.
  const others = [`home/listed/backup/.config/${product}`, 'home/other/.config/Other', 'home/other/data of veridesk']
  for (const other of others) mkdirSync(path(other), { recursive: true })
  mkdirSync(path('home/linked/.config'), { recursive: true })
  symlinkSync(path('home/other'), path(`home/linked/.config/${product}`))
  write('home/other/.bashrc', `export XDG_CONFIG_HOME=$(touch ${folder}/ran; echo /tmp)\n`)

  expect(remove('')).toContain('The data of each user stay')
  const removed = [
    `home/listed/.config/${product}`,
    `home/directory/.config/${product}`,
    'home/directory/.cache/veridesk',
    autostart,
    `home/EXAMPLE.COM/jane/.config/${product}`,
    `system/me/${product}`,
    `home/listed/settings/${product}`,
    `home/directory/other/${product}`,
    'home/directory/data of veridesk'
  ]
  expect(removed.filter((each) => !existsSync(path(each)))).toEqual([])
  expect(remove('yes')).toContain('Not removed: entries')
  expect(removed.filter((each) => existsSync(path(each)))).toEqual([])
  expect([...others, `home/linked/.config/${product}`].filter((each) => !existsSync(path(each)))).toEqual([])
  expect(existsSync(path('ran'))).toBe(false)
})

test('removes the entries of a keychain that is unlocked, and no others', async ({ skip }) => {
  const bus = /unix:path=([^,;]+)/.exec(process.env['DBUS_SESSION_BUS_ADDRESS'] ?? '')?.[1]
  skip(process.platform !== 'linux' || bus === undefined, 'no keychain here; the runner provides one')
  const keytar = require('keytar') as {
    readonly setPassword: (service: string, account: string, password: string) => Promise<void>
    readonly findCredentials: (service: string) => Promise<readonly unknown[]>
    readonly deletePassword: (service: string, account: string) => Promise<boolean>
  }
  mkdirSync(path('run/user/1000'), { recursive: true })
  symlinkSync(bus ?? '', path('run/user/1000/bus'))
  for (const account of ['one', 'two']) await keytar.setPassword(product, account, 'secret')
  await keytar.setPassword(`${product} of others`, 'one', 'secret')
  expect(remove('')).not.toContain('keychain of user')
  expect(await keytar.findCredentials(product)).toHaveLength(2)
  expect(remove('yes').match(/Removed an entry of the keychain of user me/g)).toHaveLength(2)
  expect(await keytar.findCredentials(product)).toEqual([])
  expect(await keytar.deletePassword(`${product} of others`, 'one')).toBe(true)
})
