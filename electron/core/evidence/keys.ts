/** This installation's signing key: Ed25519, in the keychain, made when it is first needed. */
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify, type KeyObject } from 'node:crypto'
import type { EvidenceKey } from '#contract/evidence.ts'
import { failed, type Failure } from '#contract/failures.ts'
import { ok, type Result } from '#contract/result.ts'
import type { SecretStore } from '#core/ports.ts'

export const signingKeyAccount = 'evidence/signing-key'

/** What stands before the 32 bytes of an Ed25519 public key in SPKI (RFC 8410). */
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex')

/** The key, or a new one, read back before anything is signed with it. Failures: the keychain's. */
export async function signingKey(keychain: SecretStore): Promise<Result<KeyObject, Failure>> {
  const found = await keychain.get(signingKeyAccount)
  if (!found.ok) return found
  if (found.value !== undefined) return parsed(found.value)
  const fresh = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')
  const written = await keychain.set(signingKeyAccount, fresh)
  if (!written.ok) return written
  const back = await keychain.get(signingKeyAccount)
  if (!back.ok) return back
  return back.value === fresh ? parsed(fresh) : failed('keychain-denied')
}

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
