/** The work queue: applicants and unknown outcomes that wait for a user. All times are Unix milliseconds. */
import { z } from 'zod'
import { dayLength } from './due-dates.ts'
import { applicantIdSchema, tagSchema, type ApplicantSummary } from './applicants.ts'
import { rule } from '../verification/field-issues.ts'
import { operationIds, type OperationId } from '../verification/operations.ts'
import type { RecordState } from '../verification/outcomes.ts'
import {
  dueClasses,
  maxChosenMessages,
  queueKinds,
  queueMeanings,
  queueSorts,
  type DueClass,
  type QueueKind,
  type QueueMeaning
} from './queue-kinds.ts'
import type { RecordSummary } from '../history/records.ts'
import { colleagueEntrySchema, teamInstallationSchema } from '../team/queue.ts'

/** The last verification of an item. */
export interface QueueCheck {
  readonly operation: OperationId
  readonly at: number
  readonly state: RecordState
  readonly status?: number
  /** The service's message verbatim, up to 300 characters. */
  readonly message?: string
  /** Name of the connection. */
  readonly connection: string
  /** Name of the batch that sent it. */
  readonly batch?: string
}

interface QueueItemFacts {
  /** Since when it waits: the first verification, the escalation, the evidence that made the decision outdated, or the day of the review. */
  readonly since: number
  readonly due?: number
  /** The name of the person who handles it. */
  readonly assignee?: string
  /** Absent if the applicant has no verification, only links that were removed. */
  readonly check?: QueueCheck
  /** The gravest interpretation of the standing answers (standing.ts); absent without one. */
  readonly meaning?: QueueMeaning
  /** The operation whose answer that is, if it is not the newest answer. */
  readonly meaningOf?: OperationId
}
export type QueueItem = QueueItemFacts &
  (
    | { readonly kind: Exclude<QueueKind, 'unresolved'>; readonly applicant: ApplicantSummary }
    | {
        readonly kind: 'unresolved'
        readonly record: RecordSummary
        readonly applicantId?: string
        /** The applicant's name from the newest details; absent without them. */
        readonly name?: string
      }
  )

export const maxAssigneeLength = 100
const assigneeSchema = z.string().trim().min(1, rule('text-needed')).max(maxAssigneeLength)
const choices = 50

/** Filters of the queue. Values within one filter are alternatives; different filters are combined. */
export const queueFilterSchema = z.strictObject({
  /** Part of an applicant ID, a name, a message or a tag, ignoring case. */
  search: z.string().max(500).optional(),
  kinds: z.array(z.enum(queueKinds)).max(queueKinds.length).optional(),
  due: z.array(z.enum(dueClasses)).max(dueClasses.length).optional(),
  /** The operation of the last verification. */
  operations: z.array(z.enum(operationIds)).max(operationIds.length).optional(),
  tags: z.array(tagSchema).max(choices).optional(),
  /** The gravest interpretations of the standing answers. */
  meanings: z.array(z.enum(queueMeanings)).max(queueMeanings.length).optional(),
  /** The message of the last verification: numbers as in `QueueMessage`. */
  newest: z.array(z.int()).max(maxChosenMessages).optional(),
  /** Names; an empty one means unassigned. */
  assignees: z
    .array(z.union([z.literal(''), assigneeSchema]))
    .max(choices)
    .optional(),
  /** Since when it waits: inclusive start, exclusive end. */
  from: z.number().int().nonnegative().optional(),
  until: z.number().int().nonnegative().optional(),
  /** Those to whom this batch sent something. */
  batch: z.uuid().optional(),
  /** Messages of that batch’s rows: numbers as in `BatchMessage`. */
  messages: z.array(z.int()).max(maxChosenMessages).optional()
})
export type QueueFilter = z.output<typeof queueFilterSchema>

export const queueOrderSchema = z.strictObject({ by: z.enum(queueSorts), reversed: z.boolean().optional() })
export type QueueOrder = z.output<typeof queueOrderSchema>

/** Identifies an item: exactly one of the two. */
const queuedShape = { applicantId: applicantIdSchema.optional(), recordId: z.uuid().optional() }
const ofOne = (draft: { readonly applicantId?: string | undefined; readonly recordId?: string | undefined }): boolean =>
  (draft.applicantId === undefined) !== (draft.recordId === undefined)

