/** Decides whether a row can be sent and builds its input. */
import { maxCellLength } from '#contract/batches/rows.ts'
import type { RowFault } from '#contract/batches/batches.ts'
import { invalidField, type FieldFault } from '#contract/failures/failures.ts'
import { applicantFieldOf, operationOf, type FieldKind, type OperationId } from '#contract/verification/operations.ts'
import { fieldFault, type VerificationInput } from '#contract/verification/verification.ts'
import type { BatchLayout } from '#wire/history/batches.ts'

export interface RowValidation {
  /** The errors by column; empty if the row can be sent. */
  readonly faults: readonly Omit<RowFault, 'row'>[]
  /** The input to send; complete if there are no errors. */
  readonly input: VerificationInput
  /** The applicant from the input, or linked in Veridesk only. */
  readonly applicantId?: string
}

/** Builds the validator for a file's rows. */
export function createRowValidator(
  operation: OperationId,
  layout: Pick<BatchLayout, 'columns' | 'mapping' | 'applicantColumn'>
) {
  const { columns, mapping, applicantColumn } = layout
  const fields = operationOf(operation).fields.map((field) => ({ ...field, column: mapping[field.name] ?? -1 }))
  const unmapped = fields.find(({ column }) => column < 0)
  const applicantField = applicantFieldOf(operation)

  function rowFault(cells: readonly string[]): Omit<RowFault, 'row'> | undefined {
    if (cells.length !== columns.length) {
      return { column: '', fault: invalidField('row-length', { cells: cells.length, headings: columns.length }) }
    }
    for (const [index, cell] of cells.entries()) {
      const column = columns[index] ?? ''
      if (cell.length > maxCellLength)
        return { column, fault: invalidField('cell-too-long', { limit: maxCellLength, length: cell.length }) }
      if (cell.includes('\0')) return { column, fault: invalidField('cell-nul') }
    }
    return unmapped && { column: '', fault: invalidField('field-unmapped', { field: unmapped.label }) }
  }

  return (cells: readonly string[]): RowValidation => {
    const input: Record<string, string> = {}
    for (const { name, column } of fields) input[name] = cells[column] ?? ''
    const linked = applicantColumn >= 0 ? cells[applicantColumn] || undefined : undefined
    const applicantId = applicantField === undefined ? linked : input[applicantField]
    const whole = rowFault(cells)
    // A row that is invalid as a whole gets no errors for single cells.
    if (whole) return { faults: [whole], input }
    const faults: Omit<RowFault, 'row'>[] = []
    for (const { kind, column, name } of fields) {
      const found = faultOf(kind, input[name] ?? '')
      if (found) faults.push({ column: columns[column] ?? '', fault: found })
    }
    const linkFault = linked === undefined ? undefined : faultOf('applicant-id', linked)
    if (linkFault) faults.push({ column: columns[applicantColumn] ?? '', fault: linkFault })
    return { input, faults, ...(faults.length === 0 && applicantId !== undefined && { applicantId }) }
  }
}

// Decoding never inserts U+FFFD: the character is in the file itself.
const faultOf = (kind: FieldKind, value: string): FieldFault | undefined =>
  fieldFault(kind, value) ?? (value.includes('\ufffd') ? invalidField('cell-replaced') : undefined)
