/** Verifies a pack, and everything that the reader gives with it. */
import { requiredApproval } from './approvals.mjs'
import { compareExport, readExport } from './audit-export.mjs'
import { fromBase64, fromUtf8, harmless, sha256, sha256Hex, toHex, utf8 } from './bytes.mjs'
import { must, Refusal } from './canonical.mjs'
import { readCertificates, verifyChain } from './certificates.mjs'
import { compareTrails } from './compare.mjs'
import { plainValue, sealedValue } from './events.mjs'
import { verifyStructure } from './pack.mjs'
import { readRevocation, revocationCounts, revokedFor } from './revocation.mjs'
import { isHex } from './shape.mjs'
import { verifyTimestamp } from './timestamps.mjs'
import { isTrustText, trustFrom, trustStanding } from './trust-file.mjs'
import { isZip, openZip } from './zip.mjs'

/** Parses a fingerprint, ignoring white space, colons and case. Undefined if it is invalid. */
const readFingerprint = (words) => {
  const digits = words.replace(/[\s:]/g, '').toLowerCase()
  return isHex(32)(digits) === undefined ? digits : undefined
}
const noFingerprint = 'A fingerprint has 64 hexadecimal digits, and one of those given has not.'

/** The time of the earliest valid time-stamp of a revocation; undefined without one. */
async function provenTime({ timestamps, referred }, authorities) {
  const stamps = []
  for (const token of timestamps) stamps.push(await verifyTimestamp(token, referred, authorities))
  const times = stamps.filter(({ valid }) => valid).map(({ time }) => time)
  return times.length === 0 ? undefined : Math.min(...times)
}

/** What the reader gives with a pack; `why` if that is invalid. */
async function readRequest(expectedKey, asked = {}) {
  const {
    trusted = [],
    timestampAuthorities = [],
    authorities = [],
    revocations = [],
    attachments = [],
    inside,
    others: beside = [],
    trust: company = beside.filter(isTrustText),
    now = Date.now()
  } = asked
  const others = beside.filter((text) => !isTrustText(text))
  const expected = expectedKey === undefined ? undefined : readFingerprint(expectedKey)
  const relied = [...new Set(trusted.map(readFingerprint))]
  if ((expectedKey !== undefined && expected === undefined) || relied.includes(undefined)) return { why: noFingerprint }
  if ([...timestampAuthorities, ...authorities].some((bytes) => readCertificates(bytes).length === 0))
    return { why: 'A file of certificates contains none.' }
  const { trust, why } = await trustFrom(company)
  if (why) return { why: harmless(why) }
  const ofCompany = (name) => (trust?.[name] ?? []).flatMap((pem) => readCertificates(utf8.encode(pem)))
  const roots = {
    stamps: [...timestampAuthorities.flatMap(readCertificates), ...ofCompany('timestamps')],
    signers: authorities.flatMap(readCertificates),
    company: ofCompany('ca')
  }
  const read = []
  for (const text of revocations) {
    const revocation = await readRevocation(text)
    if (!revocation.valid) return { why: harmless(revocation.why) }
    read.push({ ...revocation, proven: await provenTime(revocation, roots.stamps) })
  }
  return {
    expected,
    trusted: [...relied, ...(trust?.held ?? [])],
    roots,
    revocations: read,
    attachments,
    inside,
    others,
    trust,
    now
  }
}

/**
 * Each time-stamp, checked if the reader gave authorities: one that is not valid is then refused, and one of another
 * authority counts as not checked, with the reason.
 */
async function checkTimestamps({ pack: { timestamps }, referred }, { stamps }) {
  if (stamps.length === 0) return timestamps.map(() => ({ checked: false }))
  const found = []
  for (const token of timestamps) {
    const stamp = await verifyTimestamp(token, referred, stamps)
    must(stamp.valid || stamp.isOfAnother, `A time-stamp is not valid. ${stamp.why}`)
    found.push({ ...stamp, checked: stamp.valid })
  }
  return found
}

