/**
 * DSSE envelopes (https://github.com/secure-systems-lab/dsse): a signature over bytes and their type, independent of
 * how the bytes are written down. docs/decisions/0011-evidence-packs.md.
 */
import { createHash, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import { bytesFit, fingerprintOf, keyOfSigner, signBytes } from '#wire/evidence/keys.ts'

export interface Envelope {
  readonly payload: string
  readonly payloadType: string
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[]
}

/** Base64 (RFC 4648, section 4) in its only spelling: unused bits of the last character can be anything to a decoder. */
export const base64 = z.string().refine((text) => Buffer.from(text, 'base64').toString('base64') === text)

const signature = z.strictObject({ keyid: z.string().regex(/^[0-9a-f]{64}$/), sig: base64 })

/** The form of an envelope with one signature. */
export const envelopeForm = <Type extends string>(type: Type) =>
  z.strictObject({ payload: base64, payloadType: z.literal(type), signatures: z.tuple([signature]) })

/** The form of an envelope with signatures of several keys, at most so many. */
export const jointEnvelopeForm = <Type extends string>(type: Type, most: number) =>
  z.strictObject({ payload: base64, payloadType: z.literal(type), signatures: z.array(signature).min(1).max(most) })

/** The bytes that a signature covers. */
export const signedBytes = (type: string, payload: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `, 'utf8'), payload])

/** Puts a text into an envelope, signed. */
export function sealEnvelope(payloadType: string, text: string, key: KeyObject): Envelope {
  const payload = Buffer.from(text, 'utf8')
  const sig = signBytes(key, signedBytes(payloadType, payload)).toString('base64')
  return {
    payload: payload.toString('base64'),
    payloadType,
    signatures: [{ keyid: fingerprintOf(keyOfSigner(key)), sig }]
  }
}

/** What an envelope's only signature covers, and the signature. */
function partsOf({ payload, payloadType, signatures }: Envelope): {
  readonly signed: Buffer
  readonly signature: Buffer
} {
  return {
    signed: signedBytes(payloadType, Buffer.from(payload, 'base64')),
    signature: Buffer.from(signatures[0]?.sig ?? '', 'base64')
  }
}

/** Whether one of the signatures is valid for a public key (hex). */
export const signatureFits = (envelope: Envelope, index: number, key: string): boolean =>
  envelopeFits({ ...envelope, signatures: envelope.signatures.slice(index, index + 1) }, key)

/** Whether the only signature is valid for a public key (hex). */
export function envelopeFits(envelope: Envelope, key: string): boolean {
  const { signed, signature } = partsOf(envelope)
  return signature.length === 64 && bytesFit(key, signed, signature)
}

/** What time-stamps refer to: what is signed, and the signature. */
export function endorsedBytes(envelope: Envelope): Buffer {
  const { signed, signature } = partsOf(envelope)
  return Buffer.concat([signed, signature])
}

/** Identifies a signed envelope: SHA-256, hex. */
export const digestOfEnvelope = (envelope: Envelope): string =>
  createHash('sha256').update(endorsedBytes(envelope)).digest('hex')
