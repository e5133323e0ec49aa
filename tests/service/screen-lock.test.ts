/** A locked screen on Linux is noticed, by real signals on a real bus. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { family } from '../app/fixtures/ending.ts'
import { createLockReader, sessionPath, watchScreenLock } from '../../electron/hosts/node/screen-lock.ts'
import { canHaveSystemBus, startSystemBus } from './support/system-bus.ts'

const canWatch =
  process.platform === 'linux' &&
  process.env['DBUS_SESSION_BUS_ADDRESS'] !== undefined &&
  existsSync('/usr/bin/dbus-monitor')
let stop = (): void => undefined
afterEach(() => stop())

test.runIf(canWatch)('a screen saver that becomes active is noticed', async () => {
  let locks = 0
  stop = watchScreenLock(() => (locks += 1), {})
  // Sent until it is noticed: the watchers need a moment to start.
  const saver = ['/org/gnome/ScreenSaver', 'org.gnome.ScreenSaver.ActiveChanged', 'boolean:true']
  const send = (): void => void execFileSync('dbus-send', ['--session', '--type=signal', ...saver])
  await expect.poll(() => (send(), locks), { interval: 100, timeout: 10_000 }).toBeGreaterThan(0)
})

const source = join(import.meta.dirname, '../../electron/hosts/node/screen-lock.ts')

test.runIf(canHaveSystemBus)('logind’s lock of their session is noticed by a user without rights', async () => {
  const bus = await startSystemBus()
  const [program = '', ...words] = bus.inBus
  const watching = `import(${JSON.stringify(source)}).then(({ watchScreenLock }) => watchScreenLock(() => console.log('locked')))`
  const user = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']
  const watcher = spawn(program, [...words, ...user, process.execPath, '-e', watching], {
    env: { PATH: process.env['PATH'], XDG_SESSION_ID: '12' },
    stdio: ['ignore', 'pipe', 'ignore']
  })
  let locks = 0
  watcher.stdout.on('data', () => (locks += 1))
  stop = () => (watcher.kill(), void bus.end())
  const send = (): void => bus.send(sessionPath('12'), 'org.freedesktop.login1.Session.Lock')
  await expect.poll(() => (send(), locks), { interval: 100, timeout: 10_000 }).toBeGreaterThan(0)
})

test.runIf(canWatch)('nothing of it outlives a program that is killed', async () => {
  const program = spawn(
    process.execPath,
    ['-e', `import(${JSON.stringify(source)}).then(({ watchScreenLock }) => watchScreenLock(() => {}))`],
    { stdio: 'ignore' }
  )
  const pid = program.pid ?? 0
  await expect.poll(() => family(pid).length, { timeout: 10_000 }).toBeGreaterThan(1)
  const watchers = family(pid).filter((each) => each !== pid)
  program.kill('SIGKILL')
  await once(program, 'exit')
  await expect.poll(() => watchers.filter((each) => existsSync(`/proc/${each}`)), { timeout: 10_000 }).toEqual([])
})

const printed = (name: string, member: string, value?: boolean): string[] => [
  `signal time=1 sender=:1.2 -> destination=(null destination) serial=3 path=/x; interface=${name}; member=${member}`,
  ...(value === undefined ? [] : [`   boolean ${value}`])
]

test('what is printed locks only for a lock', () => {
  const locks = (lines: readonly string[]): boolean => {
    const reader = createLockReader()
    return lines.map((line) => reader(line)).some(Boolean)
  }
  expect(locks(printed('org.freedesktop.ScreenSaver', 'ActiveChanged', true))).toBe(true)
  expect(locks(printed('org.freedesktop.login1.Session', 'Lock'))).toBe(true)
  expect(locks(printed('org.freedesktop.ScreenSaver', 'ActiveChanged', false))).toBe(false)
  expect(locks(printed('org.example.Player', 'ActiveChanged', true))).toBe(false)
  expect(locks(printed('org.freedesktop.login1.Session', 'Unlock'))).toBe(false)
  expect(locks([...printed('org.freedesktop.ScreenSaver', 'ActiveChanged'), ...printed('a.b', 'Other', true)])).toBe(
    false
  )
  expect(sessionPath('2')).toBe('/org/freedesktop/login1/session/_32')
  expect(sessionPath('c1')).toBe('/org/freedesktop/login1/session/c1')
})
