/**
 * Signatures in the format of minisign: Ed25519 over the BLAKE2b digest of a text (algorithm `ED`), and a comment that is
 * signed as well. The older algorithm `Ed`, which signs the text itself, is not accepted. Pure.
 */
import { createPublicKey, verify, type KeyObject } from 'node:crypto'
// Electron's cryptography (BoringSSL) has no BLAKE2b of 64 bytes.
import { blake2b } from '@noble/hashes/blake2.js'
import { fail, ok, type Result } from '#contract/failures/result.ts'

/** A public key of minisign. */
export interface MinisignKey {
  /** The ID that minisign shows: 16 upper-case hexadecimal digits. */
  readonly id: string
  readonly key: KeyObject
}

/** A text with the key that signed it. */
export interface SignedText {
  /** The bytes that are signed. */
  readonly body: Uint8Array
  /** The ID of the key. */
  readonly keyId: string
}

/** `form`: not in this format; `key`: by a key that was not given; `signature`: something of it was changed. */
export type SignatureFault = { readonly why: 'form' | 'signature' } | { readonly why: 'key'; readonly keyId: string }

/** What precedes the 32 bytes of an Ed25519 key in DER. */
const spki = Buffer.from('302a300506032b6570032100', 'hex')

/** The ID of a key from its 8 bytes, a little-endian number, as minisign writes it: without zeros in front. */
export const keyIdOf = (bytes: Uint8Array): string => Buffer.from(bytes).readBigUInt64LE().toString(16).toUpperCase()

/** Bytes of base64 in its only form; undefined otherwise. */
function base64(text: string, length: number): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === length && bytes.toString('base64') === text ? bytes : undefined
}

/** The key in a line such as `RWQ…`, which is the second line of a public key file; undefined if it is none. */
export function minisignKey(text: string): MinisignKey | undefined {
  const bytes = base64(text, 42)
  if (bytes?.toString('latin1', 0, 2) !== 'Ed') return undefined
  return {
    id: keyIdOf(bytes.subarray(2, 10)),
    key: createPublicKey({ key: Buffer.concat([spki, bytes.subarray(10)]), format: 'der', type: 'spki' })
  }
}

const [untrusted, trusted] = ['untrusted comment: ', 'trusted comment: ']
/** Lines of a signature; what follows them is signed. */
const signatureLines = 4

/** The lines of a signature, and the rest. */
function split(bytes: Uint8Array): { readonly lines: readonly string[]; readonly body: Uint8Array } | undefined {
  const lines: string[] = []
  let start = 0
  while (lines.length < signatureLines) {
    const end = bytes.indexOf(10, start)
    if (end < 0) return undefined
    lines.push(Buffer.from(bytes.subarray(start, end)).toString('utf8').replace(/\r$/, ''))
    start = end + 1
  }
  return { lines, body: bytes.subarray(start) }
}

/**
 * Verifies a file whose first four lines are a signature by minisign of all that follows. Nothing of the text is read
 * before.
 *
 * @param keys At least one of them must have signed it.
 */
export function verifySigned(bytes: Uint8Array, keys: readonly MinisignKey[]): Result<SignedText, SignatureFault> {
  const parts = split(bytes)
  const [comment = '', first = '', trustedLine = '', second = ''] = parts?.lines ?? []
  const [head, global] = [base64(first, 74), base64(second, 64)]
  if (
    !parts ||
    !head ||
    !global ||
    head.toString('latin1', 0, 2) !== 'ED' ||
    !comment.startsWith(untrusted) ||
    !trustedLine.startsWith(trusted)
  )
    return fail({ why: 'form' })
  const keyId = keyIdOf(head.subarray(2, 10))
  const known = keys.filter(({ id }) => id === keyId)
  if (known.length === 0) return fail({ why: 'key', keyId })
  const signature = head.subarray(10)
  const digest = blake2b(parts.body)
  const signedComment = Buffer.concat([signature, Buffer.from(trustedLine.slice(trusted.length))])
  const valid = known.some(
    ({ key }) => verify(null, digest, key, signature) && verify(null, signedComment, key, global)
  )
  return valid ? ok({ body: parts.body, keyId }) : fail({ why: 'signature' })
}
