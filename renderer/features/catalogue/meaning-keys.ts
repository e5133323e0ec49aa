/** The keys 1 2 3, which interpret what has the focus. */
import { useEventListener } from '@vueuse/core'
import { readingMeanings, type ReadingMeaning } from '#contract/applicants/applicants.ts'
import { digitOf } from '../../kit/keys.ts'
import { letterIn } from '../../kit/letter-keys.ts'

/** The meaning of a key within a place; undefined if it means none there. */
export const meaningOfKey = (event: KeyboardEvent, place: Element | null): ReadingMeaning | undefined =>
  place && letterIn(event, place) !== undefined && !event.repeat
    ? readingMeanings[Number(digitOf(event) ?? 0) - 1]
    : undefined

export function useMeaningKeys(place: () => Element | null, interpret: (means: ReadingMeaning) => unknown): void {
  useEventListener('keydown', (event: KeyboardEvent) => {
    const means = meaningOfKey(event, place())
    if (!means) return
    event.preventDefault()
    void interpret(means)
  })
}
