/** The columns of the table of batches, and what a batch says in each. */
import type { BatchListOrder, BatchSort, BatchSummary } from '#contract/batches/batches.ts'
import { oneLine } from '#contract/text/hidden-text.ts'
import { operationsTitle } from '#contract/verification/recipes.ts'
import { percent } from './batch-counts.ts'
import { rowLabel, secondsInWords, stateLabel } from './batch-words.ts'
import type { CellTexts } from '../../kit/copied-table.ts'
import { unlessUsual, type Sort, type TableColumn, type UsualOrder } from '../../kit/table-columns.ts'
import { isoTime } from '../../kit/time.ts'
import { words } from './words.ts'

/** Rows that are never sent, so that the columns add up. */
export const unsendable = ({ counts }: BatchSummary): number => counts.invalid + counts.duplicate

/** The states whose rows have a column of their own. */
const counted = ['answered', 'invalid-response', 'not-sent', 'unknown'] as const

export const batchListColumns: readonly TableColumn[] = [
  { name: 'name', label: words.name, width: 150, narrow: 110, text: 'name', sort: 'ascending' },
  { name: 'state', label: words.state, width: 150, narrow: 116, sort: 'ascending' },
  // Changes all the time while a batch runs: a list sorted by it would be out of order at once.
  { name: 'progress', label: words.progress, width: 120, narrow: 100 },
  { name: 'rows', label: words.rows, width: 58, narrow: 50, sort: 'descending', right: true },
  { name: 'answered', label: rowLabel('answered'), width: 68, narrow: 62, sort: 'descending', right: true, gives: 4 },
  {
    name: 'invalid-response',
    label: rowLabel('invalid-response'),
    width: 106,
    narrow: 98,
    sort: 'descending',
    right: true,
    gives: 6
  },
  { name: 'not-sent', label: rowLabel('not-sent'), width: 62, narrow: 58, sort: 'descending', right: true, gives: 5 },
  { name: 'unknown', label: rowLabel('unknown'), width: 68, narrow: 62, sort: 'descending', right: true, gives: 1 },
  { name: 'unsendable', label: words.invalidOrDuplicate, width: 122, narrow: 110, right: true, gives: 7 },
  { name: 'connection', label: words.connection, width: 80, narrow: 66, sort: 'ascending', gives: 3 },
  { name: 'operation', label: words.operation, width: 118, narrow: 88, sort: 'ascending', gives: 8 },
  {
    name: 'created',
    label: words.created,
    width: 144,
    narrow: 91,
    dated: { content: 'short-time', narrow: 'brief' },
    sort: 'descending',
    gives: 2
  },
  {
    name: 'ended',
    label: words.ended,
    width: 144,
    narrow: 91,
    dated: { content: 'short-time', narrow: 'brief' },
    sort: 'descending',
    gives: 9
  },
  { name: 'file', label: words.file, width: 120, text: 'other', gives: 10 },
  { name: 'left', label: words.timeLeft, width: 96, right: true, gives: 11 }
]
export const newestBatches: UsualOrder = { by: 'created', descending: true, words: words.batchesNewestFirst }

/** The order for core, or undefined for newest first. */
export const batchOrderOf = (sort: Sort): BatchListOrder | undefined => unlessUsual<BatchSort>(sort, newestBatches)

/** The time left at the current rate; empty unless the batch runs. */
export const timeLeft = ({ state, secondsLeft }: BatchSummary): string =>
  state === 'running' && secondsLeft !== undefined ? secondsInWords(secondsLeft) : ''

/** For the clipboard. */
export const batchTexts: CellTexts<BatchSummary> = {
  name: ({ name }) => name,
  state: stateLabel,
  progress: (batch) => `${percent(batch)} %`,
  rows: ({ rows }) => String(rows),
  ...Object.fromEntries(counted.map((state) => [state, ({ counts }: BatchSummary) => String(counts[state])])),
  unsendable: (batch) => String(unsendable(batch)),
  connection: ({ connection }) => connection.name,
  operation: ({ operations }) => operationsTitle(operations),
  created: ({ createdAt }) => isoTime(createdAt),
  ended: ({ endedAt }) => (endedAt === undefined ? '' : isoTime(endedAt)),
  file: ({ fileName }) => oneLine(fileName),
  left: timeLeft
}
