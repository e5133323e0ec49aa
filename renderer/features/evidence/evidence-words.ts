/** Labels for evidence packs. */
import type { RevocationReason } from '#contract/evidence/keys.ts'
import {
  readFingerprint,
  redactionProfiles,
  standingOf,
  type Countersignature,
  type EvidenceFinding,
  type RedactionProfile,
  type SecondPerson
} from '#contract/evidence/evidence.ts'
import { words } from './words.ts'

export const findingLabels: Readonly<Record<EvidenceFinding['what'], string>> = {
  'format': 'Format',
  'signature': words.signature,
  'signer': words.signer,
  'events': words.eventsLabel,
  'inclusion': words.inclusionInTheAuditTrail,
  'payloads': words.sealedDataAndResponses,
  'fields': words.withheldValues,
  'completeness': words.completeness,
  'about': 'Subject',
  'countersignatures': words.countersignatures,
  'countersigners': words.countersigners,
  'attachments': words.accompanyingFiles,
  'beside': words.comparisonWithTheOtherPack,
  'time-stamps': words.timeStamps,
  'certificates': words.certificates,
  'revocations': words.revocations
}

/** Why a key was revoked. */
export const revocationLabels: Readonly<Record<RevocationReason, string>> = {
  left: words.itsOwnerHasLeft,
  lost: words.itWasLost,
  replaced: words.itWasReplaced
}

/** Why a countersignature is not a four-eyes approval. */
export const personLabels: Readonly<Record<Exclude<SecondPerson, 'yes'>, string>> = {
  no: words.notAFourEyesApproval,
  unknown: words.notAFourEyesApprovalA
}

/** The label of a pack's disclosure profile. */
export const profileLabel = (profile: RedactionProfile): string =>
  redactionProfiles.find(({ id }) => id === profile)?.label ?? profile

/** A key's fingerprint in groups of four, for comparison. */
export const inGroups = (fingerprint: string): string => fingerprint.replace(/(.{4})(?=.)/g, '$1 ')

const mostNamed = 20
/** Sealed parts that a pack does not give, the first of them by name. */
export function erasedWords(parts: readonly string[]): string {
  const named = parts.slice(0, mostNamed).join(', ')
  return parts.length > mostNamed ? words.andMore({ named, more: parts.length - mostNamed }) : named
}

/** Of the countersigners whose fingerprints a person typed, one on each line: a sentence for each that does not agree. */
export function missingCountersigners(typed: string, held: readonly Countersignature[]): string[] {
  const lines = typed.split('\n').filter((line) => line.trim() !== '')
  const sentences = lines.map((line) => {
    const key = readFingerprint(line)
    if (key === undefined) return words.notAFingerprintWhichHas({ line: line.trim() })
    const standing = standingOf(key, held)
    if (standing === 'agrees') return undefined
    return (standing === 'does not agree' ? words.theKeyDoesNotAgree : words.theKeyDidNotCountersign)({
      key: inGroups(key)
    })
  })
  return [...new Set(sentences.filter((each) => each !== undefined))]
}
