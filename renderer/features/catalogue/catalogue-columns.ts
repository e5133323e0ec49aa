/** The columns of the message catalogue, and what a row says in each. */
import type {
  CatalogueMessage,
  CatalogueOrder,
  CatalogueRow,
  CatalogueSort,
  MessageMeaning
} from '#contract/applicants/applicants.ts'
import { oneLine } from '#contract/text/hidden-text.ts'
import { operationOf } from '#contract/verification/operations.ts'
import { interpretationMarks } from '../../kit/marks.ts'
import { shownLine } from '../../kit/screen-share.ts'
import type { CellTexts } from '../../kit/copied-table.ts'
import { narrowTable, type Sort, type TableColumn, type UsualOrder } from '../../kit/table-columns.ts'
import { isoTime } from '../../kit/time.ts'
import { words } from './words.ts'

/** A row as it is drawn: `part` if another row was opened to it. */
export type DrawnRow = CatalogueRow & { readonly part?: true }

export const catalogueColumns: readonly TableColumn[] = [
  // Sealed one by one: sorting by the text would open every message.
  { name: 'message', label: words.message, width: 200, narrow: 230, text: 'message', wraps: true },
  { name: 'operation', label: words.operations, width: 124, narrow: 112, sort: 'ascending' },
  { name: 'status', label: 'HTTP', width: 72, narrow: 60, sort: 'ascending', from: narrowTable, gives: 2 },
  { name: 'reading', label: words.interpretation, width: 134, narrow: 126, sort: 'ascending' },
  { name: 'count', label: words.count, width: 58, narrow: 52, sort: 'descending', right: true },
  {
    name: 'last',
    label: words.lastSeen,
    width: 144,
    narrow: 91,
    dated: { content: 'short-time', narrow: 'brief' },
    sort: 'descending',
    from: narrowTable,
    gives: 1
  }
]
export const lastSeenFirst: UsualOrder = { by: 'last', descending: true, words: words.messagesLastSeenFirst }
export const catalogueOrderOf = ({ by, descending }: Sort): CatalogueOrder => ({
  by: by as CatalogueSort,
  ...(descending && { reversed: true })
})

/** The messages of a row. */
export const messagesOf = (row: CatalogueRow): readonly CatalogueMessage[] => row.parts ?? [row]
export const meaningOf = ({ reading }: CatalogueMessage): MessageMeaning => reading?.means ?? 'unreviewed'
/** Whether its messages have different interpretations. */
export const differs = (row: CatalogueRow): boolean => new Set(messagesOf(row).map(meaningOf)).size > 1

/** The service's own words on one line. */
export const wordsOfMessage = ({ message }: CatalogueMessage): string => oneLine(message) || words.emptyOrErased
const operationsOf = (row: CatalogueRow): readonly CatalogueMessage['operation'][] => [
  ...new Set(messagesOf(row).map(({ operation }) => operation))
]
/** The name of the operation, or how many there are. */
export function operationWords(row: CatalogueRow): string {
  const [first = row.operation, ...others] = operationsOf(row)
  return others.length === 0 ? operationOf(first).shortTitle : words.operationsOf({ some: others.length + 1 })
}
export const statusesOf = (row: CatalogueRow): string =>
  [...new Set(messagesOf(row).map(({ status }) => status))].join(', ')
/** What a screen reader says of a row. */
export function rowName(row: DrawnRow): string {
  const times = words.timesOf({ times: row.count })
  const operations = words.operationsOf({ some: operationsOf(row).length })
  return words.rowName({
    message: row.part
      ? operationOf(row.operation).title
      : (row.own ? shownLine(wordsOfMessage(row)) : wordsOfMessage(row)).replace(/[.!?]$/u, ''),
    means: interpretationMarks[meaningOf(row)].word,
    times,
    operations
  })
}

/** For the clipboard. */
export const messageTexts: CellTexts<DrawnRow> = {
  message: ({ message }) => message,
  operation: (row) =>
    operationsOf(row)
      .map((id) => operationOf(id).title)
      .join(', '),
  status: statusesOf,
  reading: (row) => interpretationMarks[meaningOf(row)].word,
  count: ({ count }) => String(count),
  last: ({ lastAt }) => isoTime(lastAt)
}
