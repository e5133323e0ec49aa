/** Formats numbers and sizes, by the person's locale. */
import { formats } from './formats.ts'
import { words } from './words.ts'

/** Formats bytes, with decimals only where useful. */
export function bytesInWords(bytes: number): string {
  if (bytes < 1024) return `${count(bytes)} B`
  if (bytes < 1024 * 1024) return words.numberKib({ number: formats().number(bytes / 1024, bytes < 10_240 ? 1 : 0) })
  if (bytes < 1024 ** 3)
    return words.numberMib({ number: formats().number(bytes / 1024 / 1024, bytes < 10_485_760 ? 1 : 0) })
  return words.numberGib({ number: formats().number(bytes / 1024 ** 3, 1) })
}

/** Formats a count with separators. */
export const count = (value: number): string => formats().number(value)
