/** Evidence packs in words. */
import { redactionProfiles, type CountersignedCase, type EvidenceAbout, type EvidenceFinding, type RedactionProfile } from '#contract/evidence.ts'

export const findingLabels: Readonly<Record<EvidenceFinding['what'], string>> = {
  format: 'Form',
  signature: 'Signature',
  signer: 'Signer',
  events: 'Events',
  inclusion: 'Place in the chain',
  payloads: 'Data against its commitments',
  fields: 'Fields against their commitments',
  countersignatures: 'Countersignatures',
  beside: 'Beside the other pack'
}

/** Why a countersignature is no four-eyes approval. */
export const personLabels: Readonly<Record<Exclude<CountersignedCase['state'], 'valid' | 'void'>, string>> = {
  'same-person': 'not a second person: the name is that of its maker or of its decision’s author',
  'unknown-person': 'no second person: a name is missing'
}

/** “record 0192…”, “applicant APP-1”. */
export const aboutWords = ({ kind, id }: EvidenceAbout): string => `${kind} ${id}`

/** What a pack discloses, as it was chosen. */
export const profileLabel = (profile: RedactionProfile): string => redactionProfiles.find(({ id }) => id === profile)?.label ?? profile

/** A key's fingerprint in groups of four, as people compare it. */
export const inGroups = (fingerprint: string): string => fingerprint.replace(/(.{4})(?=.)/g, '$1 ')
