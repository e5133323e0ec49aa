/**
 * Applicants in this installation: all verifications of an applicant id, decisions, notes and manual links. All of it
 * is local and not sent to the provider. All times are Unix milliseconds.
 */
import { z } from 'zod'
import { checksSchema, type ChecklistAnswered } from './checklists.ts'
import { dayLength } from './due-dates.ts'
import { dueClasses, maxChosenMessages, type DueClass } from './queue-kinds.ts'
import { applicantIdSchema } from './applicant-id.ts'
import { rule } from '../verification/field-issues.ts'
import { operationIds, type OperationId } from '../verification/operations.ts'
import {
  decisions,
  messageMeanings,
  readingMeanings,
  type Decision,
  type MessageMeaning,
  type ReadingMeaning
} from './meanings.ts'
import type { RecordSummary } from '../history/records.ts'
import { reviewClasses, reviewOutcomes, type NextReview, type ReviewClass, type ReviewOutcome } from './reviews.ts'
import {
  civilDateSchema,
  relationshipSchema,
  relationshipStates,
  type Relationship,
  type RelationshipState
} from './relationships.ts'
import type { ApprovableDecision } from './four-eyes.ts'
import { riskCodeSchema } from './risk.ts'
import { focusClasses, type FocusClass, type Seen } from './seen.ts'
import type { ApplicantNames } from './names.ts'
import type { VerificationInput } from '../verification/verification.ts'

export { decisions, messageMeanings, readingMeanings, type Decision, type MessageMeaning, type ReadingMeaning }

export { applicantIdSchema }

/**
 * `none`: pending decision. `outdated`: decided, but newer evidence has arrived, or the decision was challenged. `no-evidence`: pending decision, and
 * no verification says anything about the applicant yet (contract/evidence/rule.ts). `proposed`: decided, and a second
 * person has not answered yet; `returned`: that person does not agree (four-eyes.ts). The order is stored in every
 * history file.
 */
export const applicantStates = [
  'none',
  'approve',
  'decline',
  'escalate',
  'outdated',
  'no-evidence',
  'proposed',
  'returned'
] as const
export type ApplicantState = (typeof applicantStates)[number]

/** A reason for a decision, as a code defined by the organisation; the list is in the settings. */
export const reasonCodeSchema = z.strictObject({
  code: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, rule('reason-code-invalid')),
  label: z.string().trim().min(1, rule('label-missing')).max(120),
  /** Decisions that it may be given for. */
  decisions: z.array(z.enum(decisions)).min(1, rule('decisions-missing')).max(decisions.length),
  /** What a letter of explanation tells the applicant of it; without one, the letter leaves the reason out. */
  wording: z.string().trim().min(1).max(500).optional()
})
export type ReasonCode = z.output<typeof reasonCodeSchema>
export const maxReasonCodes = 50
export const maxRemovedReasons = 500

/** One row of the list of applicants; who it is comes from the newest answer with details. */
export interface ApplicantSummary extends ApplicantNames {
  readonly id: string
  /** Last verification, link, note, tag, due date or decision. */
  readonly lastAt: number
  /** Verifications of this id and verifications linked to it manually. */
  readonly checks: number
  readonly state: ApplicantState
  /** What was decided, while it is proposed or returned. */
  readonly proposal?: ApprovableDecision
  /** Its decision is outdated because the applicant challenged it. */
  readonly challenged?: true
  readonly tags: readonly string[]
  readonly due?: number
  /** Absent if nobody has recorded one. */
  readonly relationship?: Relationship
  /** Code of its risk class; absent if nobody has given one. */
  readonly risk?: string
  /** When it is to be reviewed; absent if that is not scheduled. */
  readonly review?: NextReview
  /** The name of the person who handles it; absent if nobody does. */
  readonly assignee?: string
  /** The last verification, linked ones included: when it began, and the name of its connection. */
  readonly last?: { readonly operation: OperationId; readonly at: number; readonly connection: string }
  /** The service has answered with the applicant's details, whether or not they say a name. */
  readonly details?: true
}

