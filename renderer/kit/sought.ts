/** What a list is searched for, so that each text in it can mark what was found. */
import { inject, provide, type InjectionKey } from 'vue'
import { piecesOf, type Piece } from '#kit/text/folding.ts'

type Sought = string | readonly string[]
const key: InjectionKey<() => Sought> = Symbol('sought')

/** Said by a view or list whose rows match a search. */
export const provideSought = (sought: () => Sought): void => provide(key, sought)
export const useSought = (): (() => Sought) => inject(key, () => '')

/** The pieces of a text between two places in it. */
export function piecesWithin(text: string, sought: Sought, from: number, until: number): readonly Piece[] {
  let at = 0
  return piecesOf(text, sought).flatMap(({ text: part, hit }) => {
    const [start, end] = [Math.max(from - at, 0), Math.min(until - at, part.length)]
    at += part.length
    return end > start ? [{ text: part.slice(start, end), hit }] : []
  })
}
