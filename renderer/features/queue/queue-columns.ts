/** The columns of the work queue's table, and what an item says in each. */
import { oneLine } from '#contract/text/hidden-text.ts'
import { operationOf } from '#contract/verification/operations.ts'
import { outcomeOf } from '#contract/verification/outcomes.ts'
import type { QueueItem, QueueOrder } from '#contract/applicants/queue.ts'
import type { ValueAbout } from '#contract/lock/screen-share.ts'
import { dueDay, dueWords } from '../applicants/applicant-words.ts'
import { isolated } from '../../kit/language.ts'
import { interpretationMarks, stateWord, type MarkedState } from '../../kit/marks.ts'
import type { CellTexts } from '../../kit/copied-table.ts'
import type { Lines, Sort, TableColumn } from '../../kit/table-columns.ts'
import { isoTime } from '../../kit/time.ts'
import { words } from './words.ts'

type By = QueueOrder['by']
/** Width in pixels below which a state is a shape without its word, and from which all columns but one are shown. */
const shapesBelow = 1000
const wide = 1900
export const queueColumns: readonly (TableColumn & { readonly by?: By })[] = [
  { name: 'state', label: words.state, width: 150, narrow: 20, shapeBelow: shapesBelow },
  { name: 'subject', label: words.applicantId, width: 104, text: 'id', sort: 'ascending', by: 'applicant' },
  { name: 'name', label: words.name, width: 96, text: 'name' },
  { name: 'message', label: words.message, width: 140, text: 'message' },
  { name: 'meaning', label: words.interpretation, width: 132 },
  { name: 'tags', label: words.tags, width: 60, text: 'other', gives: 5, from: wide },
  { name: 'check', label: words.lastVerification, width: 232, sort: 'descending', gives: 6, by: 'check', from: wide },
  { name: 'batch', label: words.batch, width: 80, text: 'other', gives: 7, from: wide },
  { name: 'connection', label: words.connection, width: 80, text: 'other', gives: 8, from: Infinity },
  { name: 'assignee', label: words.assignee, width: 82, text: 'other', gives: 4 },
  { name: 'age', label: words.waiting, width: 62, right: true, sort: 'ascending', gives: 3, by: 'age' },
  { name: 'due', label: words.due, width: 64, dated: { content: 'due' }, sort: 'ascending', by: 'due' }
]
/** Rows of a narrow table, as beside an open case. */
export const queueLines: Lines = [
  ['state', 'subject', 'due'],
  ['name', 'message', 'meaning']
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
/** The one state that a row shows. */
export const stateOfItem = (item: QueueItem): MarkedState =>
  item.kind === 'unresolved' ? 'unknown' : item.kind === 'review' ? 'review' : item.applicant.state
const stateWordOf = (item: QueueItem): string =>
  stateWord({ ...(item.kind === 'unresolved' ? {} : item.applicant), state: stateOfItem(item) })
/** Whom the values of an item are about, for their events. */
export const aboutOfItem = (item: QueueItem): ValueAbout =>
  item.kind === 'unresolved' ? { recordId: item.record.id } : { applicantId: item.applicant.id }
export const tagsOfItem = (item: QueueItem): string =>
  item.kind === 'unresolved' ? '' : oneLine(item.applicant.tags.join(', '))

/** From the newest details; empty if there are none. */
export const nameOfItem = (item: QueueItem): string =>
  oneLine((item.kind === 'unresolved' ? item : item.applicant).name ?? '')

/** What a screen reader says of a row: who, the state, the message with its interpretation, and the due date. */
export function rowName(item: QueueItem, now: number): string {
  const message = wordsOfItem(item).replace(/[.!?]$/u, '')
  return [
    [subjectOfItem(item), nameOfItem(item)].filter(Boolean).map(isolated).join(', '),
    stateWordOf(item),
    message && words.messageIs({ message }),
    item.meaning ? interpretationMarks[item.meaning].word : '',
    item.due === undefined ? '' : dueWords(item.due, now)
  ]
    .filter(Boolean)
    .map((each) => `${each}.`)
    .join(' ')
}

/** For the clipboard. */
export const queueTexts: CellTexts<QueueItem> = {
  subject: subjectOfItem,
  name: nameOfItem,
  state: (item) => stateWordOf(item),
  check: ({ check }) => (check ? `${operationOf(check.operation).shortTitle} ${isoTime(check.at)}` : ''),
  message: wordsOfItem,
  meaning: ({ meaning }) => (meaning ? interpretationMarks[meaning].word : ''),
  tags: tagsOfItem,
  batch: ({ check }) => check?.batch ?? '',
  connection: ({ check }) => check?.connection ?? '',
  age: ({ since }) => isoTime(since),
  due: ({ due }) => dueDay(due),
  assignee: ({ assignee }) => assignee ?? ''
}
