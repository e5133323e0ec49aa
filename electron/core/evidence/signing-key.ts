/** This installation's signing key: Ed25519, in the user's keychain, created on first use. */
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { SecretStore } from '../ports/secret-store.ts'
import { keptOrMade } from '../secrets/made-once.ts'

export const signingKeyAccount = 'evidence/signing-key'

/**
 * The signing key, created once on first use and read back before anything is signed with it. It is shared by all
 * data folders of a user: it identifies the signer, and switching data folders does not satisfy four-eyes. Failures:
 * the keychain's; `evidence-refused` if the keychain's value is not a key; it is never replaced.
 */
export async function signingKey(keychain: SecretStore): Promise<Result<KeyObject, Failure>> {
  const kept = await keptOrMade(keychain, signingKeyAccount, () => true, freshKey)
  return kept.ok ? parsed(kept.value) : kept
}

const freshKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')

/**
 * Replaces the signing key by a new one, which is read back. The old one is destroyed: whoever still needs its public
 * half notes it before. Failures: the keychain's; `keychain-denied` if it returns something else.
 */
export async function replaceSigningKey(keychain: SecretStore): Promise<Result<KeyObject, Failure>> {
  const made = freshKey()
  const written = await keychain.set(signingKeyAccount, made)
  if (!written.ok) return written
  const back = await keychain.get(signingKeyAccount)
  if (!back.ok) return back
  return back.value === made ? parsed(made) : failed('keychain-denied')
}

function parsed(text: string): Result<KeyObject, Failure> {
  try {
    return ok(createPrivateKey({ key: Buffer.from(text, 'base64'), type: 'pkcs8', format: 'der' }))
  } catch {
    return failed('evidence-refused', { reason: 'own-key-unreadable' })
  }
}
