/**
 * The language of the window. English is the only one: another would be an object that `satisfies` the type of a feature's
 * English words, so that a missing key does not compile. Tests and developers open the window with `?language=pseudo`.
 */
import { formats } from './formats.ts'
import { pseudo } from './pseudo.ts'

/** A value within a sentence. */
export type Value = string | number

const isPseudo = typeof location !== 'undefined' && new URLSearchParams(location.search).get('language') === 'pseudo'

/** Where lines start. */
export const direction = isPseudo ? 'rtl' : 'ltr'

/** A feature's words in the language of the window. */
export const inLanguage = <T extends Readonly<Record<string, unknown>>>(english: T): T =>
  isPseudo ? pseudo(english) : english

const rules = new Intl.PluralRules('en')

/** The form that a number needs; `{n}` is the number. */
export const plural = (value: number, forms: { readonly one: string; readonly other: string }): string =>
  forms[rules.select(value) === 'one' ? 'one' : 'other'].replaceAll('{n}', formats().number(value))

/** A number with the word of the contract that it needs. */
export const counted = (value: number, one: string, other: string): string =>
  plural(value, { one: `{n} ${one}`, other: `{n} ${other}` })
