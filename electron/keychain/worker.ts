/**
 * The keychain process: the only file that uses keytar.
 *
 * A Secret Service that hangs blocks libuv's thread pool permanently, and with it all file access of the process.
 * This process has nothing else to block and can be killed.
 */
import { createRequire } from 'node:module'
import type * as Keytar from 'keytar'
import { newLineKey, sealForLine } from '#kit/sealing/line.ts'
import { serve } from '#wire/rpc.ts'
import { faultOf, type KeychainAnswer, type KeychainProcess } from '#wire/keychain-faults.ts'
import { execFile } from 'node:child_process'

const question = [
  '--session',
  '--print-reply=literal',
  '--reply-timeout=700',
  '--dest=org.freedesktop.secrets',
  '/org/freedesktop/secrets/aliases/default',
  'org.freedesktop.DBus.Properties.Get',
  'string:org.freedesktop.Secret.Collection',
  'string:Locked'
]

/**
 * Asks the service for the default collection's `Locked` property, bypassing libsecret, which is blocked. False if
 * the service hangs, dbus-send is missing, or the system is not Linux. Takes at most 1 s.
 */
function isLocked(): Promise<boolean> {
  if (process.platform !== 'linux') return Promise.resolve(false)
  return new Promise((resolve) => {
    execFile('dbus-send', question, { timeout: 1000 }, (error, output) =>
      resolve(!error && /boolean true/.test(output))
    )
  })
}

/** The name under which the operating system's keychain shows the entries. */
const service = 'Veridesk'
/** An entry that always exists: if even this one cannot be read, none can. */
const marker = 'keychain-marker'

// gettext would translate libsecret's error texts, which determine the state.
process.env.LANGUAGE = 'C'
// A normal exit would wait for libuv's thread pool, which a hung keychain never releases.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))

let loaded: typeof Keytar | undefined
// Loaded at the first call, so that a missing libsecret is an answer instead of a crash.
const keytar = (): typeof Keytar => (loaded ??= createRequire(import.meta.url)('keytar') as typeof Keytar)

/** Throws unless the keychain can be read; `read` explains why a missing value proves nothing. */
async function proveReadable(): Promise<void> {
  if ((await keytar().getPassword(service, marker)) === null) await keytar().setPassword(service, marker, 'present')
}

/**
 * libsecret also reports "no such entry" for entries of a locked keyring. Trusting this would show set credentials as
 * missing and, worse, treat the history's key as lost; the marker therefore proves the absence.
 */
async function read(account: string): Promise<string | null> {
  const value = await keytar().getPassword(service, account)
  if (value === null) await proveReadable()
  return value
}

async function write(account: string, value: string): Promise<null> {
  await keytar().setPassword(service, account, value)
  // A value that is not read back unchanged counts as not stored: what depends on it would be lost later.
  if ((await keytar().getPassword(service, account)) !== value) throw new Error('access denied: not stored as given')
  return null
}

async function remove(account: string): Promise<null> {
  if (!(await keytar().deletePassword(service, account))) await proveReadable()
  return null
}

async function attempt(work: () => Promise<string | null>): Promise<KeychainAnswer> {
  try {
    return { ok: true, value: await work() }
  } catch (error) {
    return { ok: false, fault: faultOf(error instanceof Error ? error.message : '') }
  }
}

/** Milliseconds after which a call is examined: within the host's limit, and long after a normal answer. */
const examineAfterMs = 3000
/** Milliseconds that the user has to answer the keychain's prompt. */
const promptMs = 180_000

const locked: KeychainAnswer = { ok: false, fault: 'locked' }
/** A call that waits for the prompt. */
let prompted: Promise<unknown> | undefined

/**
 * A locked keyring makes libsecret wait for the user at a prompt. Such a call is answered with `locked` but left
 * waiting, so that the prompt stays open beyond the host's limit; killing this process would close it while the user
 * types. Until then no other call is made.
 */
async function answer(work: () => Promise<string | null>): Promise<KeychainAnswer> {
  if (prompted) return locked
  const flight = attempt(work)
  let timer: NodeJS.Timeout | undefined
  const looked = new Promise<'locked' | undefined>((resolve) => {
    timer = setTimeout(() => void isLocked().then((found) => resolve(found ? 'locked' : undefined)), examineAfterMs)
  })
  const first = await Promise.race([flight, looked])
  clearTimeout(timer)
  if (first !== 'locked') return first ?? flight
  const abandoned = setTimeout(() => process.kill(process.pid, 'SIGKILL'), promptMs)
  prompted = flight.finally(() => {
    clearTimeout(abandoned)
    prompted = undefined
  })
  return locked
}

const line = newLineKey()

serve<KeychainProcess>({
  get: (account) => answer(() => read(account)),
  getSealed: async (account, publicKey) => {
    const found = await answer(() => read(account))
    return found.ok
      ? { ok: true, value: found.value === null ? null : sealForLine(publicKey, Buffer.from(found.value)) }
      : found
  },
  set: (account, value) => answer(() => write(account, value)),
  publicKey: () => ({ ok: true, value: line.publicKey }),
  setSealed: (account, sealed) => answer(() => write(account, line.open(sealed).toString('utf8'))),
  remove: (account) => answer(() => remove(account)),
  probe: () => answer(async () => (await proveReadable(), null))
})
