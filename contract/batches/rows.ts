/** States of a batch’s rows, and limits of a batch: what the window’s frame needs, without zod. */
import { outcomeIds, outcomeOf } from '../verification/outcomes.ts'

/**
 * `waiting` rows are sent in turn; `shared` rows are sent by the installation of the team that takes them; `invalid`,
 * `duplicate` and `recently-answered` rows are never sent.
 */
export const rowStates = [
  'waiting',
  'open',
  ...outcomeIds,
  'invalid',
  'duplicate',
  'recently-answered',
  'cancelled',
  'shared'
] as const
export type RowState = (typeof rowStates)[number]

/** What each is called: in the window, in results, on the command line. */
export const rowStateLabels: Readonly<Record<RowState, string>> = {
  'waiting': 'Waiting',
  'open': 'In progress',
  'answered': outcomeOf('answered').label,
  'invalid-response': outcomeOf('invalid-response').label,
  'not-sent': outcomeOf('not-sent').label,
  'unknown': outcomeOf('unknown').label,
  'invalid': 'Invalid',
  'duplicate': 'Duplicate',
  'recently-answered': 'Recently answered',
  'cancelled': 'Not started',
  'shared': 'With the team'
}
/** The same for batches. One that is cancelled has a person as its cause, a stopped one Veridesk, with its reason. */
export const batchStateLabels = {
  made: 'Draft',
  running: 'Running',
  paused: 'Paused',
  stopped: 'Stopped',
  cancelled: 'Stopped',
  finished: 'Finished'
} as const

/** A cell that was corrected, as the history keeps it with its row. `said`: a link without its signature. */
export interface CorrectedCell {
  readonly column: string
  readonly said: string
  readonly value: string
  readonly at: number
  readonly by: string
}

/** Veridesk's own limits: far above real use, they bound memory and disk. */
export const maxBatchRows = 1_000_000
export const maxBatchColumns = 1000
/** Characters of one cell. */
export const maxCellLength = 65_536
/** Cells that can be corrected in one batch. */
export const maxCorrections = 1000
/** Bytes of a pasted or dropped text. */
export const maxBatchText = 16 * 1024 * 1024
