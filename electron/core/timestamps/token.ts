/** RFC 3161: queries, replies and tokens. A token is accepted only if everything about it is valid. */
import { createHash, randomBytes } from 'node:crypto'
import { Boolean as Asn1Boolean, Integer, Sequence, Set as Asn1Set, type BaseBlock } from 'asn1js'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import {
  childrenOf,
  contentOf,
  inner,
  integerOf,
  isTrue,
  membersOf,
  octetsOf,
  oidOf,
  parseDer,
  rawOf,
  smallOf,
  timeOf,
  Unreadable
} from '#kit/asn1/asn1.ts'
import { derNumber, derObjectId, derOctets, derSequence, derTrue } from '#kit/asn1/der.ts'
import {
  algorithmOf,
  demand,
  demandChain,
  digestOf,
  isForTimestamps,
  isSigned,
  readable,
  readAuthorities,
  Refused,
  same,
  type Algorithm,
  type Certificate,
  type RefusalReason
} from '#kit/asn1/x509.ts'

export interface Stamp {
  /** Unix milliseconds, according to the authority. */
  readonly time: number
  /** The same with the authority's accuracy added: the message existed by then. */
  readonly latest: number
  /** Subject of the authority's certificate. */
  readonly authority: string
}

const [signedData, timeStampInfo, contentType, messageDigest] = [
  '1.2.840.113549.1.7.2',
  '1.2.840.113549.1.9.16.1.4',
  '1.2.840.113549.1.9.3',
  '1.2.840.113549.1.9.4'
] as const
const [identifiedBy, identifiedByV2, keyIdentifier, ed25519] = [
  '1.2.840.113549.1.9.16.2.12',
  '1.2.840.113549.1.9.16.2.47',
  '2.5.29.14',
  '1.3.101.112'
] as const
const sha256 = '2.16.840.1.101.3.4.2.1'
/** Maximum bytes of a reply, and so of a token. */
export const maxTokenBytes = 64 * 1024

const hashed = (name: string, bytes: Uint8Array): Buffer => createHash(name).update(bytes).digest()

/** A query (RFC 3161, 2.4.1) for the SHA-256 of a message, with a random nonce, asking for the authority's certificate. */
export function timestampQuery(message: Uint8Array): { readonly query: Uint8Array; readonly nonce: Uint8Array } {
  // The first byte makes it positive and gives it a fixed length.
  const nonce = Buffer.concat([Buffer.from([0x40 | ((randomBytes(1)[0] ?? 0) % 0x40)]), randomBytes(15)])
  const imprint = derSequence(derSequence(derObjectId(sha256)), derOctets(hashed('sha256', message)))
  return { query: derSequence(derNumber(Buffer.from([1])), imprint, derNumber(nonce), derTrue), nonce }
}

/** The token in a reply (RFC 3161, 2.4.2), or the authority's status if it refused; undefined if it is no reply. */
export function tokenInReply(reply: Uint8Array): Result<Uint8Array, number | undefined> {
  try {
    const members = membersOf(parseDer(reply))
    const status = smallOf(childrenOf(members.next())[0])
    if (status > 1) return fail(status)
    const token = rawOf(members.next())
    members.end()
    return ok(token)
  } catch {
    return fail(undefined)
  }
}

/**
 * Verifies a token of a message.
 *
 * @param authorities PEM of the certificate authorities that it must lead to.
 * @param nonce That of the query, if the token answers one just now.
 */
export function checkTimestamp(
  token: Uint8Array,
  message: Uint8Array,
  authorities: string,
  nonce?: Uint8Array
): Result<Stamp, RefusalReason> {
  try {
    return ok(checkedStamp(token, message, readAuthorities(authorities), nonce))
  } catch (error) {
    // The parsers throw errors of many kinds for bytes from outside: whatever it is, the token is not accepted.
    return fail(error instanceof Refused ? error.reason : 'unreadable')
  }
}

