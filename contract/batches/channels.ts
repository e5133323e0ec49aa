/** Channels of batches: reading a file, creating a batch, running it, its results. */
import { z } from 'zod'
import { maxBatchRows, maxBatchText } from './rows.ts'
import {
  batchFiles,
  batchListQuerySchema,
  batchOrderSchema,
  batchReadingSchema,
  batchResolutions,
  batchRowsQuerySchema,
  type BatchCheck,
  type BatchColumns,
  type BatchFailed,
  type BatchRowsPage,
  type BatchSummary,
  type RecentDuplicates
} from './batches.ts'
import { batchLinksOrderSchema, linkKinds, type BatchLinkCheck, type BatchLinkRow } from './links.ts'
import { visitSchema } from '../evidence/audit.ts'
import { operationIds } from '../verification/operations.ts'
import { channel, kibibyte, nothing, type SavedFile } from '../ipc/channel.ts'

const batch = z.strictObject({ id: z.uuid() })

export const batchChannels = {
  /** Asks the user for a file and checks it; null if cancelled. */
  'batches.choose': channel<BatchCheck | null>()({
    input: z.strictObject({ reading: batchReadingSchema }),
    maxBytes: 64 * kibibyte
  }),
  'batches.checkText': channel<BatchCheck>()({
    // Limited in characters here and in bytes by core; as JSON a text may grow to more than twice its size.
    input: z.strictObject({
      name: z.string().max(255),
      text: z.string().max(maxBatchText),
      reading: batchReadingSchema
    }),
    maxBytes: 3 * maxBatchText
  }),
  /** Checks the file that was chosen last, after a restart; null if none is remembered, and refused if it has changed. */
  'batches.reopen': channel<BatchCheck | null>()({
    input: z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/), reading: batchReadingSchema }),
    maxBytes: 64 * kibibyte
  }),
  /** Checks the same file or text with other reading options. */
  'batches.recheck': channel<BatchCheck>()({
    input: z.strictObject({ checkId: z.uuid(), reading: batchReadingSchema }),
    maxBytes: 64 * kibibyte
  }),
  /**
   * Counts recently answered rows, with progress as events; null if the spend guard is off, a later request came, or
   * the count would take too long.
   */
  'batches.recentDuplicates': channel<RecentDuplicates | null>()({
    input: z.strictObject({ checkId: z.uuid(), connectionId: z.uuid() }),
    maxBytes: kibibyte
  }),
  /** Saves the invalid rows of a checked file with their errors; null if the user cancelled. */
  'batches.saveInvalid': channel<{ readonly path: string; readonly rows: number } | null>()({
    input: z.strictObject({ checkId: z.uuid() }),
    maxBytes: kibibyte
  }),
  /** Starts to ask the server of each link; progress comes as events. Failures: `batch-links-none`, `batch-links-many`. */
  'batches.checkLinks': channel<BatchLinkCheck>()({ input: batchLinksOrderSchema, maxBytes: kibibyte }),
  'batches.stopLinks': channel<BatchLinkCheck>()({ input: z.strictObject({ checkId: z.uuid() }), maxBytes: kibibyte }),
  /** The first rows with findings, of one kind if it is given. */
  'batches.linkRows': channel<readonly BatchLinkRow[]>()({
    input: z.strictObject({
      checkId: z.uuid(),
      kind: z.enum(linkKinds).optional(),
      limit: z.number().int().min(1).max(500)
    }),
    maxBytes: kibibyte
  }),
  /** Saves the rows with findings; null if the user cancelled. */
  'batches.saveLinks': channel<{ readonly path: string; readonly rows: number } | null>()({
    input: z.strictObject({ checkId: z.uuid() }),
    maxBytes: kibibyte
  }),
  'batches.create': channel<BatchSummary>()({ input: batchOrderSchema, maxBytes: 8 * kibibyte }),
  'batches.list': channel<readonly BatchSummary[]>()({ input: batchListQuerySchema, maxBytes: 8 * kibibyte }),
  'batches.show': channel<BatchSummary>()({ input: batch, maxBytes: kibibyte }),
  'batches.rows': channel<BatchRowsPage>()({
    input: batchRowsQuerySchema.extend({ visit: visitSchema }),
    maxBytes: 8 * kibibyte
  }),
  'batches.columns': channel<BatchColumns>()({ input: batch, maxBytes: kibibyte }),
  'batches.failed': channel<BatchFailed>()({ input: batch, maxBytes: kibibyte }),
  /** Starts, resumes, or continues after a stop. The name of a live connection must be typed each time. */
  'batches.start': channel<BatchSummary>()({
    input: z.strictObject({
      id: z.uuid(),
      confirmation: z.string().max(200).optional(),
      afterRestore: z.boolean().optional()
    }),
    maxBytes: 4 * kibibyte
  }),
  /** Both return at once; rows in progress finish first, and an event reports it. */
  'batches.pause': channel<BatchSummary>()({ input: batch, maxBytes: kibibyte }),
  'batches.cancel': channel<BatchSummary>()({ input: batch, maxBytes: kibibyte }),
  /** The user is active in the window: running batches yield for a moment. */
  'batches.yieldToUser': channel<null>()({ input: nothing, maxBytes: kibibyte, late: 'take' }),
  'batches.resolve': channel<BatchSummary>()({
    input: z.strictObject({
      id: z.uuid(),
      /** Omitted: every unresolved unknown row. */
      rows: z.array(z.number().int().min(1).max(maxBatchRows)).min(1).max(10_000).optional(),
      as: z.enum(batchResolutions)
    }),
    maxBytes: 256 * kibibyte
  }),
  /** Null if the user cancelled. */
  'batches.save': channel<{ readonly path: string; readonly rows: number } | null>()({
    input: z.strictObject({ id: z.uuid(), file: z.enum(batchFiles) }),
    maxBytes: kibibyte
  }),
  'batches.template': channel<SavedFile>()({
    input: z.strictObject({ operation: z.enum(operationIds) }),
    maxBytes: kibibyte,
    late: 'take'
  }),
  'batches.again': channel<BatchSummary>()({ input: batch, maxBytes: kibibyte })
}