export const maxApplicantsPage = 200
/** Where a page of applicants ended; pass it back unchanged. `id` and `part` belong to other orders than by activity. */
export const applicantCursorSchema = z.strictObject({
  at: z.number().int(),
  ref: z.number().int(),
  id: z.string().max(256).optional(),
  part: z.number().int().optional()
})
export type ApplicantCursor = z.output<typeof applicantCursorSchema>
/**
 * `activity`: latest first. `applicant`: by ID. `state`: in the order of the states. `due` and `review`, the next review: earliest first,
 * without a date last in either direction. Equal ones: latest activity first.
 */
export const applicantSorts = ['activity', 'applicant', 'state', 'due', 'review'] as const
export const applicantOrderSchema = z.strictObject({ by: z.enum(applicantSorts), reversed: z.boolean().optional() })
export type ApplicantOrder = z.output<typeof applicantOrderSchema>
export const applicantListQuerySchema = z.strictObject({
  /** Part of the id, the name or the date of birth, ignoring case and accents. */
  search: z.string().max(256).optional(),
  states: z.array(z.enum(applicantStates)).max(applicantStates.length).optional(),
  due: z.array(z.enum(dueClasses)).max(dueClasses.length).optional(),
  /** An empty one stands for those without a recorded relationship. */
  relationships: z
    .array(z.enum(['', ...relationshipStates]))
    .max(relationshipStates.length + 1)
    .optional(),
  /** Codes of risk classes; an empty one stands for those without a class. */
  risks: z.array(z.string().max(40)).max(100).optional(),
  reviews: z.array(z.enum(reviewClasses)).max(reviewClasses.length).optional(),
  /** Only those with a document that has expired since the last review. */
  expired: z.boolean().optional(),
  /** Exactly one of these, as in the details. */
  countries: z.array(z.string().max(80)).max(300).optional(),
  /** Exactly one of these names; an empty one stands for nobody. */
  assignees: z.array(z.string().max(200)).max(300).optional(),
  /** Exactly one of these tags. */
  tags: z.array(z.string().max(60)).max(300).optional(),
  /** IDs of connections that a verification of the applicant used. */
  connections: z.array(z.string().max(64)).max(100).optional(),
  /** Only those without an answer with details. */
  withoutDetails: z.boolean().optional(),
  /** Those to whom this batch sent something, and messages of their rows: numbers as in `BatchMessage`. */
  batch: z.uuid().optional(),
  messages: z.array(z.int()).max(maxChosenMessages).optional(),
  /** By activity if absent. */
  order: applicantOrderSchema.optional(),
  limit: z.number().int().min(1).max(maxApplicantsPage),
  /** `next` of the previous page. */
  after: applicantCursorSchema.optional()
})
export type ApplicantListQuery = z.output<typeof applicantListQuerySchema>
/** Applicants that match the filters of a list and can be changed as a whole. */
export const maxMatchingApplicants = 10_000
export interface MatchingApplicants {
  /** Empty if there are more than can be changed. */
  readonly ids: readonly string[]
  readonly more: boolean
}
export const matchingApplicantsQuerySchema = applicantListQuerySchema.omit({ order: true, limit: true, after: true })
export type MatchingApplicantsQuery = z.output<typeof matchingApplicantsQuerySchema>
export type ApplicantFilter = Omit<MatchingApplicantsQuery, 'search'>
interface Counted {
  readonly value: string
  readonly count: number
}
/** How many applicants match, and how many would with each value of a filter instead of its own. */
export interface ApplicantCounts {
  readonly total: number
  readonly states: Readonly<Record<ApplicantState, number>>
  readonly due: Readonly<Record<DueClass, number>>
  readonly reviews: Readonly<Record<ReviewClass, number>>
  /** An empty one counts those without a recorded relationship. */
  readonly relationships: Readonly<Record<RelationshipState | '', number>>
  /** By code; an empty one counts those without a class. */
  readonly risks: readonly Counted[]
  readonly countries: readonly Counted[]
  readonly assignees: readonly Counted[]
  readonly tags: readonly Counted[]
  /** By ID. */
  readonly connections: readonly Counted[]
  /** Of the whole list, whatever the filters are. */
  readonly views: {
    readonly all: number
    readonly pending: number
    readonly withoutDetails: number
    readonly reviewOverdue: number
    readonly reviewIn30: number
  }
}
export interface ApplicantList {
  /** Latest activity first, unless another order was asked for. */
  readonly applicants: readonly ApplicantSummary[]
  /** Absent on the last page. */
  readonly next?: ApplicantCursor
}

