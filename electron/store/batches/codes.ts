/** Numeric codes of states. They are stored in every file: append new ones at the end. */
import { rowStates, type RowState } from '#contract/batches/rows.ts'
import { batchStates, type BatchResolution, type BatchState } from '#contract/batches/batches.ts'

/** A batch being created is not visible. */
const storedBatchStates: readonly (BatchState | 'in-creation')[] = [
  'in-creation',
  'made',
  'running',
  'paused',
  'stopped',
  'cancelled',
  'finished'
]
export const codeOfBatch = (state: BatchState | 'in-creation'): number => storedBatchStates.indexOf(state)
export function batchStateOf(code: number): BatchState | undefined {
  const state = storedBatchStates[code]
  return state === 'in-creation' ? undefined : state
}
/** A condition on the table `batch`. */
export const isCreated = `state <> ${codeOfBatch('in-creation')}`

/** Two are unknown rows that a user has resolved, as sent or to be sent again. */
const storedRowStates: readonly { readonly state: RowState; readonly resolved?: BatchResolution }[] = [
  { state: 'waiting' },
  { state: 'open' },
  { state: 'answered' },
  { state: 'invalid-response' },
  { state: 'not-sent' },
  { state: 'unknown' },
  { state: 'invalid' },
  { state: 'duplicate' },
  { state: 'recently-answered' },
  { state: 'cancelled' },
  { state: 'unknown', resolved: 'sent' },
  { state: 'unknown', resolved: 'again' },
  { state: 'shared' }
]
export const codeOfRow = (state: RowState): number =>
  storedRowStates.findIndex((each) => each.state === state && !each.resolved)
export const resolvedCode = (as: BatchResolution): number => storedRowStates.findIndex((each) => each.resolved === as)
export const codesOfRow = (state: RowState): readonly number[] =>
  storedRowStates.flatMap((each, code) => (each.state === state ? [code] : []))
export const rowStateOf = (
  code: number
): { readonly state: RowState; readonly resolved?: BatchResolution } | undefined => storedRowStates[code]

// A state without a code could be neither stored nor found.
if (batchStates.some((state) => codeOfBatch(state) < 1) || rowStates.some((state) => codeOfRow(state) < 0))
  throw new Error('a state of batches has no code in the history')
