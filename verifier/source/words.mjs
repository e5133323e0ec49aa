/** The result of a verification in sentences, which state no more than what was verified. */
import { harmless } from './bytes.mjs'
import { partsOf } from './events.mjs'
import { revocationCounts } from './revocation.mjs'
import { approverBy } from './trust-file.mjs'

const counted = (number, one, many = `${one}s`) => `${number} ${number === 1 ? one : many}`
const inTime = (at) => new Date(at).toISOString()
const listed = (parts, most = 50) =>
  `${parts.slice(0, most).join(', ')}${parts.length > most ? `, and ${parts.length - most} more` : ''}`

/** What of a verified pack was not looked at; empty if nothing is left. */
function uncheckedOf({ stamps, attachments }) {
  const dates = stamps.filter(({ checked }) => !checked).length
  const files = attachments.filter(({ compared }) => !compared).length
  const parts = [
    ...(dates > 0 ? [counted(dates, 'time-stamp')] : []),
    ...(files > 0 ? [counted(files, 'file that belongs to it', 'files that belong to it')] : [])
  ]
  return parts.length > 0 ? `; NOT CHECKED: ${parts.join(', ')}` : ''
}

/** Of a pack that is older than the revocation of its key. */
const sinceRevoked = ({ revokedSince }) =>
  revokedSince
    ? ` Its key has been revoked since: it is not valid from ${inTime(revokedSince.since)} (${revokedSince.reason}), as the revocation says.`
    : ''

/** The first sentence: how far the pack is verified, and which of the given files do not belong to it. */
function standingOf(result) {
  if (result.status !== 'other-file') return standingAlone(result)
  const files = result.foreign.map((name) => harmless(name)).join(', ')
  return standingAlone({ ...result, status: result.standing }).replace(
    /^([^.]+)\./,
    (_, words) => `PACK ${words}; NOT BELONGING TO IT: ${files}.`
  )
}
/** What second persons said of a decision that needs one. */
const approvalWords = ({ required, agreeing, against, withheld }) =>
  withheld
    ? 'it needs a second person, and what that person said is withheld.'
    : `it needs ${counted(required, 'second person', 'second persons')} who ${required === 1 ? 'agrees' : 'agree'}, and ${agreeing} ${agreeing === 1 ? 'does' : 'do'}${against > 0 ? `; ${against} ${against === 1 ? 'does' : 'do'} NOT` : ''}.`
/** How far the pack is verified. */
function standingAlone(result) {
  const { status, why, compared, approval } = result
  if (status === 'refused') return `REFUSED. ${why}`
  if (status === 'not-verified') return `NOT VERIFIED. ${why}`
  if (status === 'verified')
    return `VERIFIED${uncheckedOf(result)}. The pack was signed with ${signerWords(result)} and has not changed since.`
  if (status === 'approval-missing')
    return (
      `INTACT, APPROVAL MISSING. The pack has not changed since it was signed, but its decision is only proposed: ${approvalWords(approval)}` +
      `${compared ? '' : ' The key of its signer was not compared.'}`
    )
  return (
    'INTACT, SIGNER UNKNOWN. The pack has not changed since it was signed, but ' +
    (result.company
      ? companyWhy(result)
      : 'its key was not compared. Obtain the signer’s fingerprint through another channel and enter it here.')
  )
}
/** Whose key signed a pack that is verified. */
function signerWords({ certificates, company, trust }) {
  if (company)
    return `the key of ${company.name ?? 'somebody for whom an authority vouches'}, for which version ${trust.version} of the trust file of ${trust.organisation} speaks,`
  return certificates?.compared ? 'a key that the authority you named vouches for' : 'the key that you named'
}
/** Why the trust file does not speak for a key. */
function companyWhy({ company: { why, name }, trust: { version, organisation, expires } }) {
  const file = `version ${version} of the trust file of ${organisation}`
  const reasons = {
    expired: `${file} expired at ${inTime(expires)}, and no time-stamp shows that the pack is older.`,
    unlisted: `${file} does not name its key.`,
    role: `by ${file} its key belongs to ${name}, who does not sign packs.`,
    period: `by ${file} its key belongs to ${name}, and nothing shows that the pack was made while that person signed packs.`
  }
  return harmless(reasons[why])
}

