/**
 * Certificates (RFC 5280) and time-stamps (RFC 3161) that are the same in every run, because their keys are made from
 * names and Ed25519 signs without chance. For test vectors; other tests use OpenSSL's.
 */
import { createHash, createPublicKey, sign, type KeyObject } from 'node:crypto'
import { keyNamed } from './evidence-builder.ts'
import { integer, objectId, octets, seq, time, tlv } from './support/der-writer.ts'

const isTrue = Buffer.from([1, 1, 0xff])
const ed25519 = seq(objectId('1.3.101.112'))
const sha256Id = seq(objectId('2.16.840.1.101.3.4.2.1'))
const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()
const bits = (bytes: Uint8Array, unused = 0): Buffer => tlv(0x03, Uint8Array.of(unused), bytes)
const sorted = (parts: readonly Uint8Array[]): Uint8Array[] => [...parts].sort(Buffer.compare)
const set = (...parts: readonly Uint8Array[]): Buffer => tlv(0x31, ...sorted(parts))
const utcTime = (at: number): Buffer =>
  tlv(0x17, Buffer.from(new Date(at).toISOString().replace(/^..|[-:T]|\.\d+/g, '')))
const nameOf = (text: string): Buffer => seq(set(seq(objectId('2.5.4.3'), tlv(0x0c, Buffer.from(text)))))
const extension = (id: string, critical: boolean, value: Uint8Array): Buffer =>
  seq(objectId(id), ...(critical ? [isTrue] : []), octets(value))
/** Bits of a key usage, the first one being `digitalSignature`. */
const usage = (byte: number): Buffer => extension('2.5.29.15', true, bits(Uint8Array.of(byte)))
const purposes = (critical: boolean, ...ids: readonly string[]): Buffer =>
  extension('2.5.29.37', critical, seq(...ids.map(objectId)))
const timeStamping = '1.3.6.1.5.5.7.3.8'

/** Extensions of certificates. */
export const extensions = {
  authority: [extension('2.5.29.19', true, seq(isTrue)), usage(0x06)],
  authorityOfNone: [extension('2.5.29.19', true, seq(isTrue, integer(0))), usage(0x06)],
  stamps: [purposes(true, timeStamping), usage(0x80)],
  stampsNotCritically: [purposes(false, timeStamping), usage(0x80)],
  stampsAndMore: [purposes(true, timeStamping, '1.3.6.1.5.5.7.3.1'), usage(0x80)],
  signer: [extension('2.5.29.19', true, seq()), usage(0x80)],
  encrypts: [usage(0x20)],
  unknown: [extension('1.3.6.1.4.1.55555.1', true, seq())]
} as const

export interface Identity {
  readonly name: string
  readonly key: KeyObject
  readonly der: Buffer
  /** Of its certificate, as in it. */
  readonly serial: Buffer
  readonly issuer: Buffer
}

export interface CertificateOrder {
  /** Signs itself without one. */
  readonly issuer?: Identity
  readonly key?: KeyObject
  readonly from?: number
  readonly until?: number
  readonly extensions?: readonly Uint8Array[]
}

/** A certificate of a key that is made from its name, or of a given one. */
export function identity(
  name: string,
  {
    issuer,
    key = keyNamed(name),
    from = Date.UTC(2025, 0, 1),
    until = Date.UTC(2035, 0, 1),
    extensions: more = extensions.authority
  }: CertificateOrder = {}
): Identity {
  const serial = tlv(0x02, Uint8Array.of(0x40), sha256(Buffer.from(name)).subarray(0, 15))
  const by = nameOf(issuer?.name ?? name)
  const signed = seq(
    tlv(0xa0, integer(2)),
    serial,
    ed25519,
    by,
    seq(utcTime(from), utcTime(until)),
    nameOf(name),
    createPublicKey(key).export({ type: 'spki', format: 'der' }),
    tlv(0xa3, seq(...more))
  )
  return { name, key, serial, issuer: by, der: seq(signed, ed25519, bits(sign(null, signed, issuer?.key ?? key))) }
}

export const pem = (...identities: readonly Identity[]): string =>
  identities
    .map(
      ({ der }) =>
        `-----BEGIN CERTIFICATE-----\n${(der.toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n-----END CERTIFICATE-----\n`
    )
    .join('')

export interface TokenOrder {
  readonly at: number
  /** Seconds. */
  readonly accuracy?: number
  readonly version?: number
  /** Whether the signed attributes identify the certificate of the signer; they do by default. */
  readonly identified?: boolean
  /** Certificates beside the signer's. */
  readonly others?: readonly Identity[]
}

/** The token of an authority over a message. */
export function token(
  message: Uint8Array,
  by: Identity,
  { at, accuracy = 1, version = 1, identified = true, others = [] }: TokenOrder
): Buffer {
  const info = seq(
    integer(version),
    objectId('1.2.3.4.1'),
    seq(sha256Id, octets(sha256(message))),
    integer(7),
    time(new Date(at)),
    seq(integer(accuracy))
  )
  const kind = objectId('1.2.840.113549.1.9.16.1.4')
  const attribute = (id: string, value: Uint8Array): Buffer => seq(objectId(id), set(value))
  const attributes = [
    attribute('1.2.840.113549.1.9.3', kind),
    attribute('1.2.840.113549.1.9.4', octets(sha256(info))),
    ...(identified ? [attribute('1.2.840.113549.1.9.16.2.47', seq(seq(seq(octets(sha256(by.der))))))] : [])
  ]
  const signature = sign(null, set(...attributes), by.key)
  const signer = seq(
    integer(1),
    seq(by.issuer, by.serial),
    sha256Id,
    tlv(0xa0, ...sorted(attributes)),
    ed25519,
    octets(signature)
  )
  const signedData = seq(
    integer(3),
    set(sha256Id),
    seq(kind, tlv(0xa0, octets(info))),
    tlv(0xa0, by.der, ...others.map(({ der }) => der)),
    set(signer)
  )
  return seq(objectId('1.2.840.113549.1.7.2'), tlv(0xa0, signedData))
}
