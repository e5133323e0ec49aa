/** Numeric codes of states. They are stored in every file: append new ones at the end. */
import { rowStates, type RowState } from '#contract/batches/rows.ts'
import { batchStates, type BatchResolution, type BatchState } from '#contract/batches/batches.ts'

/** 0 is a batch being created, which is not visible. */
const storedBatchStates: readonly (BatchState | undefined)[] = [
  undefined,
  'made',
  'running',
  'paused',
  'stopped',
  'cancelled',
  'finished'
]
export const codeOfBatch = (state: BatchState): number => storedBatchStates.indexOf(state)
export const batchStateOf = (code: number): BatchState | undefined => storedBatchStates[code]

/** Two are unknown rows that a user has resolved, as sent or to be sent again. */
const storedRowStates: readonly { readonly state: RowState; readonly resolved?: BatchResolution }[] = [
  { state: 'waiting' },
  { state: 'open' },
  { state: 'answered' },
  { state: 'unreadable' },
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
