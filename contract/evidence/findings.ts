/** What the checks of an evidence pack can find, by code; the sentences are in `contract/failures/`. */
import type { EvidenceCheck } from './evidence.ts'
import type { EvidenceFindingCode } from '../failures/failures.ts'

/** `warning`: it passed, but does not show what a reader would expect. */
type Outcome = 'passed' | 'warning' | 'refused'

/** By code: the check, and how it ended. */
export const evidenceFindings = {
  // Form
  'form-right': ['format', 'passed'],
  'not-json': ['format', 'refused'],
  'unreadable': ['format', 'refused'],
  'form-wrong': ['format', 'refused'],
  'not-canonical': ['format', 'refused'],
  'too-deep': ['format', 'refused'],
  'name-twice': ['fields', 'refused'],
  'values-unsorted': ['fields', 'refused'],
  // Signature
  'signature-right': ['signature', 'passed'],
  'signature-wrong': ['signature', 'refused'],
  'key-worthless': ['signature', 'refused'],
  'key-of-another': ['signature', 'refused'],
  // Events
  'events-right': ['events', 'passed'],
  'event-order': ['events', 'refused'],
  'event-not-next': ['events', 'refused'],
  'event-first': ['events', 'refused'],
  'event-changed': ['events', 'refused'],
  'event-links': ['events', 'refused'],
  'value-missing': ['fields', 'refused'],
  'value-misplaced': ['fields', 'refused'],
  'made-otherwise': ['about', 'refused'],
  'full-withholds': ['fields', 'refused'],
  'operator-shown': ['fields', 'refused'],
  'reason-shown': ['fields', 'refused'],
  // Tree
  'tree-right': ['inclusion', 'passed'],
  'not-in-tree': ['inclusion', 'refused'],
  'origin-wrong': ['inclusion', 'refused'],
  'tree-contradicts': ['inclusion', 'refused'],
  'not-last': ['inclusion', 'refused'],
  'continues': ['inclusion', 'passed'],
  'first-pack': ['inclusion', 'passed'],
  'consistency-wrong': ['inclusion', 'refused'],
  'consistency-missing': ['inclusion', 'refused'],
  'consistency-other': ['inclusion', 'refused'],
  // Responses and erasure
  'responses-right': ['payloads', 'passed'],
  'response-order': ['payloads', 'refused'],
  'response-twice': ['payloads', 'refused'],
  'response-stray': ['payloads', 'refused'],
  'response-missing': ['payloads', 'refused'],
  'response-changed': ['payloads', 'refused'],
  'partly-erased': ['payloads', 'refused'],
  'erasure-missing': ['payloads', 'refused'],
  // Withheld
  'values-right': ['fields', 'passed'],
  'events-withheld': ['fields', 'passed'],
  // Completeness
  'series-complete': ['completeness', 'passed'],
  'series-other': ['completeness', 'refused'],
  'series-gap': ['completeness', 'refused'],
  'series-end-missing': ['completeness', 'refused'],
  'series-contradicts': ['completeness', 'refused'],
  // Subject
  'subject-right': ['about', 'passed'],
  'subject-other': ['about', 'refused'],
  'subject-withheld': ['about', 'refused'],
  'subject-unnamed': ['about', 'refused'],
  'profile-other': ['about', 'refused'],
  'person-other': ['about', 'refused'],
  'record-other': ['about', 'refused'],
  'record-parts': ['about', 'refused'],
  'record-unnamed': ['about', 'refused'],
  // Approvals
  'approvals-right': ['approvals', 'passed'],
  'approvals-against': ['approvals', 'warning'],
  'approvals-void': ['approvals', 'warning'],
  'approvals-unproved': ['approvals', 'warning'],
  'approval-enough': ['approvals', 'passed'],
  'approval-missing': ['approvals', 'refused'],
  'approval-withheld': ['approvals', 'warning'],
  'approval-form': ['approvals', 'refused'],
  'approval-signature': ['approvals', 'refused'],
  'approval-request': ['approvals', 'refused'],
  // Attachments
  'attachment-twice': ['attachments', 'refused'],
  'attachment-right': ['attachments', 'passed'],
  'attachment-wrong': ['attachments', 'refused'],
  'attachment-unknown': ['attachments', 'refused'],
  'attachment-not-compared': ['attachments', 'passed'],
  'attachment-absent': ['attachments', 'passed'],
  // Time-stamps
  'timestamp-right': ['time-stamps', 'passed'],
  'timestamps-unchecked': ['time-stamps', 'passed'],
  'timestamp-unreadable': ['time-stamps', 'refused'],
  'timestamp-imprint': ['time-stamps', 'refused'],
  'timestamp-nonce': ['time-stamps', 'refused'],
  'timestamp-signature': ['time-stamps', 'refused'],
  'timestamp-identity': ['time-stamps', 'refused'],
  'timestamp-purpose': ['time-stamps', 'refused'],
  'timestamp-chain': ['time-stamps', 'warning'],
  'timestamp-validity': ['time-stamps', 'warning'],
  'timestamp-algorithm': ['time-stamps', 'refused'],
  'timestamp-other-content': ['time-stamps', 'refused'],
  // Certificates
  'certificate-right': ['certificates', 'passed'],
  'certificates-unchecked': ['certificates', 'passed'],
  'certificate-none': ['certificates', 'refused'],
  'certificate-key': ['certificates', 'refused'],
  'certificate-unreadable': ['certificates', 'refused'],
  'certificate-purpose': ['certificates', 'refused'],
  'certificate-chain': ['certificates', 'refused'],
  'certificate-validity': ['certificates', 'refused'],
  'certificate-algorithm': ['certificates', 'refused'],
  // Revocations
  'key-revoked': ['revocations', 'refused'],
  'key-revoked-since': ['revocations', 'warning'],
  'key-not-revoked': ['revocations', 'passed'],
  // Two packs
  'beside-continues': ['beside', 'passed'],
  'beside-same': ['beside', 'passed'],
  'beside-open': ['beside', 'warning'],
  'beside-forked': ['beside', 'refused'],
  'beside-origin': ['beside', 'refused']
} as const satisfies Readonly<Record<EvidenceFindingCode, readonly [EvidenceCheck, Outcome]>>
