/**
 * Computes which rows of a very long list to draw. Browsers limit an element's height (about 33 million pixels in
 * Chromium), so beyond `maxSpacer` the scrollbar is scaled: small movements stay exact, large jumps are proportional.
 */
export const maxSpacer = 8_000_000

export interface Measure {
  readonly rows: number
  /** In pixels. */
  readonly rowHeight: number
  readonly viewHeight: number
  /** Empty space below the last row, in pixels. */
  readonly below?: number
}

const realHeight = ({ rows, rowHeight, below = 0 }: Measure): number => rows * rowHeight + below
const furthest = (measure: Measure): number => Math.max(0, realHeight(measure) - measure.viewHeight)

/** Height of the element that gives the scrollbar its size. */
export const spacerHeight = (measure: Measure): number => Math.min(realHeight(measure), maxSpacer)

const ratio = (measure: Measure): number => {
  const travel = spacerHeight(measure) - measure.viewHeight
  return travel <= 0 ? 1 : Math.max(1, furthest(measure) / travel)
}

export const clampOffset = (measure: Measure, offset: number): number =>
  Math.min(Math.max(0, offset), furthest(measure))

/** The list's offset after the scrollbar moved from `before` to `now`. */
export function offsetAfterScroll(measure: Measure, offset: number, before: number, now: number): number {
  const scale = ratio(measure)
  if (scale === 1) return clampOffset(measure, now)
  if (now <= 0) return 0
  if (now >= spacerHeight(measure) - measure.viewHeight - 1) return furthest(measure)
  const moved = now - before
  const next = Math.abs(moved) <= measure.viewHeight * 1.5 ? offset + moved : now * scale
  return clampOffset(measure, next)
}

/** The scrollbar's position for an offset. */
export const scrollTopOf = (measure: Measure, offset: number): number => clampOffset(measure, offset) / ratio(measure)

/** First and last index (exclusive) to draw, with `spare` extra rows on both sides. */
export function drawn(measure: Measure, offset: number, spare = 6): { first: number; last: number } {
  const first = Math.max(0, Math.floor(offset / measure.rowHeight) - spare)
  const last = Math.min(measure.rows, Math.ceil((offset + measure.viewHeight) / measure.rowHeight) + spare)
  return { first, last }
}
