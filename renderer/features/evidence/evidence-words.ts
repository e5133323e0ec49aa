/** Labels for evidence packs. */
import type { RevocationReason } from '#contract/evidence/keys.ts'
import {
  readFingerprint,
  redactionProfiles,
  standingOf,
  type CountersignedCase,
  type Countersignature,
  type EvidenceAbout,
  type EvidenceFinding,
  type RedactionProfile
} from '#contract/evidence/evidence.ts'

export const findingLabels: Readonly<Record<EvidenceFinding['what'], string>> = {
  'format': 'Format',
  'signature': 'Signature',
  'signer': 'Signer',
  'events': 'Events',
  'inclusion': 'Inclusion in the audit trail',
  'payloads': 'Sealed data and responses',
  'fields': 'Withheld values',
  'completeness': 'Completeness',
  'about': 'Subject',
  'countersignatures': 'Countersignatures',
  'countersigners': 'Countersigners',
  'attachments': 'Accompanying files',
  'beside': 'Comparison with the other pack',
  'time-stamps': 'Time-stamps',
  'certificates': 'Certificates',
  'revocations': 'Revocations'
}

/** Why a key was revoked. */
export const revocationLabels: Readonly<Record<RevocationReason, string>> = {
  left: 'its owner has left',
  lost: 'it was lost',
  replaced: 'it was replaced'
}

/** Why a countersignature is not a four-eyes approval. */
export const personLabels: Readonly<Record<Exclude<CountersignedCase['state'], 'valid' | 'void'>, string>> = {
  'same-person': 'not a four-eyes approval: same name as the author of the pack or of the decision',
  'unknown-person': 'not a four-eyes approval: a name is missing'
}

/** “record 0192…”, “applicant APP-1”. */
export const aboutWords = ({ kind, id }: EvidenceAbout): string => `${kind} ${id}`

/** The label of a pack's disclosure profile. */
export const profileLabel = (profile: RedactionProfile): string =>
  redactionProfiles.find(({ id }) => id === profile)?.label ?? profile

/** A key's fingerprint in groups of four, for comparison. */
export const inGroups = (fingerprint: string): string => fingerprint.replace(/(.{4})(?=.)/g, '$1 ')

const mostNamed = 20
/** Sealed parts that a pack does not give, the first of them by name. */
export const erasedWords = (parts: readonly string[]): string =>
  `${parts.slice(0, mostNamed).join(', ')}${parts.length > mostNamed ? `, and ${parts.length - mostNamed} more` : ''}`

/** Of the countersigners whose fingerprints a person typed, one on each line: a sentence for each that does not agree. */
export function missingCountersigners(typed: string, held: readonly Countersignature[]): string[] {
  const lines = typed.split('\n').filter((line) => line.trim() !== '')
  const sentences = lines.map((line) => {
    const key = readFingerprint(line)
    if (key === undefined) return `Not a fingerprint, which has 64 characters, 0 to 9 and a to f: ${line.trim()}`
    const standing = standingOf(key, held)
    return standing === 'agrees' ? undefined : `The key ${inGroups(key)} ${standing}.`
  })
  return [...new Set(sentences.filter((each) => each !== undefined))]
}
