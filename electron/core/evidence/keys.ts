/** This installation's signing key: Ed25519, in the user's keychain, created on first use. */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
  type KeyObject
} from 'node:crypto'
import type { EvidenceKey } from '#contract/evidence.ts'
import { failed, type Failure } from '#contract/failures.ts'
import { ok, type Result } from '#contract/result.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import { keptOrMade } from '#core/secrets/made-once.ts'

export const signingKeyAccount = 'evidence/signing-key'

/** The prefix of the 32 bytes of an Ed25519 public key in SPKI (RFC 8410). */
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex')

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

/** The raw 32 bytes of the public key, hex. */
export function keyOfSigner(key: KeyObject): string {
  return createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(spkiPrefix.length).toString('hex')
}
export const fingerprintOf = (publicKey: string): string =>
  createHash('sha256').update(Buffer.from(publicKey, 'hex')).digest('hex')

export function evidenceKey(key: KeyObject): EvidenceKey {
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString()
  return { publicKey, fingerprint: fingerprintOf(keyOfSigner(key)) }
}

export const signBytes = (key: KeyObject, bytes: Uint8Array): Buffer => sign(null, bytes, key)
export const signWith = (key: KeyObject, text: string): string =>
  signBytes(key, Buffer.from(text, 'utf8')).toString('hex')

/** Whether a signature of bytes is valid for a public key (64 hex digits). Never throws. */
export function bytesFit(publicKey: string, bytes: Uint8Array, signature: Uint8Array): boolean {
  try {
    const key = createPublicKey({
      key: Buffer.concat([spkiPrefix, Buffer.from(publicKey, 'hex')]),
      type: 'spki',
      format: 'der'
    })
    return verify(null, bytes, key, signature)
  } catch {
    return false
  }
}

/** Whether a signature (128 hex digits) of a text is valid for a public key (64 hex digits). Never throws. */
export const signatureFits = (publicKey: string, text: string, signature: string): boolean =>
  bytesFit(publicKey, Buffer.from(text, 'utf8'), Buffer.from(signature, 'hex'))

/**
 * Public keys of small order, without their sign bit: by the rules of RFC 8032, signatures of anything are valid for
 * them. Some implementations reject them and some do not, and a pack must not depend on which.
 */
const worthless = new Set([
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  ...['ec', 'ed', 'ee'].map((first) => `${first}${'ff'.repeat(30)}7f`),
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a'
])
export const isWorthless = (publicKey: string): boolean =>
  worthless.has(
    publicKey.slice(0, 62) + (Number.parseInt(publicKey.slice(62), 16) & 0x7f).toString(16).padStart(2, '0')
  )
