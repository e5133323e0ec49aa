/**
 * Finds secrets in a text, in any encoding, and replaces them with placeholders. SECURITY.md describes what it covers
 * and what it cannot find.
 */
import { isReadable, readBinary, type Runs } from './binary.ts'
import { isKnown, patternsOf, type Secret } from './pattern.ts'
import { merged, replaced } from './replace.ts'
import { indexOf, search, type Index, type Span } from './search.ts'
import { unescape } from './unescape.ts'
import { alphanumeric, createWriter, readPassage, textOf, unitAt, type View, type Writer } from './view.ts'

export interface Masker {
  /** The text with each secret replaced by its placeholder. JSON stays JSON. */
  mask(text: string): string
  holds(text: string): boolean
  /** What it searches for, so that another masker can include it. */
  readonly sought: readonly Sought[]
}

/** Secrets prepared for searching. */
interface Sought {
  readonly index: Index
  /** Values too short to be recognised by their letters and digits alone. */
  readonly exact: readonly { readonly form: string; readonly placeholder: string }[]
}

/** Shorter values occur in any text: replacing them would falsify answers, and they protect nothing. */
export const shortestSecret = 4
/** Encoded text may itself be encoded, up to this depth. */
const maxDepth = 2
/**
 * A text is read in passages, so that memory does not grow with it; they overlap by more than most encoded values
 * need.
 */
const passage = 64 * 1024
const overlap = 8 * 1024

/** The buffers for a text's readings, per depth. */
interface Buffers {
  readonly plain: Writer
  readonly levels: readonly { readonly decoded: Writer; readonly unescaped: Writer; readonly runs: Runs }[]
  readonly folding: { readonly folded: Uint8Array; readonly places: Int32Array }
}

function buffersFor(length: number): Buffers {
  // Readings are no longer than their source, plus a break after each run.
  const size = length + 16
  return {
    plain: createWriter(size),
    levels: Array.from({ length: maxDepth + 1 }, () => ({
      decoded: createWriter(size),
      unescaped: createWriter(size),
      runs: { digits: new Uint8Array(size), places: new Int32Array(size) }
    })),
    folding: { folded: new Uint8Array(size), places: new Int32Array(size) }
  }
}

/** Most texts are headers and short messages, which share one set of buffers. */
const small = 2048
let smallBuffers: Buffers | undefined

function prepare(secrets: readonly Secret[]): Sought {
  const kept = secrets.filter(({ value }) => value.length >= shortestSecret)
  return {
    index: indexOf(kept.flatMap(patternsOf)),
    exact: kept.flatMap(({ value, prefix = 0, placeholder }) =>
      [...new Set([value, value.slice(prefix)])]
        .filter((form) => form.length >= shortestSecret && !patternsOf({ value: form, placeholder }).some(isKnown))
        .map((form) => ({ form, placeholder }))
    )
  }
}

/**
 * A masker for secrets, and for those of another masker, prepared once for any number of texts. `depth`: how often a text may be encoded as
 * bytes within another; 0 for texts that a person enters, which is many times faster.
 */
export function createMasker(secrets: readonly Secret[], besides?: Masker, depth: number = maxDepth): Masker {
  const sought = [...(besides?.sought ?? []), ...(secrets.length > 0 ? [prepare(secrets)] : [])]
  const exact = sought.flatMap((each) => each.exact)
  const indices = sought.map((each) => each.index)

  function searchExact(view: View, spans: Span[]): void {
    if (exact.length === 0 || view.length < shortestSecret) return
    const text = textOf(view)
    for (const { form, placeholder } of exact) {
      for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) {
        const end = at + form.length
        if (joined(view, at - 1, at) || joined(view, end - 1, end)) continue
        spans.push({ from: view.from[at] ?? 0, to: view.to[end - 1] ?? 0, placeholder })
      }
    }
  }

  function explore(view: View, at: number, buffers: Buffers, spans: Span[]): void {
    const level = buffers.levels[at]
    if (!level) return
    const look = (seen: View): void => {
      for (const index of indices) search(seen, index, buffers.folding, spans)
      searchExact(seen, spans)
    }
    look(view)
    // Most decoded bytes are of images, not text.
    if (at > 0 && !isReadable(view)) return
    const plain = unescape(view, level.unescaped) ? level.unescaped : view
    if (plain !== view) look(plain)
    const next = at < depth ? buffers.levels[at + 1] : undefined
    if (next) readBinary(plain, level.runs, next.decoded, indices, () => explore(next.decoded, at + 1, buffers, spans))
  }

  function spansIn(text: string): readonly Span[] {
    if (text.length < shortestSecret || sought.length === 0) return []
    const spans: Span[] = []
    const buffers =
      text.length <= small ? (smallBuffers ??= buffersFor(small)) : buffersFor(Math.min(text.length, passage))
    for (let start = 0; ; start += passage - overlap) {
      const end = Math.min(start + passage, text.length)
      readPassage(text, start, end, buffers.plain)
      explore(buffers.plain, 0, buffers, spans)
      if (end === text.length) return merged(spans)
    }
  }

  return {
    mask: (text) => replaced(text, spansIn(text)),
    holds: (text) => spansIn(text).length > 0,
    sought
  }
}

/** Whether two characters belong to one word or number. */
const joined = (view: View, left: number, right: number): boolean =>
  alphanumeric(unitAt(view, left)) >= 0 && alphanumeric(unitAt(view, right)) >= 0
