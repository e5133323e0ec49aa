/** Channels of applicants, decisions, the work queue and the message catalogue. */
import { z } from 'zod'
import {
  applicantIdSchema,
  applicantListQuerySchema,
  applicantsChangeSchema,
  catalogueQuerySchema,
  challengeDraftSchema,
  decisionDraftSchema,
  linkDraftSchema,
  matchingApplicantsQuerySchema,
  noteDraftSchema,
  maxMatchingApplicants,
  maxReadings,
  readingDraftSchema,
  tagsDraftSchema,
  timelineQuerySchema,
  type ApplicantAnswers,
  type ApplicantCounts,
  type ApplicantDetail,
  type ApplicantList,
  type ApplicantsChanged,
  type CatalogueMessage,
  type CataloguePage,
  type CatalogueRow,
  type MatchingApplicants,
  type MessageReading,
  type TimelinePage
} from './applicants.ts'
import { decisionSetQuerySchema, manyDecisionsSchema, type DecisionSet, type ManyDecided } from './decide-many.ts'
import { expiryDraftSchema, reviewDraftSchema } from './reviews.ts'
import { ratingDraftSchema } from './risk.ts'
import { applicantImportSchema, maxImportText, type ApplicantsImported } from './import.ts'
import { relationshipDraftSchema } from './relationships.ts'
import { applicantStatusSchema, type ApplicantStatus } from './status.ts'
import { visitSchema, type AuditPage } from '../evidence/audit.ts'
import {
  assignDraftSchema,
  dueDraftSchema,
  queueFilterSchema,
  queueQuerySchema,
  type QueueCount,
  type QueuePage
} from './queue.ts'
import { channel, kibibyte, nothing } from '../ipc/channel.ts'

const record = z.strictObject({ recordId: z.uuid() })

