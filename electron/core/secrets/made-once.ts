/**
 * Keys that all data folders of a user share are made once, whoever comes first: two first starts at the same moment
 * would otherwise both make "the" key, and what one of them had signed by then would be under a key that is gone.
 */
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { failed, type Failure } from '#contract/failures.ts'
import { ok, type Result } from '#contract/result.ts'
import { takeLock, type OsLock } from '#core/files/os-lock.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'

/** Milliseconds for which another process is waited for; where a keychain answers at all, it is done long before. */
const longestWait = 5000
/** Milliseconds between two tries at the lock. */
const pace = 20

/**
 * What the keychain holds under an account; or, where it holds nothing that fits, what is made for it. Only one
 * process of a user makes anything at a time: what a second one finds is the first one's. What was written is read
 * back before it is given, so that nothing is ever done with a key that is not kept.
 *
 * Failures: the keychain's; `keychain-denied` where it gives back something else, `keychain-hung` where another
 * process is at it for more than 5 s.
 */
export async function keptOrMade(
  keychain: SecretStore,
  account: string,
  fits: (value: string) => boolean,
  make: () => string
): Promise<Result<string, Failure>> {
  const kept = async (): Promise<Result<string | undefined, Failure>> => {
    const found = await keychain.get(account)
    return found.ok && found.value !== undefined && !fits(found.value) ? ok(undefined) : found
  }
  const before = await kept()
  if (!before.ok) return before
  if (before.value !== undefined) return ok(before.value)

  const lock = await makersLock()
  if (!lock) return failed('keychain-hung')
  try {
    const meanwhile = await kept()
    if (!meanwhile.ok) return meanwhile
    if (meanwhile.value !== undefined) return ok(meanwhile.value)
    const made = make()
    const written = await keychain.set(account, made)
    if (!written.ok) return written
    const back = await keychain.get(account)
    if (!back.ok) return back
    return back.value === made ? ok(made) : failed('keychain-denied')
  } finally {
    await lock.release()
  }
}

async function makersLock(): Promise<OsLock | undefined> {
  // On Windows alone the name must say whose it is.
  const name = process.platform === 'win32' ? `keys of ${homedir()}` : 'keys'
  const until = performance.now() + longestWait
  for (;;) {
    const lock = await takeLock(name, join(tmpdir(), 'veridesk-keys.lock')).catch(() => undefined)
    if (lock || performance.now() >= until) return lock
    await delay(pace)
  }
}
