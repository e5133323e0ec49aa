/**
 * The keychain's process: the only file that touches keytar.
 *
 * A Secret Service that hangs blocks libuv's pool for good, and with it every file of its process;
 * here there is nothing else to block, and the whole process can be killed.
 */
import { createRequire } from 'node:module'
import type * as Keytar from 'keytar'
import { serve } from '#core/workers/rpc.ts'
import { faultOf, type KeychainAnswer } from './keychain-faults.ts'

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

async function answer(work: () => Promise<string | null>): Promise<KeychainAnswer> {
  try {
    return { ok: true, value: await work() }
  } catch (error) {
    return { ok: false, fault: faultOf(error instanceof Error ? error.message : '') }
  }
}

serve({
  get: (account: string) => answer(() => read(account)),
  set: (account: string, value: string) => answer(() => write(account, value)),
  remove: (account: string) => answer(() => remove(account)),
  probe: () => answer(async () => (await proveReadable(), null))
})
