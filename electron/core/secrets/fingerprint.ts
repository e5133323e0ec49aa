/** A keyed hash of credentials: which set made a check can be told years later, what it was cannot. */
import { createHmac, randomBytes } from 'node:crypto'
import { credentialIds, type CredentialValues } from '#contract/credentials.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import { keptOrMade } from './made-once.ts'

const account = 'fingerprint-key'
const keyPattern = /^[0-9a-f]{64}$/

/**
 * Fingerprints of 16 hex digits, the same for the same values as long as the keychain keeps its key
 * (32 random bytes, made once, at first use, for all data folders of a user). Without a keychain the key lasts for
 * this session; an unkeyed digest would let a weak key be guessed from the history.
 */
export function createFingerprint(keychain: SecretStore): (values: CredentialValues) => Promise<string> {
  let kept: Promise<string | undefined> | undefined
  const forThisSession = randomBytes(32).toString('hex')

  const readOrMake = async (): Promise<string | undefined> => {
    const key = await keptOrMade(keychain, account, (value) => keyPattern.test(value), () => randomBytes(32).toString('hex'))
    return key.ok ? key.value : undefined
  }

  return async (values) => {
    const asked = (kept ??= readOrMake())
    const key = await asked
    if (key === undefined && kept === asked) kept = undefined
    const hash = createHmac('sha256', Buffer.from(key ?? forThisSession, 'hex'))
    // Lengths go first, so that no two sets of values run together into the same text.
    for (const id of credentialIds) hash.update(`${id}:${Buffer.byteLength(values[id])}:`).update(values[id])
    return hash.digest('hex').slice(0, 16)
  }
}
