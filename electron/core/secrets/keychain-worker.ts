/**
 * The keychain's process: the only file that touches keytar.
 *
 * A Secret Service that hangs blocks libuv's pool permanently, and with it every file of its process;
 * here there is nothing else to block, and the whole process can be killed.
 */
import { createRequire } from 'node:module'
import type * as Keytar from 'keytar'
import { serve } from '#core/workers/rpc.ts'
import { faultOf, type KeychainAnswer, type KeychainProcess } from './keychain-faults.ts'
import { isLocked } from './keychain-lock.ts'

/** Under which the operating system's keychain shows the entries. */
const service = 'Veridesk'
/** An entry without meaning that is always there: where even this one cannot be read, nothing can. */
const marker = 'keychain-marker'

// gettext would translate libsecret's texts, by which states are told apart.
process.env.LANGUAGE = 'C'
// The ordinary exit waits for libuv's pool, which a hung keychain never gives back.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))

let loaded: typeof Keytar | undefined
// Loaded at the first call, so that a machine without libsecret is an answer and not a crash.
const keytar = (): typeof Keytar => (loaded ??= createRequire(import.meta.url)('keytar') as typeof Keytar)

/** Throws unless the keychain can be read: see `read` for why a missing value proves nothing. */
async function proveReadable(): Promise<void> {
  if ((await keytar().getPassword(service, marker)) === null) await keytar().setPassword(service, marker, 'present')
}

/**
 * libsecret answers "no such entry" for an entry of a locked keyring too. Believing it would show set
 * credentials as missing and, worse, take the history's key for lost; so an absence is proved by the marker.
 */
async function read(account: string): Promise<string | null> {
  const value = await keytar().getPassword(service, account)
  if (value === null) await proveReadable()
  return value
}

async function write(account: string, value: string): Promise<null> {
  await keytar().setPassword(service, account, value)
  // A value that does not come back as it went in is no value: what depends on it would be lost later.
  if ((await keytar().getPassword(service, account)) !== value) throw new Error('access denied: not stored as given')
  return null
}

async function remove(account: string): Promise<null> {
  if (!(await keytar().deletePassword(service, account))) await proveReadable()
  return null
}

async function fly(work: () => Promise<string | null>): Promise<KeychainAnswer> {
  try {
    return { ok: true, value: await work() }
  } catch (error) {
    return { ok: false, fault: faultOf(error instanceof Error ? error.message : '') }
  }
}

/** Milliseconds after which a call is looked into: within the host's limit, and long after a healthy answer. */
const lookAfterMs = 3000
/** Milliseconds for which a person is left alone with the keychain's prompt. */
const promptMs = 180_000

const locked: KeychainAnswer = { ok: false, fault: 'locked' }
/** A call that waits behind the prompt. */
let prompted: Promise<unknown> | undefined

/**
 * A locked keyring makes libsecret wait for a person at a prompt. Such a call is answered with `locked`
 * and left waiting, so that the prompt stays on the screen for longer than the host's limit; killing
 * this process would take it away while the person types. Until then nothing else asks.
 */
async function answer(work: () => Promise<string | null>): Promise<KeychainAnswer> {
  if (prompted) return locked
  const flight = fly(work)
  let timer: NodeJS.Timeout | undefined
  const looked = new Promise<'locked' | undefined>((resolve) => {
    timer = setTimeout(() => void isLocked().then((found) => resolve(found ? 'locked' : undefined)), lookAfterMs)
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

serve<KeychainProcess>({
  get: (account) => answer(() => read(account)),
  set: (account, value) => answer(() => write(account, value)),
  remove: (account) => answer(() => remove(account)),
  probe: () => answer(async () => (await proveReadable(), null))
})
