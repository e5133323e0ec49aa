/**
 * Evidence packs and four-eyes cases for windows. The file format: docs/evidence-format.md. All times are Unix
 * milliseconds.
 */
import { z } from 'zod'
import { maxNoteLength } from '../applicants/applicants.ts'
import { signerOf } from '../app/signatures.ts'
import type { EvidenceFindingData, Failure } from '../failures/failures.ts'
import { maxApplicantIdLength } from '../verification/verification.ts'

/** The subject of a pack. */
export const evidenceAboutSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('record'), id: z.uuid() }),
  z.strictObject({ kind: z.literal('batch'), id: z.uuid() }),
  z.strictObject({ kind: z.literal('applicant'), id: z.string().min(1).max(maxApplicantIdLength) })
])
export type EvidenceAbout = z.output<typeof evidenceAboutSchema>

/**
 * What a pack discloses. Withheld data is proved by its digest: it can be disclosed later, and cannot be exchanged.
 */
export const redactionProfiles = [
  { id: 'full', label: 'Everything', meaning: 'For an auditor: requests, responses, notes and decisions in full.' },
  {
    id: 'no-personal-data',
    label: 'No personal data',
    meaning:
      'Times, operations, outcomes and statuses. IDs, addresses, messages, responses, notes and staff names are withheld.'
  }
] as const
export type RedactionProfile = (typeof redactionProfiles)[number]['id']
export const redactionProfileIds = redactionProfiles.map(({ id }) => id) as [RedactionProfile, ...RedactionProfile[]]

export const evidenceMakeSchema = z
  .strictObject({
    about: evidenceAboutSchema,
    profile: z.enum(redactionProfileIds),
    /** Whether to write a readable PDF as well. */
    pdf: z.boolean().default(true),
    /** One ZIP file of the pack, its PDF and the copies of documents that it names. */
    documents: z.boolean().default(false)
  })
  // A document is nothing but personal data; a pack about a batch names none.
  .refine(({ about, profile, documents }) => !documents || (profile === 'full' && about.kind !== 'batch'))
/** A request for approval of the decision about an applicant, in a file for a second person. */
export const caseAskSchema = z.strictObject({
  applicantId: z.string().min(1).max(maxApplicantIdLength),
  note: z.string().trim().max(maxNoteLength),
  pdf: z.boolean().default(false)
})

/** A copy that was kept and is not in a ZIP file: its file is missing or damaged, or its event was erased. */
export interface AbsentCopy {
  /** The number of its event. */
  readonly event: number
  readonly field: string
  readonly reason: 'missing' | 'damaged' | 'erased'
}
/** The documents in the ZIP file of a pack. */
export interface PackDocuments {
  readonly files: number
  readonly bytes: number
  readonly absent: readonly AbsentCopy[]
}

export interface EvidenceMade {
  readonly path: string
  /** Of a ZIP file with documents, which has the PDF in it. */
  readonly documents?: PackDocuments
  /** Absent if not requested, or if this host cannot print; then `pdfFault` says why. */
  readonly pdfPath?: string
  readonly pdfFault?: Failure
  readonly records: number
  readonly events: number
  /** Of the file, hex. */
  readonly sha256: string
  /** Present if an authority is set: its time-stamp, or why there is none. */
  readonly timestamp?: Omit<StampedPack, 'path'>
  readonly timestampFault?: Failure
}
/** A pack with a time-stamp. */
export interface StampedPack {
  readonly path: string
  readonly time: number
  /** Subject of the certificate that signed the time-stamp. */
  readonly authority: string
}

/** A check by a verifier. */
export type EvidenceCheck =
  | 'format'
  | 'signature'
  | 'signer'
  | 'events'
  | 'inclusion'
  | 'payloads'
  | 'fields'
  | 'completeness'
  | 'about'
  | 'approvals'
  | 'attachments'
  | 'beside'
  | 'time-stamps'
  | 'certificates'
  | 'revocations'
