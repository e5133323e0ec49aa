/** Where the tour's card is: beside what it explains, and never over it. Pure. */

export interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Pixels between the card and the ring around what it explains, and to the window's edge. */
const gap = 16
const edge = 8

/** @param view Size of the window. @returns The card's place; where it fits nowhere beside the target, the corner that covers least. */
export function placeCard(
  target: Box,
  card: Pick<Box, 'width' | 'height'>,
  view: Pick<Box, 'width' | 'height'>
): { readonly left: number; readonly top: number } {
  const { left, top, width, height } = target
  const [right, bottom] = [left + width, top + height]
  const within = (at: number, size: number, most: number): number => Math.max(edge, Math.min(at, most - size - edge))
  const beside = within(top + 48, card.height, view.height)
  const aligned = within(left, card.width, view.width)
  const places = [
    { fits: left - gap - card.width >= edge, left: left - gap - card.width, top: beside },
    { fits: right + gap + card.width <= view.width - edge, left: right + gap, top: beside },
    { fits: bottom + gap + card.height <= view.height - edge, left: aligned, top: bottom + gap },
    { fits: top - gap - card.height >= edge, left: aligned, top: top - gap - card.height }
  ]
  const found = places.find(({ fits }) => fits)
  return found
    ? { left: found.left, top: found.top }
    : { left: view.width - card.width - edge, top: view.height - card.height - edge }
}
