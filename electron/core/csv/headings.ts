/** Maps columns to fields: by name, by alias, or manually. */
import { maxBatchColumns } from '#contract/batches/rows.ts'
import type { BatchReading } from '#contract/batches/batches.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import {
  operations as allOperations,
  type FieldDeclaration,
  type OperationId
} from '#contract/verification/operations.ts'
import { applicantFieldOfRows, fieldsOfRows } from '#contract/verification/recipes.ts'
import { ok, type Result } from '#contract/failures/result.ts'

/**
 * Normalises a heading: folds case, the Turkish one as well, and drops spaces of all kinds, characters without a width,
 * underscores, dashes and dots.
 */
export const foldHeading = (heading: string): string =>
  heading
    .normalize('NFKC')
    .toLowerCase()
    // A capital I with a dot is in lower case an i with a combining one.
    .replace(/[\s_.\-\u0307\p{Cf}]+/gu, '')
    .replaceAll('\u0131', 'i')

/** Headings as stored; one without a name is named by its position. */
export const columnNames = (cells: readonly string[]): Result<readonly string[], Failure> =>
  cells.length > maxBatchColumns
    ? failed('batch-too-many-columns', { limit: maxBatchColumns })
    : ok(cells.map((heading, index) => (heading.trim() === '' ? `Column ${index + 1}` : heading)))

/** The failure where a column was found by a heading that another column has as well. */
function foundTwice(columns: readonly string[], found: readonly number[]): Result<never, Failure> | undefined {
  const nameOf = (heading: string): string =>
    heading
      .replace(/\p{Cf}/gu, '')
      .trim()
      .toLowerCase()
  for (const column of found) {
    const heading = columns[column] ?? ''
    const other = columns.findIndex((each, index) => index !== column && nameOf(each) === nameOf(heading))
    if (other >= 0)
      return failed('batch-heading-twice', {
        heading: heading.trim().slice(0, 80),
        first: Math.min(column, other) + 1,
        second: Math.max(column, other) + 1
      })
  }
  return undefined
}

export interface Matching {
  readonly mapping: Readonly<Record<string, number>>
  readonly applicantColumn: number
}

// The field declaration of an applicant's id, for operations that have no applicant field.
const applicantField = allOperations
  .flatMap((operation) => operation.fields as readonly FieldDeclaration[])
  .find((field) => field.kind === 'applicant-id')

/** Matches columns by name first, over all fields, then by alias; uses no column twice. -1 if there is none. */
function matched(operations: readonly OperationId[], columns: readonly string[]): Matching {
  const folded = columns.map(foldHeading)
  const taken = new Set<number>()
  const take = (names: readonly string[]): number => {
    for (const name of names) {
      const column = folded.indexOf(foldHeading(name))
      if (column >= 0 && !taken.has(column)) {
        taken.add(column)
        return column
      }
    }
    return -1
  }
  const fields = fieldsOfRows(operations)
  const mapping: Record<string, number> = {}
  for (const field of fields) mapping[field.name] = take([field.name])
  for (const field of fields)
    if (mapping[field.name] === -1) mapping[field.name] = take([field.label, ...field.aliases])
  const asked = applicantFieldOfRows(operations) === undefined && applicantField
  return {
    mapping,
    applicantColumn: asked ? take([applicantField.name, applicantField.label, ...applicantField.aliases]) : -1
  }
}

/** How many fields of the operations have a column among these headings. */
export function fittingFields(operations: readonly OperationId[], headings: readonly string[]): number {
  const { mapping, applicantColumn } = matched(operations, headings)
  return [...Object.values(mapping), applicantColumn].filter((column) => column >= 0).length
}

/**
 * The mapping to use: the user's choices, and matches for the rest. Failures: `batch-mapping-invalid`, and
 * `batch-heading-twice` where a match could be one of two columns.
 */
export function matchHeadings(reading: BatchReading, columns: readonly string[]): Result<Matching, Failure> {
  const { operations } = reading
  const found = matched(operations, columns)
  const fields = fieldsOfRows(operations)
  const unknown = Object.keys(reading.mapping ?? {}).find((name) => !fields.some((field) => field.name === name))
  if (unknown !== undefined) return failed('batch-mapping-invalid', { reason: 'unknown-field' })
  const mapping = Object.fromEntries(
    fields.map(({ name }) => [name, reading.mapping?.[name] ?? found.mapping[name] ?? -1])
  )
  const applicantColumn =
    applicantFieldOfRows(operations) === undefined ? (reading.applicantColumn ?? found.applicantColumn) : -1
  const used = [...Object.values(mapping), applicantColumn].filter((column) => column >= 0)
  if (used.some((column) => column >= columns.length)) return failed('batch-mapping-invalid', { reason: 'no-column' })
  const chosen = Object.values(reading.mapping ?? {}).filter((column) => column >= 0)
  if (new Set(chosen).size !== chosen.length) return failed('batch-mapping-invalid', { reason: 'used-twice' })
  // A column that the user chose for one field is not matched to another.
  for (const { name } of fields)
    if (reading.mapping?.[name] === undefined && chosen.includes(mapping[name] ?? -1)) mapping[name] = -1
  const byName = fields.map(({ name }) => (reading.mapping?.[name] === undefined ? (mapping[name] ?? -1) : -1))
  if (reading.applicantColumn === undefined) byName.push(applicantColumn)
  const twice = foundTwice(
    columns,
    byName.filter((column) => column >= 0)
  )
  if (twice) return twice
  return ok({
    mapping,
    applicantColumn: reading.applicantColumn === undefined && chosen.includes(applicantColumn) ? -1 : applicantColumn
  })
}
