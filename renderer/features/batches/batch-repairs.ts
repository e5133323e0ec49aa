/** Repairs of a faulty cell that are safe to offer: what the cell means is certain. Each can be undone. */
import type { BatchCheck, CheckedFault } from '#contract/batches/batches.ts'
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

/** The cells of a column with errors in which a text occurs, with another one in its place. */
export const replacedIn = (
  faults: readonly CheckedFault[],
  column: string,
  find: string,
  by: string
): readonly { readonly row: number; readonly value: string }[] =>
  find === ''
    ? []
    : faults.flatMap(({ row, column: name, cell }) =>
        name === column && cell?.includes(find) ? [{ row, value: cell.replaceAll(find, by) }] : []
      )

/** What was corrected or skipped last, which is undone first. */
export function lastChange({
  corrections,
  skipped
}: Pick<BatchCheck['reading'], 'corrections' | 'skipped'>):
  | { readonly row: number; readonly column?: number }
  | undefined {
  return [...corrections, ...skipped].toSorted((one, other) => (other.at ?? 0) - (one.at ?? 0))[0]
}
