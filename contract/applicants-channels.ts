/** The part of the surface between a window and the core that is about applicants, decisions and the audit trail. */
import { z } from 'zod'
import {
  applicantIdSchema,
  applicantListQuerySchema,
  catalogueQuerySchema,
  decisionDraftSchema,
  dueDraftSchema,
  linkDraftSchema,
  noteDraftSchema,
  queueQuerySchema,
  readingDraftSchema,
  tagsDraftSchema,
  timelineQuerySchema,
  type ApplicantDetail,
  type ApplicantList,
  type CatalogueMessage,
  type CataloguePage,
  type MessageReading,
  type QueuePage,
  type TimelinePage
} from './applicants.ts'
import { auditQuerySchema, type AuditHead, type AuditPage, type AuditVerdict, type InclusionProof } from './audit.ts'

const kibibyte = 1024
const record = z.strictObject({ recordId: z.uuid() })

/** Request schemas and size limits, as in `channels`. */
export const applicantChannels = {
  'applicants.list': { input: applicantListQuerySchema, maxBytes: 8 * kibibyte },
  'applicants.show': { input: z.strictObject({ applicantId: applicantIdSchema }), maxBytes: 4 * kibibyte },
  'applicants.timeline': { input: timelineQuerySchema, maxBytes: 4 * kibibyte },
  'applicants.note': { input: noteDraftSchema, maxBytes: 64 * kibibyte },
  'applicants.tag': { input: tagsDraftSchema, maxBytes: 16 * kibibyte },
  'applicants.link': { input: linkDraftSchema, maxBytes: 4 * kibibyte },
  'applicants.unlink': { input: record, maxBytes: kibibyte },
  'decisions.make': { input: decisionDraftSchema, maxBytes: 64 * kibibyte },
  'queue.list': { input: queueQuerySchema, maxBytes: kibibyte },
  'queue.due': { input: dueDraftSchema, maxBytes: 4 * kibibyte },
  'catalogue.list': { input: catalogueQuerySchema, maxBytes: 8 * kibibyte },
  'catalogue.read': { input: readingDraftSchema, maxBytes: 64 * kibibyte },
  'catalogue.readings': { input: z.strictObject({ id: z.number().int().positive() }), maxBytes: kibibyte },
  'audit.page': { input: auditQuerySchema, maxBytes: 4 * kibibyte },
  'audit.head': { input: z.undefined(), maxBytes: kibibyte },
  'audit.prove': {
    input: z.strictObject({ seq: z.number().int().positive(), size: z.number().int().positive().optional() }),
    maxBytes: kibibyte
  },
  'audit.verify': { input: z.undefined(), maxBytes: kibibyte }
} as const

/** What each is answered with. */
export interface ApplicantAnswers {
  'applicants.list': ApplicantList
  'applicants.show': ApplicantDetail
  'applicants.timeline': TimelinePage
  /** Each change is answered with the applicant as it is then. */
  'applicants.note': ApplicantDetail
  'applicants.tag': ApplicantDetail
  'applicants.link': ApplicantDetail
  'applicants.unlink': ApplicantDetail
  'decisions.make': ApplicantDetail
  'queue.list': QueuePage
  'queue.due': null
  'catalogue.list': CataloguePage
  'catalogue.read': CatalogueMessage
  /** All readings of one message, newest first. */
  'catalogue.readings': readonly MessageReading[]
  'audit.page': AuditPage
  'audit.head': AuditHead
  'audit.prove': InclusionProof
  /** Walks the whole audit trail; tells its progress by events. */
  'audit.verify': AuditVerdict
}
