/** Numbers of cells as text, never through a number (an ID of 17 digits would change on the way), and what their formats say. */

export interface NumberText {
  readonly text: string
  /** Written with an exponent in the file. */
  readonly scientific: boolean
  /** 16 and more digits: Excel keeps 15 and writes zeros for the rest. */
  readonly long: boolean
}

const pattern = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d{1,4}))?$/

/**
 * The digits as the file has them. An exponent is written out where that gives a whole number of at most 15 digits, which
 * many programs write as 1.234567891E9. Undefined for what is no number.
 */
export function numberText(raw: string): NumberText | undefined {
  const [all, sign = '', whole = '', decimals = '', exponent] = pattern.exec(raw.trim()) ?? []
  if (all === undefined || whole + decimals === '') return undefined
  const fraction = decimals.replace(/0+$/, '')
  const minus = sign === '-' ? '-' : ''
  const scientific = exponent !== undefined
  const places = Number(exponent ?? 0)
  if (scientific && (places < fraction.length || places > 15 || whole.length + places > 15))
    return { text: all, scientific, long: significant(whole + fraction) > 15 }
  const digits = (whole + fraction.padEnd(places, '0')).replace(/^0+(?=\d)/, '')
  if (scientific) return { text: minus + digits, scientific, long: false }
  const text = fraction === '' ? digits : `${whole.replace(/^0+(?=\d)/, '') || '0'}.${fraction}`
  return { text: minus + text, scientific, long: significant(whole + fraction) > 15 }
}

const significant = (digits: string): number => digits.replace(/^0+/, '').length

export type NumberForm =
  | { readonly as: 'number' }
  /** Digits under a format of zeros; `pieces` are zeros (`0`) and the literals between them. */
  | { readonly as: 'zeros'; readonly pieces: readonly string[] }
  | { readonly as: 'date' | 'date-time' | 'time' | 'duration'; readonly decimals: number }
  /** Formats that are dates in one language and times in another: a number below 1 is a time. */
  | { readonly as: 'either' }

const plain: NumberForm = { as: 'number' }
const date: NumberForm = { as: 'date', decimals: 0 }
const time: NumberForm = { as: 'time', decimals: 0 }
const either: NumberForm = { as: 'either' }

/** Formats without a code in the file (ECMA-376 part 1, 18.8.30), those of East Asian and Thai versions included. */
const builtIn = new Map<number, NumberForm>([
  ...[14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 54, 57, 58, 71, 72, 73, 74].map((id) => [id, date] as const),
  ...[18, 19, 20, 21, 32, 33, 45, 75, 76, 78].map((id) => [id, time] as const),
  ...[34, 35, 52, 53, 55, 56].map((id) => [id, either] as const),
  [22, { as: 'date-time', decimals: 0 }],
  [77, { as: 'date-time', decimals: 0 }],
  [46, { as: 'duration', decimals: 0 }],
  [79, { as: 'duration', decimals: 0 }],
  [47, { as: 'time', decimals: 1 }],
  [80, { as: 'time', decimals: 1 }],
  [81, date]
])

/** The first section, for positive numbers, as tokens: literals in quotes, elapsed times, letters one by one. */
function* tokens(code: string): Generator<{ readonly literal: string } | { readonly code: string }> {
  const pattern = /"([^"]*)"?|\\(.)|_.|\*.|\[([^\]]*)\]|(;)|(General|AM\/PM|A\/P|上午\/下午|E[+-])|(.)/gisu
  for (const [, quoted, escaped, bracket, end, word, letter] of code.matchAll(pattern)) {
    if (end) return
    const literal = quoted ?? escaped
    if (literal !== undefined) yield { literal }
    else if (bracket !== undefined && /^(?:h+|m+|s+)$/i.test(bracket)) yield { code: `[${bracket.toLowerCase()}]` }
    else if (word) yield { code: /^(?:general|e.)$/i.test(word) ? '#' : 'am/pm' }
    else if (letter) yield { code: letter.toLowerCase() }
  }
}

