/** The columns of the table of applicants, and what an applicant says in each. */
import type { ApplicantOrder, ApplicantSummary } from '#contract/applicants/applicants.ts'
import type { Settings } from '#contract/settings/settings.ts'
import { operationOf } from '#contract/verification/operations.ts'
import { dueDay, riskLabel } from './applicant-words.ts'
import { stateWord } from '../../kit/marks.ts'
import type { CellTexts } from '../../kit/copied-table.ts'
import type { Lines, Sort, TableColumn, UsualOrder } from '../../kit/table-columns.ts'
import { isoTime } from '../../kit/time.ts'
import { words } from './words.ts'

/** Width in pixels from which every column is shown. */
const wide = 1900
export const applicantColumns: readonly TableColumn[] = [
  { name: 'applicant', label: words.applicantId, width: 120, text: 'id', sort: 'ascending' },
  { name: 'name', label: words.name, width: 132, text: 'name' },
  { name: 'birth', label: words.dateOfBirth, width: 96, gives: 3 },
  { name: 'country', label: words.country, width: 60, text: 'other', gives: 5, from: 1000 },
  { name: 'state', label: words.state, width: 150, sort: 'ascending' },
  { name: 'risk', label: words.risk, width: 72, gives: 4 },
  { name: 'review', label: words.nextReview, width: 72, gives: 4, dated: { content: 'due' }, sort: 'ascending' },
  { name: 'due', label: words.due, width: 64, dated: { content: 'due' }, sort: 'ascending' },
  { name: 'tags', label: words.tags, width: 60, text: 'other', gives: 7 },
  {
    name: 'activity',
    label: words.lastActivity,
    width: 144,
    gives: 8,
    dated: { content: 'short-time', narrow: 'brief' },
    sort: 'descending'
  },
  { name: 'checks', label: words.records, width: 56, right: true, gives: 6, from: 1000 },
  { name: 'assignee', label: words.assignee, width: 82, text: 'other', gives: 9, from: wide },
  { name: 'last', label: words.lastVerification, width: 232, gives: 10, from: wide },
  { name: 'connection', label: words.connection, width: 80, text: 'other', gives: 11, from: wide }
]
/** Rows of a narrow table. */
export const applicantLines: Lines = [
  ['name', 'applicant'],
  ['birth', 'state']
]
export const latestActivity: UsualOrder = {
  by: 'activity',
  descending: true,
  words: words.applicantsLatestActivityFirst
}

/** The order for core, which lists the latest activity first: the other way round is its reverse. */
export function applicantOrderOf({ by, descending }: Sort): ApplicantOrder {
  const reversed = by === latestActivity.by ? !descending : descending
  return { by: by as ApplicantOrder['by'], ...(reversed && { reversed }) }
}

/** For the clipboard. */
export const applicantTexts = (settings: Pick<Settings, 'riskClasses'>): CellTexts<ApplicantSummary> => ({
  applicant: ({ id }) => id,
  name: ({ name = '' }) => name,
  birth: ({ birthDate = '' }) => birthDate,
  country: ({ country = '' }) => country,
  state: stateWord,
  checks: ({ checks }) => String(checks),
  tags: ({ tags }) => tags.join(', '),
  risk: ({ risk }) => (risk === undefined ? '' : riskLabel(risk, settings)),
  review: ({ review }) => review?.at ?? '',
  due: ({ due }) => dueDay(due),
  activity: ({ lastAt }) => isoTime(lastAt),
  assignee: ({ assignee = '' }) => assignee,
  last: ({ last }) => (last ? `${operationOf(last.operation).shortTitle} ${isoTime(last.at)}` : ''),
  connection: ({ last }) => last?.connection ?? ''
})