/** An interpretation that a decision was based on; version 0 if the message had none yet, no `means` if it was taken back. */
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
  /** Codes as given. */
  readonly reasons: readonly string[]
  readonly note: string
  /** The last event of the applicant's evidence that was seen, and the seqs of the records. */
  readonly evidence: number
  readonly records: readonly number[]
  readonly readings: readonly ReadingUsed[]
  /** The checklist, if there was one for the decision. */
  readonly checklist?: ChecklistAnswered
  readonly set?: DecidedSet
  /** Newer evidence has arrived since, or the decision was challenged. */
  readonly outdated: boolean
  /** The applicant challenged it, and no later decision has answered that. */
  readonly challenged?: true
  /** What was on screen before; absent where that is not recorded. */
  readonly seen?: Seen
  /** How long the applicant was shown before, as the window says; absent where that is not recorded. */
  readonly focus?: FocusClass
  /** A second person has to agree (four-eyes.ts). */
  readonly proposed?: true
  /** What a second person said of it, with a reason if it was returned. */
  readonly answer?: DecisionAnswer
}

/** The answer by which a proposed decision holds, or was returned. */
export interface DecisionAnswer {
  readonly at: number
  readonly by: string
  readonly agrees: boolean
  readonly note: string
}

/** Look-alikes that are named. */
export const maxLookAlikes = 20

export interface ApplicantDetail extends ApplicantSummary {
  readonly firstAt: number
  /** Number of verifications linked manually or by a batch's column; their applicant was not sent to the provider. */
  readonly local: number
  /** The last event of the evidence; a decision names the last event that its author has seen. */
  readonly evidence: number
  readonly decision?: DecisionMade
  /** Messages of the evidence without an interpretation. */
  readonly unread: number
  /** When the last periodic review was recorded: Unix milliseconds. */
  readonly reviewedAt?: number
  /** The legal hold that it is under: since when, by whom, and why. */
  readonly hold?: { readonly at: number; readonly by: string; readonly reason: string }
  /** Other applicants whose IDs look like this one: they differ by accents, case, width, composition or invisible characters. */
  readonly lookAlikes: readonly string[]
}

