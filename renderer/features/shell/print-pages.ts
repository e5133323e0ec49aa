/** What is printed of a record, an applicant and the work queue: one table each, whose header repeats on every page. */
import type { ApplicantDetail, DecisionMade, TimelineEntry } from '#contract/applicants/applicants.ts'
import { whyNoEvidence } from '#contract/evidence/rule.ts'
import { phraseOf } from '#contract/failures/filling.ts'
import { operationOf } from '#contract/verification/operations.ts'
import { outcomeOf, type RecordState } from '#contract/verification/outcomes.ts'
import type { QueueItem } from '#contract/applicants/queue.ts'
import type { RecordConnection, RecordDetail, RecordSummary } from '#contract/history/records.ts'
import type { Settings } from '#contract/settings/settings.ts'
import {
  approvalEntryLabel,
  decidedLabels,
  readingLabels,
  reasonLabel,
  stateLabels
} from '../applicants/applicant-words.ts'
import type { SummaryRow } from '../applicants/applicant-summary.ts'
import { queueLabels } from '../queue/queue-words.ts'
import { resolutionLabels } from '#contract/verification/resolution-sentences.ts'
import { count, plural } from '../../kit/text.ts'
import { duration, localDate, localTime } from '../../kit/time.ts'

export interface PrintPage {
  readonly title: string
  /** What of how many is on paper. */
  readonly extent: string
  /** Where its answers are from: LIVE, SANDBOX, or both. */
  readonly modes: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}
type Labels = Pick<Settings, 'decisionReasons' | 'removedReasons'>

/** Characters of a response on paper. */
const longestBody = 200_000

const outcomeText = (state: RecordState): string => (state === 'open' ? 'In progress' : outcomeOf(state).label)
const nameOf = ({ name, mode }: RecordConnection): string => `${name} (${mode === 'live' ? 'LIVE' : 'SANDBOX'})`
const modesOf = (connections: readonly RecordConnection[]): string =>
  [...new Set(connections.map(({ mode }) => (mode === 'live' ? 'LIVE' : 'SANDBOX')))].sort().join(' and ') ||
  'No connection'
const answerOf = ({
  state,
  status,
  message,
  resolved
}: Pick<RecordSummary, 'state' | 'status' | 'message' | 'resolved'>): string =>
  [
    [outcomeText(state), status].filter((part) => part !== undefined).join(', '),
    ...(resolved ? [resolutionLabels[resolved.as]] : []),
    ...(message === undefined ? [] : [`The service’s message: ${message}`])
  ].join('\n')
const decisionText = ({ decision, operator, reasons, note, outdated }: DecisionMade, labels: Labels): string =>
  [
    `${decidedLabels[decision]}${outdated ? ' (outdated: newer evidence has arrived)' : ''}, ${operator}`,
    ...(reasons.length > 0 ? [reasons.map((code) => reasonLabel(code, labels)).join('; ')] : []),
    ...(note ? [note] : [])
  ].join('\n')

export function recordPage(record: RecordDetail): PrintPage {
  const { reply, fullMessage, message = fullMessage, failure, resolved } = record
  const body = reply?.body ?? ''
  const rows: (readonly [string, string] | false)[] = [
    ['Outcome', [outcomeText(record.state), record.status].filter((part) => part !== undefined).join(', ')],
    record.erased === true && ['Erased', 'The personal data of this record was permanently erased.'],
    message !== undefined && ['The service’s message', fullMessage ?? message],
    failure !== undefined && ['What went wrong', phraseOf(failure)],
    resolved !== undefined && [
      'Resolution',
      [resolutionLabels[resolved.as], localTime(resolved.at), resolved.operator, resolved.note]
        .filter(Boolean)
        .join('\n')
    ],
    ...operationOf(record.operation).fields.map(
      ({ name, label }) => [`${label} (${name})`, record.input[name] ?? ''] as const
    ),
    ['Connection', `${nameOf(record.connection)}\n${record.connection.origin}`],
    record.applicant !== undefined && [
      'Applicant',
      `${record.applicant.id}${record.applicant.local ? ' (linked in Veridesk only)' : ''}`
    ],
    ['Started', localTime(record.startedAt)],
    record.took !== undefined && ['Duration', duration(record.took)],
    ['Operator', record.operator],
    ['Record', record.id],
    reply !== undefined &&
      !record.erased && [
        'Response',
        body.length > longestBody
          ? `${body.slice(0, longestBody)}\n(cut here: the first ${count(longestBody)} of ${count(body.length)} characters)`
          : body
      ]
  ]
  return {
    title: `Record ${record.seq}: ${operationOf(record.operation).title}`,
    extent: 'One record, complete.',
    modes: modesOf([record.connection]),
    columns: ['Value', 'Content'],
    rows: rows.filter((row) => row !== false)
  }
}