export const applicantChannels = {
  'applicants.list': channel<ApplicantList>()({
    input: applicantListQuerySchema.extend({ visit: visitSchema }),
    maxBytes: 64 * kibibyte,
    views: ({ search }) => ({ what: 'applicants', ...(search && { search: true }) })
  }),
  /** All that match, for a change of them. */
  'applicants.matching': channel<MatchingApplicants>()({
    input: matchingApplicantsQuerySchema.extend({ visit: visitSchema }),
    maxBytes: 64 * kibibyte,
    views: ({ search }) => ({ what: 'applicants', ...(search && { search: true }) })
  }),
  /** How many match, for the list's filters. */
  'applicants.counts': channel<ApplicantCounts>()({
    input: matchingApplicantsQuerySchema.extend({ visit: visitSchema }),
    maxBytes: 64 * kibibyte,
    views: ({ search }) => ({ what: 'applicants', ...(search && { search: true }) })
  }),
  'applicants.show': channel<ApplicantDetail>()({
    input: z.strictObject({ applicantId: applicantIdSchema, visit: visitSchema }),
    maxBytes: 4 * kibibyte,
    views: ({ applicantId }) => ({ what: 'applicant', about: { applicantId } })
  }),
  /** In the order of the IDs; null for one that no applicant here has. */
  'applicants.status': channel<readonly (ApplicantStatus | null)[]>()({
    input: applicantStatusSchema.extend({ visit: visitSchema }),
    maxBytes: 1024 * kibibyte,
    views: () => ({ what: 'applicants', search: true })
  }),
  'applicants.timeline': channel<TimelinePage>()({
    input: timelineQuerySchema.extend({ visit: visitSchema }),
    maxBytes: 4 * kibibyte,
    views: ({ applicantId }) => ({ what: 'applicant', about: { applicantId } })
  }),
  /** Who looked at something of the applicant: events of the audit trail, newest first. */
  'applicants.views': channel<AuditPage>()({
    input: timelineQuerySchema.extend({ limit: z.number().int().min(1).max(200), visit: visitSchema }),
    maxBytes: 4 * kibibyte,
    views: ({ applicantId }) => ({ what: 'applicant', about: { applicantId } })
  }),
  'applicants.answers': channel<ApplicantAnswers>()({
    input: z.strictObject({ applicantId: applicantIdSchema, visit: visitSchema }),
    maxBytes: 4 * kibibyte,
    views: ({ applicantId }) => ({ what: 'applicant', about: { applicantId } })
  }),
  /** Each change returns the applicant afterwards. */
  'applicants.note': channel<ApplicantDetail>()({
    input: noteDraftSchema,
    maxBytes: 64 * kibibyte,
    leaves: ['note.made'],
    announces: () => 'evidence-changed'
  }),
  'applicants.tag': channel<ApplicantDetail>()({
    input: tagsDraftSchema,
    maxBytes: 16 * kibibyte,
    leaves: ['tags.changed'],
    announces: () => 'evidence-changed'
  }),
  /** When a document expires, as a person says. */
  'applicants.expiry': channel<ApplicantDetail>()({
    input: expiryDraftSchema,
    maxBytes: 4 * kibibyte,
    leaves: ['expiry.noted'],
    announces: () => 'evidence-changed'
  }),
  /** The periodic review, done. */
  'applicants.review': channel<ApplicantDetail>()({
    input: reviewDraftSchema,
    maxBytes: 64 * kibibyte,
    leaves: ['review.recorded'],
    announces: () => 'evidence-changed'
  }),
  /** What the applicant says against the decision, which is outdated from then on. Failures: `challenge-without-decision`. */
  'applicants.challenge': channel<ApplicantDetail>()({
    input: challengeDraftSchema,
    maxBytes: 64 * kibibyte,
    leaves: ['challenge.recorded'],
    announces: () => 'evidence-changed'
  }),
  /** Gives a risk class. Failures: `applicant-missing`, `risk-class-missing`. */
  'applicants.rate': channel<ApplicantDetail>()({
    input: ratingDraftSchema,
    maxBytes: 64 * kibibyte,
    leaves: ['risk.rated'],
    announces: () => 'evidence-changed'
  }),
  /** The relationship with the applicant. */
  'applicants.relate': channel<ApplicantDetail>()({
    input: relationshipDraftSchema,
    maxBytes: 64 * kibibyte,
    leaves: ['relationship.changed'],
    announces: () => 'evidence-changed'
  }),
  /** Each applicant gets an event of its own. */
  'applicants.changeMany': channel<ApplicantsChanged>()({
    input: applicantsChangeSchema,
    maxBytes: 512 * kibibyte,
    leaves: ['tags.changed', 'due.changed', 'assignee.changed', 'relationship.changed', 'risk.rated'],
    announces: () => 'evidence-changed'
  }),
  /** What differs gets an event each; with a dry run, or if a line is wrong, nothing does. */
  'applicants.import': channel<ApplicantsImported>()({
    input: applicantImportSchema,
    maxBytes: 2 * maxImportText,
    leaves: ['relationship.changed', 'risk.rated', 'expiry.noted'],
    announces: () => 'evidence-changed'
  }),
  'applicants.link': channel<ApplicantDetail>()({
    input: linkDraftSchema,
    maxBytes: 4 * kibibyte,
    leaves: ['link.made'],
    announces: () => 'evidence-changed'
  }),
  'applicants.unlink': channel<ApplicantDetail>()({
    input: record,
    maxBytes: kibibyte,
    leaves: ['link.removed'],
    announces: () => 'evidence-changed'
  }),
  'decisions.make': channel<ApplicantDetail>()({
    input: decisionDraftSchema,
    maxBytes: 64 * kibibyte,
    leaves: ['decision.made', 'relationship.changed'],
    announces: () => 'evidence-changed'
  }),
  /** Who would be decided, who is left out, and which of them are reviewed first. */
  'decisions.prepare': channel<DecisionSet>()({
    input: decisionSetQuerySchema.extend({ visit: visitSchema }),
    maxBytes: 512 * kibibyte,
    views: () => ({ what: 'queue' })
  }),
  /** Each applicant gets an event of its own. Those of the sample are decided before, by `decisions.make`. */
  'decisions.makeMany': channel<ManyDecided>()({
    input: manyDecisionsSchema,
    maxBytes: 512 * kibibyte,
    leaves: ['decision.made'],
    announces: () => 'evidence-changed'
  }),
  'queue.list': channel<QueuePage>()({
    input: queueQuerySchema.extend({ visit: visitSchema }),
    maxBytes: 32 * kibibyte,
    when: 'Entries are requested, not only the counts.',
    views: ({ limit, filter }) => (limit === 0 ? undefined : { what: 'queue', ...(filter?.search && { search: true }) })
  }),
  /** The applicants of all items that match, for a change of them. */
  'queue.matching': channel<MatchingApplicants>()({
    input: z.strictObject({ filter: queueFilterSchema, visit: visitSchema }),
    maxBytes: 32 * kibibyte,
    views: ({ filter }) => ({ what: 'queue', ...(filter.search && { search: true }) })
  }),
  /** The latest count of what waits, which is also told with each change; null while no history is open. */
  'queue.waiting': channel<QueueCount | null>()({
    input: nothing,
    maxBytes: kibibyte,
    leaves: { none: 'Only numbers, of nobody.' }
  }),
  'queue.due': channel<null>()({
    input: dueDraftSchema,
    maxBytes: 4 * kibibyte,
    leaves: ['due.changed'],
    announces: () => 'evidence-changed'
  }),
  'queue.assign': channel<null>()({
    input: assignDraftSchema,
    maxBytes: 4 * kibibyte,
    leaves: ['assignee.changed'],
    announces: () => 'evidence-changed'
  }),
  'catalogue.list': channel<CataloguePage>()({
    input: catalogueQuerySchema.extend({ visit: visitSchema }),
    maxBytes: 8 * kibibyte,
    when: 'The messages of one applicant are requested. The list of all messages contains only the service’s messages with counts.',
    views: ({ applicantId }) => (applicantId === undefined ? undefined : { what: 'messages', about: { applicantId } })
  }),
  /** Each message gets an event of its own. */
  'catalogue.read': channel<readonly CatalogueMessage[]>()({
    input: z.strictObject({ readings: z.array(readingDraftSchema).min(1).max(maxReadings) }),
    maxBytes: 4096 * kibibyte,
    leaves: ['message.interpreted'],
    announces: () => 'evidence-changed'
  }),
  /** How many applicants wait in the queue whose newest answer is one of these messages. */
  'catalogue.waiting': channel<number>()({
    input: z.strictObject({ ids: z.array(z.number().int().positive()).max(maxReadings) }),
    maxBytes: 16 * kibibyte,
    leaves: { none: 'It returns a number only.' }
  }),
  /** The messages of the newest answers of applicants in the queue, one row a text, with the number of these applicants. */
  'catalogue.newest': channel<readonly CatalogueRow[]>()({
    input: z.strictObject({ applicantIds: z.array(applicantIdSchema).max(maxMatchingApplicants), visit: visitSchema }),
    maxBytes: 512 * kibibyte,
    views: () => ({ what: 'queue' })
  }),
  /** The message that a record was answered with; null if it is not in the catalogue. */
  'catalogue.of': channel<CatalogueMessage | null>()({
    input: record,
    maxBytes: kibibyte,
    leaves: { none: 'It returns the service’s message of a record that is already shown, without an applicant.' }
  }),
  /** All interpretations of one message, newest first. */
  'catalogue.readings': channel<readonly MessageReading[]>()({
    input: z.strictObject({ id: z.number().int().positive() }),
    maxBytes: kibibyte,
    leaves: { none: 'It lists interpretations of a message, without an applicant.' }
  })
}
