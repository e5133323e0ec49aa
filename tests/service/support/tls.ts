/**
 * A certificate authority for tests, created at run time with Node alone: no openssl to install, and no key or
 * certificate in the repository that could expire or be trusted by mistake.
 */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { isIP } from 'node:net'

export interface Issued {
  /** PEM. */
  readonly key: string
  readonly cert: string
}

interface Wanted {
  readonly names: readonly string[]
  readonly notBefore?: Date
  readonly notAfter?: Date
}

export interface TestAuthority {
  readonly cert: string
  issue(wanted: Wanted): Issued
}

const tlv = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts)
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body])
  const size = body.length < 0x100 ? [0x81, body.length] : [0x82, body.length >> 8, body.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), body])
}
const sequence = (...parts: Uint8Array[]): Buffer => tlv(0x30, ...parts)
const oid = (hex: string): Buffer => tlv(0x06, Buffer.from(hex, 'hex'))
const bits = (content: Uint8Array, unused = 0): Buffer => tlv(0x03, Buffer.from([unused]), content)
const yes = tlv(0x01, Buffer.from([0xff]))
/** GeneralizedTime works for any year; strict conformance with RFC 5280 is not needed here. */
const time = (date: Date): Buffer => tlv(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]|\.\d+/g, '')}`))
const name = (commonName: string): Buffer =>
  sequence(tlv(0x31, sequence(oid('550403'), tlv(0x0c, Buffer.from(commonName)))))
const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))

const extension = (id: string, critical: boolean, value: Uint8Array): Buffer =>
  sequence(oid(id), ...(critical ? [yes] : []), tlv(0x04, value))

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number))
  if (address === '::1') return Buffer.concat([Buffer.alloc(15), Buffer.from([1])])
  throw new Error(`no encoding for ${address}`)
}

const pem = (der: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${(der.toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n-----END CERTIFICATE-----\n`

interface Body {
  readonly issuer: string
  readonly subject: string
  readonly publicKey: KeyObject
  readonly signWith: KeyObject
  readonly notBefore: Date
  readonly notAfter: Date
  readonly extensions: readonly Uint8Array[]
}

function certificate(body: Body): string {
  const serial = randomBytes(12)
  serial[0] = 0x01
  const toBeSigned = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, serial),
    ecdsaWithSha256,
    name(body.issuer),
    sequence(time(body.notBefore), time(body.notAfter)),
    name(body.subject),
    body.publicKey.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, sequence(...body.extensions))
  )
  return pem(sequence(toBeSigned, ecdsaWithSha256, bits(sign('sha256', toBeSigned, body.signWith))))
}

const day = 86_400_000
const keys = (): { publicKey: KeyObject; privateKey: KeyObject } => generateKeyPairSync('ec', { namedCurve: 'P-256' })
const authorityExtensions = (): Buffer[] => [
  extension('551d13', true, sequence(yes)),
  extension('551d0f', true, bits(Buffer.from([0x06]), 1))
]

function leafExtensions(names: readonly string[]): Buffer[] {
  const alternatives = names.map((each) => (isIP(each) ? tlv(0x87, addressBytes(each)) : tlv(0x82, Buffer.from(each))))
  return [extension('551d13', true, sequence()), extension('551d11', false, sequence(...alternatives))]
}

const pemKey = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }) as string

/** A new authority; its certificate is what a company's CA file would contain. */
export function createTestAuthority(): TestAuthority {
  const own = keys()
  const subject = `Veridesk test CA ${createHash('sha256').update(randomBytes(8)).digest('hex').slice(0, 8)}`
  const lasting = { notBefore: new Date(Date.now() - day), notAfter: new Date(Date.now() + 30 * day) }
  return {
    cert: certificate({
      issuer: subject,
      subject,
      publicKey: own.publicKey,
      signWith: own.privateKey,
      ...lasting,
      extensions: authorityExtensions()
    }),
    issue({ names, notBefore = lasting.notBefore, notAfter = lasting.notAfter }) {
      const leaf = keys()
      const cert = certificate({
        issuer: subject,
        subject: names[0] ?? 'nobody',
        publicKey: leaf.publicKey,
        signWith: own.privateKey,
        notBefore,
        notAfter,
        extensions: leafExtensions(names)
      })
      return { key: pemKey(leaf.privateKey), cert }
    }
  }
}

/** A certificate that vouches for itself. */
export function selfSigned(names: readonly string[]): Issued {
  const own = keys()
  const cert = certificate({
    issuer: names[0] ?? 'nobody',
    subject: names[0] ?? 'nobody',
    publicKey: own.publicKey,
    signWith: own.privateKey,
    notBefore: new Date(Date.now() - day),
    notAfter: new Date(Date.now() + 30 * day),
    extensions: leafExtensions(names)
  })
  return { key: pemKey(own.privateKey), cert }
}
