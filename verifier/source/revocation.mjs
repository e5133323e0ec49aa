/** Revocations: signed statements that a key is not valid. The format: docs/evidence-format.md. */
import { joined } from './bytes.mjs'
import { ed25519Holds } from './ed25519.mjs'
import { accept, whyOf } from './certificates.mjs'
import { canonical } from './canonical.mjs'

const revocationType = 'application/vnd.veridesk.revocation+json'
const revocationReasons = ['left', 'lost', 'replaced']
const maxRevocationCharacters = 64 * 1024

const encoder = new TextEncoder()
const hasMembers = (value, names) =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).sort().join() === names.join()
const isKeyText = (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
const isDate = (value) => Number.isSafeInteger(value) && Math.abs(value) <= 8.64e15

/** The bytes of base64 (RFC 4648, section 4) in its only form. */
function decoded(text) {
  accept(
    typeof text === 'string' && /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text),
    'The revocation contains base64 that is not valid.'
  )
  const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0))
  accept(btoa(String.fromCharCode(...bytes)) === text, 'The revocation contains base64 that is not valid.')
  return bytes
}

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What DSSE signs. */
function preAuthentication(type, content) {
  const head = encoder.encode(`DSSEv1 ${encoder.encode(type).length} ${type} ${content.length} `)
  const all = new Uint8Array(head.length + content.length)
  all.set(head)
  all.set(content, head.length)
  return all
}

const fingerprintOfKey = async (key) => {
  const raw = Uint8Array.from(key.match(/../g), (pair) => Number.parseInt(pair, 16))
  return Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', raw)), (byte) =>
    byte.toString(16).padStart(2, '0')
  ).join('')
}

/**
 * Reads a revocation and verifies its signature.
 *
 * @param text The text of its file.
 * @returns {Promise<{valid: boolean, why: string, key: string, at: number, since: number, reason: string, note: string,
 *   revokedBy: string, timestamps: Uint8Array[], referred: Uint8Array}>}
 *   `valid`: it is signed by the key whose fingerprint is `revokedBy`; `why`: a sentence if not. `key`: fingerprint of the
 *   revoked key. `timestamps`: tokens over `referred`. All but `why` are there only if it is valid. Never throws for any
 *   text.
 */
export async function readRevocation(text) {
  try {
    accept(text.length <= maxRevocationCharacters, 'The revocation is too large.')
    const file = parsed(text)
    const isFile =
      hasMembers(file, ['envelope', 'format', 'timestamps', 'version']) &&
      file.format === 'veridesk-revocation' &&
      file.version === 1 &&
      Array.isArray(file.timestamps)
    accept(isFile, 'This is not a revocation.')
    const { envelope } = file
    const timestamps = file.timestamps.map(decoded)
    const isEnvelope =
      hasMembers(envelope, ['payload', 'payloadType', 'signatures']) &&
      envelope.payloadType === revocationType &&
      Array.isArray(envelope.signatures)
    accept(
      isEnvelope && envelope.signatures.length === 1 && hasMembers(envelope.signatures[0], ['keyid', 'sig']),
      'This is not a revocation.'
    )
    const [{ keyid, sig }] = envelope.signatures
    accept(`${canonical(file)}\n` === text, 'The revocation is not in canonical form.')
    const content = decoded(envelope.payload)
    const payload = new TextDecoder('utf-8', { ignoreBOM: true }).decode(content)
    const value = parsed(payload)
    accept(hasMembers(value, ['at', 'key', 'note', 'reason', 'revokedBy', 'since']), 'This is not a revocation.')
    const { at, key, note, reason, revokedBy, since } = value
    accept(
      isDate(at) &&
        isKeyText(key) &&
        typeof note === 'string' &&
        revocationReasons.includes(reason) &&
        isKeyText(revokedBy) &&
        isDate(since),
      'This is not a revocation.'
    )
    accept(
      canonical(value) === payload && encoder.encode(payload).every((byte, index) => byte === content[index]),
      'The revocation is not in canonical form.'
    )
    const signer = await fingerprintOfKey(revokedBy)
    accept(keyid === signer, 'The revocation names another key than the one that signed it.')
    const [signed, signature] = [preAuthentication(revocationType, content), decoded(sig)]
    accept(await ed25519Holds(revokedBy, signed, signature), 'The signature of the revocation is not valid.')
    const referred = joined(signed, signature)
    return { valid: true, why: '', key, at, since, reason, note, revokedBy: signer, timestamps, referred }
  } catch (error) {
    return { valid: false, why: whyOf(error, 'The revocation') }
  }
}

/**
 * Whether a revocation counts: it is signed by the revoked key itself, or by one of the keys that the reader names.
 *
 * @param revocation A valid one, from `readRevocation`.
 * @param trusted Fingerprints of keys that the reader names.
 */
export const revocationCounts = ({ key, revokedBy }, trusted) => key === revokedBy || trusted.includes(revokedBy)

/**
 * The revocation because of which what a key signed does not count: one of it counts, and what was signed may be as new.
 * It has no time-stamp then, or none that is before the time that is proved of the revocation.
 *
 * @param revocations Valid ones, with `proven`: the time of its earliest valid time-stamp, or undefined.
 * @param fingerprint Of the key that signed.
 * @param trusted Fingerprints of keys that the reader names.
 * @param stamped The `latest` of each valid time-stamp.
 * @returns The revocation, or undefined.
 */
export const revokedFor = (revocations, fingerprint, trusted, stamped) =>
  revocations.find(
    (revocation) =>
      revocation.key === fingerprint &&
      revocationCounts(revocation, trusted) &&
      (stamped.length === 0 ||
        (revocation.proven !== undefined && !stamped.some((latest) => latest < revocation.proven)))
  )
