/** What is searched for in the history's list. */
import { readSearch } from '#contract/history/search-query.ts'
import { isIndexed } from '#kit/text/folding.ts'

/** Whether a text is too short for the index, which only an ID may answer then. */
export const isTooShort = (search: string): boolean => readSearch(search).phrases.some((phrase) => !isIndexed(phrase))

/** The texts that are marked where they were found. */
export function soughtTexts(search: string): readonly string[] {
  const { phrases, messages } = readSearch(search)
  return [...phrases, ...messages]
}
