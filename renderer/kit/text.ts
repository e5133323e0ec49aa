/** Formats numbers and sizes, by the person's locale. */
import { formats } from './formats.ts'

/** Formats bytes, with decimals only where useful. */
export function bytesInWords(bytes: number): string {
  if (bytes < 1024) return `${count(bytes)} B`
  if (bytes < 1024 * 1024) return `${formats().number(bytes / 1024, bytes < 10_240 ? 1 : 0)} KiB`
  return `${formats().number(bytes / 1024 / 1024, bytes < 10_485_760 ? 1 : 0)} MiB`
}

/** Formats a count with separators. */
export const count = (value: number): string => formats().number(value)

/** In the language of the window's sentences. */
const rules = new Intl.PluralRules('en')

/** “1 record”, “2 records”. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${rules.select(value) === 'one' ? one : many}`
}

/** A sentence in the form that its number needs; `{n}` is the number. */
export const sentence = (value: number, forms: { readonly one: string; readonly other: string }): string =>
  forms[rules.select(value) === 'one' ? 'one' : 'other'].replaceAll('{n}', count(value))
