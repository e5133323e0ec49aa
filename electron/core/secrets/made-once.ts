/**
 * Creates the keys that all data folders of a user share exactly once. Two first starts at the same moment would
 * otherwise each create a key, and what one of them had signed by then would be under a key that was overwritten.
 */
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { locksFolder } from '#core/files/locks-folder.ts'
import { takeLock, type OsLock } from '#core/files/os-lock.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'

/** Milliseconds to wait for another process; a working keychain finishes long before. */
const maxWait = 5000
/** Milliseconds between two attempts to take the lock. */
const retryEvery = 20

/**
 * The value that the keychain holds under an account or, if it holds none that fits, a newly created one. Only one
 * process of a user creates values at a time; others find the first one's. A written value is read back before it is
 * returned, so that a key that was not stored is never used.
 *
 * Failures: the keychain's; `keychain-denied` if it returns something else, `keychain-hung` if another process holds
 * the lock for more than 5 s.
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
  const until = performance.now() + maxWait
  for (;;) {
    const lock = await takeLock(join(await locksFolder(), 'veridesk-keys.lock')).catch(() => undefined)
    if (lock || performance.now() >= until) return lock
    await delay(retryEvery)
  }
}
