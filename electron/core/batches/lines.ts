/** Lines of a checked file, page by page: only those of the page are validated again. */
import type { CheckedLine, CheckedLines, CheckedLinesQuery } from '#contract/batches/lines.ts'
import type { Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { Checked } from './held-checks.ts'
import { openRows, sampleLength, withCell, type ValidatedRow } from './reading/check.ts'
import { RowsError } from './reading/lines.ts'

/** Returns the lines. Failures: those of reading. */
export async function checkedLines(
  { source, check, index }: Checked,
  { kinds, offset, limit }: CheckedLinesQuery
): Promise<Result<CheckedLines, Failure>> {
  const { places, total } = index.page(kinds, offset, limit)
  if (places.length === 0) return ok({ rows: [], total })
  const opened = await openRows(source, check.reading)
  if (!opened.ok) return opened
  const { columns } = opened.value.layout
  const rows: CheckedLine[] = []
  const lineOf = ({ row, cells, faults }: ValidatedRow, place: number): CheckedLine => {
    const sameAs = index.sameAs(place)
    const found = faults.map((fault) => withCell(row, fault, cells, columns))
    const unsafe = new Set(
      found.filter(({ value, cell }) => value === undefined && cell !== '').map(({ column }) => column)
    )
    return {
      row,
      kind: index.kindOf(place),
      cells: cells
        .slice(0, columns.length)
        .map((cell, at) => (unsafe.has(columns[at] ?? '') ? '' : cell.slice(0, sampleLength))),
      faults: found,
      ...(sameAs !== undefined && { sameAs })
    }
  }
  try {
    for await (const row of opened.value.rows(new Set(places))) {
      rows.push(lineOf(row, places[rows.length] ?? -1))
      // The rest of the file is not read.
      if (rows.length === places.length) break
    }
  } catch (error) {
    if (error instanceof RowsError) return { ok: false, failure: error.failure }
    throw error
  }
  return ok({ rows, total })
}
