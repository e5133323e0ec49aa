/** X.509 certificates of a time-stamp authority: read with asn1js, their signatures verified with Node. */
import { constants, createPublicKey, verify, X509Certificate, type KeyObject } from 'node:crypto'
import { Boolean as Asn1Boolean, Integer, Sequence, type BaseBlock } from 'asn1js'
import {
  bitsOf,
  childrenOf,
  inner,
  integerOf,
  isNull,
  isTrue,
  membersOf,
  octetsOf,
  oidOf,
  parseDer,
  rawOf,
  smallOf,
  timeOf,
  Unreadable,
  wholeBits
} from './asn1.ts'

/** Why a certificate or a token is not accepted; a reason of the failure `timestamp-refused`. */
export type RefusalReason =
  | 'unreadable'
  | 'imprint'
  | 'nonce'
  | 'signature'
  | 'identity'
  | 'purpose'
  | 'chain'
  | 'validity'
  | 'algorithm'
  | 'other-content'
export class Refused extends Error {
  readonly reason: RefusalReason
  constructor(reason: RefusalReason) {
    super(reason)
    this.reason = reason
  }
}
export function demand(holds: boolean, reason: RefusalReason): asserts holds {
  if (!holds) throw new Refused(reason)
}

export interface Certificate {
  readonly raw: Uint8Array
  readonly serial: Uint8Array
  readonly issuer: Uint8Array
  readonly subject: Uint8Array
  readonly signed: Uint8Array
  readonly signature: Uint8Array
  readonly algorithm: Algorithm
  readonly notBefore: number
  readonly notAfter: number
  readonly keyAlgorithm: Algorithm
  readonly keyBits: Uint8Array
  readonly key: KeyObject
  readonly extensions: ReadonlyMap<string, { readonly critical: boolean; readonly value: Uint8Array }>
  /** Its subject, for people. */
  readonly name: string
}
export interface Algorithm {
  readonly id: string
  readonly parameters: BaseBlock | undefined
}

const digests: Readonly<Record<string, string>> = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512'
}
const rsaWith: Readonly<Record<string, string>> = {
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512'
}
const ecdsaWith: Readonly<Record<string, string>> = {
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512'
}
const [rsa, pss, mgf1, ed25519] = [
  '1.2.840.113549.1.1.1',
  '1.2.840.113549.1.1.10',
  '1.2.840.113549.1.1.8',
  '1.3.101.112'
] as const
const curves = ['prime256v1', 'secp384r1', 'secp521r1']
const [basicConstraints, keyUsage, extendedKeyUsage, timeStamping] = [
  '2.5.29.19',
  '2.5.29.15',
  '2.5.29.37',
  '1.3.6.1.5.5.7.3.8'
] as const
/** Critical extensions that are checked, or restrict nothing that a time-stamp needs. */
const known = [
  basicConstraints,
  keyUsage,
  extendedKeyUsage,
  '2.5.29.14',
  '2.5.29.17',
  '2.5.29.18',
  '2.5.29.31',
  '2.5.29.32',
  '2.5.29.35',
  '1.3.6.1.5.5.7.1.1'
]

export const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

export function algorithmOf(block: BaseBlock | undefined): Algorithm {
  const [id, parameters, ...more] = block instanceof Sequence ? childrenOf(block) : []
  if (more.length > 0) throw new Unreadable()
  return { id: oidOf(id), parameters }
}
/** The name of a hash for Node. */
export function digestOf(block: BaseBlock | undefined): string {
  const { id, parameters } = algorithmOf(block)
  const name = Object.hasOwn(digests, id) ? digests[id] : undefined
  demand(name !== undefined && (parameters === undefined || isNull(parameters)), 'algorithm')
  return name
}