/** The result in a sentence. */
export const verdict = (result) => harmless(`${standingOf(result)}${sinceRevoked(result)}`)

/** The signature fits; whose key it is, and whether they may approve, is not in the pack. */
const approvalLine = ({ seq, agrees, at, by, isVoid, key }) =>
  key === undefined
    ? `Answer to a request for approval, NOT PROVED, because its signature is withheld: ${agrees ? 'agrees' : 'DOES NOT AGREE'}, according to event ${seq}`
    : `Answer to a request for approval, ${isVoid ? 'VOID, because it arrived after newer evidence: it counts for nothing, ' : ''}signed, key not compared: ${agrees ? 'agrees' : 'DOES NOT AGREE'}, ${inTime(at)}, key ${key}, name given: ${by}`

const otherWords = {
  other: 'is from another key or another audit trail: the two cannot be compared',
  same: 'is from the same state of the same audit trail, and nothing in it contradicts this one',
  continued: 'is from the same audit trail: the larger one provably continues the smaller one, and nothing contradicts',
  open: 'does not contradict this one, but whether one audit trail continues the other cannot be determined from the two'
}
/** Why a time-stamp was not checked. */
const uncheckedWords = (why) =>
  why ? `because the authority that you named does not vouch for it. ${why}` : 'because you named no authority for it'
/** What a time-stamp in an export of the audit trail shows. */
function datedLine({ checked, isFiltered, why, size, time, latest, authority, existed, of }) {
  const events = `Time-stamp in the export, of events 1 to ${size}`
  if (isFiltered) return `${events}: not checked, because the export does not contain all events`
  if (!checked) return `${events}: not checked, ${uncheckedWords(why)}`
  return (
    `${events}: they existed at ${inTime(time)} (at the latest ${inTime(latest)}), according to ${authority}, ` +
    `which the authority that you named vouches for; ${existed} of the ${counted(of, 'event')} of this pack are among them`
  )
}
const comparisonLines = ({ others }) =>
  others.flatMap(({ trails, size, isExport, stamps = [] }) => [
    `${isExport ? 'The export of the audit trail' : 'The other pack'}, of ${counted(size, 'event')}, ${otherWords[trails]}`,
    ...stamps.map(datedLine)
  ])

const revocationLines = ({ revocations, trusted }) =>
  revocations.map(
    (revocation) =>
      `Revocation: key ${revocation.key} is not valid from ${inTime(revocation.since)} (${revocation.reason}${revocation.note === '' ? '' : `: ${revocation.note}`}), signed by ${revocation.revokedBy === revocation.key ? 'that key itself' : `key ${revocation.revokedBy}`}${revocationCounts(revocation, trusted) ? '' : ': it does not count, because you do not trust that key'}`
  )

/** What the trust file says, of the pack and of whoever answered requests for approval. */
function trustFileLines({ trust, company, approvals }) {
  if (!trust) return []
  const { version, organisation, issued, expires, origin } = trust
  return [
    `Trust file: version ${version} of ${organisation}, issued ${inTime(issued)}, ${company.past ? 'EXPIRED' : 'valid until'} ${inTime(expires)}`,
    `Digest of its first keepers, to compare: ${origin}`,
    company.known
      ? `The key that signed: ${company.name ?? 'vouched for by an authority'}, by the trust file`
      : `The key that signed: NOT KNOWN, because ${companyWhy({ trust, company })}`,
    ...approvals
      .filter(({ key, isVoid }) => key !== undefined && !isVoid)
      .map(({ seq, key, at }) => {
        const name = approverBy(trust, key, at)
        return name === undefined
          ? `The answer in event ${seq} was signed with a key whose owner may NOT approve by the trust file, or not at that time`
          : `The answer in event ${seq} was signed by ${name}, who may approve by the trust file`
      })
  ]
}

const erasedWords = (erased) =>
  erased.length === 0
    ? ''
    : `; ${counted(erased.length, 'sealed part')} missing, as after an erasure: ${listed(erased)}`
const unnamedWords = (named) => (named ? '' : ' (according to the signer: no event shown names it)')
const fileLines = ({ sha256, signedBy, attachments }) => [
  `This file: SHA-256 ${sha256}${attachments.length > 0 ? '' : '; a PDF saved with it is for reading only and was not verified'}`,
  `Signed by key: ${signedBy}`
]

