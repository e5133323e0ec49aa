/** Whether a row can be sent, and what would be sent. */
import { maxCellLength, type RowFault } from '#contract/batches.ts'
import { applicantFieldOf, operationOf, type OperationId } from '#contract/operations.ts'
import { fieldFault, type VerificationInput } from '#contract/verification.ts'
import type { BatchLayout } from '../store.ts'

export interface Judgement {
  readonly fault?: Omit<RowFault, 'row'>
  /** What would be sent; complete where there is no fault. */
  readonly input: VerificationInput
  /** The applicant of the input, or of the local link. */
  readonly applicantId?: string
}

/** Builds the judge of a file's rows. */
export function createJudge(operation: OperationId, layout: Pick<BatchLayout, 'columns' | 'mapping' | 'applicantColumn'>) {
  const { columns, mapping, applicantColumn } = layout
  const fields = operationOf(operation).fields.map((field) => ({ ...field, column: mapping[field.name] ?? -1 }))
  const unmapped = fields.find(({ column }) => column < 0)
  const applicantField = applicantFieldOf(operation)

  function rowFault(cells: readonly string[]): Omit<RowFault, 'row'> | undefined {
    if (cells.length !== columns.length) {
      const count = (number: number): string => `${number} ${number === 1 ? 'cell' : 'cells'}`
      return { column: '', fault: `This row has ${count(cells.length)}, the headings have ${columns.length}.` }
    }
    for (const [index, cell] of cells.entries()) {
      const column = columns[index] ?? ''
      if (cell.length > maxCellLength)
        return { column, fault: `At most ${maxCellLength.toLocaleString('en')} characters; this cell has ${cell.length.toLocaleString('en')}.` }
      if (cell.includes('\0')) return { column, fault: 'This cell holds a NUL byte: the file is damaged, or its encoding is another one.' }
    }
    return unmapped && { column: '', fault: `No column is chosen for “${unmapped.label}”.` }
  }

  return (cells: readonly string[]): Judgement => {
    const input: Record<string, string> = {}
    for (const { name, column } of fields) input[name] = cells[column] ?? ''
    const linked = applicantColumn >= 0 ? cells[applicantColumn] || undefined : undefined
    const applicantId = applicantField === undefined ? linked : input[applicantField]
    const fault = rowFault(cells)
    if (fault) return { fault, input }
    for (const { kind, column, name } of fields) {
      const found = fieldFault(kind, input[name] ?? '') ?? (input[name]?.includes('\ufffd') ? unreadable : undefined)
      if (found) return { fault: { column: columns[column] ?? '', fault: found }, input }
    }
    const linkFault = linked === undefined ? undefined : fieldFault('applicant-id', linked)
    if (linkFault) return { fault: { column: columns[applicantColumn] ?? '', fault: linkFault }, input }
    return { input, ...(applicantId !== undefined && { applicantId }) }
  }
}

const unreadable = 'This cell holds characters that the chosen encoding does not know.'
