/** What the entries of an applicant's timeline say together: changes between verifications, and what became of requests by file. */
import type { TimelineEntry } from '#contract/applicants/applicants.ts'
import { applicantFieldOf, operationOf } from '#contract/verification/operations.ts'
import type { RecordSummary } from '#contract/history/records.ts'
import { words } from './words.ts'

type CheckEntry = Extract<TimelineEntry, { kind: 'check' }>
type ApprovalEntry = Extract<TimelineEntry, { kind: 'approval' }>

/** The images of a verification: field label and address. */
export const documentsOf = ({
  operation,
  input
}: Pick<RecordSummary, 'operation' | 'input'>): { readonly label: string; readonly address: string }[] =>
  operationOf(operation)
    .fields.filter(({ name }) => name !== applicantFieldOf(operation) && input[name])
    .map(({ name, label }) => ({ label, address: input[name] ?? '' }))

const statusChange = (before: number | undefined, now: number | undefined): readonly string[] => {
  if (before === now) return []
  if (before === undefined) return now === undefined ? [] : [words.statusNow({ now })]
  return [now === undefined ? words.statusBefore({ before }) : words.statusBeforeNow({ before, now })]
}

/** Describes the differences between two verifications of one operation; empty if there are none. */
function changesOf(now: RecordSummary, before: RecordSummary): string[] {
  const other = documentsOf(now).filter(({ address }) => !Object.values(before.input).includes(address)).length
  return [
    ...(other > 0 ? [words.differentDocuments({ other })] : []),
    ...statusChange(before.status, now.status),
    ...(now.message === before.message ? [] : [words.differentMessage])
  ]
}

/**
 * By record ID, the differences from the last answer of the same operation at the same connection. Absent if there is
 * no earlier one among the entries, or no answer. Entries are newest first, as on the timeline.
 */
export function changesByRecord(entries: readonly TimelineEntry[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  const later = new Map<string, RecordSummary>()
  for (const { record } of entries.filter((entry): entry is CheckEntry => entry.kind === 'check')) {
    if (record.state !== 'answered' || record.erased) continue
    const place = `${record.operation} ${record.connection.id}`
    const newer = later.get(place)
    if (newer) found.set(newer.id, changesOf(newer, record))
    later.set(place, record)
  }
  return found
}

/** Approvals by file, newest first: the last request, unless an answer to it counts, and the answers to all. */
export function approvalsByFile(entries: readonly TimelineEntry[]): {
  readonly asked: boolean
  readonly waiting: ApprovalEntry | undefined
  readonly answers: readonly ApprovalEntry[]
} {
  const approvals = entries.filter(
    (entry): entry is ApprovalEntry => entry.kind === 'approval' && entry.byFile === true
  )
  const answers = approvals.filter(({ by }) => by !== undefined)
  const request = approvals.find(({ by }) => by === undefined)
  // A decision can be asked about twice; whoever agrees to the earlier request has agreed to the decision.
  const standing = approvals.filter(({ by, void: isVoid }) => by === undefined && !isVoid).map(({ seq }) => seq)
  const isAnswered = answers.some(
    ({ asked, agrees, void: isVoid }) =>
      !isVoid && asked !== undefined && (asked === request?.seq || (agrees && standing.includes(asked)))
  )
  return { asked: approvals.length > 0, waiting: isAnswered ? undefined : request, answers }
}
