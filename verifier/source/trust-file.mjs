/** The company's trust file: its keepers say whose key signs packs, who may approve, and which keys are revoked. */
import { fingerprint, fromUtf8, sha256, sha256Hex, toHex } from './bytes.mjs'
import { canonical, must, Refusal } from './canonical.mjs'
import { openEnvelope } from './dsse.mjs'
import { ed25519Holds, isSmallOrder } from './ed25519.mjs'
import { isBase64, isHex, isPositive, isTime, listOf, oneOf, orNull, shape, that } from './shape.mjs'

const trustType = 'application/vnd.veridesk.trust+json'
const trustThreshold = 2
const maxTrustCharacters = 16 * 1024 * 1024
const longestTrust = 400 * 24 * 60 * 60 * 1000

const isLabel = (most) => that((value) => typeof value === 'string' && value.length > 0 && value.length <= most)
const pemForm =
  /^-----BEGIN CERTIFICATE-----\n(?:[A-Za-z0-9+/]{64}\n)*[A-Za-z0-9+/]{1,64}={0,2}\n-----END CERTIFICATE-----\n?$/
const isPem = that((value) => typeof value === 'string' && value.length <= 16384 && pemForm.test(value))
const atMost = (most, test) => (value) =>
  Array.isArray(value) && value.length > most ? ' has too many entries' : test(value)
const isRoles = that((value) => ['["approver"]', '["pack"]', '["approver","pack"]'].includes(JSON.stringify(value)))

const isTrustFile = shape({
  format: oneOf('veridesk-trust'),
  version: oneOf(1),
  versions: atMost(
    100,
    listOf(
      shape({
        payload: isBase64,
        payloadType: oneOf(trustType),
        signatures: atMost(40, listOf(shape({ keyid: isHex(32), sig: isBase64 }), 1))
      }),
      1
    )
  )
})
const isTrustVersion = shape({
  ca: atMost(20, listOf(isPem)),
  expires: isTime,
  issued: isTime,
  keepers: atMost(20, listOf(isHex(32), trustThreshold)),
  organisation: isLabel(200),
  previous: orNull(isHex(32)),
  revocations: atMost(
    1000,
    listOf(shape({ key: isHex(32), reason: oneOf('left', 'lost', 'replaced'), recorded: isTime, since: isTime }))
  ),
  signers: atMost(
    1000,
    listOf(shape({ from: isTime, key: isHex(32), name: isLabel(200), roles: isRoles, until: orNull(isTime) }))
  ),
  threshold: oneOf(trustThreshold),
  timestamps: atMost(20, listOf(isPem)),
  verifiers: atMost(200, listOf(shape({ sha256: isHex(32), version: isLabel(50) }))),
  version: isPositive
})
const risesBy = (list, of) => list.every((each, index) => index === 0 || of(list[index - 1]) < of(each))
const itself = (value) => value
const keyOfEntry = ({ key }) => key

const parsedTrust = (text) => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
/** Whether a file claims to be a trust file. */
export const isTrustText = (text) => text.startsWith('{"format":"veridesk-trust",')

/** Refuses a version that is wrong by itself. @param held Fingerprints of its keepers. */
function mustBeRight(read, held, what) {
  const { expires, issued, keepers, revocations, signers } = read
  must(expires > issued && expires - issued <= longestTrust, `${what} ends before it begins, or after 400 days.`)
  must(
    risesBy(keepers, itself) && !keepers.some(isSmallOrder),
    `${what} names a keeper twice, or a key that proves nothing.`
  )
  must(
    risesBy(signers, keyOfEntry) &&
      risesBy(revocations, keyOfEntry) &&
      signers.every(({ from, until }) => until === null || until > from) &&
      revocations.every(({ since, recorded }) => since <= recorded && recorded <= issued),
    `${what} has entries out of order or twice, or with a time that cannot be.`
  )
  must(!revocations.some(({ key }) => held.includes(key)), `${what} revokes the key of one of its keepers.`)
}

