/** Which delimiter a file has. */
import { batchDelimiters, type BatchDelimiter } from '#contract/batches.ts'

/** Lines that are looked at. */
const lookedAt = 20

/** Counts of each delimiter outside of quotes, line by line. */
function countsByLine(text: string): Map<BatchDelimiter, number[]> {
  const counts = new Map<BatchDelimiter, number[]>(batchDelimiters.map((delimiter) => [delimiter, [0]]))
  let quoted = false
  let line = 0
  let lineHasText = false
  for (const character of text) {
    if (character === '"') quoted = !quoted
    else if (!quoted && (character === '\n' || character === '\r')) {
      if (!lineHasText) continue
      line += 1
      lineHasText = false
      if (line === lookedAt) break
      for (const list of counts.values()) list.push(0)
      continue
    } else if (!quoted) {
      const list = counts.get(character as BatchDelimiter)
      if (list) list[line] = (list[line] ?? 0) + 1
    }
    lineHasText = true
  }
  // The last line may be cut, or have nothing on it.
  if (line > 0) for (const list of counts.values()) list.length = Math.min(list.length, line)
  return counts
}

/**
 * The delimiter by the first lines: the one of which every line has as many as the headings, else the one
 * of which the headings have most. A comma where there is none, as in a file of one column.
 */
export function detectDelimiter(text: string): BatchDelimiter {
  const counts = countsByLine(text)
  let best: BatchDelimiter = ','
  let bestScore = 0
  for (const delimiter of batchDelimiters) {
    const [first = 0, ...others] = counts.get(delimiter) ?? []
    if (first === 0) continue
    const alike = others.length === 0 ? 1 : others.filter((count) => count === first).length / others.length
    const score = alike * 1000 + Math.min(first, 999)
    if (score > bestScore) [best, bestScore] = [delimiter, score]
  }
  return best
}
