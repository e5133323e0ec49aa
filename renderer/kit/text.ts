/** Formats numbers and sizes, by the person's locale. */
import { sizeOf } from '#contract/text/amounts.ts'
import { formats } from './formats.ts'
import { words } from './words.ts'

/** Formats bytes, with decimals only where useful. */
export function bytesInWords(bytes: number): string {
  const { value, decimals, unit } = sizeOf(bytes)
  return words.size[unit]({ number: formats().number(value, decimals) })
}

/** A share from 0 to 1: `91.4 %`. */
export const percent = (share: number): string => `${formats().number(share * 100, 1)}\u00A0%`

/** Formats a count with separators. */
export const count = (value: number): string => formats().number(value)
