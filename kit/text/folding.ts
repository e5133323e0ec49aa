/**
 * Text as people compare it when they search: how a letter was composed, its case, accents, width, vowel marks and
 * characters that nobody sees do not matter. One function for writing an index, for asking it, and for lists.
 */

// oxlint-disable-next-line no-control-regex -- ASCII begins with the control characters.
const ascii = /^[\u0000-\u007f]*$/
/** Marks of Latin, Greek, Cyrillic, Hebrew and Arabic. Those of other scripts are vowels and sounds of their own. */
const marks =
  /[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0898-\u089f\u08ca-\u08e1\u08e3-\u08ff\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/gu
const unseen = /\p{Default_Ignorable_Code_Point}/gu

/** Letters that no rule of Unicode takes apart, and signs that look or sound alike. Keys are lower case, decomposed. */
const alike: Readonly<Record<string, string>> = {
  'ı': 'i',
  'ß': 'ss',
  'ø': 'o',
  'ł': 'l',
  'đ': 'd',
  'ð': 'd',
  'æ': 'ae',
  'œ': 'oe',
  'þ': 'th',
  'ħ': 'h',
  'ς': 'σ',
  'ى': 'ي',
  'ی': 'ي',
  'ة': 'ه',
  'ک': 'ك',
  'ـ': '',
  // Upper case writes the iota below a letter beside it.
  '\u0345': 'ι',
  '‘': "'",
  '’': "'",
  'ʼ': "'",
  '‐': '-',
  '‒': '-',
  '–': '-',
  '—': '-',
  '−': '-'
}
const eachAlike = new RegExp(`[${Object.keys(alike).join('')}]`, 'gu')

/** Folds a text. Folding it again changes nothing. An ASCII text, as most are, only loses its capitals. */
export function folded(text: string): string {
  if (ascii.test(text)) return text.toLowerCase()
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(eachAlike, (letter) => alike[letter] ?? letter)
    .replace(marks, '')
    .replace(unseen, '')
    .normalize('NFC')
}

/** German and Nordic names are written in two ways. */
const written: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe' }

/**
 * A query as it is folded and, if it has ä, ö, ü, ø or ae, oe, ue, in the other spelling too: `Mueller` also finds
 * `Müller`, which an index holds as `muller`. Empty if nothing is left of it, as of marks alone.
 */
export function spellings(query: string): readonly string[] {
  const text = query.normalize('NFC').trim()
  const long = folded(text.toLowerCase().replace(/[äöüø]/gu, (letter) => written[letter] ?? letter))
  const own = folded(text)
  return [...new Set([own, long, own.replace(/([aou])e/gu, '$1')])].filter((each) => each.trim() !== '')
}

/** Whether a text contains a query as people see it. Without a query every text does; of a query that folds to nothing, none. */
export function finder(query: string | undefined): ((text: string) => boolean) | undefined {
  if (query === undefined || query.trim() === '') return undefined
  const sought = spellings(query)
  return (text) => {
    const own = folded(text)
    return sought.some((each) => own.includes(each))
  }
}

/** What makes IDs look alike to a person: their folding, without white space that is doubled or at an end. */
export const likeness = (id: string): string => folded(id).replace(/\s+/gu, ' ').trim()

// Ideographs, kana, syllables of Korean: two of them can be a whole name.
const eastAsian = '(?:(?=[\\p{L}\\p{N}])[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hang}\\p{scx=Bopo}])'
const runs = new RegExp(`${eastAsian}{2,}`, 'gu')
const pair = new RegExp(`^${eastAsian}{2}$`, 'u')

/** Whether a folded text is two characters of Chinese, Japanese or Korean. */
export const isPair = (text: string): boolean => pair.test(text)

/** Characters of the shortest text that an index of texts can find, other than two of Chinese, Japanese or Korean. */
const shortestTerm = 3

/** Whether an index of texts can find a query, which is long enough once it is folded. Lists in memory find shorter ones too. */
export function isIndexed(query: string): boolean {
  const [own = ''] = spellings(query)
  return isPair(own) || [...own].length >= shortestTerm
}

/** Each two neighbours in runs of Chinese, Japanese and Korean in a folded text, as words. */
export function pairsIn(text: string): string {
  if (ascii.test(text)) return ''
  const pairs = new Set<string>()
  for (const [run] of text.matchAll(runs)) {
    let last = ''
    for (const character of run) {
      if (last !== '') pairs.add(last + character)
      last = character
    }
  }
  return [...pairs].join(' ')
}

let segmenter: Intl.Segmenter | undefined
/** What people take for letters. An ASCII text needs no dictionary of the platform. */
export function graphemes(text: string): readonly string[] {
  if (ascii.test(text) && !text.includes('\r')) return text.split('')
  segmenter ??= new Intl.Segmenter('und', { granularity: 'grapheme' })
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** A part of a text, and whether a query was found in it. */
export interface Piece {
  readonly text: string
  readonly hit: boolean
}

/** A text in pieces, so that what queries find in it can be marked: whole letters, however they are folded. */
export function piecesOf(text: string, queries: string | readonly string[]): readonly Piece[] {
  const whole = [{ text, hit: false }]
  const sought = [queries].flat().flatMap(spellings)
  if (sought.length === 0 || text === '') return whole
  const letters = graphemes(text)
  /** For each place in the folded text, the letter that it is of. */
  const letterAt: number[] = []
  let own = ''
  letters.forEach((letter, index) => {
    const part = folded(letter)
    own += part
    for (let at = 0; at < part.length; at += 1) letterAt.push(index)
  })
  const hit = new Set<number>()
  for (const each of sought)
    for (let at = own.indexOf(each); at >= 0; at = own.indexOf(each, at + each.length))
      // With what nobody sees between two of its letters.
      for (let letter = letterAt[at] ?? 0; letter <= (letterAt[at + each.length - 1] ?? -1); letter += 1)
        hit.add(letter)
  if (hit.size === 0) return whole
  const pieces: { text: string; hit: boolean }[] = []
  letters.forEach((letter, index) => {
    const last = pieces.at(-1)
    const isHit = hit.has(index)
    if (last?.hit === isHit) last.text += letter
    else pieces.push({ text: letter, hit: isHit })
  })
  return pieces
}
