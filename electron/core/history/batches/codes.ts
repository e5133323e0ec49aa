/** States as stored. The numbers are in every file: new ones go to the end. */
import { rowStates, type RowState } from '#contract/batch-rows.ts'
import { batchStates, type BatchSettlement, type BatchState } from '#contract/batches.ts'

/** 0 is a batch under making, which nobody sees. */
const storedBatchStates: readonly (BatchState | undefined)[] = [undefined, 'made', 'running', 'paused', 'stopped', 'cancelled', 'finished']
export const codeOfBatch = (state: BatchState): number => storedBatchStates.indexOf(state)
export const batchStateOf = (code: number): BatchState | undefined => storedBatchStates[code]

/** The last two are unknown rows that a person has settled, as sent or to be sent again. */
const storedRowStates: readonly { readonly state: RowState; readonly settled?: BatchSettlement }[] = [
  { state: 'waiting' },
  { state: 'open' },
  { state: 'answered' },
  { state: 'unreadable' },
  { state: 'not-sent' },
  { state: 'unknown' },
  { state: 'faulty' },
  { state: 'duplicate' },
  { state: 'lately' },
  { state: 'cancelled' },
  { state: 'unknown', settled: 'sent' },
  { state: 'unknown', settled: 'again' }
]
export const codeOfRow = (state: RowState): number => storedRowStates.findIndex((each) => each.state === state && !each.settled)
export const settledCode = (as: BatchSettlement): number => storedRowStates.findIndex((each) => each.settled === as)
export const codesOfRow = (state: RowState): readonly number[] =>
  storedRowStates.flatMap((each, code) => (each.state === state ? [code] : []))
export const rowStateOf = (code: number): { readonly state: RowState; readonly settled?: BatchSettlement } | undefined => storedRowStates[code]

// A state of the contract without a code could be neither stored nor found.
if (batchStates.some((state) => codeOfBatch(state) < 1) || rowStates.some((state) => codeOfRow(state) < 0))
  throw new Error('a state of batches has no code in the history')
