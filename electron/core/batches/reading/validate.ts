/** Decides whether a row can be sent and builds its input. */
import { maxCellLength } from '#contract/batches/rows.ts'
import { keepable, type BatchReading, type RowFaults } from '#contract/batches/batches.ts'
import { invalidField, type FieldFault } from '#contract/failures/failures.ts'
import { scrubLink } from '#contract/links/links.ts'
import type { FieldKind, OperationId } from '#contract/verification/operations.ts'
import { applicantFieldOfRows, fieldsOfRows } from '#contract/verification/recipes.ts'
import { fieldFault, type VerificationInput } from '#contract/verification/verification.ts'
import type { BatchLayout } from '#wire/history/batches.ts'
import type { CellMark } from './lines.ts'

export interface RowValidation {
  /** The errors by column; empty if the row can be sent. */
  readonly faults: RowFaults
  /** What a person should look at, although the row can be sent. */
  readonly notes: RowFaults
  /** The values of the row by the names of `fieldsOfRows`; complete if there are no errors. */
  readonly input: VerificationInput
  /** The applicant from the input, or linked in Veridesk only. */
  readonly applicantId?: string
}

/** Characters of a cell that are shown with its error. */
const shownLength = 120
/** Errors whose cell could be a credential. */
const isUnsafe = ({ code }: FieldFault): boolean => code.startsWith('looks-like-') || code === 'holds-credential'

const shown = (cell: string): string => {
  const { url } = scrubLink(cell.slice(0, 10 * shownLength))
  return url.length > shownLength ? `${url.slice(0, shownLength)}…` : url
}

/** Numbers as spreadsheets and scripts write them when they have more digits than fit: 1.23457E+11, 1,2E-05, 1.5E17. */
const scientific = /^[+-]?(?:\d{1,3}(?:[.,]\d+)?E[+-]\d{1,3}|\d{1,3}[.,]\d+E\d{1,3})$/i
/** Spreadsheets keep 15 digits. */
const cutDigits = /^\d{15}(?=\d)0+$/

/** What is wrong with an ID that was a number in a spreadsheet. */
function numberFault(cell: string): FieldFault | undefined {
  const text = cell.trim()
  if (scientific.test(text)) return invalidField('cell-scientific')
  return cutDigits.test(text) ? invalidField('cell-digits') : undefined
}

/** Builds the validator for a file's rows. */
export function createRowValidator(
  { operations, rounded }: { readonly operations: readonly OperationId[]; readonly rounded?: BatchReading['rounded'] },
  layout: Pick<BatchLayout, 'columns' | 'mapping' | 'applicantColumn'>
) {
  const { columns, mapping, applicantColumn } = layout
  const fields = fieldsOfRows(operations).map((field) => ({ ...field, column: mapping[field.name] ?? -1 }))
  const unmapped = fields.find(({ column }) => column < 0)
  const applicantField = applicantFieldOfRows(operations)
  const used = new Set([...fields.map(({ column }) => column), applicantColumn])
  const ids = [
    ...fields.filter(({ kind }) => kind === 'applicant-id').map(({ column }) => column),
    applicantColumn
  ].filter((column) => column >= 0)

  /** Puts what was found in a cell into words of its row. */
  function at(column: number, fault: FieldFault, cell: string): RowFaults[number] {
    const value = cell === '' || isUnsafe(fault) ? undefined : shown(cell)
    return { column: columns[column] ?? '', fault, ...(value !== undefined && { value }) }
  }

  function rowFault(cells: readonly string[]): RowFaults[number] | undefined {
    if (cells.length !== columns.length) {
      return { column: '', fault: invalidField('row-length', { cells: cells.length, headings: columns.length }) }
    }
    for (const [index, cell] of cells.entries()) {
      if (cell.length > maxCellLength)
        return at(index, invalidField('cell-too-long', { limit: maxCellLength, length: cell.length }), cell)
      if (cell.includes('\0')) return at(index, invalidField('cell-nul'), cell)
    }
    return unmapped && { column: '', fault: invalidField('field-unmapped', { field: unmapped.label }) }
  }

  /** What the source and the look of a number say about cells that are used. */
  function marked(cells: readonly string[], marks: readonly CellMark[], isKept: (column: number) => boolean) {
    const found: CellMark[] = marks.filter(({ column }) => column < 0 || used.has(column))
    for (const column of ids) {
      const fault = numberFault(cells[column] ?? '')
      if (fault) found.push({ column, fault })
    }
    const faults: RowFaults[number][] = []
    const notes: RowFaults[number][] = []
    for (const { column, fault } of found) {
      const stops = keepable.has(fault.code) && rounded !== 'keep' && !isKept(column)
      ;(stops ? faults : notes).push(at(column, fault, cells[column] ?? ''))
    }
    return { faults, notes }
  }

  return (
    cells: readonly string[],
    marks: readonly CellMark[] = [],
    isKept: (column: number) => boolean = () => false
  ): RowValidation => {
    const input: Record<string, string> = {}
    for (const { name, column } of fields) input[name] = cells[column] ?? ''
    const linked = applicantColumn >= 0 ? cells[applicantColumn] || undefined : undefined
    const applicantId = applicantField === undefined ? linked : input[applicantField]
    const whole = rowFault(cells)
    // A row that is invalid as a whole gets no errors for single cells.
    if (whole) return { faults: [whole], notes: [], input }
    const { faults, notes } = marked(cells, marks, isKept)
    for (const { kind, column, name } of fields) {
      const cell = input[name] ?? ''
      const found = faultOf(kind, cell)
      if (found) faults.push(at(column, found, cell))
    }
    const linkFault = linked === undefined ? undefined : faultOf('applicant-id', linked)
    if (linked !== undefined && linkFault) faults.push(at(applicantColumn, linkFault, linked))
    return { input, faults, notes, ...(faults.length === 0 && applicantId !== undefined && { applicantId }) }
  }
}

// Decoding never inserts U+FFFD: the character is in the file itself.
const faultOf = (kind: FieldKind, value: string): FieldFault | undefined =>
  fieldFault(kind, value) ?? (value.includes('\ufffd') ? invalidField('cell-replaced') : undefined)
