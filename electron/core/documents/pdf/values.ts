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

/** Reads values from a place on. `left` counts down over all readers of a document. */
export function readerOf(text: string, from: number, left: { values: number }): Reader {
  let at = from
  /** Characters count too: objects can overlap, and each could read the same long text again. */
  const move = (to: number): void => {
    left.values -= (to - at) >> 4
    at = to
  }
  const skip = (): void => {
    let to = at
    for (let code = text.charCodeAt(to); isSpace(code) || code === 37; code = text.charCodeAt(to)) {
      if (code !== 37) to += 1
      else {
        endOfLine.lastIndex = to
        to = endOfLine.exec(text)?.index ?? text.length
      }
    }
    move(to)
  }
  const token = (): string => {
    endOfToken.lastIndex = at + 1
    const end = endOfToken.exec(text)?.index ?? text.length
    const found = text.slice(at, end)
    move(end)
    return found
  }
  function literal(): { readonly text: string } {
    const parts: string[] = []
    const from = at
    let depth = 1
    for (at += 1; at < text.length; at += 1) {
      const character = text[at] ?? ''
      if (character === '(') depth += 1
      if (character === ')' && (depth -= 1) === 0) {
        at += 1
        left.values -= (at - from) >> 4
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
    left.values -= (at - from) >> 4
    throw new PdfEnd()
  }
  function hex(): { readonly text: string } {
    const end = text.indexOf('>', at)
    const digits = text.slice(at + 1, Math.min(end, at + 1 + maxText * 2)).replace(/[^0-9a-f]/gi, '')
    move(end < 0 ? text.length : end + 1)
    if (end < 0) throw new PdfEnd()
    return { text: textOf(Buffer.from(digits.length % 2 ? `${digits}0` : digits, 'hex').toString('latin1')) }
  }
  function value(depth: number): PdfValue {
    skip()
    left.values -= 1
    if (at >= text.length || depth > maxDepth || left.values < 0) throw new PdfEnd()
    const code = text.charCodeAt(at)
    if (code === sign.less && text.charCodeAt(at + 1) === sign.less) {
      at += 2
      const dict = new Map<string, PdfValue>()
      for (skip(); !(text.charCodeAt(at) === sign.greater && text.charCodeAt(at + 1) === sign.greater); skip()) {
        const key = value(depth + 1)
        const of = value(depth + 1)
        if (typeof key === 'string') dict.set(key, of)
      }
      at += 2
      return dict
    }
    if (code === sign.bracket) {
      at += 1
      const found: PdfValue[] = []
      for (skip(); text.charCodeAt(at) !== sign.bracketEnd; skip()) found.push(value(depth + 1))
      at += 1
      return found
    }
    if (code === sign.parenthesis) return literal()
    if (code === sign.less) return hex()
    if (code === sign.slash) {
      const name = token()
      return name.includes('#')
        ? name.replace(/#([0-9a-f]{2})/gi, (_whole, hexes: string) => String.fromCharCode(Number.parseInt(hexes, 16)))
        : name
    }
    if (code >= 48 && code <= 57) {
      reference.lastIndex = at
      const found = reference.exec(text)
      if (found) {
        at = reference.lastIndex
        return { ref: Number(found[1]) }
      }
    }
    if (
      code === sign.greater ||
      code === sign.bracketEnd ||
      code === sign.parenthesisEnd ||
      code === sign.brace ||
      code === sign.braceEnd
    )
      throw new PdfEnd()
    const word = token()
    if (word === 'true' || word === 'false') return word === 'true'
    const number = Number(word)
    return Number.isNaN(number) ? undefined : number
  }
  return { value: () => value(0), place: () => at }
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
