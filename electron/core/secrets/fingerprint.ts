/** A keyed hash of credentials: shows years later which set a verification used, but not its values. */
import { createHmac, randomBytes } from 'node:crypto'
import { credentialIds, type CredentialValues } from '#contract/connections/credentials.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import { keptOrMade } from './made-once.ts'

const account = 'fingerprint-key'
const keyPattern = /^[0-9a-f]{64}$/

/**
 * Fingerprints of 16 hex digits. The same values give the same fingerprint as long as the keychain holds the key (32
 * random bytes, created at first use for all data folders of a user). Without a keychain the key lasts for this
 * session; an unkeyed digest would allow guessing weak credentials from the history.
 */
export function createFingerprint(keychain: SecretStore): (values: CredentialValues) => Promise<string> {
  let kept: Promise<string | undefined> | undefined
  const forThisSession = randomBytes(32).toString('hex')

  const readOrMake = async (): Promise<string | undefined> => {
    const key = await keptOrMade(
      keychain,
      account,
      (value) => keyPattern.test(value),
      () => randomBytes(32).toString('hex')
    )
    return key.ok ? key.value : undefined
  }

  return async (values) => {
    const asked = (kept ??= readOrMake())
    const key = await asked
    if (key === undefined && kept === asked) kept = undefined
    const hash = createHmac('sha256', Buffer.from(key ?? forThisSession, 'hex'))
    // Lengths come first, so that different sets of values cannot produce the same text.
    for (const id of credentialIds) hash.update(`${id}:${Buffer.byteLength(values[id])}:`).update(values[id])
    return hash.digest('hex').slice(0, 16)
  }
}
