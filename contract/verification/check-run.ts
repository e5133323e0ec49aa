/** What a check of an applicant is asked for, and how its parts end. */
import { z } from 'zod'
import { applicantIdSchema } from '../applicants/applicant-id.ts'
import type { Failure } from '../failures/failures.ts'
import type { RecordDetail } from '../history/records.ts'
import { runRequestSchema } from '../history/queries.ts'
import type { RunEnding } from './run-ending.ts'
import { operationIds, type OperationId } from './operations.ts'

const asked = z.strictObject({
  connectionId: z.uuid(),
  /** In the order in which they are sent. */
  operations: z.array(z.enum(operationIds)).min(1).max(operationIds.length),
  /** By `CheckField.key`. */
  values: z.record(z.string().max(100), z.string()),
  /** Of operations that name none; never sent. */
  applicantId: applicantIdSchema.optional()
})
export const checkPlanSchema = asked
export const checkRequestSchema = asked.extend({
  /** Chosen by the window, so that the rest can be cancelled. */
  checkId: z.uuid(),
  /** Operations that are sent although they were recently answered. */
  repeat: z.array(z.enum(operationIds)).max(operationIds.length).optional(),
  confirmation: runRequestSchema.shape.confirmation,
  /** The answer to the question about an unknown outcome, for each operation that was asked about. */
  unknownAgain: z
    .array(z.strictObject({ operation: z.enum(operationIds), answer: runRequestSchema.shape.unknownAgain.unwrap() }))
    .max(operationIds.length)
    .optional()
})
export type CheckPlanRequest = z.output<typeof checkPlanSchema>
export type CheckRequest = z.output<typeof checkRequestSchema>

/** What sending would meet, for each operation; nothing of an answer but when it came. */
export interface PlannedPart {
  readonly operation: OperationId
  readonly earlier?: {
    readonly kind: 'answered' | 'unresolved' | 'not-known'
    readonly at: number
    readonly recordId?: string
  }
}

/** One operation of a check. */
export type CheckPart = { readonly operation: OperationId } & (
  | { readonly kind: 'waiting' | 'sending' }
  | { readonly kind: 'recorded'; readonly record: RecordDetail }
  | { readonly kind: 'unrecorded'; readonly record: RecordDetail; readonly failure: Failure }
  /** Recently answered with the same input: that answer is used, and nothing was sent. */
  | { readonly kind: 'used'; readonly recordId: string; readonly at: number }
  /** Held back until a person has answered. */
  | {
      readonly kind: 'held'
      readonly why: Exclude<RunEnding['kind'], 'recorded' | 'unrecorded' | 'recently-answered'>
      readonly recordId?: string
    }
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** Nothing of it left: an earlier part stopped the check, or a person did. */
  | { readonly kind: 'not-sent'; readonly why: 'stopped' | 'cancelled'; readonly after?: OperationId }
)