/** An applicant's timeline, newest first. `seq` is the event of the audit trail and the paging key. */
export type TimelineEntry =
  /** `local`: linked in Veridesk only. `linked`: linked manually, so it can be unlinked. */
  | {
      readonly kind: 'check'
      readonly seq: number
      readonly at: number
      readonly record: RecordSummary
      readonly local: boolean
      readonly linked: boolean
      readonly reading?: ReadingMeaning
    }
  | { readonly kind: 'decision'; readonly seq: number; readonly at: number; readonly decision: DecisionMade }
  | {
      readonly kind: 'note'
      readonly seq: number
      readonly at: number
      readonly operator: string
      readonly text: string
    }
  /** What the applicant says against the decision before it; empty if it was erased. */
  | {
      readonly kind: 'challenge'
      readonly seq: number
      readonly at: number
      readonly operator: string
      readonly text: string
    }
  | {
      readonly kind: 'tags'
      readonly seq: number
      readonly at: number
      readonly operator: string
      readonly tags: readonly string[]
    }
  | {
      readonly kind: 'link' | 'unlink'
      readonly seq: number
      readonly at: number
      readonly operator: string
      readonly recordId: string
    }
  | {
      readonly kind: 'due'
      readonly seq: number
      readonly at: number
      readonly operator: string
      readonly due: number | null
    }
  | {
      readonly kind: 'review'
      readonly seq: number
      readonly at: number
      readonly operator: string
      readonly outcome: ReviewOutcome
      readonly next?: string
      readonly checklist?: ChecklistAnswered
      readonly note: string
    }
  /** Empty if it was erased. */
  | {
      readonly kind: 'expiry'
      readonly seq: number
      readonly at: number
      readonly operator: string
      readonly document: string
      readonly expires: string
    }
  | {
      readonly kind: 'risk'
      readonly seq: number
      readonly at: number
      readonly operator: string
      readonly risk: string
      readonly months: number
      readonly note: string
    }
  | ({
      readonly kind: 'relationship'
      readonly seq: number
      readonly at: number
      readonly operator: string
      readonly note: string
    } & Relationship)
  /** `assignee` is null if the assignment was removed. */
  | {
      readonly kind: 'assignee'
      readonly seq: number
      readonly at: number
      readonly operator: string
      readonly assignee: string | null
    }
  /** Asked for approval here, answered a colleague (`agrees`), or had an answer of a colleague (`by`). */
  | {
      readonly kind: 'approval'
      readonly seq: number
      readonly at: number
      readonly operator: string
      readonly agrees?: boolean
      readonly by?: string
      /** Of an answer that was received: the key that signed it, when it was signed, and the event that it answers. */
      readonly key?: string
      readonly signedAt?: number
      readonly asked?: number
      /** The request, or that of the answer, is for a file and not for a team. */
      readonly byFile?: true
      /** An answer came after newer evidence or another decision; these are newer than a request, so no answer can count. */
      readonly void?: true
      readonly note: string
    }
  /** An evidence pack was created, to be handed over. */
  | {
      readonly kind: 'pack'
      readonly seq: number
      readonly at: number
      readonly operator: string
      readonly about: 'applicant' | 'record'
    }

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

/** A value of an answer's body, by its path: `address.city`, `documents[0].type`. */
export interface AnswerField {
  readonly name: string
  /** Text as received; other values as JSON. */
  readonly value: string
  /** Only its beginning is here. */
  readonly cut?: true
  /** The answer names it and has no value for it. */
  readonly none?: true
}
/** An answer to a request for the applicant's details. */
export interface DetailsAnswer {
  readonly record: RecordSummary
  /** `message` first, the others as received. */
  readonly fields: readonly AnswerField[]
  /** The body has more values than are listed. */
  readonly more?: true
}
/** The newest answer of an operation about the applicant. */
export interface NewestAnswer {
  readonly record: RecordSummary
  /** Linked in Veridesk only. */
  readonly local: boolean
  readonly reading?: ReadingMeaning
  /** The answer before it, if that differs in status or message. */
  readonly before?: RecordSummary
}
/** The input of the newest record of an operation, whatever its outcome. */
export interface LastInput {
  readonly operation: OperationId
  readonly input: VerificationInput
}
/** What the service last answered about an applicant, to summarise it and to fill forms. */
export interface ApplicantAnswers {
  /** In the order of the table of operations; operations without an answer are absent. */
  readonly newest: readonly NewestAnswer[]
  /** Newest first, up to `maxDetailsAnswers`. */
  readonly details: readonly DetailsAnswer[]
  /** Newest first, one for each operation. */
  readonly inputs: readonly LastInput[]
}
export const maxDetailsAnswers = 10
export const maxAnswerFields = 40
/** Characters of a field's value. */
export const maxAnswerValue = 500

export const maxNoteLength = 8000
export const noteDraftSchema = z.strictObject({
  applicantId: applicantIdSchema,
  text: z.string().trim().min(1, rule('text-needed')).max(maxNoteLength)
})

export const maxTags = 20
export const tagSchema = z.string().trim().min(1, rule('tag-missing')).max(60)
/** All tags of the applicant, in order; tags not listed are removed. */
export const tagsDraftSchema = z.strictObject({ applicantId: applicantIdSchema, tags: z.array(tagSchema).max(maxTags) })

