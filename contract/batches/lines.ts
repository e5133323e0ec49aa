/** The lines of a checked file, before anything is sent: each is of one kind, and the kinds add up to the lines. */
import { z } from 'zod'
import type { CheckedFault } from './batches.ts'

export const lineKinds = ['valid', 'invalid', 'duplicate', 'recently-answered'] as const
export type LineKind = (typeof lineKinds)[number]
const kinds = z.array(z.enum(lineKinds)).max(lineKinds.length).optional()

export const checkedLinesQuerySchema = z.strictObject({
  checkId: z.uuid(),
  /** All lines if absent. With invalid ones come those in which a cell was corrected. */
  kinds,
  /** Number of lines before the page. */
  offset: z.number().int().nonnegative(),
  limit: z.number().int().min(1).max(500)
})
export type CheckedLinesQuery = z.output<typeof checkedLinesQuerySchema>
export const nextInvalidQuerySchema = z.strictObject({
  checkId: z.uuid(),
  kinds,
  /** A place among the lines of these kinds, from 0. */
  after: z.number().int().min(-1)
})
export type NextInvalidQuery = z.output<typeof nextInvalidQuerySchema>

export interface CheckedLine {
  /** As the spreadsheet numbers it. */
  readonly row: number
  readonly kind: LineKind
  /** Their beginnings; with what a person corrected. Empty where a cell could be a credential. */
  readonly cells: readonly string[]
  readonly faults: readonly CheckedFault[]
  /** The earlier line of a duplicate; absent if there are too many to be kept. */
  readonly sameAs?: number
}
export interface CheckedLines {
  readonly rows: readonly CheckedLine[]
  /** Number of lines of these kinds. */
  readonly total: number
}
