/**
 * The language of the window. English is the only one: another would be an object that `satisfies` the type of a feature's
 * English words, so that a missing key does not compile. Tests and developers open the window with `?language=pseudo`.
 */
import { formats } from './formats.ts'
import { pseudo } from './pseudo.ts'

/** A value within a sentence. */
export type Value = string | number

const isPseudo = typeof location !== 'undefined' && new URLSearchParams(location.search).get('language') === 'pseudo'

/** The tag of the language, and where its lines start. */
const language: { readonly tag: string; readonly direction: 'ltr' | 'rtl' } = isPseudo
  ? { tag: 'en-XA', direction: 'rtl' }
  : { tag: 'en', direction: 'ltr' }

/** Says the language and its direction to whatever shows the document. */
export function declareLanguage(document: Document): void {
  document.documentElement.lang = language.tag
  document.documentElement.dir = language.direction
}

/** Letters that are written against the direction of the language. */
const opposite =
  language.direction === 'rtl'
    ? /\p{Script=Latin}/u
    : /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\u202e\u202b\u2067]/u

const ends = /[\u2066-\u2069]/g
/** Whether each isolation that a text begins ends in it, as those of a sentence do. */
function isBalanced(value: string): boolean {
  let depth = 0
  for (const [end] of value.matchAll(ends)) {
    depth += end === '\u2069' ? -1 : 1
    if (depth < 0) return false
  }
  return depth === 0
}

/** A text from others for a place where there are no elements: its direction stays inside it, which it cannot end itself. */
export function isolated<T>(value: T): T | string {
  if (typeof value !== 'string') return value
  const shown = isBalanced(value) ? value : value.replace(ends, (end) => `⟨U+${end.charCodeAt(0).toString(16)}⟩`)
  return shown !== value || opposite.test(value) ? `\u2068${shown}\u2069` : value
}

/** Sentences isolate the direction of their values. */
function isolating<T>(word: T): T {
  if (typeof word === 'function')
    return ((...values: unknown[]) =>
      (word as unknown as (...values: unknown[]) => unknown)(...values.map(withinObjects))) as T
  if (typeof word !== 'object' || word === null || Array.isArray(word)) return word
  return Object.fromEntries(Object.entries(word).map(([name, each]) => [name, isolating(each)])) as T
}

const isolatedEach = (value: unknown): unknown => (Array.isArray(value) ? value.map(isolated) : isolated(value))
const withinObjects = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, isolatedEach(each)]))
    : isolatedEach(value)

/** A feature's words in the language of the window. */
export const inLanguage = <T extends Readonly<Record<string, unknown>>>(english: T): T =>
  isolating(isPseudo ? pseudo(english) : english)

const rules = new Intl.PluralRules(language.tag)

/** The form that a number needs; `{n}` is the number. */
export const plural = (value: number, forms: { readonly one: string; readonly other: string }): string =>
  forms[rules.select(value) === 'one' ? 'one' : 'other'].replaceAll('{n}', formats().number(value))

const lists = new Intl.ListFormat(language.tag, { type: 'conjunction' })
/** “a, b and c”. */
export const listed = (items: readonly string[]): string => lists.format(items)

/** A number with the word of the contract that it needs. */
export const counted = (value: number, one: string, other: string): string =>
  plural(value, { one: `{n} ${one}`, other: `{n} ${other}` })