/** What a check found: as data (`evidenceFindingText`), or of keys that a reader named as a sentence. */
export type EvidenceFinding = FoundBy & ({ readonly detail: string } | EvidenceFindingData)
interface FoundBy {
  readonly what: EvidenceCheck
  readonly passed: boolean
  /** It passed, but does not show what a reader would expect. */
  readonly warning?: true
}
export interface EvidenceVerdict {
  readonly file: string
  readonly verified: boolean
  /** Nothing is wrong with it; it may lack the answer of a second person that it must have, and then is not verified. */
  readonly intact: boolean
  readonly findings: readonly EvidenceFinding[]
  /** SHA-256 (hex) of the public key that signed it. It identifies the signer only to a reader who knows the key. */
  readonly signedBy?: string
  /** Whether this is this installation's own key. */
  readonly ownKey: boolean
  /** Whether the trust file that was chosen, or that a policy names, speaks for its signer; absent without one. With one, it alone says so. */
  readonly signerKnown?: boolean
  readonly madeAt?: number
  /** The user name on the machine that created it; null if withheld. */
  readonly madeBy?: string | null
  readonly about?: EvidenceAbout
  readonly profile?: RedactionProfile
  readonly records?: number
  readonly withheld?: number
  /** Names of sealed parts that are missing, for example after an erasure. */
  readonly erased?: readonly string[]
  /** Of a decision that needs a second person: whether enough agree, as far as the pack shows it. */
  readonly approved?: boolean
}

/** Parses a fingerprint, ignoring spaces, colons and case. Undefined if it is invalid. */
export function readFingerprint(text: string): string | undefined {
  const digits = text.replace(/[\s:]/g, '').toLowerCase()
  return /^[0-9a-f]{64}$/.test(digits) ? digits : undefined
}

/** This installation's public key, for verifying its packs. */
export interface EvidenceKey {
  /** SPKI, PEM. */
  readonly publicKey: string
  /** SHA-256 of the raw 32 bytes, hex. */
  readonly fingerprint: string
}
export const verifierForms = ['html', 'mjs'] as const
export const saveVerifierSchema = z.strictObject({ form: z.enum(verifierForms) })

// --- four-eyes -----------------------------------------------------------------------------------

/** A request for approval in a file: what the second person must see before answering. */
export interface OpenedCase {
  /** Identifies the opened file for the next step; dropped when the console is closed. */
  readonly caseId: string
  readonly verdict: EvidenceVerdict
  readonly documents: readonly CaseDocument[]
  /** Why this installation cannot answer it. */
  readonly refusal?: Failure
}
/** One event of a case as it was recorded. */
export interface CaseDocument {
  /** Its number in the audit trail that it comes from. */
  readonly seq: number
  readonly at: number
  readonly kind: string
  /** The number of its record; null if it is not an event of a record. */
  readonly record: number | null
  readonly fields: readonly CaseValue[]
  /** Of the response that a verification ended with. */
  readonly response: readonly CaseValue[]
}
/** A recorded value by its name; values other than text as JSON, null if it is withheld or erased. */
interface CaseValue {
  readonly label: string
  readonly value: string | null
}
/**
 * Whether somebody's name differs from the names of those whose work they approve. `unknown` if one of the names is
 * withheld or empty. Only `yes` counts as four-eyes approval.
 */
export type SecondPerson = 'yes' | 'no' | 'unknown'
export const caseAnswerSchema = z.strictObject({
  caseId: z.uuid(),
  /** The fingerprint that the owner of the signing key gave the second person through another channel. */
  signer: z.string().max(200),
  agrees: z.boolean(),
  note: z.string().trim().max(maxNoteLength)
})
export type CaseAnswerOrder = z.output<typeof caseAnswerSchema>

/** Most characters of an answer in a file: enough for the longest note. */
export const maxApprovalText = 128 * 1024

/** An answer in a file that was imported. */
export interface ImportedApproval {
  readonly applicantId: string
  readonly by: string
  readonly agrees: boolean
  /** Newer evidence or another decision was recorded after the request: it counts for nothing. */
  readonly void?: true
}

/**
 * Normalises a name for comparison: compatibility forms, case, white space and invisible characters do not matter.
 * Of a signature with a name, the account counts. Empty if it identifies nobody, for example if the operating system gave none.
 */
export function foldedName(name: string): string {
  const visible = signerOf(name)
    .account.normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  const folded = visible.toUpperCase().toLowerCase().normalize('NFKC').replace(/\s+/gu, ' ').trim()
  return folded === 'unknown' ? '' : folded
}
