/** How large a page of a PDF is, and with how many pixels it is drawn. Pure. */
import { maxDocumentPixels, maxDocumentSide } from '#contract/documents/documents.ts'

interface Size {
  readonly width: number
  readonly height: number
}

/** A point is 1/72 inch; a page at 100 % has 96 pixels to the inch. */
export const pixelsPerPoint = 96 / 72

/** Enough to see the whole page; more is drawn where a person looks closer. */
export const firstPixels = 4_000_000

/** 576 dpi: more than scanners give. */
const largest = 6

/** The pixels to draw for each pixel of a page at 96 dpi, if it is shown at this scale: doubled where too few, not with every key. */
export function densityFor(scale: number): number {
  return scale > 0 ? Math.min(largest, 1.5 * 2 ** Math.ceil(Math.log2(scale / 1.5))) : 1.5
}

/**
 * The canvas for a page, within the limits of an image: a page can claim kilometres. Undefined if the page has no size
 * that can be drawn.
 */
export function canvasFor(
  { width, height }: Size,
  density: number,
  pixels = maxDocumentPixels
): (Size & { readonly density: number }) | undefined {
  if (!(width > 0 && height > 0 && Number.isFinite(width) && Number.isFinite(height))) return undefined
  const bounded = Math.min(
    density,
    maxDocumentSide / Math.max(width, height),
    Math.sqrt(Math.min(pixels, maxDocumentPixels) / width / height)
  )
  const whole = (length: number): number => Math.max(1, Math.floor(length * bounded))
  return { width: whole(width), height: whole(height), density: bounded }
}
