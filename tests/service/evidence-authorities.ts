/**
 * Certificates (RFC 5280) and time-stamps (RFC 3161) that are the same in every run, because their keys are made from
 * names, or here, and sign without chance. For test vectors; other tests use OpenSSL's.
 */
import { constants, createHash, createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto'
import { keyNamed } from './evidence-builder.ts'
import { integer, objectId, octets, seq, time, tlv } from './support/der-writer.ts'

/** An RSA key: its signatures with PKCS #1 version 1.5, and with PSS without a salt, are the same in every run. */
const rsaKey = createPrivateKey({
  key: Buffer.from(
    [
      'MIIEowIBAAKCAQEAzAhujUIiLERp7KUouQTFTzyQKSQMDcFnZ6/1ExQl96RvMzNQDcr7d9aJaVU9xp3pfwqFKjfuyYAnsGA9zeIIeywEKNgfRWBX',
      '1XSRqPlin/j13i/WU7GquWoI/Xw0k9BbkWjTOHO/ZoI7UETjyQemZ7F2yjJ50YYjKaJtj0HouVI3Pv7Omq2fhGNLlxJLgUfjnZPNBicTycCMED6d',
      'EYagSqUKmCV4I0cB15w/wdCy8JyYByIob650AvhgBT9ILTe2InY+c1Z+XoC6qM6ubVq0TEuvGNDzvWSSj6YQfNh4kdurGOb3lqNPyjKXS2UB0E8j',
      'v9EsdztekG4u3TDWmie0LwIDAQABAoIBAFr+3bNBTfVZM7aXeECACLGMjKzUh02xNnlvZ8kxALfgDboThf4Iy7tIIrOoESueLM98dSR9mpEih1Dp',
      's1a5mte4K0i+DsBFthacbQQj6SD4i0sjIZ7lC4Oy7zyCIv7Te6svyZgRQ0koBuUHPGHheA0iAB0wgtT30oHUj7FHD1BqtsDczb7wifmHzq5Ro6E9',
      '4MVGHsZVT9Lyz2RPAhbKDP/jZsgqq1b50AafpD2nTz5rFLRlxs5uc18ZSNsdOU0e6CwJVELm3isYmP0OnvhUERshKlzaTgEqIrKyE+lFatyk50J4',
      '1V5Oz96ZFzRrZO6Tg3U4BBJg3yQWzIe1vZl8SmUCgYEA8qUUHEgnH5tvRmOoMIeE/luhqo8b1eXbBmxND6vCqHWPQ4hFKtf8ZC0MGeD/383b+JzH',
      '6PzgJ9ZJ8W8t7Ef5bZcEoPiQGlZl63L7kZm9wRLeZVN1NDkA+6GoCzwnyJVr1Br6/5ci9GkqVI2MDhNTEWMjOWWSIowTjIjcJuEVb0UCgYEA10NN',
      'gEhRtCZex/bTAL2IbFXcApIx2kE47mwtuGLp0fO6Ua3TCXmmNon6zoNg+WnBXtjwPtMkvxUMo70OT80ez65mNphP53VxxuWicyEyO1hXoNb6q1iu',
      'uMmTedSlWkmKaOgM/6x38VpXUB2oGjpglJh6mG1rt+qIxxEyxl7hguMCgYEAzjLExUf3n1+Kj2mvCxaPSUx7NSMKR5pep7WvQwr2kAvfJEeQZ9lG',
      'DadOakuPhhQ9w6cQJ4mFv7TV/4s4nluHtr6oW1b/trIHSK/c4x2gaIvtXHQw3KE4mZ4F3Q5QzJ9WE9idxkgcl1ErfNEQ3QFFDTiPPX54Uk1xa3L+',
      'izep7HUCgYBPKKzDU9TXzpRkLFwDla8pR5mUSHaUsA9jfdyCRb1+O4Z0qttETLvWqn7UmnN6xG0bl+Mg9zw4GGGBhPBSYDfIX3Wu9evMTd/9KEzI',
      '0ZhLQn1W5Ddh80atJVNaJdx4izqewVamXqHs2y/ogj9jBbymaDwM+Y/3HgQWUDi/wfxjyQKBgDAnDH/55scJxLD6fbzo8jJgrCnqMr3AiNB8N7l4',
      'weGQ8j2BdG3yW16Pzh7ieXQCE5L7pSg6w7F1TEkYNTp5Opiryi+/8TrA9G7qPhbOltqj64SmlO97QS8MaBHQgYUyx6YyeG5azZz1kCg2ThmtCShL',
      'vqQd1duIMnCIb1fK3ToW'
    ].join(''),
    'base64'
  ),
  format: 'der',
  type: 'pkcs1'
})

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
  policies: [extension('2.5.29.32', true, seq(seq(objectId('1.2.3.4.1')))), usage(0x80)],
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
  /** DER beside the signer's certificate. */
  readonly beside?: readonly Uint8Array[]
  /** Of the signer: the identifiers of its hash and of its signature, and the signature. */
  readonly hash?: Uint8Array
  readonly scheme?: Scheme
}

const nothing = Buffer.from([5, 0])
interface Scheme {
  readonly id: Uint8Array
  readonly sign: (bytes: Uint8Array, key: KeyObject) => Uint8Array
}
const pure = (...parameters: readonly Uint8Array[]): Scheme => ({
  id: seq(objectId('1.3.101.112'), ...parameters),
  sign: (bytes, key) => sign(null, bytes, key)
})
const rsa = (...parameters: readonly Uint8Array[]): Scheme => ({
  id: seq(objectId('1.2.840.113549.1.1.11'), ...parameters),
  sign: (bytes) => sign('sha256', bytes, rsaKey)
})
const pss = (...salt: readonly Uint8Array[]): Scheme => ({
  id: seq(
    objectId('1.2.840.113549.1.1.10'),
    seq(tlv(0xa0, sha256Id), tlv(0xa1, seq(objectId('1.2.840.113549.1.1.8'), sha256Id)), ...salt)
  ),
  sign: (bytes) => sign('sha256', bytes, { key: rsaKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 0 })
})
/** Signatures by the one key of RSA, or by a signer's own. */
export const schemes = {
  ed25519: pure(),
  ed25519WithParameters: pure(nothing),
  rsa: rsa(nothing),
  rsaWithoutParameters: rsa(),
  pss: pss(tlv(0xa2, integer(0))),
  pssWithoutSaltLength: pss()
} as const
export const rsaSigner = (issuer: Identity): Identity =>
  identity('Time-stamps by RSA', { issuer, key: rsaKey, extensions: extensions.stamps })
/** SHA-256 as it was identified before RFC 5754. */
export const hashWithParameters = seq(objectId('2.16.840.1.101.3.4.2.1'), nothing)

/** The token of an authority over a message. */
export function token(
  message: Uint8Array,
  by: Identity,
  {
    at,
    accuracy = 1,
    version = 1,
    identified = true,
    beside = [],
    hash = sha256Id,
    scheme = schemes.ed25519
  }: TokenOrder
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
  const signer = seq(
    integer(1),
    seq(by.issuer, by.serial),
    hash,
    tlv(0xa0, ...sorted(attributes)),
    scheme.id,
    octets(scheme.sign(set(...attributes), by.key))
  )
  const signedData = seq(
    integer(3),
    set(sha256Id),
    seq(kind, tlv(0xa0, octets(info))),
    tlv(0xa0, by.der, ...beside),
    set(signer)
  )
  return seq(objectId('1.2.840.113549.1.7.2'), tlv(0xa0, signedData))
}
