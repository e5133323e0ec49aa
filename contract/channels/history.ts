/** Channels of single verifications and their records. */
import { z } from 'zod'
import type { AppState } from '../app-state.ts'
import { historyFilterSchema, historyPageQuerySchema, resolutions, runRequestSchema } from '../records.ts'
import type { HistoryCounts, HistoryPage, RecordDetail, RunEnding } from '../records.ts'
import { channel, kibibyte, nothing } from './channel.ts'

export const historyChannels = {
  // Late answers: a check in progress is nobody's who was erased, since an erasure is refused meanwhile. An earlier answer is dropped by the store.
  'verification.run': channel<RunEnding>()({ input: runRequestSchema, maxBytes: 128 * kibibyte, late: 'take' }),
  /** False where the run had ended already. */
  'verification.cancel': channel<boolean>()({ input: z.strictObject({ runId: z.uuid() }), maxBytes: kibibyte, late: 'take' }),
  'history.page': channel<HistoryPage>()({ input: historyPageQuerySchema, maxBytes: 32 * kibibyte }),
  'history.counts': channel<HistoryCounts>()({ input: z.strictObject({ filter: historyFilterSchema }), maxBytes: 32 * kibibyte }),
  'history.record': channel<RecordDetail>()({ input: z.strictObject({ id: z.uuid() }), maxBytes: kibibyte }),
  'history.resolve': channel<RecordDetail>()({
    input: z.strictObject({ id: z.uuid(), as: z.enum(resolutions), note: z.string().max(4000) }),
    maxBytes: 32 * kibibyte
  }),
  'history.tryAgain': channel<AppState>()({ input: nothing, maxBytes: kibibyte, late: 'take' }),
  /** Leaves the files as they are and keeps what is done now in memory, until the console is closed. */
  'history.openForSession': channel<AppState>()({ input: nothing, maxBytes: kibibyte, late: 'take' }),
  /** Renames the history's files, deletes nothing, and begins a new history. */
  'history.setAside': channel<AppState>()({ input: nothing, maxBytes: kibibyte, late: 'take' })
}
