/**
 * X.509 certificates (RFC 5280), as far as a pack and a time-stamp need them: read, and followed to one of the
 * reader's certificate authorities. Signatures are verified with WebCrypto.
 */
import {
  bitsOf,
  booleanOf,
  contextTag,
  DerFault,
  integerOf,
  membersOf,
  octetsOf,
  oidOf,
  readDer,
  sameBytes,
  smallOf,
  tags,
  textOf,
  timeOf,
  wholeBitsOf,
  within
} from './der.mjs'

/** Why something is not accepted, as a sentence; `why` in the answers. */
export class NotAccepted extends Error {}
export const accept = (holds, why) => {
  if (!holds) throw new NotAccepted(why)
}
/** The sentence of a refusal. Any other error is a mistake in the verifier, or a browser that lacks an algorithm. */
export function whyOf(error, what) {
  if (error instanceof DerFault) return `${what} cannot be read. ${error.message}`
  if (error instanceof NotAccepted) return error.message
  throw error
}

const maxCertificateBytes = 64 * 1024
const maxChain = 8
const maxCertificates = 50
/** Bounds the work that certificates with equal names can cause. */
const maxSignatures = 100

const oids = {
  rsa: '1.2.840.113549.1.1.1',
  pss: '1.2.840.113549.1.1.10',
  mgf1: '1.2.840.113549.1.1.8',
  ec: '1.2.840.10045.2.1',
  ed25519: '1.3.101.112',
  basicConstraints: '2.5.29.19',
  keyUsage: '2.5.29.15',
  extendedKeyUsage: '2.5.29.37',
  timeStamping: '1.3.6.1.5.5.7.3.8'
}
/** Extensions that may be critical: they are checked here, or restrict nothing that is relied on here. */
const understood = new Set([
  oids.basicConstraints,
  oids.keyUsage,
  oids.extendedKeyUsage,
  '2.5.29.14',
  '2.5.29.17',
  '2.5.29.18',
  '2.5.29.31',
  '2.5.29.32',
  '2.5.29.35',
  '1.3.6.1.5.5.7.1.1'
])

export const hashes = {
  '2.16.840.1.101.3.4.2.1': 'SHA-256',
  '2.16.840.1.101.3.4.2.2': 'SHA-384',
  '2.16.840.1.101.3.4.2.3': 'SHA-512'
}
const rsaSignatures = {
  '1.2.840.113549.1.1.11': 'SHA-256',
  '1.2.840.113549.1.1.12': 'SHA-384',
  '1.2.840.113549.1.1.13': 'SHA-512'
}
const ecdsaSignatures = {
  '1.2.840.10045.4.3.2': 'SHA-256',
  '1.2.840.10045.4.3.3': 'SHA-384',
  '1.2.840.10045.4.3.4': 'SHA-512'
}
const curves = { '1.2.840.10045.3.1.7': ['P-256', 32], '1.3.132.0.34': ['P-384', 48], '1.3.132.0.35': ['P-521', 66] }

/** An AlgorithmIdentifier. */
export function algorithmOf(value) {
  const members = membersOf(value)
  const id = oidOf(members.next(tags.oid))
  const parameters = value.children[1]
  if (parameters) members.next()
  members.end()
  return { id, parameters }
}
const isNull = (parameters) => parameters?.tag === tags.nothing

/** The hash of an AlgorithmIdentifier. */
export function hashOf(value) {
  const { id, parameters } = algorithmOf(value)
  accept(
    Object.hasOwn(hashes, id) && (parameters === undefined || isNull(parameters)),
    'It uses a hash that is not accepted; accepted are SHA-256, SHA-384 and SHA-512.'
  )
  return hashes[id]
}

/** RSASSA-PSS-params (RFC 4055), all explicit: the defaults use SHA-1, which is not accepted. */
function pssOf(parameters) {
  const notAccepted = 'It uses a signature algorithm that is not accepted.'
  accept(parameters !== undefined, notAccepted)
  const members = membersOf(parameters)
  const [hash, mask, salt] = [0, 1, 2].map((number) => members.optional(contextTag(number)))
  members.end()
  accept(hash && mask && salt, notAccepted)
  const name = hashOf(within(hash))
  const { id, parameters: inner } = algorithmOf(within(mask))
  accept(id === oids.mgf1 && inner && hashOf(inner) === name, notAccepted)
  return { hash: name, saltLength: smallOf(within(salt)) }
}

