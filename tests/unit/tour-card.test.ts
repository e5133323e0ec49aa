/** Where the tour's card is: never over what it explains, while the card fits beside it. */
import { expect, it } from 'vitest'
import { placeCard } from '../../renderer/features/tour/place-card.ts'

const card = { width: 310, height: 170 }
it.each([
  ['right of what is at the left edge', { left: 0, top: 200, width: 208, height: 32 }, { left: 224, top: 248 }],
  [
    'left of a pane that reaches to the right edge',
    { left: 900, top: 100, width: 540, height: 700 },
    { left: 574, top: 148 }
  ],
  ['below a bar over the whole width', { left: 208, top: 90, width: 1232, height: 130 }, { left: 208, top: 236 }],
  ['above what is at the lower edge', { left: 4, top: 700, width: 1432, height: 196 }, { left: 8, top: 514 }],
  ['in the corner, where nothing is left', { left: 4, top: 4, width: 1432, height: 892 }, { left: 1122, top: 722 }]
])('is %s', (_, target, place) => {
  expect(placeCard(target, card, { width: 1440, height: 900 })).toEqual(place)
})
