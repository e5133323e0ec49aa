/** This installation's signing key: Ed25519, in the user's keychain, made when it is first needed. */
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify, type KeyObject } from 'node:crypto'
import type { EvidenceKey } from '#contract/evidence.ts'
import { failed, type Failure } from '#contract/failures.ts'
import { ok, type Result } from '#contract/result.ts'
import type { SecretStore } from '#core/ports.ts'
import { keptOrMade } from '#core/secrets/made-once.ts'

export const signingKeyAccount = 'evidence/signing-key'

/** What stands before the 32 bytes of an Ed25519 public key in SPKI (RFC 8410). */
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex')

/**
 * The key, or a new one, made once whoever asks first and read back before anything is signed with it. It is one for
 * all data folders of a user: it says who signed, and nobody becomes a second pair of eyes by opening another folder.
 * Failures: the keychain's; `evidence-refused` where what the keychain holds is no key, which is never replaced.
 */
export async function signingKey(keychain: SecretStore): Promise<Result<KeyObject, Failure>> {
  const kept = await keptOrMade(keychain, signingKeyAccount, () => true, freshKey)
  return kept.ok ? parsed(kept.value) : kept
}

const freshKey = (): string => generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')

function parsed(text: string): Result<KeyObject, Failure> {
  try {
    return ok(createPrivateKey({ key: Buffer.from(text, 'base64'), type: 'pkcs8', format: 'der' }))
  } catch {
    return failed('evidence-refused', { detail: 'the keychain’s signing key cannot be read' })
  }
}

/** The raw 32 bytes of the public key, hex. */
export function keyOfSigner(key: KeyObject): string {
  return createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(spkiPrefix.length).toString('hex')
}
export const fingerprintOf = (publicKey: string): string => createHash('sha256').update(Buffer.from(publicKey, 'hex')).digest('hex')

export function evidenceKey(key: KeyObject): EvidenceKey {
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString()
  return { publicKey, fingerprint: fingerprintOf(keyOfSigner(key)) }
}

export const signWith = (key: KeyObject, text: string): string => sign(null, Buffer.from(text, 'utf8'), key).toString('hex')

/** Whether a signature (128 hex digits) over a text is that of a public key (64 hex digits). Never throws. */
export function signatureFits(publicKey: string, text: string, signature: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.concat([spkiPrefix, Buffer.from(publicKey, 'hex')]), type: 'spki', format: 'der' })
    return verify(null, Buffer.from(text, 'utf8'), key, Buffer.from(signature, 'hex'))
  } catch {
    return false
  }
}
