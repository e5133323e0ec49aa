/** Repairs of a faulty cell that are safe to offer: what the cell means is certain. */
import type { BatchCheck, BatchCorrection, CheckedFault } from '#contract/batches/batches.ts'
import { words } from './words.ts'

export interface Repair {
  readonly label: string
  readonly value: string
}

export function repairOf({ fault, cell }: Pick<CheckedFault, 'fault' | 'cell'>): Repair | undefined {
  if (cell === undefined || cell === '') return undefined
  const trimmed = cell.trim()
  if (fault.code === 'spaces-around') return { label: words.trim, value: trimmed }
  if (fault.code === 'spaces-within') {
    if (!/\s/.test(trimmed)) return trimmed === cell ? undefined : { label: words.trim, value: trimmed }
    // Anything but a plain space is invisible: what it stands for is not certain.
    return /[^\S ]/.test(trimmed) ? undefined : { label: words.useEscapedSpace, value: trimmed.replaceAll(' ', '%20') }
  }
  if (fault.code === 'url-incomplete' && /^[a-z\d-]+(\.[a-z\d-]+)+(:\d+)?([/?#]\S*)?$/i.test(trimmed))
    return { label: words.addHttps, value: `https://${trimmed}` }
  return undefined
}

/** An error, a corrected cell, or both: a correction that is not right yet. */
export interface ErrorLine {
  readonly row: number
  /** The heading; empty if the error concerns the whole row. */
  readonly column: string
  readonly fault?: CheckedFault
  readonly correction?: BatchCorrection
}

/** The errors of a check and the cells that were corrected, in the order of the file. */
export function errorLines({
  faults,
  columns,
  reading
}: Pick<BatchCheck, 'faults' | 'columns' | 'reading'>): readonly ErrorLine[] {
  const nameOf = ({ column }: BatchCorrection): string => columns[column] ?? ''
  const left = new Set(reading.corrections)
  const lines = faults.map((fault): ErrorLine => {
    const correction = reading.corrections.find((each) => each.row === fault.row && nameOf(each) === fault.column)
    if (correction) left.delete(correction)
    return { row: fault.row, column: fault.column, fault, ...(correction && { correction }) }
  })
  const corrected = [...left].map((correction): ErrorLine => ({
    row: correction.row,
    column: nameOf(correction),
    correction
  }))
  return [...lines, ...corrected].sort((one, other) => one.row - other.row)
}

/** The cells of a column with errors in which a text occurs, with another one in its place. */
export const replacedIn = (
  lines: readonly ErrorLine[],
  column: string,
  find: string,
  by: string
): readonly { readonly row: number; readonly value: string }[] =>
  find === ''
    ? []
    : lines.flatMap(({ row, column: name, fault }) =>
        name === column && fault?.cell?.includes(find) ? [{ row, value: fault.cell.replaceAll(find, by) }] : []
      )
