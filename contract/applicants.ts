/**
 * Applicants as this installation knows them: every check of one applicant id, what people decided and
 * noted, what was linked by hand, and what waits. All of it is local; the service is told none of it.
 * All times are Unix milliseconds.
 */
import { z } from 'zod'
import { issueOf, rule } from './field-issues.ts'
import { operationIds, type OperationId } from './operations.ts'
import type { RecordSummary } from './records.ts'
import { fieldFault } from './verification.ts'

/** An applicant id, by the same rule as in a check. */
export const applicantIdSchema = z.string().superRefine((id, context) => {
  const fault = fieldFault('applicant-id', id)
  if (fault) context.addIssue(issueOf(fault))
})

export const decisions = ['approve', 'decline', 'escalate'] as const
export type Decision = (typeof decisions)[number]

/**
 * `none`: nobody decided. `outdated`: decided, and newer evidence has arrived since. `no-evidence`: nobody decided, and no
 * check has said anything about the person yet (contract/evidence-rule.ts). The order is in every history file.
 */
export const applicantStates = ['none', 'approve', 'decline', 'escalate', 'outdated', 'no-evidence'] as const
export type ApplicantState = (typeof applicantStates)[number]

/** Why a decision was made, as a code of the organisation's own; the list stands in the settings. */
export const reasonCodeSchema = z.strictObject({
  code: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, rule('reason-code-invalid')),
  label: z.string().trim().min(1, rule('label-missing')).max(120),
  /** Decisions that it may be given for. */
  decisions: z.array(z.enum(decisions)).min(1, rule('decisions-missing')).max(decisions.length)
})
export type ReasonCode = z.output<typeof reasonCodeSchema>
export const maxReasonCodes = 50
export const maxRemovedReasons = 500

/** One line of the list of applicants. */
export interface ApplicantSummary {
  readonly id: string
  /** Last check, link, note, tag, due date or decision. */
  readonly lastAt: number
  /** Checks of this id, and checks linked to it by hand. */
  readonly checks: number
  readonly state: ApplicantState
  readonly tags: readonly string[]
  readonly due?: number
}

export const maxApplicantsPage = 200
/** Where a page of applicants ended; given back as it came. */
export const applicantCursorSchema = z.strictObject({ at: z.number().int(), ref: z.number().int() })
export type ApplicantCursor = z.output<typeof applicantCursorSchema>
export const applicantListQuerySchema = z.strictObject({
  /** Part of the id, whatever the case of its letters. */
  search: z.string().max(256).optional(),
  states: z.array(z.enum(applicantStates)).max(applicantStates.length).optional(),
  /** Exactly this tag. */
  tag: z.string().max(60).optional(),
  limit: z.number().int().min(1).max(maxApplicantsPage),
  /** `next` of the page before. */
  after: applicantCursorSchema.optional()
})
export type ApplicantListQuery = z.output<typeof applicantListQuerySchema>
export interface ApplicantList {
  /** Latest activity first. */
  readonly applicants: readonly ApplicantSummary[]
  /** Absent on the last page. */
  readonly next?: ApplicantCursor
}

/** What a local reading of a message says that the service means. Never sent, never taken for its answer. */
export const readingMeanings = ['good', 'bad', 'unclear'] as const
export type ReadingMeaning = (typeof readingMeanings)[number]

/** A reading that a decision went by: version 0 where the message had none yet. */
export interface ReadingUsed {
  /** Number of the message in the catalogue. */
  readonly message: number
  readonly version: number
  readonly means?: ReadingMeaning
}

export interface DecisionMade {
  /** Event of the audit trail. */
  readonly seq: number
  readonly at: number
  readonly operator: string
  readonly decision: Decision
  /** Codes as they were given. */
  readonly reasons: readonly string[]
  readonly note: string
  /** The last event of the applicant's evidence that was seen, and the seqs of the records. */
  readonly evidence: number
  readonly records: readonly number[]
  readonly readings: readonly ReadingUsed[]
  /** Newer evidence has arrived since. */
  readonly outdated: boolean
}

export interface ApplicantDetail extends ApplicantSummary {
  readonly firstAt: number
  /** Of the checks, those linked by hand or by a batch's column: the service was told no applicant. */
  readonly local: number
  /** The last event of the evidence: a decision names what its maker has seen. */
  readonly evidence: number
  readonly decision?: DecisionMade
  /** Messages of the evidence without a reading. */
  readonly unread: number
}

/** What happened to an applicant, newest first. `seq` is the event of the audit trail, and the paging key. */
export type TimelineEntry =
  /** `local`: linked here; the service was told no applicant. `linked`: by hand, so that it can be unlinked. */
  | { readonly kind: 'check'; readonly seq: number; readonly at: number; readonly record: RecordSummary; readonly local: boolean; readonly linked: boolean; readonly reading?: ReadingMeaning }
  | { readonly kind: 'decision'; readonly seq: number; readonly at: number; readonly decision: DecisionMade }
  | { readonly kind: 'note'; readonly seq: number; readonly at: number; readonly operator: string; readonly text: string }
  | { readonly kind: 'tags'; readonly seq: number; readonly at: number; readonly operator: string; readonly tags: readonly string[] }
  | { readonly kind: 'link' | 'unlink'; readonly seq: number; readonly at: number; readonly operator: string; readonly recordId: string }
  | { readonly kind: 'due'; readonly seq: number; readonly at: number; readonly operator: string; readonly due: number | null }

