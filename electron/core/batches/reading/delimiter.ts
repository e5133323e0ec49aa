/** Detects a file's delimiter. */
import { batchDelimiters, type BatchDelimiter } from '#contract/batches/batches.ts'

/** Number of lines examined. */
const lookedAt = 20

/** Counts of each delimiter outside quotes, per line. */
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
  // The last line may be cut off or empty.
  if (line > 0) for (const list of counts.values()) list.length = Math.min(list.length, line)
  return counts
}

/**
 * Detects the delimiter from the first lines: the one that occurs equally often in every line and in the headings,
 * otherwise the most frequent one in the headings. A comma if there is none, as in a file with one column.
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
