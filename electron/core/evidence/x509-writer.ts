/** Writes a request for a certificate of the signing key (PKCS#10, RFC 2986). */
import { createHash, createPublicKey, sign, type KeyObject } from 'node:crypto'
import {
  derBits,
  derNumber,
  derObjectId,
  derOctets,
  derSequence,
  derSet,
  derText,
  derTrue,
  derValue
} from '#kit/asn1/der.ts'

/** Whom a certificate names. */
export interface CertificateSubject {
  readonly name: string
  readonly organisation?: string
}

const ed25519 = derSequence(derObjectId('1.3.101.112'))
const spkiOf = (key: KeyObject): Buffer => createPublicKey(key).export({ type: 'spki', format: 'der' })

function nameOf({ name, organisation }: CertificateSubject): Buffer {
  const attribute = (id: string, text: string): Buffer => derSet(derSequence(derObjectId(id), derText(text)))
  return derSequence(
    ...(organisation === undefined ? [] : [attribute('2.5.4.10', organisation)]),
    attribute('2.5.4.3', name)
  )
}

/** The key signs packs and nothing else, so the certificate may issue no others. */
function extensionsOf(key: KeyObject): Buffer {
  const extension = (id: string, critical: boolean, value: Buffer): Buffer =>
    derSequence(derObjectId(id), ...(critical ? [derTrue] : []), derOctets(value))
  const identifier = createHash('sha1').update(spkiOf(key).subarray(-32)).digest()
  return derSequence(
    extension('2.5.29.19', true, derSequence()),
    // digitalSignature: the first bit.
    extension('2.5.29.15', true, derBits(Buffer.from([0x80]), 7)),
    extension('2.5.29.14', false, derOctets(identifier))
  )
}

const signed = (content: Buffer, key: KeyObject): Buffer =>
  derSequence(content, ed25519, derBits(sign(null, content, key)))

/** A request for a certificate, as DER. */
export function certificateRequest(key: KeyObject, subject: CertificateSubject): Buffer {
  const wanted = derSequence(derObjectId('1.2.840.113549.1.9.14'), derSet(extensionsOf(key)))
  return signed(derSequence(derNumber(Buffer.from([0])), nameOf(subject), spkiOf(key), derValue(0xa0, wanted)), key)
}

export const pemOf = (kind: 'CERTIFICATE REQUEST', der: Uint8Array): string =>
  `-----BEGIN ${kind}-----\n${(
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  ).join('\n')}\n-----END ${kind}-----\n`
