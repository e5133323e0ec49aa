/** States of a batch’s rows, and how much a batch may hold: what the window’s frame needs of batches, without zod. */
import { outcomeIds } from './outcomes.ts'

/** `waiting` goes out when its turn comes; `invalid`, `duplicate` and `recently` are never sent. */
export const rowStates = ['waiting', 'open', ...outcomeIds, 'invalid', 'duplicate', 'recently-answered', 'cancelled'] as const
export type RowState = (typeof rowStates)[number]

/** Limits of the console's own: far above real use, and what bounds memory and disk. */
export const maxBatchRows = 1_000_000
export const maxBatchColumns = 1000
/** Characters of one cell. */
export const maxCellLength = 65_536
/** Bytes of a pasted or dropped text. */
export const maxBatchText = 16 * 1024 * 1024
