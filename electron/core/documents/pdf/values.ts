/**
 * Values of a PDF (ISO 32000-1, 7.3) in a text with one character for each byte. Nothing of them is drawn or run. Depth and
 * number of values are bounded, whatever a document nests.
 */

/** A name begins with `/`; a string is the text that it stands for. */
export type PdfValue =
  | string
  | number
  | boolean
  | undefined
  | { readonly text: string }
  | { readonly ref: number }
  | readonly PdfValue[]
  | PdfDict
export type PdfDict = ReadonlyMap<string, PdfValue>

export const isDict = (value: PdfValue): value is PdfDict => value instanceof Map
export const isRef = (value: PdfValue): value is { readonly ref: number } => typeof value === 'object' && 'ref' in value

const maxDepth = 40
/** Longer strings are cut: nobody reads them. */
const maxText = 2000

const endOfToken = /[\s\0()<>[\]{}/%]/g
const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13) || code === 0
const sign = {
  less: 60,
  greater: 62,
  bracket: 91,
  bracketEnd: 93,
  parenthesis: 40,
  slash: 47,
  parenthesisEnd: 41,
  brace: 123,
  braceEnd: 125
} as const
/** Signs that end what began elsewhere: no value begins with one. */
const ends: ReadonlySet<number> = new Set([
  sign.greater,
  sign.bracketEnd,
  sign.parenthesisEnd,
  sign.brace,
  sign.braceEnd
])
const endOfLine = /[\r\n]/g
const reference = /(\d{1,10})[\s\0]{1,20}\d{1,5}[\s\0]{1,20}R(?![A-Za-z])/y

/** Thrown where values end, or where there are too many of them. */
export class PdfEnd extends Error {}

export interface Reader {
  /** The next value. Throws `PdfEnd`. */
  value(): PdfValue
  /** The place behind what was read. */
  place(): number
}

/** A place in a text, which only moves forward. `left` counts down over all readers of a document. */
class Cursor {
  at: number
  readonly text: string
  private readonly left: { values: number }
  constructor(text: string, from: number, left: { values: number }) {
    this.text = text
    this.at = from
    this.left = left
  }
  code(): number {
    return this.text.charCodeAt(this.at)
  }
  /** Whether two of this sign are next. */
  twice(code: number): boolean {
    return this.code() === code && this.text.charCodeAt(this.at + 1) === code
  }
  /** Characters count too: objects can overlap, and each could read the same long text again. */
  move(to: number): void {
    this.left.values -= (to - this.at) >> 4
    this.at = to
  }
  /** Passes over spaces and comments. */
  skip(): void {
    let to = this.at
    for (let code = this.code(); isSpace(code) || code === 37; code = this.text.charCodeAt(to)) {
      if (code !== 37) to += 1
      else {
        endOfLine.lastIndex = to
        to = endOfLine.exec(this.text)?.index ?? this.text.length
      }
    }
    this.move(to)
  }
  /** To the next value. Throws `PdfEnd`. */
  begin(depth: number): void {
    this.skip()
    this.left.values -= 1
    if (this.at >= this.text.length || depth > maxDepth || this.left.values < 0) throw new PdfEnd()
  }
  token(): string {
    endOfToken.lastIndex = this.at + 1
    const end = endOfToken.exec(this.text)?.index ?? this.text.length
    const found = this.text.slice(this.at, end)
    this.move(end)
    return found
  }
}

/** A string in parentheses, which may contain others. */
function literal(cursor: Cursor): { readonly text: string } {
  const { text } = cursor
  const parts: string[] = []
  let depth = 1
  let at = cursor.at + 1
  for (; at < text.length; at += 1) {
    const character = text[at] ?? ''
    if (character === '(') depth += 1
    if (character === ')' && (depth -= 1) === 0) {
      cursor.move(at + 1)
      return { text: textOf(parts.join('')) }
    }
    if (character !== '\\') {
      if (parts.length < maxText) parts.push(character)
      continue
    }
    at += 1
    const octal = /^[0-7]{1,3}/.exec(text.slice(at, at + 3))?.[0]
    if (octal !== undefined) {
      parts.push(String.fromCharCode(Number.parseInt(octal, 8) & 255))
      at += octal.length - 1
    } else if (text[at] === '\r' && text[at + 1] === '\n') at += 1
    else if (text[at] !== '\n' && text[at] !== '\r') parts.push(escapes[text[at] ?? ''] ?? text[at] ?? '')
  }
  cursor.move(at)
  throw new PdfEnd()
}