function checkedStamp(
  token: Uint8Array,
  message: Uint8Array,
  authorities: readonly Certificate[],
  nonce: Uint8Array | undefined
): Stamp {
  demand(token.length <= maxTokenBytes, 'unreadable')
  const { content, certificates, signer } = signedDataOf(token)
  const info = infoOf(content)
  demand(same(hashed(info.hash, message), info.imprint), 'imprint')
  demand(nonce === undefined || (info.nonce !== undefined && same(info.nonce, nonce)), 'nonce')
  const held = readable(certificates)
  const own = held.find((certificate) => isSigner(certificate, signer))
  demand(own !== undefined, 'identity')
  const [type, digest] = [signer.attributes.get(contentType), signer.attributes.get(messageDigest)]
  demand(type !== undefined && oidOf(type) === timeStampInfo, 'other-content')
  demand(digest !== undefined && same(octetsOf(digest), hashed(signer.hash, content)), 'signature')
  demandIdentity(own, signer.attributes)
  demand(
    isSigned(
      own,
      signer.algorithm,
      signer.signedBytes,
      signer.signature,
      signer.algorithm.id === ed25519 ? undefined : signer.hash
    ),
    'signature'
  )
  demand(isForTimestamps(own), 'purpose')
  demandChain(
    own,
    held.filter((each) => each !== own),
    authorities,
    info.time
  )
  return { time: info.time, latest: info.time + info.accuracy, authority: own.name }
}

interface Signer {
  readonly numbered: { readonly issuer: Uint8Array; readonly serial: Uint8Array } | undefined
  readonly keyId: Uint8Array | undefined
  readonly hash: string
  readonly attributes: ReadonlyMap<string, BaseBlock>
  readonly signedBytes: Uint8Array
  readonly algorithm: Algorithm
  readonly signature: Uint8Array
}

function signedDataOf(token: Uint8Array): {
  readonly content: Uint8Array
  readonly certificates: readonly Uint8Array[]
  readonly signer: Signer
} {
  const outer = membersOf(parseDer(token))
  demand(oidOf(outer.next()) === signedData, 'other-content')
  const members = membersOf(inner(outer.context(0)))
  outer.end()
  smallOf(members.next())
  if (!(members.next() instanceof Asn1Set)) throw new Unreadable()
  const content = membersOf(members.next())
  demand(oidOf(content.next()) === timeStampInfo, 'other-content')
  const signed = octetsOf(inner(content.context(0)))
  content.end()
  const listed = members.context(0)
  members.context(1)
  const signers = members.next()
  members.end()
  const [signer, ...more] = signers instanceof Asn1Set ? childrenOf(signers) : []
  demand(signer !== undefined && more.length === 0, 'signature')
  const certificates = (listed ? childrenOf(listed) : []).filter((each) => each instanceof Sequence).map(rawOf)
  demand(certificates.length <= 20, 'unreadable')
  return { content: signed, certificates, signer: signerOf(signer) }
}

function signerOf(block: BaseBlock): Signer {
  const members = membersOf(block)
  smallOf(members.next())
  const numbered = members.optional(Sequence)
  const identifier = numbered ? undefined : members.context(0)
  if (identifier?.idBlock.isConstructed) throw new Unreadable()
  const hash = digestOf(members.next())
  const attributes = members.context(0)
  demand(attributes !== undefined, 'signature')
  const algorithm = algorithmOf(members.next())
  const signature = octetsOf(members.next())
  members.context(1)
  members.end()
  // They are signed with the tag of a set (RFC 5652, 5.4).
  const signedBytes = Buffer.concat([Buffer.from([0x31]), rawOf(attributes).subarray(1)])
  return {
    numbered: numbered && numberOf(numbered),
    keyId: identifier && contentOf(identifier),
    hash,
    attributes: attributesOf(attributes),
    signedBytes,
    algorithm,
    signature
  }
}
function numberOf(block: BaseBlock): { readonly issuer: Uint8Array; readonly serial: Uint8Array } {
  const members = membersOf(block)
  const issuer = rawOf(members.next())
  const serial = integerOf(members.next())
  members.end()
  return { issuer, serial }
}