/** Refuses a version that not enough keepers signed. @param held, before Fingerprint and key of its keepers, and of those before. */
async function mustBeSignedBy(envelope, held, before, what) {
  const { signatures } = envelope
  must(
    risesBy(signatures, ({ keyid }) => keyid),
    `${what} has signatures out of order or twice.`
  )
  for (const one of signatures) {
    const key = held.get(one.keyid) ?? before.get(one.keyid)
    must(key !== undefined, `${what} was signed with a key that is not that of a keeper.`)
    const { signed, signature } = openEnvelope({ ...envelope, signatures: [one] })
    must(await ed25519Holds(key, signed, signature), `A signature of ${what.toLowerCase()} is not valid.`)
  }
  for (const keys of [held, before])
    must(
      signatures.filter(({ keyid }) => keys.has(keyid)).length >= trustThreshold,
      `${what} lacks signatures of keepers.`
    )
}

/**
 * Reads a trust file, of which every version must count; throws a `Refusal` if it does not.
 *
 * @returns {Promise<object>} The members of the last version, with `origin`, the digest of the first keepers, and
 *   `held`, the fingerprints of its keepers.
 */
export async function readTrustFile(text) {
  must(text.length <= maxTrustCharacters, 'It is too large.')
  const file = parsedTrust(text)
  must(
    isTrustFile(file) === undefined && `${canonical(file)}\n` === text,
    'It is not a trust file, or not in the required form.'
  )
  let [before, digest, speaking, origin] = [undefined, null, undefined, undefined]
  for (const [index, envelope] of file.versions.entries()) {
    const what = `Version ${index + 1}`
    const { content } = openEnvelope(envelope)
    const payload = fromUtf8(content)
    const read = payload === undefined ? undefined : parsedTrust(payload)
    must(isTrustVersion(read) === undefined && canonical(read) === payload, `${what} is not in the required form.`)
    must(
      read.version === index + 1 && read.previous === digest && (!speaking || speaking.issued < read.issued),
      `${what} does not follow the version before it.`
    )
    const held = new Map()
    for (const key of read.keepers) held.set(await fingerprint(key), key)
    mustBeRight(read, [...held.keys()], what)
    await mustBeSignedBy(envelope, held, before ?? held, what)
    origin ??= await sha256Hex(canonical(read.keepers))
    digest = toHex(await sha256(content))
    before = held
    speaking = { ...read, held: [...held.keys()] }
  }
  return { ...speaking, origin }
}

/** The same as an answer: `trust`, or `why` there is none. */
export async function trustFrom(texts) {
  if (texts.length === 0) return {}
  if (texts.length > 1) return { why: 'More than one trust file was given.' }
  try {
    return { trust: await readTrustFile(texts[0]) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { why: `The trust file does not count. ${error.message}` }
  }
}

/**
 * Whether a trust file speaks for the key of a pack. Whoever has a key can date a pack back, so only a time-stamp shows
 * that one was made before the file expired or the period of its signer ended.
 *
 * @param signedBy Fingerprint of the pack's key.
 * @param vouched Whether an authority vouches for a key that is not listed.
 * @param times `madeAt`, `stamped` (the latest moment of each valid time-stamp), and `now`.
 * @returns `known`; `name` of a signer who is listed; `why` it is not known: `expired`, `unlisted`, `role` or `period`;
 *   `past`: the file has expired since.
 */
export function trustStanding({ expires, signers }, signedBy, vouched, { madeAt, stamped, now }) {
  const latest = stamped.length > 0 ? Math.min(...stamped) : now
  if (latest >= expires) return { known: false, why: 'expired', past: true }
  const past = now >= expires
  const entry = signers.find(({ key }) => key === signedBy)
  if (!entry) return vouched ? { known: true, past } : { known: false, why: 'unlisted', past }
  const { name, roles, from, until } = entry
  if (!roles.includes('pack')) return { known: false, why: 'role', name, past }
  const inPeriod = Math.min(madeAt, ...stamped) >= from && (until === null || latest < until)
  return inPeriod ? { known: true, name, past } : { known: false, why: 'period', name, past }
}

/** The name of whoever may approve with a key at a time; undefined if nobody may. */
export function approverBy({ signers, revocations }, key, at) {
  if (revocations.some((each) => each.key === key && at >= each.since)) return undefined
  return signers.find(
    (each) =>
      each.key === key && each.roles.includes('approver') && at >= each.from && (each.until === null || at < each.until)
  )?.name
}