/** r and s of an ECDSA signature, as WebCrypto expects them. */
function rawEcdsa(signature, size) {
  const members = membersOf(readDer(signature))
  const raw = new Uint8Array(2 * size)
  for (const offset of [0, size]) {
    const number = integerOf(members.next(tags.integer))
    accept(number[0] < 0x80, 'A signature is not valid.')
    const bytes = number[0] === 0 ? number.subarray(1) : number
    accept(bytes.length <= size, 'A signature is not valid.')
    raw.set(bytes, offset + size - bytes.length)
  }
  members.end()
  return raw
}

/** How a signature is verified with a key: WebCrypto's algorithms, and the key and signature in its forms. */
function planOf(algorithm, key, signature, digestHash) {
  const { id, parameters } = algorithm
  const notAccepted = 'It uses a signature algorithm that is not accepted.'
  if (id === oids.ed25519) {
    accept(
      key.algorithm.id === oids.ed25519 && key.algorithm.parameters === undefined && parameters === undefined,
      notAccepted
    )
    return { imported: { name: 'Ed25519' }, verified: { name: 'Ed25519' }, spki: key.spki, signature }
  }
  if (Object.hasOwn(ecdsaSignatures, id)) {
    accept(
      key.algorithm.id === oids.ec && key.algorithm.parameters?.tag === tags.oid && parameters === undefined,
      notAccepted
    )
    const curve = oidOf(key.algorithm.parameters)
    accept(
      Object.hasOwn(curves, curve),
      'It uses an elliptic curve that is not accepted; accepted are P-256, P-384 and P-521.'
    )
    const hash = ecdsaSignatures[id]
    accept(digestHash === undefined || digestHash === hash, notAccepted)
    const [namedCurve, size] = curves[curve]
    accept(key.bits[0] === 4, 'It uses a key in a form that is not accepted.')
    return {
      imported: { name: 'ECDSA', namedCurve },
      verified: { name: 'ECDSA', hash },
      spki: key.spki,
      signature: rawEcdsa(signature, size)
    }
  }
  accept(key.algorithm.id === oids.rsa && isNull(key.algorithm.parameters), notAccepted)
  checkRsaKey(key)
  if (id === oids.pss) {
    const { hash, saltLength } = pssOf(parameters)
    accept(saltLength <= 512 && (digestHash === undefined || digestHash === hash), notAccepted)
    return {
      imported: { name: 'RSA-PSS', hash },
      verified: { name: 'RSA-PSS', saltLength },
      spki: key.spki,
      signature
    }
  }
  const hash = Object.hasOwn(rsaSignatures, id) ? rsaSignatures[id] : id === oids.rsa ? digestHash : undefined
  accept(hash !== undefined && isNull(parameters) && (digestHash === undefined || digestHash === hash), notAccepted)
  return {
    imported: { name: 'RSASSA-PKCS1-v1_5', hash },
    verified: { name: 'RSASSA-PKCS1-v1_5' },
    spki: key.spki,
    signature
  }
}

/** Refuses an RSA key that is too small. */
function checkRsaKey(key) {
  const members = membersOf(readDer(key.bits))
  const modulus = integerOf(members.next(tags.integer))
  integerOf(members.next(tags.integer))
  members.end()
  accept(
    modulus.length >= 257 && modulus.length <= 2049,
    'It uses an RSA key with fewer than 2048 bits, or with too many.'
  )
}

/**
 * Whether a signature over a message is valid for a certificate's key. `digestHash` is the hash that a CMS signer names
 * beside the signature's algorithm.
 */
export async function signatureHolds(algorithm, key, signature, message, digestHash) {
  const plan = planOf(algorithm, key, signature, digestHash)
  try {
    const imported = await crypto.subtle.importKey('spki', plan.spki, plan.imported, false, ['verify'])
    return await crypto.subtle.verify(plan.verified, imported, plan.signature, message)
  } catch (error) {
    if (error?.name === 'NotSupportedError')
      throw new Error(
        `This program cannot check signatures by ${plan.imported.name}. Use Node 20 or newer, or a current browser.`,
        { cause: error }
      )
    return false
  }
}

function extensionsOf(value) {
  const found = new Map()
  for (const each of membersOfAll(value)) {
    const members = membersOf(each)
    const id = oidOf(members.next(tags.oid))
    const critical = members.optional(tags.boolean)
    const content = octetsOf(members.next(tags.octets))
    members.end()
    accept(!found.has(id), 'A certificate has an extension twice.')
    found.set(id, { critical: critical ? booleanOf(critical) : false, content })
  }
  return found
}
function membersOfAll(value) {
  accept(value.tag === tags.sequence && value.children.length > 0, 'A certificate has an empty list of extensions.')
  return value.children
}

