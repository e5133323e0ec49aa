/** A language that nobody speaks: English with accents, 40 % longer. What stays without an accent was forgotten. */
const accents: Readonly<Record<string, string>> = Object.fromEntries(
  [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((letter, index) => [
    letter,
    [...'áƀçđéƒǧĥíĵķļɱñóþɋŕšťúṽŵẋýžÁƁÇĐÉƑǦĤÍĴĶĻṀÑÓÞɊŔŠŤÚṼŴẊÝŽ'][index] ?? letter
  ])
)
/** Around a value while its sentence is made: a value is data and keeps its letters. */
const open = '\uE000'
const close = '\uE001'

/** What stays: values, places for elements and their ends, `{n}`. The vowels are doubled. */
const pieces = /\uE000[^\uE001]*\uE001|\{\w+\}|<\/?\w+>|[aeiouAEIOU]|[A-Za-z]/g

/** One sentence. */
function accented(text: string): string {
  return text.replace(pieces, (piece) => {
    if (piece.startsWith(open)) return piece.slice(1, -1)
    const letter = accents[piece]
    if (letter === undefined) return piece
    return /[aeiou]/.test(piece) ? letter + letter : letter
  })
}

function marked(value: unknown): unknown {
  if (typeof value === 'string') return `${open}${value}${close}`
  if (Array.isArray(value)) return value.map(marked)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, marked(each)]))
}

/** The same words, each sentence accented. */
export function pseudo<T>(words: T): T {
  return accentedIn(words) as T
}

function accentedIn(word: unknown): unknown {
  if (typeof word === 'string') return accented(word)
  if (typeof word === 'function') return (...values: unknown[]) => accentedIn(word(...values.map(marked)))
  if (Array.isArray(word)) return word.map(accentedIn)
  if (typeof word !== 'object' || word === null) return word
  return Object.fromEntries(Object.entries(word).map(([name, each]) => [name, accentedIn(each)]))
}
