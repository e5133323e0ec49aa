/**
 * Evidence packs and four-eyes cases as windows see them. The file itself: docs/evidence-format.md.
 * All times are Unix milliseconds.
 */
import { z } from 'zod'
import type { Failure } from './failures.ts'
import { maxApplicantIdLength } from './verification.ts'

/** What a pack is about. */
export const evidenceAboutSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('record'), id: z.uuid() }),
  z.strictObject({ kind: z.literal('batch'), id: z.uuid() }),
  z.strictObject({ kind: z.literal('applicant'), id: z.string().min(1).max(maxApplicantIdLength) })
])
export type EvidenceAbout = z.output<typeof evidenceAboutSchema>

/**
 * What a pack discloses. What it withholds is proved by its commitment: it can be disclosed later, and
 * cannot be exchanged for anything else.
 */
export const redactionProfiles = [
  { id: 'full', label: 'Everything', meaning: 'For an auditor: requests, responses, notes and decisions in full.' },
  {
    id: 'no-personal-data',
    label: 'No personal data',
    meaning: 'Times, operations, outcomes and statuses. IDs, addresses, messages, responses, notes and staff names are withheld.'
  },
  {
    id: 'for-applicant',
    label: 'For the applicant',
    meaning: 'Requests and responses. Notes, reasons and staff names are withheld.'
  }
] as const
export type RedactionProfile = (typeof redactionProfiles)[number]['id']
export const redactionProfileIds = redactionProfiles.map(({ id }) => id) as [RedactionProfile, ...RedactionProfile[]]

export const evidenceMakeSchema = z.strictObject({
  about: evidenceAboutSchema,
  profile: z.enum(redactionProfileIds),
  /** Whether to write a readable PDF, too. */
  pdf: z.boolean().default(true)
})

export interface EvidenceMade {
  readonly path: string
  /** Absent where none was asked for, or this host cannot print; then `pdfFault` says why. */
  readonly pdfPath?: string
  readonly pdfFault?: Failure
  readonly records: number
  readonly events: number
  /** Of the pack's file, hex. */
  readonly sha256: string
}

/** One thing that a verifier looked at. */
export interface EvidenceFinding {
  readonly what: 'format' | 'signature' | 'signer' | 'events' | 'inclusion' | 'payloads' | 'fields' | 'countersignatures' | 'countersigners' | 'beside'
  readonly passed: boolean
  /** How many were looked at, or what is wrong, as a sentence. */
  readonly detail: string
  /** It passed, and does not show what a reader would expect of it. */
  readonly warning?: true
}
export interface EvidenceVerdict {
  readonly file: string
  readonly verified: boolean
  readonly findings: readonly EvidenceFinding[]
  /** Whose key signed it: SHA-256 of the public key, hex. It says who only to one who knows that key. */
  readonly signedBy?: string
  /** Whether that is this installation's own key. */
  readonly ownKey: boolean
  readonly madeAt?: number
  /** The name that its maker's machine gave; null where it is withheld. */
  readonly madeBy?: string | null
  readonly about?: EvidenceAbout
  readonly profile?: RedactionProfile
  readonly records?: number
  readonly withheld?: number
  /** Sealed parts that are not given, as after an erasure, by name. */
  readonly erased?: readonly string[]
  /** All that it bears, whoever made them: nobody compared their keys. */
  readonly countersignatures?: readonly HeldCountersignature[]
}

/** A fingerprint as people write it: spaces, colons and the case of letters say nothing. Undefined where it is none. */
export function readFingerprint(text: string): string | undefined {
  const digits = text.replace(/[\s:]/g, '').toLowerCase()
  return /^[0-9a-f]{64}$/.test(digits) ? digits : undefined
}

/** This installation's public key, with which its packs are checked. */
export interface EvidenceKey {
  /** SPKI, PEM. */
  readonly publicKey: string
  /** SHA-256 of the raw 32 bytes, hex. */
  readonly fingerprint: string
}
export const verifierForms = ['html', 'mjs'] as const
export const saveVerifierSchema = z.strictObject({ form: z.enum(verifierForms) })

// --- four-eyes -----------------------------------------------------------------------------------

/** A case file that was opened to be countersigned: what the second person must see before signing. */
export interface OpenedCase {
  /** Names the opened file for the next step; forgotten when the console is closed. */
  readonly caseId: string
  readonly verdict: EvidenceVerdict
  readonly documents: readonly CaseDocument[]
  readonly countersignatures: readonly HeldCountersignature[]
  /** Why this installation cannot countersign it. */
  readonly refusal?: Failure
}
/** One record or decision of a case, in words: label and value; null where the value is withheld. */
export interface CaseDocument {
  readonly title: string
  readonly at: number
  readonly fields: readonly { readonly label: string; readonly value: string | null }[]
}
/**
 * Whether a countersignature's name differs from the names of the case's maker and of the author of its decision.
 * `unknown` where one of the names is withheld or empty. Only `yes` counts as four-eyes approval.
 */
export type SecondPerson = 'yes' | 'no' | 'unknown'
export interface Countersignature {
  readonly by: string
  /** Fingerprint of the key. */
  readonly key: string
  readonly at: number
  readonly agrees: boolean
  readonly note: string
}
/** A countersignature that a case file holds already. */
export interface HeldCountersignature extends Countersignature {
  readonly secondPerson: SecondPerson
}
export const countersignSchema = z.strictObject({
  caseId: z.uuid(),
  agrees: z.boolean(),
  note: z.string().trim().max(2000)
})
export const caseListSchema = z.strictObject({ about: evidenceAboutSchema.optional() })

/** A countersigned case that came back. */
export interface CountersignedCase {
  readonly about: EvidenceAbout
  readonly importedAt: number
  readonly countersignature: Countersignature
  /**
   * `same-person` where the countersigner's name is that of its maker or of the decision's author, so that it is no
   * four-eyes approval; `unknown-person` where its name says nothing. `void` where evidence about the same record, applicant or batch, or a decision,
   * was added since the pack was made.
   */
  readonly state: 'valid' | 'void' | 'same-person' | 'unknown-person'
  /** Events of that kind: no failures of the way to the service, notes, tags or due dates. */
  readonly newer: number
}

/**
 * What a countersigner's key said last of a pack: whether it agrees, or that it did not countersign. Of two words with
 * the same time, the one that does not agree counts.
 */
export function standingOf(key: string, held: readonly Countersignature[]): 'agrees' | 'does not agree' | 'did not countersign' {
  const words = held.filter((each) => each.key === key)
  if (words.length === 0) return 'did not countersign'
  const last = Math.max(...words.map(({ at }) => at))
  return words.filter(({ at }) => at === last).every(({ agrees }) => agrees) ? 'agrees' : 'does not agree'
}
