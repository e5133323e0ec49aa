/** Labels for evidence packs. */
import { redactionProfiles, type CountersignedCase, type EvidenceAbout, type EvidenceFinding, type RedactionProfile } from '#contract/evidence.ts'

export const findingLabels: Readonly<Record<EvidenceFinding['what'], string>> = {
  format: 'Format',
  signature: 'Signature',
  signer: 'Signer',
  events: 'Events',
  inclusion: 'Inclusion in the audit trail',
  payloads: 'Data commitments',
  fields: 'Field commitments',
  countersignatures: 'Countersignatures',
  countersigners: 'Countersigners',
  beside: 'Comparison with the other pack'
}

/** Why a countersignature is not a four-eyes approval. */
export const personLabels: Readonly<Record<Exclude<CountersignedCase['state'], 'valid' | 'void'>, string>> = {
  'same-person': 'not a four-eyes approval: same name as the author of the pack or of the decision',
  'unknown-person': 'not a four-eyes approval: a name is missing'
}

/** “record 0192…”, “applicant APP-1”. */
export const aboutWords = ({ kind, id }: EvidenceAbout): string => `${kind} ${id}`

/** The label of a pack's disclosure profile. */
export const profileLabel = (profile: RedactionProfile): string => redactionProfiles.find(({ id }) => id === profile)?.label ?? profile

/** A key's fingerprint in groups of four, for comparison. */
export const inGroups = (fingerprint: string): string => fingerprint.replace(/(.{4})(?=.)/g, '$1 ')

const mostNamed = 20
/** Sealed parts that a pack does not give, the first of them by name. */
export const erasedWords = (parts: readonly string[]): string =>
  `${parts.slice(0, mostNamed).join(', ')}${parts.length > mostNamed ? `, and ${parts.length - mostNamed} more` : ''}`