export const maxQueuePage = 200
export const queueQuerySchema = z.strictObject({
  filter: queueFilterSchema.optional(),
  /** By due date if absent. */
  order: queueOrderSchema.optional(),
  /** 0 returns only the counts, with a filter also how many match; it lists nobody. */
  limit: z.number().int().min(0).max(maxQueuePage),
  /** Number of items before the page. */
  offset: z.number().int().nonnegative().optional(),
  /** An item whose place the answer states. */
  find: z.strictObject(queuedShape).refine(ofOne, rule('applicant-or-record')).optional()
})
export type QueueQuery = z.output<typeof queueQuerySchema>

/** For each filter value, how many items it would leave with the other filters unchanged. */
export interface QueueFacets {
  readonly kinds: Readonly<Record<QueueKind, number>>
  readonly due: Readonly<Record<DueClass, number>>
  readonly operations: Readonly<Partial<Record<OperationId, number>>>
  /** The most frequent first, and all that are chosen. */
  readonly tags: readonly QueueValue[]
  /** By name; an empty one counts the unassigned. */
  readonly assignees: readonly QueueValue[]
  readonly meanings: Readonly<Record<QueueMeaning, number>>
  /** The most frequent first, and all that are chosen. */
  readonly messages: readonly QueueMessage[]
  /** Batches by their IDs, with their names; the latest first. */
  readonly batches: readonly (QueueValue & { readonly name: string })[]
}
/** A message of last verifications. */
export interface QueueMessage {
  /** Its number in the catalogue, or the HTTP status below zero of answers that the catalogue does not hold. */
  readonly id: number
  /** Up to 300 characters. */
  readonly message: string
  readonly meaning: QueueMeaning
  readonly count: number
}
export interface QueueValue {
  readonly value: string
  readonly count: number
}

export interface QueuePage {
  readonly items: readonly QueueItem[]
  /** Number of items that match. */
  readonly total: number
  /** The place of the item that was asked for; absent if it does not match or no longer waits. */
  readonly found?: number
  /** Absent if only the counts were asked for. */
  readonly facets?: QueueFacets
  /** Of the whole queue. */
  readonly counts: Readonly<Record<QueueKind, number>>
  /** Items of the whole queue whose due date has passed. */
  readonly overdue: number
  /** If nothing waits: the next due date of applicants, from today on, and how many have it. */
  readonly nextDue?: { readonly due: number; readonly applicants: number }
}

/** What waits for one person: what the side bar, the icon and notifications say. */
export interface QueueWaiting {
  /** All that waits here. */
  readonly all: number
  readonly assigned: number
  readonly unassigned: number
  readonly due: number
  readonly overdue: number
  /** Reviews among all that waits, and those of them whose day has passed. */
  readonly reviews: number
  readonly reviewsOverdue: number
}
/** With the names under which this person has items. */
export interface QueueCount extends QueueWaiting {
  readonly names: readonly string[]
}

/** Sets or removes a due date, of either an applicant or a record. */
export const dueDraftSchema = z
  .strictObject({ ...queuedShape, due: z.int().nonnegative().multipleOf(dayLength).nullable() })
  .refine(ofOne, rule('applicant-or-record'))
export type DueDraft = z.output<typeof dueDraftSchema>

/** Assigns an item to a person by name, or to nobody. In a team, this claims the item, hands it over or releases it. */
export const assignDraftSchema = z
  .strictObject({
    ...queuedShape,
    /** An item that waits at a colleague, instead of one of this installation. */
    of: colleagueEntrySchema.optional(),
    assignee: assigneeSchema.nullable(),
    /** Removes a claim that came too late, and leaves the item with whoever has it. */
    late: z.literal(true).optional(),
    /** The installation of a colleague to whom it is handed over. */
    to: teamInstallationSchema.optional()
  })
  .refine(
    ({ of, ...draft }) =>
      of === undefined ? ofOne(draft) : draft.applicantId === undefined && draft.recordId === undefined,
    rule('applicant-or-record')
  )
export type AssignDraft = z.output<typeof assignDraftSchema>

export const maxQueueViews = 50
/** A saved view of the queue, without the search text, which may name a person. */
export const queueViewSchema = z.strictObject({
  name: z.string().trim().min(1, rule('name-missing')).max(60),
  filter: queueFilterSchema.omit({ search: true }),
  order: queueOrderSchema.optional()
})
export type QueueView = z.output<typeof queueViewSchema>
export const queueViewsSchema = z
  .array(queueViewSchema)
  .max(maxQueueViews, `at most ${maxQueueViews} views`)
  .refine((views) => new Set(views.map(({ name }) => name)).size === views.length, rule('names-repeated'))
