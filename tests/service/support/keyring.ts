/** A real gnome-keyring for one test, with its own D-Bus session, home and daemon, by `scripts/with-keyring.sh`. */
import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createKeychain, type KeychainOptions } from '#core/secrets/keychain.ts'
import type { LaunchWorker, WorkerLine } from '#wire/worker-line.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import { NotHere } from '../../../scripts/figures/section.ts'
import { launchWorkers } from './workers.ts'

const script = fileURLToPath(new URL('../../../scripts/with-keyring.sh', import.meta.url))

/** Unlocked, locked, or no Secret Service in the session. */
export type KeyringKind = 'unlocked' | 'locked' | 'none'

export interface Keyring {
  /** The environment that a process needs to find this keyring. */
  readonly env: Readonly<Record<string, string>>
  /** Sends a signal to the keyring's daemon. If it is killed, D-Bus restarts it locked. */
  signal(name: NodeJS.Signals): void
  /** Kills the daemon and starts another, unlocked, as a new login does. */
  restart(): Promise<void>
  end(): Promise<void>
}

/**
 * Starts a keyring; its prompts appear on `display`, if any. Throws if the machine has no gnome-keyring, since
 * nothing would be proved.
 */
export async function startKeyring(kind: KeyringKind = 'unlocked', display = ''): Promise<Keyring> {
  const missing = ['dbus-run-session', 'gnome-keyring-daemon'].find(
    (name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0
  )
  if (missing) throw new NotHere(`${missing} is not installed`)
  const tell = 'console.log(JSON.stringify(process.env)); process.stdin.resume().on("end", () => process.exit())'
  const session = spawn(script, [process.execPath, '-e', tell], {
    // Without a display a prompt fails at once; with one it waits for the user.
    env: { ...process.env, DISPLAY: display, VERIDESK_KEYRING: kind },
    stdio: ['pipe', 'pipe', 'pipe']
  })
  const ended = new Promise<void>((resolve) => session.on('close', () => resolve()))
  let errors = ''
  session.stderr.on('data', (chunk) => (errors += String(chunk)))
  const told = await new Promise<Record<string, string>>((resolve, reject) => {
    let text = ''
    session.stdout.on('data', (chunk) => {
      text += String(chunk)
      if (text.endsWith('\n')) resolve(JSON.parse(text) as Record<string, string>)
    })
    session.on('close', (code) => reject(new Error(`no keyring for the test (${code}): ${errors}`)))
  })
  const { HOME, XDG_RUNTIME_DIR, DBUS_SESSION_BUS_ADDRESS, VERIDESK_KEYRING_PID } = told
  const env = { HOME: HOME!, XDG_RUNTIME_DIR: XDG_RUNTIME_DIR!, DBUS_SESSION_BUS_ADDRESS: DBUS_SESSION_BUS_ADDRESS! }
  return {
    env,
    signal: (name) => void process.kill(Number(VERIDESK_KEYRING_PID), name),
    restart: async () => {
      process.kill(Number(VERIDESK_KEYRING_PID), 'SIGKILL')
      const daemon = spawn('gnome-keyring-daemon', ['--unlock', '--replace', '--components=secrets'], {
        env: { ...process.env, ...env },
        stdio: ['pipe', 'ignore', 'ignore']
      })
      daemon.stdin.end('\n')
      await new Promise((resolve) => daemon.once('exit', resolve))
    },
    end: async () => {
      session.stdin.end()
      await ended
    }
  }
}

/** An environment in which no D-Bus can be found. */

function unlessMissing(error: unknown): undefined {
  if (!(error instanceof NotHere)) throw error
}

/**
 * Gives this test file's process a keyring of its own, for files that revoke or replace the signing key: all data
 * folders of a user share it, and files run beside each other. Returns how to end it. Where no keyring can be started,
 * everything stays as it is.
 */
export async function ownKeyring(): Promise<() => Promise<void>> {
  const keyring = process.platform === 'linux' ? await startKeyring().catch(unlessMissing) : undefined
  if (!keyring) return async () => undefined
  const before = Object.fromEntries(Object.keys(keyring.env).map((name) => [name, process.env[name]]))
  Object.assign(process.env, keyring.env)
  return async () => {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
    await keyring.end()
  }
}

export const noBus = { HOME: '/nonexistent', XDG_RUNTIME_DIR: '/nonexistent', DBUS_SESSION_BUS_ADDRESS: '' }

const testClock = { now: () => Date.now(), monotonic: () => performance.now() }

/** The real keychain with the real worker, in a keyring's environment; `lines` are the launched processes. */
export function keychainIn(
  env: Readonly<Record<string, string>>,
  options: Partial<KeychainOptions> = {}
): { readonly keychain: SecretStore; readonly lines: WorkerLine[] } {
  const lines: WorkerLine[] = []
  const launch: LaunchWorker = (name) => {
    const before = { ...process.env }
    // The launcher passes on its own environment, as each host does; a cleared variable is deleted.
    for (const [key, value] of Object.entries({ DISPLAY: '', ...env })) {
      if (value === '') delete process.env[key]
      else process.env[key] = value
    }
    try {
      const line = launchWorkers(name)
      lines.push(line)
      return line
    } finally {
      for (const key of ['DISPLAY', ...Object.keys(env)]) {
        if (before[key] === undefined) delete process.env[key]
        else process.env[key] = before[key]
      }
    }
  }
  return { keychain: createKeychain({ launch, clock: testClock, ...options }), lines }
}
