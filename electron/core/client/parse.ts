/**
 * Whether a reply is what the interface promises: a JSON object with a string `message` of its own.
 * Strict on purpose (RFC 8259, UTF-8, no byte order mark): a reply that needs guessing is no answer.
 */
import { fail, ok, type Result } from '#contract/result.ts'

/** The end of the sentence "The reply is not a JSON object with a message: …". */
export type ParseFault = string

/**
 * The reply's message, whatever the HTTP status. Pure; neither depth nor names such as `__proto__`
 * can harm it, because V8 parses without recursion and only an own property counts.
 */
export function parseReply(bytes: Uint8Array): Result<string, ParseFault> {
  if (bytes.length === 0) return fail('its body is empty')
  let text: string
  try {
    // ignoreBOM keeps a byte order mark in the text instead of hiding it.
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return fail('its body is not valid UTF-8')
  }
  if (text.startsWith('\ufeff')) return fail('its body begins with a byte order mark, which JSON does not allow')
  if (text.trim() === '') return fail('its body is blank')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return fail(/^\s*</.test(text) ? 'its body looks like a web page' : 'its body is not complete, valid JSON')
  }
  if (Array.isArray(value)) return fail('its body is a JSON array')
  if (typeof value !== 'object' || value === null) return fail(`its body is ${value === null ? 'null' : `a bare ${typeof value}`}`)
  if (!Object.hasOwn(value, 'message')) return fail('the object has no “message”')
  const { message } = value as { message: unknown }
  return typeof message === 'string' ? ok(message) : fail('its “message” is not a text')
}

/** The message of a reply's text that was masked; undefined where the mask has left no readable one. */
export function messageIn(text: string): string | undefined {
  const message = parseReply(new TextEncoder().encode(text))
  return message.ok ? message.value : undefined
}