/** One entry of the timeline: when, what, its content, and by whom or where. */
function entryRow(entry: TimelineEntry, labels: Labels): readonly string[] {
  const row = (what: string, content: string, by: string): readonly string[] => [localTime(entry.at), what, content, by]
  switch (entry.kind) {
    case 'check': {
      const { record, local, reading } = entry
      const no = record.state === 'open' ? undefined : whyNoEvidence(record)
      const more = [
        ...(reading ? [`Your organisation’s interpretation: ${readingLabels[reading]}`] : []),
        ...(no ? [`Not evidence: ${no}`] : [])
      ]
      return row(
        `${operationOf(record.operation).title}${local ? ' (Veridesk only)' : ''}`,
        [answerOf(record), ...more].join('\n'),
        nameOf(record.connection)
      )
    }
    case 'decision':
      return row('Your organisation’s decision', decisionText(entry.decision, labels), entry.decision.operator)
    case 'countersignature':
      return row(
        'Countersignature',
        [
          `${entry.agrees ? 'Agrees' : 'Does not agree'}${entry.imported?.outdated ? ' (void: newer evidence or a decision was added since)' : ''}`,
          ...(entry.imported?.note ? [entry.imported.note] : [])
        ].join('\n'),
        entry.by
      )
    case 'pack':
      return row(
        'Evidence pack',
        entry.countersignatures > 0
          ? `${plural(entry.countersignatures, 'countersignature')} required`
          : 'No countersignature required',
        entry.operator
      )
    case 'note':
      return row('Note', entry.text, entry.operator)
    case 'tags':
      return row('Tags', entry.tags.join(', ') || 'All tags removed', entry.operator)
    case 'approval':
      return row(approvalEntryLabel(entry), entry.note, entry.by ?? entry.operator)
    case 'due':
      return row('Due date', entry.due === null ? 'Removed' : localDate(entry.due), entry.operator)
    case 'assignee':
      return row('Assignee', entry.assignee ?? 'Removed', entry.operator)
    default:
      return row(
        entry.kind === 'link' ? 'Record linked in Veridesk only' : 'Link removed',
        entry.recordId,
        entry.operator
      )
  }
}

export function applicantPage(
  applicant: ApplicantDetail,
  summary: readonly SummaryRow[],
  entries: readonly TimelineEntry[],
  older: boolean,
  labels: Labels
): PrintPage {
  const facts: (readonly string[])[] = [
    [
      '',
      'State',
      [
        stateLabels[applicant.state],
        ...(applicant.due === undefined ? [] : [`Due ${localDate(applicant.due)}`]),
        ...(applicant.tags.length > 0 ? [`Tags: ${applicant.tags.join(', ')}`] : [])
      ].join('\n'),
      ''
    ],
    ...(applicant.decision
      ? [
          [
            localTime(applicant.decision.at),
            'Current decision',
            decisionText(applicant.decision, labels),
            applicant.decision.operator
          ]
        ]
      : []),
    ...summary.map(({ name, newest, earlier }) => {
      const from = newest ?? earlier[0]
      const before = earlier.map(
        ({ field, answer }) => `Earlier, ${localTime(answer.record.startedAt)}: ${field.value}`
      )
      return [
        from ? localTime(from.answer.record.startedAt) : '',
        `Newest details: ${name}`,
        [newest?.field.value ?? 'Not in the newest answer', ...before].join('\n'),
        from ? nameOf(from.answer.record.connection) : ''
      ]
    })
  ]
  return {
    title: `Applicant ${applicant.id}`,
    extent: older
      ? `The newest ${plural(entries.length, 'entry', 'entries')} of the timeline; older ones are not on paper.`
      : `${plural(entries.length, 'entry', 'entries')} of the timeline, all of them.`,
    modes: modesOf(entries.flatMap((entry) => (entry.kind === 'check' ? [entry.record.connection] : []))),
    columns: ['Time', 'What', 'Content', 'By or connection'],
    rows: [...facts, ...entries.map((entry) => entryRow(entry, labels))]
  }
}

export function queuePage(items: readonly QueueItem[], total: number, isFiltered: boolean, mode: string): PrintPage {
  return {
    title: 'Work queue',
    modes: mode,
    extent: `${items.length < total ? `The first ${count(items.length)} of ${plural(total, 'item')}` : `${plural(total, 'item')}, all of them`}${isFiltered ? ' that match the filters' : ''}.`,
    columns: ['Applicant or record', 'State', 'Last verification', 'Waiting since', 'Due', 'Assignee and tags'],
    rows: items.map((item) => [
      item.kind === 'unresolved'
        ? [`Record ${item.record.seq}`, ...(item.applicantId === undefined ? [] : [item.applicantId])].join('\n')
        : item.applicant.id,
      queueLabels[item.kind],
      item.check
        ? `${operationOf(item.check.operation).title}, ${localTime(item.check.at)}\n${answerOf({ ...item.check })}`
        : '',
      localTime(item.since),
      item.due === undefined ? '' : localDate(item.due),
      [item.assignee ?? '', item.kind === 'unresolved' ? '' : item.applicant.tags.join(', ')].filter(Boolean).join('\n')
    ])
  }
}
