/** How well a command answers what is typed, and in which order the palette shows what it found. */
import { folded, spellings } from '#kit/text/folding.ts'

/** The groups in their order. */
export const groups = ['context', 'recent', 'go', 'applicants', 'records', 'batches', 'settings', 'help'] as const
export type Group = (typeof groups)[number]
/** What is searched for: its text comes after a command that answers as well. */
const results: ReadonlySet<Group> = new Set(['applicants', 'records', 'batches'])

export interface Rankable {
  readonly group: Group
  readonly label: string
  /** Other words by which people look for it. */
  readonly words?: string | undefined
  /** What is said beside it. */
  readonly effect?: string | undefined
}

const wordsOf = (text: string): string[] => folded(text).split(/[^\p{L}\p{N}]+/u)

/** Of one typed word: a whole word of the label, one that people use instead, their beginnings, anything; undefined if it is not there. */
function wordRank(typed: readonly string[], { label, words = '', effect = '' }: Rankable): number | undefined {
  const [own, other] = [wordsOf(label), wordsOf(words)]
  const some = (all: readonly string[], fits: (word: string, sought: string) => boolean): boolean =>
    all.some((word) => typed.some((sought) => fits(word, sought)))
  const is = (word: string, sought: string): boolean => word === sought
  const begins = (word: string, sought: string): boolean => word.startsWith(sought)
  if (some(own, is)) return 0
  if (some(other, is)) return 1
  if (some(own, begins)) return 2
  if (some(other, begins)) return 3
  const all = folded(`${label} ${effect}`)
  return typed.some((sought) => all.includes(sought)) ? 4 : undefined
}

/** From 0, a whole word, to 4; undefined if a typed word is missing. What was typed as a whole counts as its weakest word. */
export function rankOf(text: string, command: Rankable): number | undefined {
  const typed = text.split(/\s+/).flatMap((word) => {
    const sought = spellings(word)
    return sought.length > 0 ? [sought] : []
  })
  const ranks = typed.map((word) => wordRank(word, command))
  return ranks.includes(undefined) ? undefined : Math.max(0, ...ranks.map((rank) => rank ?? 0))
}

export interface Ranked<Item> {
  readonly group: Group
  readonly items: readonly Item[]
}

/**
 * What was found, by groups: the group with the best answer first, of equal ones in their order; within a group the best first, and of equal
 * ones as they came.
 */
export function ranked<Item extends Rankable>(text: string, all: readonly Item[]): readonly Ranked<Item>[] {
  const found = all.flatMap((item) => {
    const rank = rankOf(text, item) ?? (results.has(item.group) ? 4 : undefined)
    return rank === undefined ? [] : [{ item, rank: rank + (results.has(item.group) ? 0.5 : 0) }]
  })
  return groups
    .map((group) => found.filter(({ item }) => item.group === group).sort((one, other) => one.rank - other.rank))
    .filter((members) => members.length > 0)
    .sort(([one], [other]) => (one?.rank ?? 0) - (other?.rank ?? 0))
    .map((members) => ({ group: members[0]?.item.group ?? 'go', items: members.map(({ item }) => item) }))
}
