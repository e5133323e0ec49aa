/**
 * Checks that a response has the required form: a JSON object with an own string property `message`. Strict on
 * purpose (RFC 8259, UTF-8, no byte order mark): a response that needs guessing is not an answer.
 */
import type { FailureDetails } from '#contract/failures/failures.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'

/** Why it is invalid: a reason of `reply-not-json`. */
export type ParseFault = FailureDetails<'reply-not-json'>

/**
 * The response's message, whatever the HTTP status. Pure. Deep nesting and names such as `__proto__` are harmless,
 * because V8 parses without recursion and only an own property counts.
 */
export function parseReply(bytes: Uint8Array): Result<string, ParseFault> {
  if (bytes.length === 0) return fail({ reason: 'empty' })
  let text: string
  try {
    // ignoreBOM keeps a byte order mark in the text instead of hiding it.
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return fail({ reason: 'not-utf8' })
  }
  if (text.startsWith('\ufeff')) return fail({ reason: 'byte-order-mark' })
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
