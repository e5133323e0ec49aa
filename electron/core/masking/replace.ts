/** Inserts placeholders where secrets were found, and keeps JSON valid. */
import type { Span } from './search.ts'

/** Merges overlapping spans, in order; the placeholder is that of the longest. */
export function merged(spans: readonly Span[]): readonly Span[] {
  const result: (Span & { longest: number })[] = []
  for (const span of [...spans].sort((a, b) => a.from - b.from || b.to - a.to)) {
    const last = result.at(-1)
    const length = span.to - span.from
    if (last && (span.from < last.to || (span.from === last.to && span.placeholder === last.placeholder))) {
      const longer = length > last.longest
      result[result.length - 1] = {
        from: last.from,
        to: Math.max(last.to, span.to),
        placeholder: longer ? span.placeholder : last.placeholder,
        longest: Math.max(length, last.longest)
      }
    } else result.push({ ...span, longest: length })
  }
  return result
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function replacePlain(text: string, spans: readonly Span[]): string {
  const parts: string[] = []
  let at = 0
  for (const { from, to, placeholder } of spans) {
    parts.push(text.slice(at, from), placeholder)
    at = to
  }
  return parts.join('') + text.slice(at)
}

/** Iterates over ordered spans: returns the one that overlaps a range, if any. */
function follow(spans: readonly Span[]): (from: number, to: number) => Span | undefined {
  let at = 0
  return (from, to) => {
    for (let span = spans[at]; span && span.to <= from; span = spans[at]) at += 1
    const span = spans[at]
    return span && span.from < to ? span : undefined
  }
}

/** The end of a JSON string that begins at `start`, including its quote (RFC 8259, section 7). */
function stringEnd(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

/** Replaces spans within a string without splitting an escape. */
function replaceInString(text: string, start: number, end: number, covering: ReturnType<typeof follow>): string {
  const parts: string[] = ['"']
  let covered: Span | undefined
  let kept = start + 1
  for (let at = start + 1; at < end - 1;) {
    const next = Math.min(at + (text[at] !== '\\' ? 1 : text[at + 1] === 'u' ? 6 : 2), end - 1)
    const span = covering(at, next)
    if (span) {
      parts.push(text.slice(kept, at), span === covered ? '' : span.placeholder)
      kept = next
    }
    covered = span
    at = next
  }
  parts.push(text.slice(kept, end))
  return parts.join('')
}

/** A span may cover several strings and numbers: each is replaced separately, and the structure between them stays. */
function replaceJson(text: string, spans: readonly Span[]): string {
  const parts: string[] = []
  const [scalars, pieces] = [follow(spans), follow(spans)]
  const scalar = /[^\s[\]{},:]/g
  let kept = 0
  for (let found = scalar.exec(text); found; found = scalar.exec(text)) {
    const start = found.index
    const isString = text[start] === '"'
    let end = isString ? stringEnd(text, start) : start + 1
    if (!isString) while (end < text.length && !/[\s[\]{},:]/.test(text[end] ?? '')) end += 1
    scalar.lastIndex = end
    // The quotes of a string are not part of it.
    const span = isString ? scalars(start + 1, end - 1) : scalars(start, end)
    if (!span) continue
    parts.push(text.slice(kept, start), isString ? replaceInString(text, start, end, pieces) : `"${span.placeholder}"`)
    kept = end
  }
  return parts.join('') + text.slice(kept)
}

/** Replaces the spans of a text (merged, in order). JSON stays valid, with the same structure. */
export function replaced(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text
  return isJson(text) ? replaceJson(text, spans) : replacePlain(text, spans)
}
