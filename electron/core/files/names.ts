/** File names made from a user's text, safe on all three systems. */
import { withoutHidden } from '#contract/text/hidden-text.ts'

/** Most file systems allow 255 bytes; the rest is reserved for an extension and a number. */
const maxNameBytes = 200

/** Windows treats these as devices, with any extension. */
const devices = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|$)/i

/**
 * A single file name from any text: no separators, hidden characters, Windows device names, or leading or trailing
 * dots and spaces; at most 200 bytes. Empty becomes `unnamed`.
 */
export function safeFileName(text: string): string {
  // Normalised last: without the removed characters, marks can stand in another order.
  const plain = withoutHidden(text.toWellFormed())
    .replace(/[\p{Co}\p{Cn}]/gu, '')
    .normalize('NFC')
    .replace(/[/\\:*?"<>|]/g, '_')
  const trimmed = trimEnds(shorten(trimEnds(plain)))
  if (trimmed === '') return 'unnamed'
  return devices.test(trimmed.replace(/\s+(?=\.|$)/g, '')) ? `_${trimmed}` : trimmed
}

const trimEnds = (text: string): string => text.replace(/^[\s.]+|[\s.]+$/gu, '')

/** Truncates between characters and keeps a short extension. */
function shorten(text: string): string {
  if (Buffer.byteLength(text) <= maxNameBytes) return text
  const extension = /\.[\p{L}\p{N}]{1,8}$/u.exec(text)?.[0] ?? ''
  const limit = maxNameBytes - Buffer.byteLength(extension)
  let stem = ''
  for (const character of text.slice(0, text.length - extension.length)) {
    if (Buffer.byteLength(stem + character) > limit) break
    stem += character
  }
  return stem + extension
}
