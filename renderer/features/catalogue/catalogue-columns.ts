/** The columns of the message catalogue, and what a message says in each. */
import type { CatalogueMessage, CatalogueOrder, CatalogueSort } from '#contract/applicants/applicants.ts'
import { oneLine } from '#contract/text/hidden-text.ts'
import { operationOf } from '#contract/verification/operations.ts'
import { interpretationMarks } from '../../kit/marks.ts'
import type { CellTexts } from '../../kit/copied-table.ts'
import { unlessUsual, type Sort, type TableColumn, type UsualOrder } from '../../kit/table-columns.ts'
import { isoTime } from '../../kit/time.ts'
import { words } from './words.ts'

export const catalogueColumns: readonly TableColumn[] = [
  // Sealed one by one: sorting by the text would open every message.
  { name: 'message', label: words.theServicesMessage, width: 200, narrow: 230, text: 'message' },
  { name: 'operation', label: words.operation, width: 118, narrow: 104, sort: 'ascending', gives: 3 },
  { name: 'status', label: 'HTTP', width: 46, narrow: 40, sort: 'ascending' },
  { name: 'reading', label: words.yourInterpretation, width: 134, narrow: 126, sort: 'ascending' },
  { name: 'count', label: words.count, width: 58, narrow: 52, sort: 'descending', right: true },
  {
    name: 'first',
    label: words.firstSeen,
    width: 144,
    narrow: 91,
    dated: { content: 'short-time', narrow: 'brief' },
    sort: 'descending',
    gives: 2
  },
  {
    name: 'last',
    label: words.lastSeen,
    width: 144,
    narrow: 91,
    dated: { content: 'short-time', narrow: 'brief' },
    sort: 'descending',
    gives: 1
  },
  { name: 'version', label: words.version, width: 224, text: 'other', gives: 4 }
]
export const newestMessages: UsualOrder = { by: 'first', descending: true, words: words.messagesNewestFirst }

/** The order for core, or undefined for newest first. */
export const catalogueOrderOf = (sort: Sort): CatalogueOrder | undefined =>
  unlessUsual<CatalogueSort>(sort, newestMessages)

/** The service's own words on one line. */
export const wordsOfMessage = ({ message }: CatalogueMessage): string => oneLine(message) || words.emptyOrErased
export const readingOfMessage = ({ reading }: CatalogueMessage): string =>
  interpretationMarks[reading?.means ?? 'unreviewed'].word

/** For the clipboard. */
export const messageTexts: CellTexts<CatalogueMessage> = {
  message: ({ message }) => message,
  operation: ({ operation }) => operationOf(operation).title,
  status: ({ status }) => String(status),
  reading: readingOfMessage,
  count: ({ count }) => String(count),
  first: ({ firstAt }) => isoTime(firstAt),
  last: ({ lastAt }) => isoTime(lastAt),
  version: ({ reading }) => (reading ? `version ${reading.version}, ${reading.operator}` : '')
}
