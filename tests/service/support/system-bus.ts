/** A system bus for one test: Debian's dbus-daemon with its own rules, where programs that are started by `inBus` find it. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const bound = 'mount --bind "$1" /run/dbus && shift && exec "$@"'
const inFolder = ['--mount', 'sh', '-c', bound, 'sh']

/** Whether there can be one here: it lies where the system's own bus does, in a space of its own. */
export const canHaveSystemBus =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  ['dbus-daemon', 'dbus-monitor', 'setpriv'].every((name) => existsSync(`/usr/bin/${name}`)) &&
  spawnSync('unshare', [...inFolder, tmpdir(), 'true']).status === 0

export interface SystemBus {
  /** The words that run a program where this is the system's bus. */
  readonly inBus: readonly string[]
  /** A program that runs another, with the arguments that it gets, where this is the system's bus. */
  starter(program: string): string
  /** Sends a signal, as logind does: an object's path, and interface and name. */
  send(path: string, signal: string): void
  end(): Promise<void>
}

/** Starts one, which takes connections when this is done. */
export async function startSystemBus(): Promise<SystemBus> {
  const folder = mkdtempSync(join(tmpdir(), 'veridesk-bus-'))
  chmodSync(folder, 0o755)
  const inBus = ['unshare', ...inFolder, folder]
  const [program = '', ...words] = inBus
  const daemon = spawn(program, [...words, 'dbus-daemon', '--system', '--nofork', '--nopidfile', '--print-address'], {
    stdio: ['ignore', 'pipe', 'ignore']
  })
  await once(daemon.stdout, 'data')
  return {
    inBus,
    starter(each) {
      const file = join(folder, 'starter')
      writeFileSync(file, `#!/bin/sh\nexec unshare --mount sh -c '${bound}' sh "${folder}" "${each}" "$@"\n`, {
        mode: 0o755
      })
      return file
    },
    send: (path, signal) =>
      void execFileSync('dbus-send', [
        `--bus=unix:path=${join(folder, 'system_bus_socket')}`,
        '--type=signal',
        path,
        signal
      ]),
    async end() {
      daemon.kill()
      await once(daemon, 'exit')
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