/** Applicants that can be changed in one step. */
export const maxApplicantsAtOnce = 1000
/** The same change of several applicants: tags that are added or removed, or a due date (null removes it). */
export const applicantsChangeSchema = z
  .strictObject({
    applicantIds: z.array(applicantIdSchema).min(1).max(maxApplicantsAtOnce),
    add: z.array(tagSchema).max(maxTags).optional(),
    remove: z.array(tagSchema).max(maxTags).optional(),
    due: z.int().nonnegative().multipleOf(dayLength).nullable().optional(),
    assignee: z.string().trim().min(1, rule('text-needed')).max(100).nullable().optional(),
    relationship: relationshipSchema.optional(),
    /** The code of a class in the settings. */
    risk: riskCodeSchema.optional()
  })
  .refine(
    ({ add, remove, due, assignee, relationship, risk }) =>
      Boolean(add?.length) ||
      Boolean(remove?.length) ||
      [due, assignee, relationship, risk].some((each) => each !== undefined),
    rule('text-needed')
  )
export type ApplicantsChange = z.output<typeof applicantsChangeSchema>
/** The result for the applicants of such a change; one that has no history any more is not counted. */
export interface ApplicantsChanged {
  readonly changed: number
  /** As they already were so. */
  readonly same: number
  /** They would have more tags than are possible; nothing of them was changed. */
  readonly full: number
}

/** What an applicant says against the decision about them. */
export const challengeDraftSchema = z.strictObject({
  applicantId: applicantIdSchema,
  text: z.string().trim().min(1, rule('text-needed')).max(maxNoteLength)
})
export type ChallengeDraft = z.output<typeof challengeDraftSchema>

export const linkDraftSchema = z.strictObject({ recordId: z.uuid(), applicantId: applicantIdSchema })

/** The set that a decision was made in (decide-many.ts), as its event names it. */
export const decidedSetSchema = z.strictObject({
  id: z.uuid(),
  /** Number of applicants. */
  size: z.int().min(1).max(maxApplicantsAtOnce),
  /** Of the sample: with it, the same sample is drawn from the same applicants. */
  seed: z.string().regex(/^[0-9a-f]{32}$/),
  /** Share of the sample in per cent. */
  share: z.int().min(0).max(100)
})
export type DecidedSet = z.output<typeof decidedSetSchema>

export const decisionDraftSchema = z.strictObject({
  applicantId: applicantIdSchema,
  decision: z.enum(decisions),
  reasons: z.array(z.string().max(40)).max(20),
  note: z.string().trim().max(maxNoteLength),
  /** Answers to the checklist, if there is one for the decision. */
  checks: checksSchema.optional(),
  /** `evidence` as displayed; refused if newer evidence has arrived. */
  evidence: z.number().int().nonnegative(),
  /** For an escalation: its due date. */
  due: z.int().nonnegative().multipleOf(dayLength).optional(),
  /** The decisions of colleagues that were shown, by installation and number: no other one is replaced. */
  known: z
    .array(z.tuple([z.string().regex(/^[0-9a-f]{32}$/), z.int().positive()]))
    .max(1000)
    .optional(),
  /** IDs of the records whose answers were in sight. */
  shown: z.array(z.uuid()).max(1000).optional(),
  /** How long the applicant was shown; absent where the policy does not ask for it. */
  focus: z.enum(focusClasses).optional(),
  /** If it belongs to a set of decisions. */
  set: decidedSetSchema.optional(),
  /** With a decline: the day on which the relationship was refused with it, recorded in the same step. */
  refusedOn: civilDateSchema.optional(),
  /** How the periodic review ends that this decision is, recorded in the same step; none is an escalation. */
  review: z.enum(reviewOutcomes).optional(),
  /** With it: answers to the checklist of reviews. */
  reviewChecks: checksSchema.optional()
})
export type DecisionDraft = z.output<typeof decisionDraftSchema>

