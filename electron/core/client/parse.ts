/**
 * Checks that a response has the required form: a JSON object with an own string property `message`. Strict on
 * purpose (RFC 8259): a response that needs guessing is not an answer. What it states needs none: another character set in its
 * Content-Type, and a byte order mark, which readers may ignore.
 */
import type { FailureDetails } from '#contract/failures/failures.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'

/** Why it is invalid: a reason of `reply-not-json`. */
export type ParseFault = FailureDetails<'reply-not-json'>

/** The character set that a response states, if it can be read; undefined also for UTF-8. */
function statedCharset(contentType: string): string | undefined {
  const label = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1]
  try {
    const charset = label === undefined ? 'utf-8' : new TextDecoder(label).encoding
    return charset === 'utf-8' ? undefined : charset
  } catch {
    return undefined
  }
}

function decoded(bytes: Uint8Array, charset: string, cut: boolean): string | undefined {
  try {
    // ignoreBOM keeps a byte order mark, which must be noticed.
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes, { stream: cut })
  } catch {
    return undefined
  }
}

/** The text of a body. */
export interface ReplyText {
  /** Without a byte order mark. */
  readonly text: string
  /** Whether the text in UTF-8 gives the bytes back. */
  readonly exact: boolean
  /** Whether it has U+FFFD for bytes that could not be read. */
  readonly damaged: boolean
}

/**
 * JSON is UTF-8 (RFC 8259), whatever else a response states; only where its bytes are not, or would be UTF-8 with zeros
 * between the letters, the stated character set is used. @param cut Its end is missing: a character that was cut in two is
 * left out.
 */
export function textOfReply(bytes: Uint8Array, contentType = '', cut = false): ReplyText {
  const stated = statedCharset(contentType)
  const charsets =
    stated === undefined ? ['utf-8'] : stated.startsWith('utf-16') ? [stated, 'utf-8'] : ['utf-8', stated]
  for (const charset of charsets) {
    const text = decoded(bytes, charset, cut)
    if (text === undefined) continue
    const marked = text.startsWith('\ufeff')
    return { text: marked ? text.slice(1) : text, exact: charset === 'utf-8' && !marked, damaged: false }
  }
  return { text: new TextDecoder('utf-8').decode(bytes, { stream: cut }), exact: false, damaged: true }
}

/**
 * The response's message, whatever the HTTP status. Pure. Deep nesting and names such as `__proto__` are harmless,
 * because V8 parses without recursion and only an own property counts.
 */
export function parseReply(bytes: Uint8Array, contentType = ''): Result<string, ParseFault> {
  if (bytes.length === 0) return fail({ reason: 'empty' })
  const read = textOfReply(bytes, contentType)
  if (read.damaged) return fail({ reason: 'not-utf8' })
  const { text } = read
  if (text.trim() === '') return fail({ reason: 'blank' })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return fail({ reason: /^\s*</.test(text) ? 'web-page' : 'not-json' })
  }
  if (Array.isArray(value)) return fail({ reason: 'array' })
  if (typeof value !== 'object' || value === null)
    return fail(value === null ? { reason: 'null' } : { reason: 'other-value', type: typeof value })
  if (!Object.hasOwn(value, 'message')) return fail({ reason: 'no-message' })
  const { message } = value as { message: unknown }
  return typeof message === 'string' ? ok(message) : fail({ reason: 'message-not-text' })
}

/** The message of a masked response text; undefined if masking left it unparsable. */
export function messageIn(text: string): string | undefined {
  const message = parseReply(new TextEncoder().encode(text))
  return message.ok ? message.value : undefined
}
