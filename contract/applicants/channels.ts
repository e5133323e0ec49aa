/** Channels of applicants, decisions, the work queue and the message catalogue. */
import { z } from 'zod'
import {
  applicantIdSchema,
  applicantListQuerySchema,
  applicantsChangeSchema,
  catalogueQuerySchema,
  decisionDraftSchema,
  linkDraftSchema,
  matchingApplicantsQuerySchema,
  noteDraftSchema,
  readingDraftSchema,
  tagsDraftSchema,
  timelineQuerySchema,
  type ApplicantAnswers,
  type ApplicantDetail,
  type ApplicantList,
  type ApplicantsChanged,
  type CatalogueMessage,
  type CataloguePage,
  type MatchingApplicants,
  type MessageReading,
  type TimelinePage
} from './applicants.ts'
import { visitSchema } from '../evidence/audit.ts'
import { assignDraftSchema, dueDraftSchema, queueFilterSchema, queueQuerySchema, type QueuePage } from './queue.ts'
import { channel, kibibyte } from '../ipc/channel.ts'

const record = z.strictObject({ recordId: z.uuid() })

export const applicantChannels = {
  'applicants.list': channel<ApplicantList>()({
    input: applicantListQuerySchema.extend({ visit: visitSchema }),
    maxBytes: 8 * kibibyte
  }),
  /** All that match, for a change of them. */
  'applicants.matching': channel<MatchingApplicants>()({
    input: matchingApplicantsQuerySchema.extend({ visit: visitSchema }),
    maxBytes: 8 * kibibyte
  }),
  'applicants.show': channel<ApplicantDetail>()({
    input: z.strictObject({ applicantId: applicantIdSchema, visit: visitSchema }),
    maxBytes: 4 * kibibyte
  }),
  'applicants.timeline': channel<TimelinePage>()({
    input: timelineQuerySchema.extend({ visit: visitSchema }),
    maxBytes: 4 * kibibyte
  }),
  'applicants.answers': channel<ApplicantAnswers>()({
    input: z.strictObject({ applicantId: applicantIdSchema, visit: visitSchema }),
    maxBytes: 4 * kibibyte
  }),
  /** Each change returns the applicant afterwards. */
  'applicants.note': channel<ApplicantDetail>()({ input: noteDraftSchema, maxBytes: 64 * kibibyte }),
  'applicants.tag': channel<ApplicantDetail>()({ input: tagsDraftSchema, maxBytes: 16 * kibibyte }),
  /** Each applicant gets an event of its own. */
  'applicants.changeMany': channel<ApplicantsChanged>()({ input: applicantsChangeSchema, maxBytes: 512 * kibibyte }),
  'applicants.link': channel<ApplicantDetail>()({ input: linkDraftSchema, maxBytes: 4 * kibibyte }),
  'applicants.unlink': channel<ApplicantDetail>()({ input: record, maxBytes: kibibyte }),
  'decisions.make': channel<ApplicantDetail>()({ input: decisionDraftSchema, maxBytes: 64 * kibibyte }),
  'queue.list': channel<QueuePage>()({
    input: queueQuerySchema.extend({ visit: visitSchema }),
    maxBytes: 32 * kibibyte
  }),
  /** The applicants of all items that match, for a change of them. */
  'queue.matching': channel<MatchingApplicants>()({
    input: z.strictObject({ filter: queueFilterSchema, visit: visitSchema }),
    maxBytes: 32 * kibibyte
  }),
  'queue.due': channel<null>()({ input: dueDraftSchema, maxBytes: 4 * kibibyte }),
  'queue.assign': channel<null>()({ input: assignDraftSchema, maxBytes: 4 * kibibyte }),
  'catalogue.list': channel<CataloguePage>()({
    input: catalogueQuerySchema.extend({ visit: visitSchema }),
    maxBytes: 8 * kibibyte
  }),
  'catalogue.read': channel<CatalogueMessage>()({ input: readingDraftSchema, maxBytes: 64 * kibibyte }),
  /** The message that a record was answered with; null if it is not in the catalogue. */
  'catalogue.of': channel<CatalogueMessage | null>()({ input: record, maxBytes: kibibyte }),
  /** All interpretations of one message, newest first. */
  'catalogue.readings': channel<readonly MessageReading[]>()({
    input: z.strictObject({ id: z.number().int().positive() }),
    maxBytes: kibibyte
  })
}
