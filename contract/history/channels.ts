/** Channels of single verifications and their records. */
import { z } from 'zod'
import type { AppState } from '../app/app-state.ts'
import { visitSchema } from '../evidence/audit.ts'
import type { View } from '../evidence/event-kinds.ts'
import { resolutions, type HistoryCounts, type HistoryPage, type RecordDetail } from './records.ts'
import { historyFilterSchema, historyPageQuerySchema, runRequestSchema } from './queries.ts'
import { checkPlanSchema, checkRequestSchema, type CheckPart, type PlannedPart } from '../verification/check-run.ts'
import type { RunEnding } from '../verification/run-ending.ts'
import { channel, kibibyte, nothing } from '../ipc/channel.ts'

/** What the spend guard shows instead of a new answer. */
function earlierView(ending: RunEnding): View | undefined {
  if (ending.kind === 'recently-answered') return { what: 'record', about: { recordId: ending.earlier.id } }
  if (ending.kind === 'may-have-been-sent' && ending.earlier.kind === 'unresolved')
    return { what: 'record', about: { recordId: ending.earlier.record.id } }
  return ending.kind === 'checked-by-colleague' ? { what: 'team' } : undefined
}

export const historyChannels = {
  // Late answers are safe: an erasure is refused while a verification is in progress, and the store drops an earlier
  // answer.
  'verification.run': channel<RunEnding>()({
    input: runRequestSchema,
    maxBytes: 128 * kibibyte,
    late: 'take',
    leaves: ['record.begun'],
    when: 'The request is sent. If the spend guard shows an earlier answer instead, that is a view (`view.opened`) of its record, or of a colleague’s check.',
    views: (_, ending) => earlierView(ending)
  }),
  /** False if the verification had already ended. */
  'verification.cancel': channel<boolean>()({
    input: z.strictObject({ runId: z.uuid() }),
    maxBytes: kibibyte,
    late: 'take',
    leaves: {
      none: 'The start of the verification names the operator of the same session; its end records that it was cancelled.'
    }
  }),
  /** What sending a check would meet: when each operation was answered with the same input, or may have been sent. */
  'check.plan': channel<readonly PlannedPart[]>()({
    input: checkPlanSchema,
    maxBytes: 128 * kibibyte,
    leaves: { none: 'It returns times and IDs of records, and sends nothing.' }
  }),
  /** Several operations for one applicant, one after another; each is a verification of its own. */
  'check.run': channel<readonly CheckPart[]>()({
    input: checkRequestSchema,
    maxBytes: 128 * kibibyte,
    late: 'take',
    leaves: ['record.begun'],
    when: 'The request of each operation is sent.'
  }),
  /** The parts of a check that runs, as far as they have come. */
  'check.show': channel<readonly CheckPart[]>()({
    input: z.strictObject({ checkId: z.uuid() }),
    maxBytes: kibibyte,
    leaves: { none: 'It returns what the running check of the same window has got so far.' }
  }),
  /** False if it had already ended. */
  'check.cancelRest': channel<boolean>()({
    input: z.strictObject({ checkId: z.uuid() }),
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'Nothing is sent, and what is in progress ends as it would.' }
  }),
  'history.page': channel<HistoryPage>()({
    input: historyPageQuerySchema.extend({ visit: visitSchema }),
    maxBytes: 32 * kibibyte,
    views: ({ filter }) => ({ what: 'history', ...(filter.search && { search: true }) })
  }),
  'history.counts': channel<HistoryCounts>()({
    input: z.strictObject({ filter: historyFilterSchema }),
    maxBytes: 32 * kibibyte,
    leaves: { none: 'It returns numbers only.' }
  }),
  'history.record': channel<RecordDetail>()({
    input: z.strictObject({ id: z.uuid(), visit: visitSchema }),
    maxBytes: kibibyte,
    views: ({ id }) => ({ what: 'record', about: { recordId: id } })
  }),
  'history.resolve': channel<RecordDetail>()({
    input: z.strictObject({ id: z.uuid(), as: z.enum(resolutions), note: z.string().max(4000) }),
    maxBytes: 32 * kibibyte,
    leaves: ['record.resolved'],
    announces: () => 'history-changed'
  }),
  'history.tryAgain': channel<AppState>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'It opens the history of the folder; an opened history records its start.' }
  }),
  /** Leaves the files unchanged and holds new records in memory until the console is closed. */
  'history.openForSession': channel<AppState>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: ['setting.changed'],
    when: 'The history of the file did not open.'
  }),
  /** Renames the history's files, deletes nothing, and starts a new history. */
  'history.setAside': channel<AppState>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: ['setting.changed']
  })
}
