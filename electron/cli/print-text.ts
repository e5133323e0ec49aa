/** Text that a terminal may be given. */
import { withSentences } from '#contract/failures/sentences.ts'
import { visible } from '#contract/hidden-text.ts'

/** A value as JSON for programs, its failures with their sentences. */
export const jsonText = (value: unknown): string => JSON.stringify(value, withSentences)

/** A value as JSON for programs, or lines for people: a terminal obeys control characters, and a reply must not be able to use that. */
export const print = (json: unknown, value: unknown, lines: readonly string[]): string =>
  json === true ? jsonText(value) : visible(lines.join('\n'))
export const time = (at: number): string => new Date(at).toISOString()
export const count = (value: number, one: string, many: string): string => `${value.toLocaleString('en')} ${value === 1 ? one : many}`

/** The member of a list that a text names, or undefined. */
export const oneOf = <T extends string>(all: readonly T[], text: string): T | undefined => all.find((each) => each === text)