/** A distinct message that the service returned for an operation. */
export interface CatalogueMessage {
  /** Number of the message in this history. */
  readonly id: number
  readonly operation: OperationId
  readonly status: number
  /** Verbatim, up to 2,000 characters; empty if it was erased. */
  readonly message: string
  /** It contains a value of an applicant, such as the ID or the name: nobody who shares the screen shows it. */
  readonly own?: true
  readonly count: number
  readonly firstAt: number
  readonly lastAt: number
  /** The latest interpretation; absent if the message is unreviewed. */
  readonly reading?: MessageReading
}
/** A row of the catalogue: a message, or all with its text. Unreviewed while one of them is. */
export interface CatalogueRow extends CatalogueMessage {
  /** The messages with this text, if there are several: one for each operation and status, most answers first. */
  readonly parts?: readonly CatalogueMessage[]
}
export interface MessageReading {
  /** From 1, per message. */
  readonly version: number
  /** Absent if the interpretation before was taken back. */
  readonly means?: ReadingMeaning
  readonly note: string
  readonly at: number
  readonly operator: string
}
/** Messages stored per operation; further ones are counted but not listed. */
export const maxMessagesOfOperation = 5000
/** What messages are sorted by. `reading`: unreviewed ones first, then in the order of the meanings; `first`: when first seen. */
export const catalogueSorts = ['operation', 'status', 'reading', 'count', 'first', 'last'] as const
export type CatalogueSort = (typeof catalogueSorts)[number]
/** Ascending. Equal ones: newest first. */
export const catalogueOrderSchema = z.strictObject({ by: z.enum(catalogueSorts), reversed: z.boolean().optional() })
export type CatalogueOrder = z.output<typeof catalogueOrderSchema>
/** Where a page of messages ended; pass it back unchanged. `key` belongs to an order. */
export const catalogueCursorSchema = z.strictObject({
  id: z.number().int().positive(),
  key: z.number().int().optional()
})
export type CatalogueCursor = z.output<typeof catalogueCursorSchema>
export const catalogueQuerySchema = z.strictObject({
  operations: z.array(z.enum(operationIds)).max(operationIds.length).optional(),
  statuses: z.array(z.number().int().min(100).max(999)).max(50).optional(),
  meanings: z.array(z.enum(messageMeanings)).max(messageMeanings.length).optional(),
  /** Only messages that were first seen since `month`. */
  fresh: z.boolean().optional(),
  /** The start of this month. */
  month: z.number().int().nonnegative().optional(),
  /** Messages with one text are one row. */
  merge: z.boolean().optional(),
  /** Part of the message, ignoring case. */
  search: z.string().max(200).optional(),
  /** Only messages that this applicant's verifications received, including linked ones. */
  applicantId: applicantIdSchema.optional(),
  limit: z.number().int().min(1).max(200),
  /** Newest first if absent. */
  order: catalogueOrderSchema.optional(),
  /** `next` of the previous page. */
  after: catalogueCursorSchema.optional()
})
export type CatalogueQuery = z.output<typeof catalogueQuerySchema>
/** For each value of a filter, how many rows it would leave with the other filters unchanged. */
export interface CatalogueCounts {
  /** Without a filter by interpretation, and not only new ones. */
  readonly all: number
  readonly meanings: Readonly<Record<MessageMeaning, number>>
  readonly fresh: number
  readonly operations: Readonly<Partial<Record<OperationId, number>>>
  readonly statuses: Readonly<Record<string, number>>
}
export interface CataloguePage {
  readonly messages: readonly CatalogueRow[]
  /** Absent on the last page. */
  readonly next?: CatalogueCursor
  /** Number of rows, and of those without an interpretation: of the applicant if one was given, otherwise of the whole catalogue. */
  readonly total: number
  readonly unread: number
  readonly counts: CatalogueCounts
  /** Number of answers whose message was not stored because the catalogue was full. */
  readonly beyond: number
}
export const readingDraftSchema = z.strictObject({
  id: z.number().int().positive(),
  /** `unreviewed` takes back what the message has. */
  means: z.enum(messageMeanings),
  note: z.string().trim().max(maxNoteLength)
})
/** Interpretations that are saved at once. */
export const maxReadings = 500
export type ReadingDraft = z.output<typeof readingDraftSchema>
