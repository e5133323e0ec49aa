/** Text that is safe for a terminal. */
import { withSentences } from '#contract/failures/sentences.ts'
import { sizeOf, spanOf } from '#contract/text/amounts.ts'
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
export const number = (value: number, decimals = 0): string =>
  value.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
export const count = (value: number, one: string, many: string): string =>
  `${number(value)} ${value === 1 ? one : many}`

/** Bytes, as the window says them: `912 B`, `1.5 KiB`, `21 MiB`. */
export function sizeText(bytes: number): string {
  const { value, decimals, unit } = sizeOf(bytes)
  return `${number(value, decimals)} ${unit}`
}
/** A duration, as the window says it: `42 s`, `12 min 05 s`, `3 h 20 min`. */
export function spanText(seconds: number): string {
  const { whole, rest, unit } = spanOf(seconds)
  return `${number(whole)} ${unit}${unit === 's' ? '' : ` ${rest} ${unit === 'h' ? 'min' : 's'}`}`
}

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
