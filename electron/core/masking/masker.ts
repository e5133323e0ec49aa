/**
 * Finds secrets in a text, in whatever reading of it they turn up, and puts placeholders there. How far this
 * reaches, and what it cannot find, is said in SECURITY.md.
 */
import { isReadable, readBinary, type Runs } from './binary.ts'
import { isKnown, patternsOf, type Secret } from './pattern.ts'
import { merged, replaced } from './replace.ts'
import { indexOf, search, type Index, type Span } from './search.ts'
import { unescape } from './unescape.ts'
import { alphanumeric, createWriter, readPassage, textOf, unitAt, type View, type Writer } from './view.ts'

export interface Masker {
  /** The text with a placeholder for each secret in it. JSON stays JSON. */
  mask(text: string): string
  holds(text: string): boolean
  /** What it looks for, for a masker that looks for this and more. */
  readonly sought: readonly Sought[]
}

/** Secrets, prepared for the search. */
interface Sought {
  readonly index: Index
  /** Values that are too short to be known by their letters and digits alone. */
  readonly exact: readonly { readonly form: string; readonly placeholder: string }[]
}

/** Shorter values are found in any text: replacing them would falsify answers, and they protect nothing. */
export const shortestSecret = 4
/** Bytes may be written out as text, and that text once more. */
const deepest = 2
/** A text is read in passages, so that memory does not grow with it; they overlap by more than most values take written out. */
const passage = 64 * 1024
const overlap = 8 * 1024

/** The room that a text's readings need, for each depth. */
interface Room {
  readonly plain: Writer
  readonly levels: readonly { readonly decoded: Writer; readonly unescaped: Writer; readonly runs: Runs }[]
  readonly folding: { readonly folded: Uint8Array; readonly places: Int32Array }
}

function roomFor(length: number): Room {
  // Readings are no longer than what they read, beside a break after each run.
  const size = length + 16
  return {
    plain: createWriter(size),
    levels: Array.from({ length: deepest + 1 }, () => ({
      decoded: createWriter(size),
      unescaped: createWriter(size),
      runs: { digits: new Uint8Array(size), places: new Int32Array(size) }
    })),
    folding: { folded: new Uint8Array(size), places: new Int32Array(size) }
  }
}

/** Most texts are headers and short messages, which share one room. */
const small = 2048
let smallRoom: Room | undefined

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

/** A masker for secrets, and for those of another one, prepared once for any number of texts. */
export function createMasker(secrets: readonly Secret[], besides?: Masker): Masker {
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

  function explore(view: View, depth: number, room: Room, spans: Span[]): void {
    const level = room.levels[depth]
    if (!level) return
    const look = (seen: View): void => {
      for (const index of indices) search(seen, index, room.folding, spans)
      searchExact(seen, spans)
    }
    look(view)
    // Most bytes are those of images, and no text.
    if (depth > 0 && !isReadable(view)) return
    const plain = unescape(view, level.unescaped) ? level.unescaped : view
    if (plain !== view) look(plain)
    const next = room.levels[depth + 1]
    if (next) readBinary(plain, level.runs, next.decoded, indices, () => explore(next.decoded, depth + 1, room, spans))
  }

  function spansIn(text: string): readonly Span[] {
    if (text.length < shortestSecret || sought.length === 0) return []
    const spans: Span[] = []
    const room = text.length <= small ? (smallRoom ??= roomFor(small)) : roomFor(Math.min(text.length, passage))
    for (let start = 0; ; start += passage - overlap) {
      const end = Math.min(start + passage, text.length)
      readPassage(text, start, end, room.plain)
      explore(room.plain, 0, room, spans)
      if (end === text.length) return merged(spans)
    }
  }

  return {
    mask: (text) => replaced(text, spansIn(text)),
    holds: (text) => spansIn(text).length > 0,
    sought
  }
}

/** Whether two characters are parts of one word or number. */
const joined = (view: View, left: number, right: number): boolean => alphanumeric(unitAt(view, left)) >= 0 && alphanumeric(unitAt(view, right)) >= 0
