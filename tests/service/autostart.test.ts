/** Start at log-on on Linux: a real entry in the folder of the desktop, which GLib reads as it does at a log-on. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { setAutostart } from '../../electron/hosts/node/autostart.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'veridesk-autostart-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const entry = (): string => join(folder, 'autostart', 'app.veridesk.console.desktop')

test('an entry is written once and removed, and nothing else is', async () => {
  await setAutostart(false, '/opt/Veridesk/veridesk', folder)
  expect(existsSync(join(folder, 'autostart'))).toBe(false)
  for (let times = 0; times < 2; times += 1) await setAutostart(true, '/opt/Veridesk/veridesk', folder)
  expect(readFileSync(entry(), 'utf8')).toContain('\nExec="/opt/Veridesk/veridesk"\n')
  writeFileSync(join(folder, 'autostart', 'other.desktop'), '')
  await setAutostart(false, '/opt/Veridesk/veridesk', folder)
  expect(readdirSync(join(folder, 'autostart'))).toEqual(['other.desktop'])
})

// GLib looks for a program with a per cent sign before it reads the name, and finds none.
test.runIf(existsSync('/usr/bin/gio'))('a program with almost any name is started', async () => {
  const program = join(folder, `my "program" $HOME \\ back\`tick`)
  writeFileSync(program, `#!/bin/sh\ntouch "${folder}/started"\n`, { mode: 0o755 })
  await setAutostart(true, program, folder)
  execFileSync('gio', ['launch', entry()], { stdio: 'ignore' })
  await expect.poll(() => existsSync(join(folder, 'started'))).toBe(true)
})
