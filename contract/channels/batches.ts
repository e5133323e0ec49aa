/** Channels of batches: reading a file, creating a batch, running it, its results. */
import { z } from 'zod'
import { maxBatchRows, maxBatchText } from '../batch-rows.ts'
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
} from '../batches.ts'
import { operationIds } from '../operations.ts'
import { channel, kibibyte, nothing, type SavedFile } from './channel.ts'

const batch = z.strictObject({ id: z.uuid() })

export const batchChannels = {
  /** Lets the person choose a file and reads it through; null where none was chosen. */
  'batches.choose': channel<BatchCheck | null>()({ input: z.strictObject({ reading: batchReadingSchema }), maxBytes: 64 * kibibyte }),
  'batches.checkText': channel<BatchCheck>()({
    // Counted in characters here and in bytes by core; as JSON a text may grow to twice its size and more.
    input: z.strictObject({ name: z.string().max(255), text: z.string().max(maxBatchText), reading: batchReadingSchema }),
    maxBytes: 3 * maxBatchText
  }),
  /** The same file or text, read in another way. */
  'batches.recheck': channel<BatchCheck>()({ input: z.strictObject({ checkId: z.uuid(), reading: batchReadingSchema }), maxBytes: 64 * kibibyte }),
  /**
   * Counts the rows that were recently answered, with progress as events; null where the spend guard is off, where
   * a later question came, or where the count would take too long.
   */
  'batches.recentDuplicates': channel<RecentDuplicates | null>()({
    input: z.strictObject({ checkId: z.uuid(), connectionId: z.uuid() }),
    maxBytes: kibibyte
  }),
  /** Saves the invalid rows of a checked file, each with its faults; null where the person chose no place. */
  'batches.saveInvalid': channel<{ readonly path: string; readonly rows: number } | null>()({
    input: z.strictObject({ checkId: z.uuid() }),
    maxBytes: kibibyte
  }),
  'batches.create': channel<BatchSummary>()({ input: batchOrderSchema, maxBytes: 8 * kibibyte }),
  /** Newest first. */
  'batches.list': channel<readonly BatchSummary[]>()({ input: batchListQuerySchema, maxBytes: 8 * kibibyte }),
  'batches.show': channel<BatchSummary>()({ input: batch, maxBytes: kibibyte }),
  'batches.rows': channel<BatchRowsPage>()({ input: batchRowsQuerySchema, maxBytes: 8 * kibibyte }),
  'batches.columns': channel<BatchColumns>()({ input: batch, maxBytes: kibibyte }),
  'batches.failed': channel<BatchFailed>()({ input: batch, maxBytes: kibibyte }),
  /** Starts, resumes, or goes on after a stop. A live connection's name must be typed, each time. */
  'batches.start': channel<BatchSummary>()({
    input: z.strictObject({ id: z.uuid(), confirmation: z.string().max(200).optional(), afterRestore: z.boolean().optional() }),
    maxBytes: 4 * kibibyte
  }),
  /** Both are answered at once; rows in progress come to their end first, and an event tells of it. */
  'batches.pause': channel<BatchSummary>()({ input: batch, maxBytes: kibibyte }),
  'batches.cancel': channel<BatchSummary>()({ input: batch, maxBytes: kibibyte }),
  /** Somebody works at the window: running batches yield for a moment. */
  'batches.yieldToUser': channel<null>()({ input: nothing, maxBytes: kibibyte, late: 'take' }),
  'batches.resolve': channel<BatchSummary>()({
    input: z.strictObject({
      id: z.uuid(),
      /** Left out: every unknown row that nobody has resolved. */
      rows: z.array(z.number().int().min(1).max(maxBatchRows)).min(1).max(10_000).optional(),
      as: z.enum(batchResolutions)
    }),
    maxBytes: 256 * kibibyte
  }),
  /** Null where the person chose no place. */
  'batches.save': channel<{ readonly path: string; readonly rows: number } | null>()({
    input: z.strictObject({ id: z.uuid(), file: z.enum(batchFiles) }),
    maxBytes: kibibyte
  }),
  'batches.template': channel<SavedFile>()({ input: z.strictObject({ operation: z.enum(operationIds) }), maxBytes: kibibyte, late: 'take' }),
  'batches.again': channel<BatchSummary>()({ input: batch, maxBytes: kibibyte })
}