/** Events of which nothing but time and kind is shown, by kind. */
function hiddenKinds(events) {
  const kinds = new Map()
  for (const event of events) {
    const parts = partsOf(event)
    if (parts.every(({ shown }) => shown.length === 0) && parts.some(({ withheld }) => withheld.length > 0))
      kinds.set(event.kind, (kinds.get(event.kind) ?? 0) + 1)
  }
  return [...kinds].map(([kind, count]) => `${count} ${kind}`)
}

/** Time-stamps and certificates: what was checked of them, and against what. */
function trustLines({ stamps, certificates }) {
  return [
    ...stamps.map(({ checked, why, time, latest, authority }) =>
      checked
        ? `Time-stamp: the pack existed at ${inTime(time)} (at the latest ${inTime(latest)}), according to ${authority}, ` +
          `which the authority that you named vouches for`
        : `Time-stamp: not checked, ${uncheckedWords(why)}`
    ),
    ...(stamps.length === 0 ? ['Time-stamps: none. Times are those of the signer’s computer'] : []),
    ...(certificates
      ? [
          `Certificates of the signer, ${certificates.compared ? 'leading to the authority that you named' : certificates.isElsewhere ? 'NOT leading to an authority of the trust file' : 'NOT checked, because you named no authority'}: ${certificates.names.join('; ')}`
        ]
      : [])
  ]
}

function attachmentWords({ compared, inZip, isIt }) {
  if (isIt) return 'is the file in the ZIP file'
  if (inZip) return 'DIFFERS in the ZIP file'
  if (compared) return 'is the file that you gave'
  return inZip === undefined ? 'not compared' : 'is MISSING from the ZIP file'
}

function contentLines(result) {
  const {
    pack: {
      content: { about, bodies, consistency, events, origin, profile, root, size }
    },
    withheld,
    named,
    erased,
    made,
    series,
    approval,
    approvals
  } = result
  const hidden = hiddenKinds(events)
  const operator = made.plain.shown.find(([, name]) => name === 'operator')?.[2]
  return [
    `About: ${about.kind} ${about.id ?? '(withheld)'}${unnamedWords(named)}`,
    `Made: ${inTime(made.at)} by ${operator ?? '(withheld)'}, Veridesk ${result.pack.content.console}, according to the signer`,
    `Disclosure: ${profile}; ${counted(withheld, 'value')} withheld${withheld > 0 ? ', each proved to be part of its event' : ''}${erasedWords(erased)}`,
    ...(hidden.length === 0 ? [] : [`Events of which all values are withheld: ${hidden.join(', ')}`]),
    `Records: ${events.filter(({ kind }) => kind === 'record.begun').length}; responses: ${bodies.length}; events shown: ` +
      `${events.length}, of an audit trail of exactly ${size}, which ends with this pack`,
    ...series
      .slice(0, 50)
      .map(
        ([kind, id, count, last]) =>
          `Complete: ${count === 1 ? 'the only event' : `all ${count} events`} of ${kind === 'subject' ? 'person' : kind} ${id}, up to event ${last}`
      ),
    ...(series.length > 50 ? [`Complete: all events of ${series.length - 50} more records`] : []),
    consistency === null
      ? 'Earlier pack: none is named'
      : `Earlier pack: the audit trail provably continues that of the pack before, which ended with event ${consistency.size} (root ${consistency.root})`,
    `Audit trail: veridesk/${origin.leaf.slice(0, 32)}, root ${root}`,
    ...trustLines(result),
    ...result.attachments.map(
      (each, index) =>
        `Attachment ${index + 1}: ${each.name}, ${each.bytes} bytes, SHA-256 ${each.sha256}, ${attachmentWords(each)}`
    ),
    ...result.leftOut.map(
      ({ event, field }) => `A copy of the document of ${field} was kept (event ${event}) and is not in the ZIP file`
    ),
    ...fileLines(result),
    ...approvals.map(approvalLine),
    ...(approval ? [`The decision: ${approvalWords(approval)}`] : [])
  ]
}

/** The content of a verified pack, in lines. */
export const summary = (result) =>
  [...contentLines(result), ...trustFileLines(result), ...revocationLines(result), ...comparisonLines(result)].map(
    harmless
  )