export function readCertificate(raw: Uint8Array): Certificate {
  demand(raw.length <= 64 * 1024, 'unreadable')
  const whole = membersOf(parseDer(raw))
  const signedPart = whole.next()
  const outer = whole.next()
  const signature = wholeBits(whole.next())
  whole.end()
  const members = membersOf(signedPart)
  const version = members.context(0)
  const number = version ? smallOf(inner(version)) : 0
  const serial = integerOf(members.next())
  demand(same(rawOf(members.next()), rawOf(outer)), 'unreadable')
  const issuer = members.next()
  const [notBefore, notAfter, ...more] = childrenOf(members.next())
  const subject = members.next()
  const spki = members.next()
  members.context(1)
  members.context(2)
  const listed = members.context(3)
  members.end()
  if (!notBefore || !notAfter || more.length > 0 || !(number === 2 || (number === 0 && !listed))) throw new Unreadable()
  const parsed = new X509Certificate(raw)
  return {
    raw,
    serial,
    issuer: rawOf(issuer),
    subject: rawOf(subject),
    signed: rawOf(signedPart),
    signature,
    algorithm: algorithmOf(outer),
    notBefore: timeOf(notBefore),
    notAfter: timeOf(notAfter),
    keyAlgorithm: algorithmOf(childrenOf(spki)[0]),
    keyBits: wholeBits(childrenOf(spki)[1]),
    key: createPublicKey({ key: Buffer.from(rawOf(spki)), type: 'spki', format: 'der' }),
    extensions: extensionsOf(listed),
    name: nameOf(parsed)
  }
}

/** The subject in one line, as Node writes it. */
function nameOf({ subject }: X509Certificate): string {
  return subject.split('\n').join(', ').slice(0, 300)
}

function extensionsOf(listed: BaseBlock | undefined): Certificate['extensions'] {
  const found = new Map<string, { readonly critical: boolean; readonly value: Uint8Array }>()
  for (const each of listed ? childrenOf(inner(listed)) : []) {
    const members = membersOf(each)
    const id = oidOf(members.next())
    const critical = members.optional(Asn1Boolean)
    const value = octetsOf(members.next())
    members.end()
    demand(!found.has(id), 'unreadable')
    found.set(id, { critical: critical ? isTrue(critical) : false, value })
  }
  return found
}

/** Whether a signature of bytes is valid for a certificate's key. `named` is the hash that a CMS signer names. */
export function isSigned(
  by: Certificate,
  { id, parameters }: Algorithm,
  bytes: Uint8Array,
  signature: Uint8Array,
  named?: string
): boolean {
  const type = by.key.asymmetricKeyType
  if (id === ed25519) {
    demand(type === 'ed25519' && by.keyAlgorithm.parameters === undefined && parameters === undefined, 'algorithm')
    return verify(null, bytes, by.key, signature)
  }
  if (Object.hasOwn(ecdsaWith, id)) {
    const hash = ecdsaWith[id]
    demand(
      type === 'ec' &&
        curves.includes(by.key.asymmetricKeyDetails?.namedCurve ?? '') &&
        by.keyBits[0] === 4 &&
        parameters === undefined &&
        (named === undefined || named === hash),
      'algorithm'
    )
    return verify(hash, bytes, by.key, signature)
  }
  return isSignedByRsa(by, { id, parameters }, bytes, signature, named)
}

function isSignedByRsa(
  by: Certificate,
  { id, parameters }: Algorithm,
  bytes: Uint8Array,
  signature: Uint8Array,
  named: string | undefined
): boolean {
  const bits = by.key.asymmetricKeyDetails?.modulusLength ?? 0
  demand(by.keyAlgorithm.id === rsa && isNull(by.keyAlgorithm.parameters) && bits >= 2048, 'algorithm')
  if (id === pss) {
    const { hash, saltLength } = pssOf(parameters)
    demand(saltLength <= 512 && (named === undefined || named === hash), 'algorithm')
    return verify(hash, bytes, { key: by.key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength }, signature)
  }
  const hash = Object.hasOwn(rsaWith, id) ? rsaWith[id] : id === rsa ? named : undefined
  demand(hash !== undefined && isNull(parameters) && (named === undefined || named === hash), 'algorithm')
  return verify(hash, bytes, by.key, signature)
}

function pssOf(parameters: BaseBlock | undefined): { readonly hash: string; readonly saltLength: number } {
  demand(parameters !== undefined, 'algorithm')
  const members = membersOf(parameters)
  const [hash, mask, salt] = [0, 1, 2].map((number) => members.context(number))
  members.end()
  demand(hash !== undefined && mask !== undefined && salt !== undefined, 'algorithm')
  const name = digestOf(inner(hash))
  const generator = algorithmOf(inner(mask))
  demand(
    generator.id === mgf1 && generator.parameters !== undefined && digestOf(generator.parameters) === name,
    'algorithm'
  )
  return { hash: name, saltLength: smallOf(inner(salt)) }
}

