/** A locked screen on Linux is noticed, by real signals on a real bus. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { family } from '../app/fixtures/ending.ts'
import { createLockReader, sessionPath, watchScreenLock } from '../../electron/hosts/node/screen-lock.ts'

const bus = process.env['DBUS_SESSION_BUS_ADDRESS']
const canWatch = process.platform === 'linux' && bus !== undefined && existsSync('/usr/bin/dbus-monitor')
let stop = (): void => undefined
afterEach(() => stop())

const signals = {
  'a screen saver that becomes active': [
    '/org/gnome/ScreenSaver',
    'org.gnome.ScreenSaver.ActiveChanged',
    'boolean:true'
  ],
  'logind’s lock of this session': [sessionPath('12'), 'org.freedesktop.login1.Session.Lock']
} as const

test.runIf(canWatch).each(Object.entries(signals))('%s is noticed', async (_name, sent) => {
  let locks = 0
  stop = watchScreenLock(() => (locks += 1), { XDG_SESSION_ID: '12' }, ['--address', bus ?? ''])
  // Sent until it is noticed: the watchers need a moment to start.
  const send = (): void => void execFileSync('dbus-send', ['--session', '--type=signal', ...sent])
  await expect.poll(() => (send(), locks), { interval: 100, timeout: 10_000 }).toBeGreaterThan(0)
})

test.runIf(canWatch)('nothing of it outlives a program that is killed', async () => {
  const source = join(import.meta.dirname, '../../electron/hosts/node/screen-lock.ts')
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
