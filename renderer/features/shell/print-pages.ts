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
  calendarDate,
  checklistLines,
  decisionWord,
  secondPersonText,
  seenText,
  timeShownText,
  dueDate,
  reasonLabel,
  relationshipText,
  reviewOutcomeLabels,
  riskLabel
} from '../applicants/applicant-words.ts'
import type { SummaryRow } from '#contract/applicants/comparison.ts'
import { queueLabels } from '../queue/queue-words.ts'
import { resolutionLabels } from '#contract/verification/resolution-sentences.ts'
import { interpretationMarks, stateWord } from '../../kit/marks.ts'
import { count } from '../../kit/text.ts'
import { duration, localTime } from '../../kit/time.ts'
import { words } from './words.ts'

export interface PrintPage {
  readonly title: string
  /** What of how many is on paper. */
  readonly extent: string
  /** Where its answers are from: LIVE, SANDBOX, or both. */
  readonly modes: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}
type Labels = Pick<Settings, 'decisionReasons' | 'removedReasons' | 'riskClasses'>

/** Characters of a response on paper. */
const longestBody = 200_000

const outcomeText = (state: RecordState): string => (state === 'open' ? words.inProgress : outcomeOf(state).label)
const nameOf = ({ name, mode }: RecordConnection): string => `${name} (${mode === 'live' ? 'LIVE' : 'SANDBOX'})`
const modesOf = (connections: readonly RecordConnection[]): string =>
  [...new Set(connections.map(({ mode }) => (mode === 'live' ? 'LIVE' : 'SANDBOX')))].sort().join(' and ') ||
  words.noConnection
const answerOf = ({
  state,
  status,
  message,
  resolved
}: Pick<RecordSummary, 'state' | 'status' | 'message' | 'resolved'>): string =>
  [
    [outcomeText(state), status].filter((part) => part !== undefined).join(', '),
    ...(resolved ? [resolutionLabels[resolved.as]] : []),
    ...(message === undefined ? [] : [words.theServicesMessageMessage({ message })])
  ].join('\n')
const decisionText = (made: DecisionMade, labels: Labels): string => {
  const { operator, reasons, checklist, note, outdated, challenged, seen, focus, answer } = made
  const word = decisionWord(made)
  return [
    outdated
      ? (challenged ? words.decidedChallenged : words.decidedlabelsOutdatedNewerEvidenceHas)({
          decidedLabels: word,
          operator
        })
      : `${word}, ${operator}`,
    ...(answer ? [secondPersonText(answer)] : []),
    ...(seen ? [seenText(seen)] : []),
    ...(focus ? [timeShownText(focus)] : []),
    ...(reasons.length > 0 ? [reasons.map((code) => reasonLabel(code, labels)).join('; ')] : []),
    ...checklistLines(checklist),
    ...(note ? [note] : [])
  ].join('\n')
}

export function recordPage(record: RecordDetail): PrintPage {
  const { reply, fullMessage, message = fullMessage, failure, resolved } = record
  const body = reply?.body ?? ''
  const rows: (readonly [string, string] | false)[] = [
    [words.outcome, [outcomeText(record.state), record.status].filter((part) => part !== undefined).join(', ')],
    record.erased === true && [words.erased, words.thePersonalDataOfThis],
    message !== undefined && [words.theServicesMessage, fullMessage ?? message],
    failure !== undefined && [words.whatWentWrong, phraseOf(failure)],
    resolved !== undefined && [
      words.resolution,
      [resolutionLabels[resolved.as], localTime(resolved.at), resolved.operator, resolved.note]
        .filter(Boolean)
        .join('\n')
    ],
    ...operationOf(record.operation).fields.map(
      ({ name, label }) => [`${label} (${name})`, record.input[name] ?? ''] as const
    ),
    [words.connection, `${nameOf(record.connection)}\n${record.connection.origin}`],
    record.applicant !== undefined && [
      words.applicant,
      record.applicant.local ? words.idLinkedInVerideskOnly({ id: record.applicant.id }) : record.applicant.id
    ],
    [words.started, localTime(record.startedAt)],
    record.took !== undefined && [words.duration, duration(record.took)],
    [words.operator, record.operator],
    [words.record, record.id],
    reply !== undefined &&
      !record.erased && [
        words.response,
        body.length > longestBody
          ? words.sliceCutHereTheFirst({
              slice: body.slice(0, longestBody),
              longestBody: count(longestBody),
              body: count(body.length)
            })
          : body
      ]
  ]
  return {
    title: words.recordSeqTitle({ seq: record.seq, title: operationOf(record.operation).title }),
    extent: words.oneRecordComplete,
    modes: modesOf([record.connection]),
    columns: [words.value, words.content],
    rows: rows.filter((row) => row !== false)
  }
}

type Entry<Kind extends TimelineEntry['kind']> = Extract<TimelineEntry, { readonly kind: Kind }>

function checkCells({ record, local, reading }: Entry<'check'>): [what: string, content: string, by: string] {
  const no = record.state === 'open' ? undefined : whyNoEvidence(record)
  const more = [
    ...(reading
      ? [words.yourOrganisationsInterpretationReadinglabels({ readingLabels: interpretationMarks[reading].word })]
      : []),
    ...(no ? [words.notEvidenceNo({ no })] : [])
  ]
  return [
    local
      ? words.titleVerideskOnly({ title: operationOf(record.operation).title })
      : operationOf(record.operation).title,
    [answerOf(record), ...more].join('\n'),
    nameOf(record.connection)
  ]
}

