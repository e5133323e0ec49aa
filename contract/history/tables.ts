/** Which columns of the window's tables are shown, in which order and how wide. Differences from the tables' own choice. */
import { z } from 'zod'
import { leastColumnWidth, maxColumnWidth } from './column-widths.ts'

export const tableNames = ['history', 'queue', 'applicants', 'batches', 'catalogue', 'audit'] as const
export type TableName = (typeof tableNames)[number]

const maxColumns = 40
const columnName = z.string().max(40)

export const tableColumnsSchema = z.strictObject({
  order: z.array(columnName).max(maxColumns).optional(),
  /** A column that is not listed is shown if it fits. */
  shown: z.record(columnName, z.boolean()).optional(),
  /** In pixels. */
  widths: z.record(columnName, z.number().int().min(leastColumnWidth).max(maxColumnWidth)).optional()
})
export type TableColumns = z.output<typeof tableColumnsSchema>
export const tablesSchema = z.partialRecord(z.enum(tableNames), tableColumnsSchema)
export type Tables = z.output<typeof tablesSchema>