/** One value each, in the order of DER. */
function attributesOf(list: BaseBlock): ReadonlyMap<string, BaseBlock> {
  const found = new Map<string, BaseBlock>()
  const blocks = childrenOf(list)
  for (const [index, block] of blocks.entries()) {
    const before = blocks[index - 1]
    if (before && Buffer.compare(rawOf(before), rawOf(block)) >= 0) throw new Unreadable()
    const members = membersOf(block)
    const id = oidOf(members.next())
    const values = members.next()
    members.end()
    const [value, ...more] = values instanceof Asn1Set ? childrenOf(values) : []
    if (!value || more.length > 0 || found.has(id)) throw new Unreadable()
    found.set(id, value)
  }
  return found
}

function infoOf(content: Uint8Array): {
  readonly hash: string
  readonly imprint: Uint8Array
  readonly time: number
  readonly accuracy: number
  readonly nonce: Uint8Array | undefined
} {
  const members = membersOf(parseDer(content))
  demand(smallOf(members.next()) === 1, 'unreadable')
  oidOf(members.next())
  const imprint = membersOf(members.next())
  const hash = digestOf(imprint.next())
  const bytes = octetsOf(imprint.next())
  imprint.end()
  integerOf(members.next())
  const time = timeOf(members.next(), true)
  const accuracy = accuracyOf(members.optional(Sequence))
  const ordering = members.optional(Asn1Boolean)
  if (ordering) isTrue(ordering)
  const nonce = members.optional(Integer)
  members.context(0)
  const extensions = members.context(1)
  members.end()
  const isCritical = (extensions ? childrenOf(extensions) : []).some((each) => {
    const [, second] = childrenOf(each)
    return second instanceof Asn1Boolean && isTrue(second)
  })
  demand(!isCritical, 'unreadable')
  return { hash, imprint: bytes, time, accuracy, nonce: nonce && integerOf(nonce) }
}
function accuracyOf(block: BaseBlock | undefined): number {
  if (!block) return 0
  const members = membersOf(block)
  const seconds = members.optional(Integer)
  const [millis, micros] = [members.context(0), members.context(1)]
  members.end()
  return (
    (seconds ? smallOf(seconds) * 1000 : 0) +
    (millis ? smallOf(millis, true) : 0) +
    (micros && smallOf(micros, true) > 0 ? 1 : 0)
  )
}

/** The signed attributes must identify the certificate (RFC 2634, RFC 5035), or another one could be put in its place. */
function demandIdentity(own: Certificate, attributes: ReadonlyMap<string, BaseBlock>): void {
  const given = [attributes.get(identifiedByV2), attributes.get(identifiedBy)]
  demand(
    given.some((each) => each !== undefined),
    'identity'
  )
  for (const [index, attribute] of given.entries()) {
    if (!attribute) continue
    const [list] = childrenOf(attribute)
    const members = membersOf(childrenOf(list)[0])
    const algorithm = index === 0 ? members.optional(Sequence) : undefined
    const hash = octetsOf(members.next())
    const named = members.optional(Sequence)
    members.end()
    demand(same(hashed(index === 1 ? 'sha1' : algorithm ? digestOf(algorithm) : 'sha256', own.raw), hash), 'identity')
    if (named) demand(isNamed(own, named), 'identity')
  }
}
function isNamed(own: Certificate, block: BaseBlock): boolean {
  const members = membersOf(block)
  const names = childrenOf(members.next())
  const serial = integerOf(members.next())
  members.end()
  return (
    same(serial, own.serial) &&
    names.some(
      (name) => name.idBlock.tagClass === 3 && name.idBlock.tagNumber === 4 && same(rawOf(inner(name)), own.issuer)
    )
  )
}

function isSigner(certificate: Certificate, { numbered, keyId }: Signer): boolean {
  if (numbered) return same(numbered.issuer, certificate.issuer) && same(numbered.serial, certificate.serial)
  const own = certificate.extensions.get(keyIdentifier)
  return own !== undefined && keyId !== undefined && same(octetsOf(parseDer(own.value)), keyId)
}