export const maxTimelinePage = 1000
export const timelineQuerySchema = z.strictObject({
  applicantId: applicantIdSchema,
  limit: z.number().int().min(1).max(maxTimelinePage),
  /** Entries before this event. */
  before: z.number().int().positive().optional()
})
export type TimelineQuery = z.output<typeof timelineQuerySchema>
export interface TimelinePage {
  readonly entries: readonly TimelineEntry[]
  readonly older: boolean
}

export const maxNoteLength = 8000
export const noteDraftSchema = z.strictObject({ applicantId: applicantIdSchema, text: z.string().trim().min(1, rule('text-needed')).max(maxNoteLength) })

export const maxTags = 20
export const tagSchema = z.string().trim().min(1, rule('tag-missing')).max(60)
/** All tags of the applicant, in their order; what is left out is taken off. */
export const tagsDraftSchema = z.strictObject({ applicantId: applicantIdSchema, tags: z.array(tagSchema).max(maxTags) })

export const linkDraftSchema = z.strictObject({ recordId: z.uuid(), applicantId: applicantIdSchema })

export const decisionDraftSchema = z.strictObject({
  applicantId: applicantIdSchema,
  decision: z.enum(decisions),
  reasons: z.array(z.string().max(40)).max(20),
  note: z.string().trim().max(maxNoteLength),
  /** `evidence` of the page that was looked at; refused where something newer has arrived. */
  evidence: z.number().int().nonnegative(),
  /** For an escalation: its due date. */
  due: z.number().int().nonnegative().optional()
})
export type DecisionDraft = z.output<typeof decisionDraftSchema>

/**
 * What waits. `open`: an applicant on whom nobody decided; `unresolved`: an unknown outcome on which
 * nobody has said a word, whether or not it has an applicant.
 */
export const queueKinds = ['open', 'escalated', 'outdated', 'unresolved'] as const
export type QueueKind = (typeof queueKinds)[number]
export type QueueItem =
  | { readonly kind: 'open' | 'escalated' | 'outdated'; readonly since: number; readonly due?: number; readonly applicant: ApplicantSummary }
  | { readonly kind: 'unresolved'; readonly since: number; readonly due?: number; readonly record: RecordSummary }

export const queueQuerySchema = z.strictObject({
  kinds: z.array(z.enum(queueKinds)).max(queueKinds.length).optional(),
  limit: z.number().int().min(1).max(200),
  /** `next` of the page before. */
  after: z.string().max(100).optional()
})
export type QueueQuery = z.output<typeof queueQuerySchema>
export interface QueuePage {
  /** Due dates first, the earliest first; then what has waited longest. */
  readonly items: readonly QueueItem[]
  readonly next?: string
  readonly counts: Readonly<Record<QueueKind, number>>
  /** Items whose due date is past. */
  readonly overdue: number
}

/** Sets a due date, or takes it away. Exactly one of the two says of what. */
export const dueDraftSchema = z
  .strictObject({ applicantId: applicantIdSchema.optional(), recordId: z.uuid().optional(), due: z.number().int().nonnegative().nullable() })
  .refine((draft) => (draft.applicantId === undefined) !== (draft.recordId === undefined), rule('applicant-or-record'))
export type DueDraft = z.output<typeof dueDraftSchema>

/** A distinct message that an operation has answered. */
export interface CatalogueMessage {
  /** Number of the message in this history. */
  readonly id: number
  readonly operation: OperationId
  readonly status: number
  /** Word for word, at most its first 2,000 characters; empty where it was erased. */
  readonly message: string
  readonly count: number
  readonly firstAt: number
  readonly lastAt: number
  /** The latest reading; absent where the wording is unseen. */
  readonly reading?: MessageReading
}
export interface MessageReading {
  /** From 1, for each message. */
  readonly version: number
  readonly means: ReadingMeaning
  readonly note: string
  readonly at: number
  readonly operator: string
}
/** Messages kept for each operation; what comes beyond is counted and not listed. */
export const maxMessagesOfOperation = 5000
export const catalogueQuerySchema = z.strictObject({
  operations: z.array(z.enum(operationIds)).max(operationIds.length).optional(),
  /** Only what nobody has read yet. */
  unread: z.boolean().optional(),
  /** Part of the wording, whatever the case of its letters. */
  search: z.string().max(200).optional(),
  /** Only what this applicant's checks, linked ones included, were answered with. */
  applicantId: applicantIdSchema.optional(),
  limit: z.number().int().min(1).max(200),
  /** Messages with a lower number than this: newest wording first. */
  before: z.number().int().positive().optional()
})
export type CatalogueQuery = z.output<typeof catalogueQuerySchema>
export interface CataloguePage {
  readonly messages: readonly CatalogueMessage[]
  readonly more: boolean
  /** Messages without a reading: of the applicant where one was asked for, else over the whole catalogue. */
  readonly unread: number
  /** Answers whose wording found no place. */
  readonly beyond: number
}
export const readingDraftSchema = z.strictObject({
  id: z.number().int().positive(),
  means: z.enum(readingMeanings),
  note: z.string().trim().max(maxNoteLength)
})
export type ReadingDraft = z.output<typeof readingDraftSchema>