const dueText = ({ due }: Entry<'due'>): string => (due === null ? words.removed : dueDate(due))

/** One entry of the timeline: when, what, its content, and by whom or where. */
function entryRow(entry: TimelineEntry, labels: Labels): readonly string[] {
  // An answer has the time at which it was signed.
  const at = (entry.kind === 'approval' && entry.signedAt) || entry.at
  const row = (what: string, content: string, by: string): readonly string[] => [localTime(at), what, content, by]
  switch (entry.kind) {
    case 'check':
      return row(...checkCells(entry))
    case 'decision':
      return row(words.yourOrganisationsDecision, decisionText(entry.decision, labels), entry.decision.operator)
    case 'pack':
      return row(words.evidencePack, '', entry.operator)
    case 'note':
      return row(words.note, entry.text, entry.operator)
    case 'challenge':
      return row(words.challengeOfTheDecision, entry.text, entry.operator)
    case 'tags':
      return row(words.tags, entry.tags.join(', ') || words.allTagsRemoved, entry.operator)
    case 'approval':
      return row(approvalEntryLabel(entry), entry.note, entry.by ?? entry.operator)
    case 'due':
      return row(words.dueDate, dueText(entry), entry.operator)
    case 'risk':
      return row(
        words.riskClass,
        [riskLabel(entry.risk, labels), entry.note].filter(Boolean).join('\n'),
        entry.operator
      )
    case 'review':
      return row(
        words.reviewIs({ outcome: reviewOutcomeLabels[entry.outcome] }),
        [...checklistLines(entry.checklist), entry.note].filter(Boolean).join('\n'),
        entry.operator
      )
    case 'expiry':
      return row(
        words.documentExpires({ document: entry.document, date: calendarDate(entry.expires) }),
        '',
        entry.operator
      )
    case 'relationship':
      return row(words.relationship, [relationshipText(entry), entry.note].filter(Boolean).join('\n'), entry.operator)
    case 'assignee':
      return row(words.assignee, entry.assignee ?? words.removed, entry.operator)
    default:
      return row(
        entry.kind === 'link' ? words.recordLinkedInVerideskOnly : words.linkRemoved,
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
      words.state,
      [
        stateWord(applicant),
        ...(applicant.risk ? [words.riskIs({ risk: riskLabel(applicant.risk, labels) })] : []),
        ...(applicant.relationship
          ? [words.relationshipIs({ relationship: relationshipText(applicant.relationship) })]
          : []),
        ...(applicant.due === undefined ? [] : [words.dueOn({ date: dueDate(applicant.due) })]),
        ...(applicant.tags.length > 0 ? [words.tagsTags({ tags: applicant.tags.join(', ') })] : [])
      ].join('\n'),
      ''
    ],
    ...(applicant.decision
      ? [
          [
            localTime(applicant.decision.at),
            words.currentDecision,
            decisionText(applicant.decision, labels),
            applicant.decision.operator
          ]
        ]
      : []),
    ...summary.map(({ name, newest, earlier }) => {
      const from = newest ?? earlier[0]
      const before = earlier.map(({ field, answer }) =>
        words.earlierTimeField({ time: localTime(answer.record.startedAt), field: field.value })
      )
      return [
        from ? localTime(from.answer.record.startedAt) : '',
        words.newestDetailsName({ name }),
        [newest?.field.value ?? words.notInTheNewestAnswer, ...before].join('\n'),
        from ? nameOf(from.answer.record.connection) : ''
      ]
    })
  ]
  return {
    title: words.applicantId({ id: applicant.id }),
    extent: older
      ? words.theNewestEntriesOfThe({ entries: entries.length })
      : words.entriesOfTheTimelineAll({ entries: entries.length }),
    modes: modesOf(entries.flatMap((entry) => (entry.kind === 'check' ? [entry.record.connection] : []))),
    columns: [words.time, words.what, words.content, words.byOrConnection],
    rows: [...facts, ...entries.map((entry) => entryRow(entry, labels))]
  }
}

export function queuePage(items: readonly QueueItem[], total: number, isFiltered: boolean, mode: string): PrintPage {
  return {
    title: words.queue,
    modes: mode,
    extent:
      items.length < total
        ? isFiltered
          ? words.theFirstMatchingItems({ items: count(items.length), total })
          : words.theFirstItems({ items: count(items.length), total })
        : isFiltered
          ? words.itemsAllOfThemThat({ total })
          : words.itemsAllOfThem({ total }),
    columns: [
      words.applicantOrRecord,
      words.state,
      words.lastVerification,
      words.waitingSince,
      words.due,
      words.assigneeAndTags
    ],
    rows: items.map((item) => [
      item.kind === 'unresolved'
        ? [
            words.recordSeq({ seq: item.record.seq }),
            ...(item.applicantId === undefined ? [] : [item.applicantId])
          ].join('\n')
        : item.applicant.id,
      queueLabels[item.kind],
      item.check
        ? `${operationOf(item.check.operation).title}, ${localTime(item.check.at)}\n${answerOf({ ...item.check })}`
        : '',
      localTime(item.since),
      item.due === undefined ? '' : dueDate(item.due),
      [item.assignee ?? '', item.kind === 'unresolved' ? '' : item.applicant.tags.join(', ')].filter(Boolean).join('\n')
    ])
  }
}