/** The certificates of the signer: of its key, and from an authority if the reader gave one. */
async function checkCertificates({ pack, key, madeAt }, { signers, company = [] }, stamps) {
  const certificates = pack.content.signer.certificates.map(fromBase64)
  if (certificates.length === 0) {
    must(signers.length === 0, 'It has no certificate of its signer, so nothing leads to the authority that you named.')
    return undefined
  }
  const at = stamps.length === 0 ? madeAt : Math.min(...stamps.map(({ time }) => time))
  const chain = await verifyChain(certificates, [...signers, ...company], at, key)
  must(chain.matches, `The certificate of its signer is that of another key. ${chain.why}`)
  must(
    signers.length === 0 || chain.valid,
    `The certificates of its signer do not lead to the authority that you named. ${chain.why}`
  )
  const named = signers.length + company.length > 0
  return { ...chain, compared: named && chain.valid, isElsewhere: named && !chain.valid }
}

/** What the events of a pack say of copies of documents. */
const keptCopies = (events) =>
  events
    .filter(({ kind }) => kind === 'document.kept')
    .map((event) => ({
      event: event.seq,
      field: String(plainValue(event, 'field')),
      sha256: sealedValue(event, 'sha256')
    }))

/** The pack's attachments, each compared or not, and the names of given files that are none of them. */
async function checkAttachments(
  {
    pack: {
      content: { attachments }
    }
  },
  given
) {
  const held = new Set()
  const foreign = []
  for (const { name, bytes } of given) {
    const digest = toHex(await sha256(bytes))
    const found = attachments.find((each) => each.bytes === bytes.length && each.sha256 === digest)
    if (found) held.add(found.name)
    else foreign.push(name)
  }
  return { attachments: attachments.map((each) => ({ ...each, compared: held.has(each.name) })), foreign }
}

/**
 * The same with the files in the ZIP file of the pack: each attachment has the place that it is named by, a document is one that an
 * event says was kept, and copies that were kept and are not in it are named. @param inside Name, size and digest of each.
 */
function withInside({ attachments, foreign }, { content: { events } }, inside) {
  if (!inside) return { attachments, foreign, leftOut: [] }
  const kept = keptCopies(events)
  const isProved = ({ name, sha256 }) => !name.startsWith('documents/') || kept.some((each) => each.sha256 === sha256)
  const placed = attachments.map((each) => {
    const found = inside.find(({ name }) => name === each.name)
    const isIt = found !== undefined && found.size === each.bytes && found.digest === each.sha256 && isProved(each)
    return { ...each, compared: each.compared || isIt, inZip: found !== undefined, isIt }
  })
  const right = new Set(placed.filter(({ isIt }) => isIt).map(({ name }) => name))
  return {
    attachments: placed,
    foreign: [...inside.map(({ name }) => name).filter((name) => !right.has(name)), ...foreign],
    leftOut: kept.filter((each) => attachments.every(({ sha256 }) => sha256 !== each.sha256))
  }
}

/** Compares a pack with others, each of which must be verified by itself, and with exports of the audit trail. */
async function checkOthers(mine, texts, authorities) {
  const found = []
  for (const text of texts) {
    const exported = readExport(text)
    if (exported) {
      found.push(await compareExport(mine, exported, authorities))
      continue
    }
    let other
    try {
      other = await verifyStructure(text)
      await checkCertificates(other, { signers: [] }, [])
    } catch (error) {
      if (error instanceof Refusal) throw new Refusal(`The other pack is refused: ${error.message}`, { cause: error })
      throw error
    }
    found.push({ trails: await compareTrails(mine, other), size: other.trail.size })
  }
  return found
}

/** What the trust file says of the revocation of a key, and the revocation because of which a pack is refused. */
function revocationOf({ revocations, trusted, trust }, signedBy, stamped) {
  const byCompany = trust?.revocations.find((each) => each.key === signedBy)
  const refuses = byCompany !== undefined && !stamped.some((latest) => latest < byCompany.since)
  return { byCompany, revoked: refuses ? byCompany : revokedFor(revocations, signedBy, trusted, stamped) }
}

/** How far the pack is verified: the first that applies. */
function statusOf(compared, approval) {
  if (approval && !approval.withheld && (approval.agreeing < approval.required || approval.against > 0))
    return 'approval-missing'
  return compared ? 'verified' : 'intact'
}

