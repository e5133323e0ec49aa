/** The columns of the history's table, and what a record says in each. */
import type { LocationQuery } from 'vue-router'
import { oneLine } from '#contract/text/hidden-text.ts'
import { applicantFieldOf, operationOf } from '#contract/verification/operations.ts'
import { outcomeTitle } from '#contract/verification/next-steps.ts'
import { historySorts, type HistorySort, type RecordSummary } from '#contract/history/records.ts'
import type { HistoryOrder } from '#contract/history/queries.ts'
import { interpretationMarks } from '../../kit/marks.ts'
import type { CellTexts } from '../../kit/copied-table.ts'
import { unlessUsual, type Sort, type TableColumn, type UsualOrder } from '../../kit/table-columns.ts'
import { duration, isoTime } from '../../kit/time.ts'
import { words } from './words.ts'

export const recordColumns: readonly TableColumn[] = [
  {
    name: 'time',
    label: words.time,
    width: 152,
    narrow: 91,
    dated: { content: 'short-time', narrow: 'brief' },
    sort: 'descending'
  },
  { name: 'connection', label: words.connection, width: 80, narrow: 62, sort: 'ascending' },
  { name: 'operation', label: words.operation, width: 118, narrow: 78, sort: 'ascending', gives: 1 },
  { name: 'subject', label: words.subject, width: 78, narrow: 76, text: 'id' },
  { name: 'state', label: words.outcome, width: 136, narrow: 122, sort: 'ascending' },
  { name: 'status', label: 'HTTP', width: 44, narrow: 34, sort: 'ascending' },
  { name: 'message', label: words.message, width: 104, narrow: 101, text: 'message', gives: 2 },
  { name: 'reading', label: words.interpretation, width: 124, narrow: 110, gives: 4, term: 'interpretation' },
  // Only while something is searched for.
  { name: 'found', label: words.foundIn, width: 190, narrow: 150, text: 'other' },
  { name: 'duration', label: words.duration, width: 76, sort: 'descending', right: true, gives: 3 }
]
export const newestFirst: UsualOrder = { by: 'time', descending: true, words: words.recordsNewestFirst }

/** The applicant if the operation has one, otherwise the verified link without its scheme. */
export function subjectOf({ operation, input }: RecordSummary): string {
  const name = applicantFieldOf(operation) ?? operationOf(operation).fields[0]?.name ?? ''
  return (input[name] ?? '').replace(/^https?:\/\//i, '')
}
/** The service's message on one line. */
export const messageOf = ({ erased, message }: RecordSummary): string =>
  erased ? words.personalDataPermanentlyErased : oneLine(message ?? '')

/** For the clipboard. */
export const recordTexts: CellTexts<RecordSummary> = {
  time: ({ startedAt }) => isoTime(startedAt),
  connection: ({ connection }) => connection.name,
  operation: ({ operation }) => operationOf(operation).title,
  subject: (record) => (record.erased ? 'erased' : subjectOf(record)),
  state: ({ state, status, message }) =>
    state === 'open' ? words.inProgress : outcomeTitle({ state, status, message }).title,
  status: ({ status }) => String(status ?? ''),
  message: messageOf,
  reading: ({ means }) => (means ? interpretationMarks[means].word : ''),
  found: ({ found }) => (found ? `${found.in}: ${found.text}` : ''),
  duration: ({ took }) => (took === undefined ? '' : duration(took))
}

/** The sort in the address; newest first without one. */
export function sortOf(query: LocationQuery): Sort {
  const [by = '', way] = String(query['sort'] ?? '').split('-')
  return historySorts.includes(by as HistorySort) ? { by, descending: way === 'down' } : newestFirst
}
/** The sort as parameters of the address. */
export const querySort = ({ by, descending }: Sort): { sort?: string } =>
  by === newestFirst.by && descending ? {} : { sort: descending ? `${by}-down` : by }

/** The order for core, or undefined for newest first. */
export const orderOf = (sort: Sort): HistoryOrder | undefined => unlessUsual<HistorySort>(sort, newestFirst)
