/** Shortens text in the middle if there is too little space, and keeps both ends. */

export interface Shortened {
  readonly head: string
  readonly middle: string
  readonly tail: string
}

/** Largest index at or below `at` that does not split a surrogate pair. */
function between(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return at > 0 && code >= 0xdc00 && code <= 0xdfff ? at - 1 : at
}

/**
 * Splits the text into three parts whose first and last fit into `space` together with an ellipsis; undefined if the
 * whole text fits. `tail` is the maximum number of characters kept at the end; with very little space, the end is
 * shortened too. `widthOf` measures in the unit of `space`.
 */
export function shorten(
  text: string,
  tail: number,
  space: number,
  widthOf: (text: string) => number
): Shortened | undefined {
  if (widthOf(text) <= space + 1) return undefined
  const left = space - widthOf('…')
  const fits = (from: number, length: number): boolean => widthOf(text.slice(from, from + length)) <= left
  let end = Math.min(tail, text.length)
  while (end > 1 && !fits(text.length - end, end)) end -= 1
  const endAt = between(text, text.length - end)
  const forHead = left - widthOf(text.slice(endAt))
  let [least, most] = [0, endAt]
  while (least < most) {
    const tried = Math.ceil((least + most) / 2)
    if (widthOf(text.slice(0, tried)) <= forHead) least = tried
    else most = tried - 1
  }
  const headAt = between(text, least)
  return { head: text.slice(0, headAt), middle: text.slice(headAt, endAt), tail: text.slice(endAt) }
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
