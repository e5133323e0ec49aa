/** RFC 3161 time-stamps: a CMS signature (RFC 5652) of an authority over the hash of a message and a time. */
import {
  contextTag,
  derValue,
  integerOf,
  membersOf,
  octetsOf,
  oidOf,
  readDer,
  sameBytes,
  smallOf,
  tags,
  timeOf,
  booleanOf,
  within
} from './der.mjs'
import {
  accept,
  algorithmOf,
  checkExtensions,
  checkTimeStamping,
  followChain,
  hashOf,
  readableCertificates,
  signatureHolds,
  whyOf
} from './certificates.mjs'

const maxTokenBytes = 64 * 1024
const maxTokenCertificates = 20

const ids = {
  signedData: '1.2.840.113549.1.7.2',
  timeStampInfo: '1.2.840.113549.1.9.16.1.4',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  subjectKeyIdentifier: '2.5.29.14'
}
const digest = async (hash, bytes) => new Uint8Array(await crypto.subtle.digest(hash, bytes))

/** SignedData with its one signer. */
function readSignedData(bytes) {
  const info = membersOf(readDer(bytes))
  accept(oidOf(info.next(tags.oid)) === ids.signedData, 'The time-stamp is not signed data.')
  const members = membersOf(within(info.next(contextTag(0))))
  info.end()
  smallOf(members.next(tags.integer))
  members.next(tags.set)
  const content = membersOf(members.next(tags.sequence))
  accept(oidOf(content.next(tags.oid)) === ids.timeStampInfo, 'The signed content is not a time-stamp.')
  const signed = octetsOf(within(content.next(contextTag(0))))
  content.end()
  const certificates = members.optional(contextTag(0))?.children ?? []
  members.optional(contextTag(1))
  const signers = members.next(tags.set)
  members.end()
  accept(signers.children.length === 1, 'The time-stamp does not have exactly one signature.')
  accept(certificates.length <= maxTokenCertificates, 'The time-stamp has too many certificates.')
  // Attribute certificates, which have other tags, have no meaning here.
  return {
    signed,
    certificates: certificates.filter(({ tag }) => tag === tags.sequence).map(({ bytes: der }) => der),
    signer: readSigner(signers.children[0])
  }
}

function readSigner(value) {
  const members = membersOf(value)
  smallOf(members.next(tags.integer))
  const numbered = members.optional(tags.sequence)
  const keyId = numbered ? undefined : octetsOf(members.next(0x80), 0x80)
  const hash = hashOf(members.next(tags.sequence))
  const attributes = members.optional(contextTag(0))
  accept(attributes, 'The signature has no signed attributes.')
  const algorithm = algorithmOf(members.next(tags.sequence))
  const signature = octetsOf(members.next(tags.octets))
  members.optional(contextTag(1))
  members.end()
  return {
    numbered: numbered && issuerAndSerial(numbered),
    keyId,
    hash,
    attributes: readAttributes(attributes),
    signedBytes: derValue(tags.set, attributes.content),
    algorithm,
    signature
  }
}

function issuerAndSerial(value) {
  const members = membersOf(value)
  const issuer = members.next(tags.sequence).bytes
  const serial = integerOf(members.next(tags.integer))
  members.end()
  return { issuer, serial }
}

/** By type; each has one value. */
function readAttributes(list) {
  const found = new Map()
  let before
  for (const { bytes, ...each } of list.children) {
    accept(!before || isBefore(before, bytes), 'The signed attributes are not in the order of DER.')
    before = bytes
    const members = membersOf(each)
    const type = oidOf(members.next(tags.oid))
    const values = members.next(tags.set)
    members.end()
    accept(!found.has(type) && values.children.length === 1, 'A signed attribute has more than one value.')
    found.set(type, values.children[0])
  }
  return found
}
/** The order of the members of a set (X.690, 11.6). */
function isBefore(a, b) {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at += 1) if (a[at] !== b[at]) return a[at] < b[at]
  return a.length < b.length
}

/** TSTInfo (RFC 3161, 2.4.2). */
function readInfo(bytes) {
  const members = membersOf(readDer(bytes))
  accept(smallOf(members.next(tags.integer)) === 1, 'The time-stamp has a version that is not known.')
  const policy = oidOf(members.next(tags.oid))
  const imprint = membersOf(members.next(tags.sequence))
  const hash = hashOf(imprint.next(tags.sequence))
  const hashed = octetsOf(imprint.next(tags.octets))
  imprint.end()
  integerOf(members.next(tags.integer))
  const time = timeOf(members.next(tags.generalizedTime), true)
  const accuracy = accuracyOf(members.optional(tags.sequence))
  const ordering = members.optional(tags.boolean)
  if (ordering) booleanOf(ordering)
  const nonce = members.optional(tags.integer)
  if (nonce) integerOf(nonce)
  members.optional(contextTag(0))
  const extensions = members.optional(contextTag(1))
  members.end()
  accept(
    !extensions?.children.some(({ children }) => children?.[1]?.tag === tags.boolean && booleanOf(children[1])),
    'The time-stamp has a critical extension that is not known.'
  )
  return { policy, hash, hashed, time, accuracy }
}
/** Milliseconds, rounded up. */
function accuracyOf(value) {
  if (!value) return 0
  const members = membersOf(value)
  const seconds = members.optional(tags.integer)
  const millis = members.optional(0x80)
  const micros = members.optional(0x81)
  members.end()
  return (
    (seconds ? smallOf(seconds) * 1000 : 0) +
    (millis ? smallOf(millis, 0x80) : 0) +
    (micros && smallOf(micros, 0x81) > 0 ? 1 : 0)
  )
}