/** What a format's code says. */
export function formOfCode(code: string): NumberForm {
  const all = [...tokens(code)]
  const letters = all.map((token) => ('code' in token ? token.code : '')).join('')
  const decimals = /s\]?[.,](0+)/.exec(letters)?.[1]?.length ?? 0
  const rest = letters.replace(/(s\]?)[.,]0+/g, '$1')
  if (!/[#0?]/.test(rest)) {
    const clock = /[hs]|am\/pm|\[m/.test(rest)
    const month = clock ? /mmm/.test(rest) : rest.includes('m')
    const calendar = month || /[ydeb]|g/.test(rest.replace('am/pm', ''))
    if (/\[/.test(rest)) return { as: 'duration', decimals }
    if (calendar && clock) return { as: 'date-time', decimals }
    if (calendar) return date
    if (clock) return { as: 'time', decimals }
    return plain
  }
  // "00000" and "000-00-0000" show zeros that the number does not have; anything else that is shaped is only shaped.
  if (/^[0\s()/+-]*$/.test(letters) && (letters.match(/0/g)?.length ?? 0) > 1)
    return { as: 'zeros', pieces: all.flatMap((token) => ('code' in token ? [token.code] : [`"${token.literal}`])) }
  return plain
}

/** @param codes Codes of the file by number; they win over built-in ones. */
export function formOf(id: number, codes: ReadonlyMap<number, string>): NumberForm {
  const code = codes.get(id)
  return code === undefined ? (builtIn.get(id) ?? plain) : formOfCode(code)
}

/** Digits as a format of zeros shows them; undefined for what is no whole number. */
export function withZeros(digits: string, pieces: readonly string[]): string | undefined {
  const [, sign = '', whole] = /^(-?)(\d+)$/.exec(digits) ?? []
  if (whole === undefined) return undefined
  const places = pieces.filter((piece) => piece === '0').length
  const padded = whole.padStart(places, '0')
  // Digits beyond the places stand before the first zero of the format.
  let at = padded.length - places
  let first = true
  const shown = pieces.map((piece) => {
    if (piece !== '0') return piece.startsWith('"') ? piece.slice(1) : piece
    const from = first ? 0 : at
    first = false
    at += 1
    return padded.slice(from, at)
  })
  return sign + shown.join('')
}

/** The text of a date or time, and whether it is the day that only Excel knows. */
export interface MomentText {
  readonly text: string
  readonly falseDay: boolean
}

const day = 86_400_000
const two = (value: number): string => String(value).padStart(2, '0')

/** 9999-12-31, the last day of either system. */
const lastDay = Date.UTC(9999, 11, 31)

/** The ISO date of a day; undefined before the first and after the last. */
function dateText(serial: number, since1904: boolean): MomentText | undefined {
  if (serial < (since1904 ? 0 : 1)) return undefined
  // Excel took over from Lotus that 1900 had a 29 February: days before it are one further from the origin.
  if (!since1904 && serial === 60) return { text: '1900-02-29', falseDay: true }
  const origin = since1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, serial < 60 ? 31 : 30)
  const at = origin + serial * day
  return at > lastDay ? undefined : { text: new Date(at).toISOString().slice(0, 10), falseDay: false }
}

/** A cell's date or time as ISO text, rounded to the digits that its format shows; undefined if it is none. */
export function momentText(
  value: number,
  form: Exclude<NumberForm, { readonly as: 'number' | 'zeros' }>,
  since1904: boolean
): MomentText | undefined {
  if (!Number.isFinite(value) || value < 0 || value > 3_000_000) return undefined
  const as = form.as === 'either' ? (value < 1 ? 'time' : 'date') : form.as
  const decimals = form.as === 'either' ? 0 : Math.min(form.decimals, 3)
  if (as === 'date') return dateText(Math.floor(Math.round(value * day) / day), since1904)
  const unit = 10 ** decimals
  const all = Math.round(value * 86_400 * unit)
  const seconds = Math.floor(all / unit)
  const part = decimals === 0 ? '' : `.${String(all % unit).padStart(decimals, '0')}`
  const clock = (hours: number): string =>
    `${two(hours)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}${part}`
  if (as === 'duration') return { text: clock(Math.floor(seconds / 3600)), falseDay: false }
  const hours = Math.floor(seconds / 3600) % 24
  if (as === 'time') return { text: clock(hours), falseDay: false }
  const found = dateText(Math.floor(seconds / 86_400), since1904)
  return found && { ...found, text: `${found.text}T${clock(hours)}` }
}
