/** What is asked of the history: its filter, order and pages, and a verification to be run. All times are Unix milliseconds. */
import { z } from 'zod'
import { applicantIdSchema } from '../applicants/applicant-id.ts'
import { messageMeanings } from '../applicants/meanings.ts'
import { operationIds } from '../verification/operations.ts'
import { outcomeIds } from '../verification/outcomes.ts'
import { historySorts, unknownAgainWords } from './records.ts'

/** Filters of the list. Values within one filter are alternatives; different filters are combined. */
export const historyFilterSchema = z.strictObject({
  /**
   * Operators and phrases, see `readSearch`: full-text search in ids, URLs, messages and raw bodies, names and notes of applicants; of a text too short for it, the
   * records of applicants with this ID.
   */
  search: z.string().max(500).optional(),
  operations: z.array(z.enum(operationIds)).max(operationIds.length).optional(),
  states: z
    .array(z.enum(['open', ...outcomeIds]))
    .max(outcomeIds.length + 1)
    .optional(),
  statuses: z.array(z.number().int().min(100).max(999)).max(50).optional(),
  connections: z.array(z.string().max(64)).max(100).optional(),
  /** IDs of batches. */
  batches: z.array(z.uuid()).max(100).optional(),
  operators: z.array(z.string().max(400)).max(100).optional(),
  /** Numbers of messages in the catalogue, and what is made of messages. */
  messages: z.array(z.number().int().positive()).max(200).optional(),
  meanings: z.array(z.enum(messageMeanings)).max(messageMeanings.length).optional(),
  /** Inclusive start and exclusive end. */
  from: z.number().int().nonnegative().optional(),
  until: z.number().int().nonnegative().optional(),
  /** Only unresolved unknown outcomes. */
  unresolved: z.boolean().optional()
})
export type HistoryFilter = z.output<typeof historyFilterSchema>

export const historyOrderSchema = z.strictObject({ by: z.enum(historySorts), reversed: z.boolean().optional() })
export type HistoryOrder = z.output<typeof historyOrderSchema>

export const maxPageSize = 200
export const historyPageQuerySchema = z.strictObject({
  filter: historyFilterSchema,
  limit: z.number().int().min(1).max(maxPageSize),
  /** Newest first. `before` pages to older records, `after` to newer ones, `at` goes to a time. */
  before: z.number().int().positive().optional(),
  after: z.number().int().nonnegative().optional(),
  at: z.number().int().nonnegative().optional(),
  /** Another order, which is paged by `offset`: the number of records before the page. */
  order: historyOrderSchema.optional(),
  offset: z.number().int().nonnegative().optional(),
  /** Sorts again; without it, a page comes from the list of the page before, so that rows do not move in between. */
  again: z.boolean().optional()
})
export type HistoryPageQuery = z.output<typeof historyPageQuerySchema>

/** A request for one verification. */
export const runRequestSchema = z.strictObject({
  /** Chosen by the window, so that it can be cancelled before it has a record. */
  runId: z.uuid(),
  connectionId: z.uuid(),
  operation: z.enum(operationIds),
  input: z.record(z.string().max(100), z.string()),
  /** The applicant that the record belongs to in Veridesk only, for an operation without an applicant ID; never sent. */
  applicantId: applicantIdSchema.optional(),
  rerunOf: z.uuid().optional(),
  /** Send although the same verification was recently answered; it says nothing about an outcome that nobody knows. */
  repeatAnyway: z.boolean().optional(),
  /** Send although no copy can be kept of a document, where copies are kept. */
  withoutCopies: z.boolean().optional(),
  /** The answer to “The last request may already have been processed”: on a live connection it is the word that was typed. */
  unknownAgain: z.enum(unknownAgainWords).optional(),
  /** The name of the live connection that a person has confirmed, where that is required. */
  confirmation: z.string().max(200).optional()
})
export type RunRequest = z.output<typeof runRequestSchema>