/** Reads a certificate. Throws a DerFault or NotAccepted. */
export function readCertificate(der) {
  accept(der.length <= maxCertificateBytes, 'A certificate is too large.')
  const whole = membersOf(readDer(der))
  const signed = whole.next(tags.sequence)
  const outer = whole.next(tags.sequence)
  const signature = wholeBitsOf(whole.next(tags.bits))
  whole.end()
  const members = membersOf(signed)
  const version = members.optional(contextTag(0))
  const number = version ? smallOf(within(version)) : 0
  const serial = integerOf(members.next(tags.integer))
  const inner = members.next(tags.sequence)
  accept(sameBytes(inner.bytes, outer.bytes), 'A certificate names two algorithms for its signature.')
  const issuer = members.next(tags.sequence)
  const validity = membersOf(members.next(tags.sequence))
  const notBefore = timeOf(validity.next())
  const notAfter = timeOf(validity.next())
  validity.end()
  const subject = members.next(tags.sequence)
  const spki = members.next(tags.sequence)
  members.optional(0x81)
  members.optional(0x82)
  const listed = members.optional(contextTag(3))
  members.end()
  accept(number === 2 || (number === 0 && !listed), 'A certificate has a version that is not accepted.')
  const key = membersOf(spki)
  const keyAlgorithm = algorithmOf(key.next(tags.sequence))
  const keyBits = wholeBitsOf(key.next(tags.bits))
  key.end()
  return {
    der,
    signed: signed.bytes,
    algorithm: algorithmOf(outer),
    signature,
    serial,
    issuer: issuer.bytes,
    subject: subject.bytes,
    subjectName: nameOf(subject),
    notBefore,
    notAfter,
    key: { spki: spki.bytes, algorithm: keyAlgorithm, bits: keyBits },
    extensions: listed ? extensionsOf(within(listed)) : new Map()
  }
}

const attributeNames = {
  '2.5.4.3': 'CN',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '1.2.840.113549.1.9.1': 'E'
}
/** A name as text, for people. Its characters come from the certificate. */
function nameOf(name) {
  const parts = []
  for (const set of name.children)
    for (const each of membersOfSet(set)) {
      const members = membersOf(each)
      const id = oidOf(members.next(tags.oid))
      const value = members.next()
      members.end()
      parts.push(
        `${Object.hasOwn(attributeNames, id) ? attributeNames[id] : id}=${(textOf(value) ?? '?').slice(0, 200)}`
      )
    }
  return parts.join(', ') || '(no name)'
}
function membersOfSet(set) {
  accept(set.tag === tags.set && set.children.length > 0, 'A certificate has a name that is not valid.')
  return set.children
}

/** Bit 0 is the first. */
function hasUsage(certificate, ...numbers) {
  const usage = certificate.extensions.get(oids.keyUsage)
  if (!usage) return true
  const { bytes } = bitsOf(readDer(usage.content))
  return numbers.some((number) => ((bytes[number >> 3] ?? 0) & (0x80 >> (number & 7))) !== 0)
}
export function checkExtensions(certificate) {
  for (const [id, { critical }] of certificate.extensions)
    accept(
      !critical || understood.has(id),
      `The certificate of ${certificate.subjectName} has a critical extension that is not known: ${id}.`
    )
}

/** Refused unless the certificate may sign others, `below` of them beneath it in the chain. */
function checkAuthority(certificate, below) {
  const constraints = certificate.extensions.get(oids.basicConstraints)
  const name = certificate.subjectName
  accept(constraints, `The certificate of ${name} is not that of a certificate authority.`)
  const members = membersOf(readDer(constraints.content))
  const isCa = members.optional(tags.boolean)
  const limit = members.optional(tags.integer)
  members.end()
  accept(isCa && booleanOf(isCa), `The certificate of ${name} is not that of a certificate authority.`)
  accept(!limit || smallOf(limit) >= below, `The certificate of ${name} does not allow so long a chain.`)
  accept(hasUsage(certificate, 5), `The certificate of ${name} may not sign certificates.`)
}

/** Refused unless a certificate may be used for time-stamps, and for nothing else. */
export function checkTimeStamping(certificate) {
  const name = certificate.subjectName
  const extended = certificate.extensions.get(oids.extendedKeyUsage)
  accept(extended, `The certificate of ${name} is not for time-stamps.`)
  const purposes = membersOfAll(readDer(extended.content)).map(oidOf)
  accept(
    purposes.length === 1 && purposes[0] === oids.timeStamping,
    `The certificate of ${name} is not for time-stamps alone.`
  )
  accept(extended.critical, `The certificate of ${name} does not say critically that it is for time-stamps alone.`)
  accept(hasUsage(certificate, 0, 1), `The certificate of ${name} may not sign.`)
}