/**
 * Verifies the text of a pack. Returns `{ status, verified, why }`, and unless it is refused its content for `verdict`
 * and `summary`; throws only if this program's own requirements are not met. `status` is `verified`, `intact` (its key was
 * not compared), `approval-missing`, `other-file` (a file that was given does not belong to it; `standing` is what it is
 * without that file) or `refused`; `verified` is false for the last three.
 *
 * @param {string} text
 * @param {string} [expectedKey] Fingerprint of the key that must have signed it; spaces and colons are ignored.
 * @param {{ trusted?: string[], timestampAuthorities?: Uint8Array[], authorities?: Uint8Array[], revocations?: string[],
 *   attachments?: { name: string, bytes: Uint8Array }[], inside?: { name: string, size: number, digest: string }[],
 *   others?: string[], trust?: string[], now?: number }} [asked] Fingerprints of keys that may revoke
 *   others; files of certificates (PEM or DER); revocations, attachments, what else is in the ZIP file of the pack, and other packs
 *   or exports of the audit trail to compare; the trust file of the company, which may be among `others`, and the time at
 *   which it is read.
 */
export async function verifyPack(text, expectedKey, asked) {
  try {
    const request = await readRequest(expectedKey, asked)
    if (request.why) return { status: 'not-verified', verified: false, why: request.why, asked: false }
    const { expected, trusted, roots, revocations, trust, now } = request
    const found = await verifyStructure(text)
    const { pack, signedBy } = found
    must(expected === undefined || expected === signedBy, `It was signed by another key (${signedBy}).`)
    const stamps = await checkTimestamps(found, roots)
    const valid = stamps.filter(({ checked }) => checked)
    const certificates = await checkCertificates(found, roots, valid)
    const stamped = valid.map(({ latest }) => latest)
    const { byCompany, revoked } = revocationOf(request, signedBy, stamped)
    must(
      !revoked,
      `Its key was revoked: it is not valid from ${new Date(revoked?.since ?? 0).toISOString()} (${revoked?.reason}), and no time-stamp shows that the pack is older than the revocation.`
    )
    const vouched = certificates?.compared === true
    const company = trust && trustStanding(trust, signedBy, vouched, { madeAt: found.madeAt, stamped, now })
    // With a trust file, it alone says whose key counts.
    const compared = company ? company.known : expected !== undefined || vouched
    const compare = await checkAttachments(found, request.attachments)
    const { attachments, foreign, leftOut } = withInside(compare, pack, request.inside)
    const approval = requiredApproval(pack.content, { answers: found.approvals, signedBy })
    const standing = statusOf(compared, approval)
    const status = foreign.length > 0 ? 'other-file' : standing
    return {
      ...found,
      compared,
      approval,
      status,
      standing,
      verified: status === 'verified' || status === 'intact',
      stamps,
      certificates,
      revokedSince: byCompany ?? revocations.find((each) => each.key === signedBy && revocationCounts(each, trusted)),
      trust,
      company,
      revocations,
      trusted,
      attachments,
      foreign,
      leftOut,
      others: await checkOthers(found, request.others, roots.stamps),
      sha256: await sha256Hex(text)
    }
  } catch (error) {
    if (error instanceof Refusal)
      return { status: 'refused', verified: false, why: error.message.replace(/^./, (first) => first.toUpperCase()) }
    // Firefox has its own name for it.
    if (error instanceof RangeError || error?.name === 'InternalError')
      return { status: 'refused', verified: false, why: 'It is nested too deeply.' }
    throw error
  }
}

/** Verifies a file: a pack, or the ZIP file of a pack with its documents. @param source As `openZip` reads it. */
export async function verifyFile(source, expectedKey, asked) {
  try {
    if (!isZip(await source.read(0, 2))) {
      const text = fromUtf8(await source.read(0, source.size))
      return text === undefined
        ? { status: 'refused', verified: false, why: 'It is not text.' }
        : await verifyPack(text, expectedKey, asked)
    }
    const { text, inside } = await openZip(source)
    if (text === undefined) return { status: 'refused', verified: false, why: 'Its pack is not text.' }
    return await verifyPack(text, expectedKey, { ...asked, inside })
  } catch (error) {
    if (error instanceof Refusal) return { status: 'refused', verified: false, why: error.message }
    throw error
  }
}
