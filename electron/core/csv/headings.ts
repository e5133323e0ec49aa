/** Maps columns to fields: by name, by alias, or manually. */
import { maxBatchColumns } from '#contract/batches/rows.ts'
import type { BatchReading } from '#contract/batches/batches.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import {
  applicantFieldOf,
  operationOf,
  operations,
  type FieldDeclaration,
  type OperationId
} from '#contract/verification/operations.ts'
import { ok, type Result } from '#contract/failures/result.ts'

/** Normalises a heading: folds case, and drops spaces, underscores, dashes and dots. */
export const foldHeading = (heading: string): string =>
  heading
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_.-]+/g, '')

/** Headings as stored; one without a name is named by its position. */
export function columnNames(cells: readonly string[]): Result<readonly string[], Failure> {
  if (cells.length > maxBatchColumns) return failed('batch-too-many-columns', { limit: maxBatchColumns })
  const seen = new Map<string, number>()
  for (const [index, heading] of cells.entries()) {
    const name = heading.trim().toLowerCase()
    const first = seen.get(name)
    if (name !== '' && first !== undefined)
      return failed('batch-heading-twice', {
        heading: heading.trim().slice(0, 80),
        first: first + 1,
        second: index + 1
      })
    seen.set(name, index)
  }
  return ok(cells.map((heading, index) => (heading.trim() === '' ? `Column ${index + 1}` : heading)))
}

export interface Matching {
  readonly mapping: Readonly<Record<string, number>>
  readonly applicantColumn: number
}

// The field declaration of an applicant's id, for operations that have no applicant field.
const applicantField = operations
  .flatMap((operation) => operation.fields as readonly FieldDeclaration[])
  .find((field) => field.kind === 'applicant-id')

/** Matches columns by name first, over all fields, then by alias; uses no column twice. -1 if there is none. */
function matched(operation: OperationId, columns: readonly string[]): Matching {
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
  const fields = operationOf(operation).fields
  const mapping: Record<string, number> = {}
  for (const field of fields) mapping[field.name] = take([field.name])
  for (const field of fields)
    if (mapping[field.name] === -1) mapping[field.name] = take([field.label, ...field.aliases])
  const asked = applicantFieldOf(operation) === undefined && applicantField
  return {
    mapping,
    applicantColumn: asked ? take([applicantField.name, applicantField.label, ...applicantField.aliases]) : -1
  }
}

/** The mapping to use: the user's choices, and matches for the rest. Fails with `batch-mapping-invalid`. */
export function matchHeadings(reading: BatchReading, columns: readonly string[]): Result<Matching, Failure> {
  const { operation } = reading
  const found = matched(operation, columns)
  const fields = operationOf(operation).fields
  const unknown = Object.keys(reading.mapping ?? {}).find((name) => !fields.some((field) => field.name === name))
  if (unknown !== undefined) return failed('batch-mapping-invalid', { reason: 'unknown-field' })
  const mapping = Object.fromEntries(
    fields.map(({ name }) => [name, reading.mapping?.[name] ?? found.mapping[name] ?? -1])
  )
  const applicantColumn =
    applicantFieldOf(operation) === undefined ? (reading.applicantColumn ?? found.applicantColumn) : -1
  const used = [...Object.values(mapping), applicantColumn].filter((column) => column >= 0)
  if (used.some((column) => column >= columns.length)) return failed('batch-mapping-invalid', { reason: 'no-column' })
  const chosen = Object.values(reading.mapping ?? {}).filter((column) => column >= 0)
  if (new Set(chosen).size !== chosen.length) return failed('batch-mapping-invalid', { reason: 'used-twice' })
  // A column that the user chose for one field is not matched to another.
  for (const { name } of fields)
    if (reading.mapping?.[name] === undefined && chosen.includes(mapping[name] ?? -1)) mapping[name] = -1
  return ok({
    mapping,
    applicantColumn: reading.applicantColumn === undefined && chosen.includes(applicantColumn) ? -1 : applicantColumn
  })
}