const iso = (time) => new Date(time).toISOString()
function checkValidity(certificate, at) {
  accept(certificate.notBefore <= at, `The certificate of ${certificate.subjectName} was not yet valid on ${iso(at)}.`)
  accept(at <= certificate.notAfter, `The certificate of ${certificate.subjectName} had expired on ${iso(at)}.`)
}

/**
 * Follows a certificate to one of the authorities, through the others. Returns the chain, the certificate first.
 * Throws NotAccepted with the reason of the path that came furthest.
 */
export async function followChain(leaf, others, authorities, at) {
  const budget = { signatures: maxSignatures }
  let reason = {
    depth: 0,
    why: `The certificate of ${leaf.subjectName} does not lead to a given certificate authority.`
  }
  const isAnchor = (certificate) => authorities.some(({ der }) => sameBytes(der, certificate.der))
  const candidates = [...authorities, ...others]

  async function climb(chain) {
    const last = chain.at(-1)
    if (chain.length > 1 && isAnchor(last)) return chain
    if (chain.length > maxChain) return undefined
    for (const issuer of candidates) {
      if (!sameBytes(issuer.subject, last.issuer) || chain.some(({ der }) => sameBytes(der, issuer.der))) continue
      accept((budget.signatures -= 1) >= 0, 'It has too many certificates with equal names.')
      try {
        accept(
          await signatureHolds(last.algorithm, issuer.key, last.signature, last.signed),
          `The certificate of ${last.subjectName} is not signed by ${issuer.subjectName}.`
        )
        checkExtensions(issuer)
        checkAuthority(issuer, chain.slice(1).filter(({ subject, issuer: by }) => !sameBytes(subject, by)).length)
        checkValidity(issuer, at)
      } catch (error) {
        const why = whyOf(error, 'A certificate')
        if (chain.length > reason.depth) reason = { depth: chain.length, why }
        continue
      }
      const found = await climb([...chain, issuer])
      if (found) return found
    }
    return undefined
  }

  checkValidity(leaf, at)
  const found = await climb([leaf])
  accept(found, reason.why)
  return found
}

const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Reads certificates of which not all are needed; those that cannot be read are left out. */
export function readableCertificates(ders) {
  return ders.slice(0, 1000).flatMap((der) => {
    try {
      return [readCertificate(der)]
    } catch (error) {
      whyOf(error, 'A certificate')
      return []
    }
  })
}

/**
 * Whether certificates belong to a signer's key and lead to one of the reader's certificate authorities.
 *
 * @param certificates Each as DER, the signer's own first.
 * @param authorities Each as DER; none if the reader gave none: then only the key is compared.
 * @param at Unix milliseconds: the time at which all certificates must be valid.
 * @param key The signer's public key, 64 hex digits.
 * @returns {Promise<{valid: boolean, matches: boolean, why: string, names: string[]}>} `matches`: the first certificate has the key;
 *   `names`: the subject of each certificate, the signer's first. They are claims unless `valid`.
 */
export async function verifyChain(certificates, authorities, at, key) {
  let names = []
  let matches = false
  try {
    accept(certificates.length > 0, 'It has no certificate.')
    accept(certificates.length <= maxCertificates, 'It has too many certificates.')
    const own = readCertificate(certificates[0])
    const others = readableCertificates(certificates.slice(1))
    names = [own, ...others].map(({ subjectName }) => subjectName)
    matches =
      own.key.algorithm.id === oids.ed25519 && own.key.algorithm.parameters === undefined && hexOf(own.key.bits) === key
    accept(matches, 'The first certificate is not for the key that signed.')
    accept(authorities.length > 0, 'No certificate authority was given.')
    accept(hasUsage(own, 0, 1), `The certificate of ${own.subjectName} may not sign.`)
    checkExtensions(own)
    const chain = await followChain(own, others, readableCertificates(authorities), at)
    return { valid: true, matches, why: '', names: chain.map(({ subjectName }) => subjectName) }
  } catch (error) {
    return { valid: false, matches, why: whyOf(error, 'A certificate'), names }
  }
}

/**
 * The certificates of a file as DER, in their order: PEM, where text around them is ignored, or one certificate as DER.
 * Empty if there is none. They are not checked.
 */
export function readCertificates(bytes) {
  if (bytes[0] === tags.sequence) return [bytes]
  let text = ''
  for (let at = 0; at < bytes.length; at += 4096) text += String.fromCharCode(...bytes.subarray(at, at + 4096))
  const blocks =
    text.match(/-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]*-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g) ?? []
  return blocks.flatMap((block) => {
    try {
      return [
        Uint8Array.from(atob(block.replace(/-----[^-]*-----/g, '').replace(/\s/g, '')), (sign) => sign.charCodeAt(0))
      ]
    } catch {
      return []
    }
  })
}
