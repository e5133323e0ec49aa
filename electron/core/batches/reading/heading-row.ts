/** The line of the headings, which need not be the first: titles, dates and comments may stand above it. */
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { OperationId } from '#contract/verification/operations.ts'
import { fittingFields } from '#core/csv/headings.ts'
import type { Line } from './lines.ts'

/** Lines among which the headings are looked for. */
export const headingLines = 30
/** The furthest line that can be chosen. */
const maxHeadingLine = 1000

/** The first lines of a table, and one that continues behind them. */
export interface FirstLines {
  readonly lines: readonly Line[]
  readonly rest: AsyncGenerator<readonly Line[]>
}

/** Reads the lines among which the headings are: a few, or as many as it takes to come to the line that was chosen. */
export async function firstLinesOf(
  blocks: AsyncGenerator<readonly Line[]>,
  chosen: number | undefined
): Promise<FirstLines> {
  const lines: Line[] = []
  const isEnough = (): boolean =>
    lines.length > headingLines && (lines.at(-1)?.line ?? 0) >= Math.min(chosen ?? 0, maxHeadingLine)
  while (!isEnough()) {
    const next = await blocks.next()
    if (next.done) break
    lines.push(...next.value)
  }
  return { lines, rest: blocks }
}

const filled = ({ cells }: Line): number => cells.filter((cell) => cell.trim() !== '').length
const isComment = ({ cells }: Line): boolean => (cells[0] ?? '').trimStart().startsWith('#')

/** The most likely line where no heading fits a field: the first that is neither a comment nor a title above a table. */
function likely(lines: readonly Line[]): number {
  const widths = lines.map(filled)
  const isTable = widths.filter((width) => width > 1).length > widths.length / 2
  const found = lines.findIndex((line, index) => !isComment(line) && (!isTable || (widths[index] ?? 0) > 1))
  return Math.max(0, found)
}

/**
 * The place of the headings among the first lines: the one that was chosen, otherwise the first whose cells fit most
 * fields. Failures: `batch-file-empty`, `batch-heading-row`.
 */
export function headingPlace(
  lines: readonly Line[],
  operations: readonly OperationId[],
  chosen: number | undefined
): Result<number, Failure> {
  if (lines.length === 0) return failed('batch-file-empty')
  if (chosen !== undefined) {
    const place = lines.findIndex(({ line }) => line === chosen)
    return place < 0 || chosen > maxHeadingLine ? failed('batch-heading-row', { line: chosen }) : ok(place)
  }
  const looked = lines.slice(0, headingLines)
  let best = -1
  let most = 0
  for (const [place, line] of looked.entries()) {
    // A title that fits a field by chance has fewer cells than the headings below it.
    const fit = fittingFields(operations, line.cells)
    const score = fit === 0 ? 0 : fit * 10_000 + Math.min(filled(line), 9999)
    if (score > most) [best, most] = [place, score]
  }
  return ok(best < 0 ? likely(looked) : best)
}
