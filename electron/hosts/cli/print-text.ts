/** Text that is safe for a terminal. */
import { withSentences } from '#contract/failures/sentences.ts'
import { visible } from '#contract/text/hidden-text.ts'
import type { StandingDecision } from '#contract/team/activity.ts'

/** A value as JSON for programs; failures include their sentences. */
export const jsonText = (value: unknown): string => JSON.stringify(value, withSentences)

/**
 * A value as JSON for programs, or lines for people. Terminals execute control characters, which a response must not
 * be able to exploit.
 */
export const print = (json: unknown, value: unknown, lines: readonly string[]): string =>
  json === true ? jsonText(value) : visible(lines.join('\n'))
export const time = (at: number): string => new Date(at).toISOString()
export const count = (value: number, one: string, many: string): string =>
  `${value.toLocaleString('en')} ${value === 1 ? one : many}`

/** A decision, as long as it needs a second person with what it is until one agrees. */
export const decisionText = ({
  decision,
  proposed,
  agrees
}: Pick<StandingDecision, 'decision' | 'proposed' | 'agrees'>): string =>
  !proposed || agrees ? decision : `${agrees === false ? 'returned' : 'proposed'}: ${decision}`

/** The member of a list that equals the text, or undefined. */
export const oneOf = <T extends string>(all: readonly T[], text: string): T | undefined =>
  all.find((each) => each === text)

/** About texts that a workbook could not hold whole. */
export const cutLine = (cut: number): string =>
  `${count(cut, 'text was', 'texts were')} cut at the 32,767 characters that a cell of a workbook holds. The lossless file has everything.`
