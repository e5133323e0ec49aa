/** Bytes, hashes and texts. */

export const utf8 = new TextEncoder()
export const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
export const toBytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
export const joined = (...parts) => {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
export const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
export const sha256Hex = async (text) => toHex(await sha256(utf8.encode(text)))

/** The bytes of base64 (RFC 4648, section 4) in its only form; undefined if it is not in that form. */
export function fromBase64(text) {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  if (text.length % 4 !== 0 || /[^A-Za-z0-9+/]/.test(text.slice(0, text.length - padding))) return undefined
  const binary = atob(text)
  // The unused bits of the last digit must be zero.
  const rest = binary.length % 3
  if (rest > 0 && btoa(binary.slice(-rest)) !== text.slice(-4)) return undefined
  return Uint8Array.from(binary, (sign) => sign.charCodeAt(0))
}

/** Strict UTF-8; undefined if it is not. */
export function fromUtf8(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

// Variation selectors choose between two forms of the preceding character and hide nothing.
const hidden = /(?!\p{Variation_Selector})[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu
const numbered = (sign) => `⟨U+${sign.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`
/**
 * On one line; characters that a terminal executes, or that hide or reorder the text around them, by their code
 * point.
 */
export const harmless = (text) => text.replace(hidden, numbered)
/** The same for a text of several lines. */
export const visible = (text) =>
  text.replace(/\r\n/g, '\n').replace(hidden, (sign) => (sign === '\n' || sign === '\t' ? sign : numbered(sign)))

/** Fingerprint of a key, hex. */
export const fingerprint = async (key) => toHex(await sha256(toBytes(key)))
