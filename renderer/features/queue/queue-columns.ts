/** The columns of the work queue's table, and what an item says in each. */
import { oneLine } from '#contract/text/hidden-text.ts'
import { operationOf } from '#contract/verification/operations.ts'
import { outcomeOf } from '#contract/verification/outcomes.ts'
import type { QueueItem, QueueOrder } from '#contract/applicants/queue.ts'
import type { ValueAbout } from '#contract/lock/screen-share.ts'
import { dueDay } from '../applicants/applicant-words.ts'
import { stateMarks } from '../../kit/marks.ts'
import type { CellTexts } from '../../kit/copied-table.ts'
import type { Sort, TableColumn } from '../../kit/table-columns.ts'
import { isoTime } from '../../kit/time.ts'
import { words } from './words.ts'

type By = QueueOrder['by']
export const queueColumns: readonly (TableColumn & { readonly by?: By })[] = [
  { name: 'subject', label: words.subject, width: 104, narrow: 72, text: 'id', sort: 'ascending', by: 'applicant' },
  { name: 'name', label: words.name, width: 120, narrow: 96, text: 'name', gives: 0 },
  { name: 'state', label: words.state, width: 148, narrow: 146, gives: 2 },
  { name: 'check', label: words.lastVerification, width: 248, sort: 'descending', gives: 5, by: 'check' },
  { name: 'message', label: words.theServicesMessage, width: 120, narrow: 70, text: 'message', gives: 1 },
  { name: 'tags', label: words.tags, width: 60, narrow: 140, text: 'other', gives: 3 },
  { name: 'age', label: words.waiting, width: 62, narrow: 44, right: true, sort: 'ascending', gives: 2.5, by: 'age' },
  {
    name: 'due',
    label: words.dueDate,
    width: 160,
    narrow: 128,
    dated: { content: 'due' },
    sort: 'ascending',
    by: 'due'
  },
  { name: 'assignee', label: words.assignee, width: 60, narrow: 140, text: 'other', gives: 4 }
]

/** Core's order by the latest verification begins with the latest: times in falling order. */
const falls = (by: By): boolean => by === 'check'
/** The order as it is shown in the headings. */
export function sortOfOrder({ by, reversed = false }: QueueOrder): Sort {
  const column = queueColumns.find((each) => each.by === by)
  return { by: column?.name ?? '', descending: falls(by) !== reversed }
}
/** The order of a heading's sort. */
export function orderOfSort({ by: name, descending }: Sort): QueueOrder {
  const by = queueColumns.find((each) => each.name === name)?.by ?? 'due'
  return { by, ...(falls(by) !== descending && { reversed: true }) }
}

/** The applicant, or the number of a record without one. */
export const subjectOfItem = (item: QueueItem): string =>
  item.kind === 'unresolved' ? (item.applicantId ?? words.recordSeq({ seq: item.record.seq })) : item.applicant.id
/** The applicant whose tags and due date can be changed. */
export const applicantOfItem = (item: QueueItem): string | undefined =>
  item.kind === 'unresolved' ? item.applicantId : item.applicant.id
/** The service's own words, or the outcome if there are none. */
export function wordsOfItem({ check }: QueueItem): string {
  if (!check) return ''
  return oneLine(check.message ?? (check.state === 'open' ? words.inProgress : outcomeOf(check.state).label))
}
/** Whom the values of an item are about, for their events. */
export const aboutOfItem = (item: QueueItem): ValueAbout =>
  item.kind === 'unresolved' ? { recordId: item.record.id } : { applicantId: item.applicant.id }
export const tagsOfItem = (item: QueueItem): string =>
  item.kind === 'unresolved' ? '' : oneLine(item.applicant.tags.join(', '))

/** From the newest details; empty if there are none. */
export const nameOfItem = (item: QueueItem): string =>
  item.kind === 'unresolved' ? '' : oneLine(item.applicant.name ?? '')

/** For the clipboard. */
export const queueTexts: CellTexts<QueueItem> = {
  subject: subjectOfItem,
  name: nameOfItem,
  state: (item) => (item.kind === 'unresolved' ? words.needsResolution : stateMarks[item.applicant.state].word),
  check: ({ check }) => (check ? `${operationOf(check.operation).shortTitle} ${isoTime(check.at)}` : ''),
  message: wordsOfItem,
  tags: tagsOfItem,
  age: ({ since }) => isoTime(since),
  due: ({ due }) => dueDay(due),
  assignee: ({ assignee }) => assignee ?? ''
}
