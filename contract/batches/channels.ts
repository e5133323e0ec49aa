/** Channels of batches: reading a file, creating a batch, running it, its results. */
import { z } from 'zod'
import { maxBatchText } from './rows.ts'
import {
  againKinds,
  batchFiles,
  batchListQuerySchema,
  batchOrderSchema,
  batchReadingSchema,
  batchResolutions,
  batchRowsQuerySchema,
  type BatchCheck,
  type BatchColumns,
  type BatchAgain,
  type BatchMessages,
  type BatchRowsPage,
  type BatchSummary,
  type RecentDuplicates,
  type SavedRows,
  tableFormats
} from './batches.ts'
import { checkedLinesQuerySchema, nextInvalidQuerySchema, type CheckedLines } from './lines.ts'
import { batchLinksOrderSchema, linkKinds, type BatchLinkCheck, type BatchLinkRow } from './links.ts'
import { visitSchema } from '../evidence/audit.ts'
import { operationsSchema } from '../verification/saved-recipes.ts'
import type { CopyNeed } from '../documents/documents.ts'
import { channel, kibibyte, nothing, type SavedFile } from '../ipc/channel.ts'

const batch = z.strictObject({ id: z.uuid() })

export const batchChannels = {
  /** Asks the user for a file and checks it; null if cancelled. */
  'batches.choose': channel<BatchCheck | null>()({
    input: z.strictObject({ reading: batchReadingSchema }),
    maxBytes: 64 * kibibyte,
    leaves: { none: 'It reads the operator’s own file; nothing is stored before a batch is created.' }
  }),
  'batches.checkText': channel<BatchCheck>()({
    // Limited in characters here and in bytes by core; as JSON a text may grow to more than twice its size.
    input: z.strictObject({
      name: z.string().max(255),
      text: z.string().max(maxBatchText),
      reading: batchReadingSchema
    }),
    maxBytes: 3 * maxBatchText,
    leaves: { none: 'It reads the operator’s own text; nothing is stored before a batch is created.' }
  }),
  /** Checks a file that only the window has: its content in base64, limited in bytes by core. */
  'batches.checkDropped': channel<BatchCheck>()({
    input: z.strictObject({
      name: z.string().max(255),
      base64: z.string().max(Math.ceil(maxBatchText / 3) * 4),
      reading: batchReadingSchema
    }),
    maxBytes: 2 * maxBatchText,
    leaves: { none: 'It reads the operator’s own file; nothing is stored before a batch is created.' }
  }),
  /** Checks the file that was chosen last, after a restart; null if none is remembered, and refused if it has changed. */
  'batches.reopen': channel<BatchCheck | null>()({
    input: z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/), reading: batchReadingSchema }),
    maxBytes: 4096 * kibibyte,
    leaves: { none: 'It reads the file again that the operator chose before the console was closed.' }
  }),
  /** Checks the same file or text with other reading options. */
  'batches.recheck': channel<BatchCheck>()({
    input: z.strictObject({ checkId: z.uuid(), reading: batchReadingSchema }),
    maxBytes: 4096 * kibibyte,
    leaves: { none: 'It reads the operator’s own file or text again.' }
  }),
  /** Reads the same file or text with a column profile. Failure: `batch-profile-missing`. */
  'batches.useProfile': channel<BatchCheck>()({
    input: z.strictObject({ checkId: z.uuid(), name: z.string().max(60) }),
    maxBytes: kibibyte,
    leaves: { none: 'It reads the operator’s own file or text again.' }
  }),
  /** The lines of a checked file, of some kinds, a page at a time. */
  'batches.lines': channel<CheckedLines>()({
    input: checkedLinesQuerySchema,
    maxBytes: kibibyte,
    leaves: { none: 'It returns rows of the operator’s own file.' }
  }),
  /** The place of the next invalid line among those of some kinds; null if there is none. */
  'batches.nextInvalid': channel<number | null>()({
    input: nextInvalidQuerySchema,
    maxBytes: kibibyte,
    leaves: { none: 'It returns a number only.' }
  }),
  /**
   * Counts recently answered rows, with progress as events; null if the spend guard is off, a later request came, or
   * the count would take too long.
   */
  'batches.recentDuplicates': channel<RecentDuplicates | null>()({
    input: z.strictObject({ checkId: z.uuid(), connectionId: z.uuid() }),
    maxBytes: kibibyte,
    leaves: { none: 'It returns a number only.' }
  }),
  /** What copies of the documents of a checked file would take; null where the connection keeps none. */
  'batches.copyNeed': channel<CopyNeed | null>()({
    input: z.strictObject({ checkId: z.uuid(), connectionId: z.uuid() }),
    maxBytes: kibibyte,
    leaves: { none: 'It returns numbers only.' }
  }),
  /** Saves the invalid rows of a checked file with their errors; null if the user cancelled. `format` as in `batches.save`. */
  'batches.saveInvalid': channel<SavedRows | null>()({
    input: z.strictObject({ checkId: z.uuid(), format: z.enum(tableFormats).optional() }),
    maxBytes: kibibyte,
    leaves: ['export.made']
  }),
  /** Starts to ask the server of each link; progress comes as events. Failures: `batch-links-none`, `batch-links-many`. */
  'batches.checkLinks': channel<BatchLinkCheck>()({
    input: batchLinksOrderSchema,
    maxBytes: kibibyte,
    leaves: ['links.checked'],
    when: 'The check has ended or was stopped.'
  }),
  'batches.stopLinks': channel<BatchLinkCheck>()({
    input: z.strictObject({ checkId: z.uuid() }),
    maxBytes: kibibyte,
    leaves: { none: 'The check that it stops leaves an event.' }
  }),
  /** The first rows with findings, of one kind if it is given. */
  'batches.linkRows': channel<readonly BatchLinkRow[]>()({
    input: z.strictObject({
      checkId: z.uuid(),
      kind: z.enum(linkKinds).optional(),
      limit: z.number().int().min(1).max(500)
    }),
    maxBytes: kibibyte,
    leaves: { none: 'It returns numbers and headings of rows of the operator’s own file.' }
  }),
  /** Saves the rows with findings; null if the user cancelled. */
  'batches.saveLinks': channel<SavedRows | null>()({
    input: z.strictObject({ checkId: z.uuid(), format: z.enum(tableFormats).optional() }),
    maxBytes: kibibyte,
    leaves: ['export.made']
  }),
  'batches.create': channel<BatchSummary>()({
    input: batchOrderSchema,
    maxBytes: 8 * kibibyte,
    leaves: ['batch.made']
  }),
  'batches.list': channel<readonly BatchSummary[]>()({
    input: batchListQuerySchema,
    maxBytes: 8 * kibibyte,
    leaves: { none: 'It lists names and counts of batches, without rows.' }
  }),
  'batches.show': channel<BatchSummary>()({
    input: batch,
    maxBytes: kibibyte,
    leaves: { none: 'It returns the name and the counts of a batch, without rows.' }
  }),
  'batches.rows': channel<BatchRowsPage>()({
    input: batchRowsQuerySchema.extend({ visit: visitSchema }),
    maxBytes: 8 * kibibyte,
    leaves: ['view.opened']
  }),
  /** The messages of its answers, the most frequent first. */
  'batches.messages': channel<BatchMessages>()({
    input: batch,
    maxBytes: kibibyte,
    leaves: { none: 'It returns the service’s messages with counts, without an applicant.' }
  }),
  'batches.columns': channel<BatchColumns>()({
    input: batch,
    maxBytes: kibibyte,
    leaves: { none: 'It returns the headings of a file.' }
  }),
  'batches.againCounts': channel<BatchAgain>()({
    input: batch,
    maxBytes: kibibyte,
    leaves: { none: 'It returns numbers only.' }
  }),
  /** Starts, resumes, or continues after a stop. The name of a live connection must be typed each time. */
  'batches.start': channel<BatchSummary>()({
    input: z.strictObject({
      id: z.uuid(),
      confirmation: z.string().max(200).optional(),
      afterRestore: z.boolean().optional()
    }),
    maxBytes: 4 * kibibyte,
    leaves: ['batch.changed']
  }),
  /** Both return at once; rows in progress finish first, and an event reports it. */
  'batches.pause': channel<BatchSummary>()({
    input: batch,
    maxBytes: kibibyte,
    leaves: ['batch.changed'],
    when: 'The batch is running.'
  }),
  'batches.cancel': channel<BatchSummary>()({ input: batch, maxBytes: kibibyte, leaves: ['batch.changed'] }),
  /** The user is active in the window: running batches yield for a moment. */
  'batches.yieldToUser': channel<null>()({
    input: nothing,
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'Running batches wait for a moment; nothing changes.' }
  }),
  'batches.resolve': channel<BatchSummary>()({
    input: z.strictObject({
      id: z.uuid(),
      /** Omitted: every unresolved unknown row. */
      rows: z.array(z.number().int().min(1)).min(1).max(10_000).optional(),
      as: z.enum(batchResolutions)
    }),
    maxBytes: 256 * kibibyte,
    leaves: ['record.resolved'],
    when: 'The rows have records. Those of a restored batch that have none leave `batch.resolved`.'
  }),
  /** Null if the user cancelled. `format`: what is suggested; the path that the user chooses decides. */
  'batches.save': channel<SavedRows | null>()({
    input: z.strictObject({ id: z.uuid(), file: z.enum(batchFiles), format: z.enum(tableFormats).optional() }),
    maxBytes: kibibyte,
    leaves: ['export.made']
  }),
  'batches.template': channel<SavedFile>()({
    input: z.strictObject({ operations: operationsSchema, format: z.enum(tableFormats).optional() }),
    maxBytes: kibibyte,
    late: 'take',
    leaves: { none: 'A template has headings and no data.' }
  }),
  /** Makes a batch of the rows that can be sent again, of one kind if it is given. */
  'batches.again': channel<BatchSummary>()({
    input: z.strictObject({ id: z.uuid(), kind: z.enum(againKinds).optional() }),
    maxBytes: kibibyte,
    leaves: ['batch.made']
  })
}