/** Bits are numbered from the first. */
export function mayBeUsed({ extensions }: Certificate, ...numbers: readonly number[]): boolean {
  const usage = extensions.get(keyUsage)
  if (!usage) return true
  const { bytes } = bitsOf(parseDer(usage.value))
  return numbers.some((number) => ((bytes[number >> 3] ?? 0) & (0x80 >> (number & 7))) !== 0)
}
const isUnderstood = ({ extensions }: Certificate): boolean =>
  [...extensions].every(([id, { critical }]) => !critical || known.includes(id))
const isValidAt = ({ notBefore, notAfter }: Certificate, at: number): boolean => notBefore <= at && at <= notAfter

/** Whether it may issue certificates, with `below` others between it and the end of the chain. */
function isAuthority(certificate: Certificate, below: number): boolean {
  const constraints = certificate.extensions.get(basicConstraints)
  if (!constraints) return false
  try {
    const members = membersOf(parseDer(constraints.value))
    const ca = members.optional(Asn1Boolean)
    const limit = members.optional(Integer)
    members.end()
    return (
      ca !== undefined && isTrue(ca) && (limit === undefined || smallOf(limit) >= below) && mayBeUsed(certificate, 5)
    )
  } catch {
    // An extension that cannot be read: another certificate may lead further.
    return false
  }
}

/** Whether it may sign time-stamps, and nothing else. */
export function isForTimestamps(certificate: Certificate): boolean {
  const extended = certificate.extensions.get(extendedKeyUsage)
  if (!extended?.critical) return false
  const purposes = childrenOf(parseDer(extended.value)).map(oidOf)
  return purposes.length === 1 && purposes[0] === timeStamping && mayBeUsed(certificate, 0, 1)
}

const maxChain = 8
/** Refuses a certificate that does not lead to one of the authorities; all must be valid at the time. */
export function demandChain(
  leaf: Certificate,
  others: readonly Certificate[],
  authorities: readonly Certificate[],
  at: number
): void {
  demand(isUnderstood(leaf), 'purpose')
  demand(isValidAt(leaf, at), 'validity')
  let budget = 100
  let expired = false
  const issuers = [...authorities, ...others]
  const leads = (chain: readonly Certificate[]): boolean => {
    const last = chain.at(-1)
    if (!last) return false
    if (chain.length > 1 && authorities.some(({ raw }) => same(raw, last.raw))) return true
    if (chain.length > maxChain) return false
    const below = chain.slice(1).filter(({ subject, issuer }) => !same(subject, issuer)).length
    return issuers.some((issuer) => {
      if (!same(issuer.subject, last.issuer) || chain.some(({ raw }) => same(raw, issuer.raw))) return false
      demand((budget -= 1) >= 0, 'chain')
      if (!isIssuedBy(last, issuer) || !isUnderstood(issuer) || !isAuthority(issuer, below)) return false
      if (!isValidAt(issuer, at)) {
        expired = true
        return false
      }
      return leads([...chain, issuer])
    })
  }
  demand(leads([leaf]), expired ? 'validity' : 'chain')
}
function isIssuedBy(certificate: Certificate, issuer: Certificate): boolean {
  try {
    return isSigned(issuer, certificate.algorithm, certificate.signed, certificate.signature)
  } catch {
    // An algorithm that is not accepted.
    return false
  }
}

/** The certificates of PEM texts that can be read. */
export function readAuthorities(pem: string): readonly Certificate[] {
  const blocks =
    pem.match(/-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]*-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g) ?? []
  return readable(blocks.map((block) => Buffer.from(block.replace(/-----[^-]*-----/g, ''), 'base64')))
}

/** Reads certificates of which not all are needed; those that cannot be read are left out. */
export function readable(certificates: readonly Uint8Array[]): readonly Certificate[] {
  return certificates.flatMap((each) => {
    try {
      return [readCertificate(each)]
    } catch {
      return []
    }
  })
}
