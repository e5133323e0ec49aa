/**
 * Shortens text that does not fit, in the middle: both ends stay, and what tells it apart from its neighbours in a list.
 * Only where neither a line break nor an ellipsis at the end serves, as in a table of IDs that begin alike.
 */
import { graphemes } from '#kit/text/folding.ts'

/** A part of a text; what is `gone` has no space. */
export interface Part {
  readonly text: string
  readonly gone: boolean
}

/** The letters of a text that tell it apart from one neighbour; empty where letters are missing. */
type Range = readonly [from: number, until: number]

/** Where a text differs from another one; undefined if it does not. */
function differing(letters: readonly string[], other: readonly string[]): Range | undefined {
  const shorter = Math.min(letters.length, other.length)
  let from = 0
  while (from < shorter && letters[from] === other[from]) from += 1
  if (from === letters.length && from === other.length) return undefined
  let same = 0
  while (same < shorter - from && letters[letters.length - 1 - same] === other[other.length - 1 - same]) same += 1
  return [from, Math.max(letters.length - same, from)]
}

/**
 * The parts of a text of which those that are not gone fit into `space` together with an ellipsis for each that is;
 * undefined if the whole text fits. Cuts between letters as people see them.
 *
 * @param tail Maximum number of letters kept at the end; with very little space, both ends share it.
 * @param space In the unit of `widthOf`.
 * @param beside Neighbours in a list, from which the visible parts must tell the text apart.
 */
export function shorten(
  text: string,
  tail: number,
  space: number,
  widthOf: (text: string) => number,
  beside: readonly string[] = []
): readonly Part[] | undefined {
  if (widthOf(text) <= space + 1) return undefined
  const letters = graphemes(text)
  const all = letters.length
  const ellipsis = widthOf('…')
  const slice = (from: number, until: number): string => letters.slice(from, until).join('')
  /** The largest number from `least` to `most` for which the text between two letters has a width. */
  const largest = (least: number, most: number, width: number, between: (count: number) => string): number => {
    let [low, high] = [least, Math.max(least, most)]
    while (low < high) {
      const tried = Math.ceil((low + high) / 2)
      if (widthOf(between(tried)) <= width) low = tried
      else high = tried - 1
    }
    return low
  }
  const headBefore = (end: number): number =>
    largest(0, end, space - ellipsis - widthOf(slice(end, all)), (count) => slice(0, count))
  const parts = (...cuts: readonly number[]): readonly Part[] =>
    [...cuts, all]
      .map((until, index) => ({ text: slice(cuts[index - 1] ?? 0, until), gone: index % 2 === 1 }))
      .filter((part) => part.text !== '')

  const endWithin = (width: number): number =>
    all - largest(1, Math.min(tail, all), width, (count) => slice(all - count, all))
  const whole = endWithin(space - ellipsis)
  // Nothing is cut at its start: with little space, both ends share it.
  const before = headBefore(whole)
  const end = before > 0 ? whole : endWithin((space - ellipsis) / 2)
  const head = before > 0 ? before : headBefore(end)
  const hidden = beside
    .flatMap((other) => {
      const range = differing(letters, graphemes(other))
      return range ? [range] : []
    })
    // The first or the last letter that differs is enough to see that they do.
    .filter(([from, until]) => from >= head && from < end && until <= end)
  if (hidden.length === 0) return parts(head, end)
  const from = Math.min(...hidden.map(([first]) => first))
  const until = Math.max(...hidden.map(([, last]) => last))
  // The end begins where the texts differ, or the head ends there; deep within a long text, neither fits.
  if (widthOf(slice(from, all)) <= space - ellipsis) return parts(headBefore(from), from)
  if (widthOf(slice(0, until)) <= space - ellipsis) {
    const rest = space - ellipsis - widthOf(slice(0, until))
    return parts(until, all - largest(0, all - until, rest, (count) => slice(all - count, all)))
  }
  const seen = largest(1, all - from, space - 2 * ellipsis, (count) => slice(from, from + count))
  return parts(0, from, from + seen, all)
}

const listeners = new WeakMap<Element, (width: number) => void>()
// One observer for all, since a long list has as many of these texts as rows. It reports before the next frame, so
// nothing jumps.
let sizes: ResizeObserver | undefined

/** Reports the width of the element's content box in pixels now and on each change; the returned function stops it. */
export function watchWidth(element: HTMLElement, onWidth: (width: number) => void): () => void {
  sizes ??= new ResizeObserver((entries) => {
    for (const { target, contentRect } of entries) listeners.get(target)?.(contentRect.width)
  })
  listeners.set(element, onWidth)
  sizes.observe(element)
  return () => {
    listeners.delete(element)
    sizes?.unobserve(element)
  }
}