/** A string of hexadecimal digits. */
function hex(cursor: Cursor): { readonly text: string } {
  const { text, at } = cursor
  const end = text.indexOf('>', at)
  const digits = text.slice(at + 1, Math.min(end, at + 1 + maxText * 2)).replace(/[^0-9a-f]/gi, '')
  cursor.move(end < 0 ? text.length : end + 1)
  if (end < 0) throw new PdfEnd()
  return { text: textOf(Buffer.from(digits.length % 2 ? `${digits}0` : digits, 'hex').toString('latin1')) }
}

function nameOf(token: string): string {
  return token.includes('#')
    ? token.replace(/#([0-9a-f]{2})/gi, (_whole, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
    : token
}

function dictionary(cursor: Cursor, depth: number): PdfDict {
  cursor.at += 2
  const dict = new Map<string, PdfValue>()
  for (cursor.skip(); !cursor.twice(sign.greater); cursor.skip()) {
    const key = valueAt(cursor, depth + 1)
    const of = valueAt(cursor, depth + 1)
    if (typeof key === 'string') dict.set(key, of)
  }
  cursor.at += 2
  return dict
}

function list(cursor: Cursor, depth: number): PdfValue[] {
  cursor.at += 1
  const found: PdfValue[] = []
  for (cursor.skip(); cursor.code() !== sign.bracketEnd; cursor.skip()) found.push(valueAt(cursor, depth + 1))
  cursor.at += 1
  return found
}

/** The reference that begins here, if one does: two numbers and `R`. */
function referenceAt(cursor: Cursor): { readonly ref: number } | undefined {
  reference.lastIndex = cursor.at
  const found = reference.exec(cursor.text)
  if (!found) return undefined
  cursor.at = reference.lastIndex
  return { ref: Number(found[1]) }
}

function word(token: string): boolean | number | undefined {
  if (token === 'true' || token === 'false') return token === 'true'
  const number = Number(token)
  return Number.isNaN(number) ? undefined : number
}

function valueAt(cursor: Cursor, depth: number): PdfValue {
  cursor.begin(depth)
  const code = cursor.code()
  if (code === sign.less) return cursor.twice(sign.less) ? dictionary(cursor, depth) : hex(cursor)
  if (code === sign.bracket) return list(cursor, depth)
  if (code === sign.parenthesis) return literal(cursor)
  if (code === sign.slash) return nameOf(cursor.token())
  if (ends.has(code)) throw new PdfEnd()
  return (code >= 48 && code <= 57 ? referenceAt(cursor) : undefined) ?? word(cursor.token())
}

/** Reads values from a place on. `left` counts down over all readers of a document. */
export function readerOf(text: string, from: number, left: { values: number }): Reader {
  const cursor = new Cursor(text, from, left)
  return { value: () => valueAt(cursor, 0), place: () => cursor.at }
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** The text of a string: UTF-16 or UTF-8 by its mark, otherwise PDFDocEncoding, which is Latin-1 but for a few signs. */
function textOf(bytes: string): string {
  if (bytes.startsWith('\xfe\xff'))
    return Buffer.from(bytes.slice(2, 2 + (bytes.length & ~1) - 2), 'latin1')
      .swap16()
      .toString('utf16le')
  if (bytes.startsWith('\xff\xfe')) return Buffer.from(bytes.slice(2), 'latin1').toString('utf16le')
  if (bytes.startsWith('\xef\xbb\xbf')) return Buffer.from(bytes.slice(3), 'latin1').toString('utf8')
  return bytes.replace(/[\x80-\x9f\xa0]/g, (sign) => docEncoding[sign.charCodeAt(0) - 0x80] ?? sign)
}
/** U+0080 to U+00A0 of PDFDocEncoding (ISO 32000-1, Annex D.2). */
const docEncoding = [...'•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž', undefined, '€']
