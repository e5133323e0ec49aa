/** Detects a file's delimiter: the one under which its first lines are most alike, and their headings fit best. */
import { batchDelimiters, type BatchDelimiter } from '#contract/batches/batches.ts'
import { CsvLines } from '#kit/csv/csv-lines.ts'

/** Number of lines examined. */
const lookedAt = 30

/** A line that names the delimiter, as spreadsheets understand and write it; further delimiters may follow. */
const separatorLine = /^\ufeff?"?sep=(.)"?[,;\t|]*(?=[\r\n]|$)/i

/** The delimiter that the first line of a text names. */
export const namedDelimiter = (text: string): string | undefined => separatorLine.exec(text)?.[1]

/** The first lines under a delimiter. The text may end within the last one, which is left out if there are others. */
function firstLines(text: string, delimiter: BatchDelimiter): readonly (readonly string[])[] {
  try {
    const csv = new CsvLines(delimiter)
    const lines = csv.push(text)
    return (lines.length > 0 ? lines : csv.end()).slice(0, lookedAt).map(({ cells }) => cells)
  } catch {
    // A quote that is never closed is reported when the file is read.
    return []
  }
}

/** How many delimiters most of the lines have, and the share of these lines. */
function mostCommon(lines: readonly (readonly string[])[]): { readonly count: number; readonly share: number } {
  const lengths = new Map<number, number>()
  for (const { length } of lines) if (length > 1) lengths.set(length, (lengths.get(length) ?? 0) + 1)
  const [length, times] = [...lengths].reduce((best, each) => (each[1] > best[1] ? each : best), [1, 0])
  return { count: length - 1, share: times / Math.max(1, lines.length) }
}

/**
 * Detects the delimiter from the first lines. A comma if there is none, as in a file with one column.
 *
 * @param fitOf How many fields of the operations have a column in such a line.
 */
export function detectDelimiter(text: string, fitOf: (cells: readonly string[]) => number): BatchDelimiter {
  let best: BatchDelimiter = ','
  let bestScore = 0
  for (const delimiter of batchDelimiters) {
    const lines = firstLines(text, delimiter)
    const { count, share } = mostCommon(lines)
    const fits = lines.map(fitOf)
    const fit = Math.max(0, ...fits)
    // Headings have a delimiter, and so have most lines: otherwise it is part of the text of some cells.
    const isWithin = fit > 0 ? (lines[fits.indexOf(fit)]?.length ?? 0) < 2 : share < 0.5
    if (count === 0 || isWithin) continue
    const score = fit * 1_000_000 + share * 1000 + Math.min(count, 999)
    if (score > bestScore) [best, bestScore] = [delimiter, score]
  }
  return best
}
