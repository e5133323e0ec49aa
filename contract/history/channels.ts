/** Channels of single verifications and their records. */
import { z } from 'zod'
import type { AppState } from '../app/app-state.ts'
import { visitSchema } from '../evidence/audit.ts'
import { historyFilterSchema, historyPageQuerySchema, resolutions, runRequestSchema } from './records.ts'
import type { HistoryCounts, HistoryPage, RecordDetail } from './records.ts'
import type { RunEnding } from '../verification/run-ending.ts'
import { channel, kibibyte, nothing } from '../ipc/channel.ts'

export const historyChannels = {
  // Late answers are safe: an erasure is refused while a verification is in progress, and the store drops an earlier
  // answer.
  'verification.run': channel<RunEnding>()({ input: runRequestSchema, maxBytes: 128 * kibibyte, late: 'take' }),
  /** False if the verification had already ended. */
  'verification.cancel': channel<boolean>()({
    input: z.strictObject({ runId: z.uuid() }),
    maxBytes: kibibyte,
    late: 'take'
  }),
  'history.page': channel<HistoryPage>()({
    input: historyPageQuerySchema.extend({ visit: visitSchema }),
    maxBytes: 32 * kibibyte
  }),
  'history.counts': channel<HistoryCounts>()({
    input: z.strictObject({ filter: historyFilterSchema }),
    maxBytes: 32 * kibibyte
  }),
  'history.record': channel<RecordDetail>()({
    input: z.strictObject({ id: z.uuid(), visit: visitSchema }),
    maxBytes: kibibyte
  }),
  'history.resolve': channel<RecordDetail>()({
    input: z.strictObject({ id: z.uuid(), as: z.enum(resolutions), note: z.string().max(4000) }),
    maxBytes: 32 * kibibyte
  }),
  'history.tryAgain': channel<AppState>()({ input: nothing, maxBytes: kibibyte, late: 'take' }),
  /** Leaves the files unchanged and holds new records in memory until the console is closed. */
  'history.openForSession': channel<AppState>()({ input: nothing, maxBytes: kibibyte, late: 'take' }),
  /** Renames the history's files, deletes nothing, and starts a new history. */
  'history.setAside': channel<AppState>()({ input: nothing, maxBytes: kibibyte, late: 'take' })
}
