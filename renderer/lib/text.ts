/** Showing text that others wrote: nothing in it may hide, reorder or pretend. */

// eslint-disable-next-line no-control-regex
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** Control characters and marks that reorder text, made visible; line breaks and tabs stay. */
export function visible(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(hidden, (character) => {
    const code = character.charCodeAt(0)
    if (code < 0x20) return String.fromCharCode(0x2400 + code)
    if (code === 0x7f) return '\u2421'
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`
  })
}

/** On one line, for tables and titles. */
export function oneLine(text: string): string {
  return visible(text).replace(/\s+/g, ' ').trim()
}

/** Bytes in words, decimal places only where they tell something. */
export function bytesInWords(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(bytes < 10_240 ? 1 : 0)} KiB`
  return `${(bytes / 1024 / 1024).toFixed(bytes < 10_485_760 ? 1 : 0)} MiB`
}

const grouped = new Intl.NumberFormat('en-GB')
/** A count with separators. */
export const count = (value: number): string => grouped.format(value)

/** “1 record”, “2 records”. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`
}