/** Refused unless the signed attributes identify this certificate as the signer's (RFC 2634, RFC 5035). */
async function checkIdentified(certificate, attributes) {
  const [second, first] = [attributes.get(ids.signingCertificateV2), attributes.get(ids.signingCertificate)]
  accept(second || first, 'The signed attributes do not identify the certificate of the signer.')
  for (const [attribute, isSecond] of [
    [second, true],
    [first, false]
  ]) {
    if (!attribute) continue
    const list = membersOf(attribute).next(tags.sequence)
    const members = membersOf(list.children[0])
    const algorithm = isSecond ? members.optional(tags.sequence) : undefined
    const hashed = octetsOf(members.next(tags.octets))
    const named = members.optional(tags.sequence)
    members.end()
    const hash = isSecond ? (algorithm ? hashOf(algorithm) : 'SHA-256') : 'SHA-1'
    accept(
      sameBytes(await digest(hash, certificate.der), hashed),
      'The signed attributes identify another certificate than that of the signer.'
    )
    if (named)
      accept(isNamed(certificate, named), 'The signed attributes identify another certificate than that of the signer.')
  }
}
/** IssuerSerial: general names, one of them the directory name of the issuer, and the serial number. */
function isNamed(certificate, value) {
  const members = membersOf(value)
  const names = members.next(tags.sequence)
  const serial = integerOf(members.next(tags.integer))
  members.end()
  return (
    sameBytes(serial, certificate.serial) &&
    names.children.some((name) => name.tag === contextTag(4) && sameBytes(within(name).bytes, certificate.issuer))
  )
}

function isSigner(certificate, { numbered, keyId }) {
  if (numbered) return sameBytes(numbered.issuer, certificate.issuer) && sameBytes(numbered.serial, certificate.serial)
  const own = certificate.extensions.get(ids.subjectKeyIdentifier)
  return own !== undefined && sameBytes(octetsOf(readDer(own.content)), keyId)
}

/**
 * Verifies a time-stamp of a message.
 *
 * @param token DER of the token.
 * @param message The bytes that it is about.
 * @param authorities The reader's certificate authorities, each as DER. With none it is not valid, but time and authority
 *   are returned as its claim.
 * @returns {Promise<{valid: boolean, isOfAnother: boolean, why: string, time: number | null, latest: number | null, authority: string | null}>}
 *   `why`: a sentence if it is not valid. `isOfAnother`: all that is wrong with it is that none of the authorities vouches
 *   for it. `time`: Unix milliseconds; `latest`: the same with the authority's accuracy added: the message
 *   existed then. `authority`: the subject of its certificate. Never throws for any bytes.
 */
export async function verifyTimestamp(token, message, authorities) {
  const answer = { valid: false, isOfAnother: false, why: '', time: null, latest: null, authority: null }
  try {
    accept(token.length <= maxTokenBytes, 'The time-stamp is too large.')
    const { signed, certificates, signer } = readSignedData(token)
    const info = readInfo(signed)
    answer.time = info.time
    answer.latest = info.time + info.accuracy
    accept(sameBytes(await digest(info.hash, message), info.hashed), 'The time-stamp is about something else.')
    const held = readableCertificates(certificates)
    const own = held.find((certificate) => isSigner(certificate, signer))
    accept(own, 'The time-stamp does not contain the certificate of its signer.')
    answer.authority = own.subjectName
    const type = signer.attributes.get(ids.contentType)
    accept(type && oidOf(type) === ids.timeStampInfo, 'The signed attributes do not name the content.')
    const said = signer.attributes.get(ids.messageDigest)
    accept(
      said && sameBytes(octetsOf(said), await digest(signer.hash, signed)),
      'The signed attributes are about another content.'
    )
    await checkIdentified(own, signer.attributes)
    accept(
      await signatureHolds(
        signer.algorithm,
        own.key,
        signer.signature,
        signer.signedBytes,
        isPure(signer.algorithm) ? undefined : signer.hash
      ),
      'The signature of the time-stamp is not valid.'
    )
    checkTimeStamping(own)
    checkExtensions(own)
    const others = held.filter((certificate) => certificate !== own)
    const why = await pathFault(own, others, authorities, info.time)
    return { ...answer, why, valid: why === '', isOfAnother: why !== '' }
  } catch (error) {
    return { ...answer, why: whyOf(error, 'The time-stamp') }
  }
}
/** Why no path leads from a certificate to one of the authorities; empty if one does. */
async function pathFault(own, others, authorities, at) {
  try {
    accept(authorities.length > 0, 'No certificate authority was given.')
    await followChain(own, others, readableCertificates(authorities), at)
    return ''
  } catch (error) {
    return whyOf(error, 'A certificate')
  }
}
/** Ed25519 hashes by itself, whatever the digest algorithm is. */
const isPure = ({ id }) => id === '1.3.101.112'
