/** What a colleague's events say about a shared batch. A member can put anything into an event: another form is no batch. */
import { z } from 'zod'
import { maxBatchColumns, maxBatchRows, maxCellLength, rowStates } from '#contract/batches/rows.ts'
import { batchDelimiters, maxAtOnce } from '#contract/batches/batches.ts'
import { documentTypes } from '#contract/documents/documents.ts'
import { operationIds } from '#contract/verification/operations.ts'
import { outcomeIds } from '#contract/verification/outcomes.ts'
import { installationSchema, keySchema } from '#team/roster/request.ts'

const text = (most: number) => z.string().max(most)
const maybe = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined)
const columns = z.array(text(maxCellLength)).max(maxBatchColumns)

export const batchForms = {
  header: z.object({
    id: z.uuid(),
    operation: z.enum(operationIds),
    connection: z.int().min(0),
    rows: z.int().min(1),
    count: z.int().min(1).max(maxBatchRows),
    team: keySchema,
    sharer: installationSchema,
    atOnce: z.int().min(1).max(maxAtOnce),
    pace: z.int().min(0).max(60_000),
    operator: maybe(text(250))
  }),
  names: z.object({
    name: text(120),
    fileName: text(1000),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    layout: z.object({
      columns,
      delimiter: z.enum(batchDelimiters),
      mapping: z.record(text(100), z.int().min(-1).max(9999)),
      applicantColumn: z.int().min(-1).max(9999)
    })
  }),
  row: z.object({ state: z.enum(rowStates) }),
  cells: z.object({
    cells: columns,
    applicantId: maybe(text(200)),
    documents: maybe(
      z.record(
        text(100),
        z.object({
          type: z.enum(documentTypes),
          bytes: z.int().min(0),
          sha256: z.string().regex(/^[0-9a-f]{64}$/),
          at: z.number()
        })
      )
    )
  }),
  changed: z.object({ to: z.string() }),
  taken: z.object({ over: z.record(installationSchema, z.int().min(1)) }),
  begun: z.object({ id: z.uuid() }),
  ended: z.object({
    outcome: z.enum(outcomeIds),
    took: maybe(z.number().min(0)),
    reply: maybe(z.object({ status: z.int().min(100).max(999) }).nullable())
  }),
  message: z.object({ message: maybe(text(1000)) })
} as const
