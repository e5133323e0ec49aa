/** Where a shown value is drawn: over the place that stands for it, within the window. */

interface Box {
  readonly left: number
  readonly top: number
  readonly bottom: number
}
interface Size {
  readonly width: number
  readonly height: number
}

/** Pixels to the edge of the window. */
const margin = 8

/** Below the place, or above it if it does not fit there; all in pixels of the window. */
export function popupPlace(place: Box, card: Size, window: Size): { readonly left: string; readonly top: string } {
  const left = Math.max(margin, Math.min(place.left, window.width - card.width - margin))
  const below = place.bottom + 2
  const top = below + card.height + margin <= window.height ? below : Math.max(margin, place.top - card.height - 2)
  return { left: `${left}px`, top: `${top}px` }
}
