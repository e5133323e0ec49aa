/** What is kept of a reply, free of the credentials that were sent. */
import type { IncomingMessage } from 'node:http'
import { credentials } from '#contract/credentials.ts'
import type { ReplyRecord } from '#contract/records.ts'
import type { BodyRead } from './body.ts'
import type { Mask } from './mask.ts'

/** Headers that hold a secret of a session or of a caller. */
const secretHeaders = new Set([
  'set-cookie',
  'set-cookie2',
  'cookie',
  'authorization',
  'proxy-authorization',
  'authentication-info',
  'proxy-authentication-info',
  ...credentials.map(({ header }) => header.toLowerCase())
])

function keptHeaders(raw: readonly string[], mask: Mask): readonly (readonly [string, string])[] {
  const kept: (readonly [string, string])[] = []
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const [name, value] = [raw[index] ?? '', raw[index + 1] ?? '']
    if (secretHeaders.has(name.toLowerCase()) || mask.holdsSecret(value) || mask.holdsSecret(name)) continue
    kept.push([name, value])
  }
  return kept
}

/** The response as it is stored and shown; bytes that are not UTF-8 appear as U+FFFD. */
export function replyRecordOf(reply: IncomingMessage, body: BodyRead, mask: Mask): ReplyRecord {
  const truncated = body.end !== 'complete'
  // A character that was cut in two at the end is left out, not shown as damage.
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body.bytes, { stream: truncated })
  return {
    status: reply.statusCode ?? 0,
    statusText: mask.text(reply.statusMessage ?? ''),
    headers: keptHeaders(reply.rawHeaders, mask),
    body: mask.text(text, truncated),
    bytes: body.seen,
    truncated
  }
}

const redirectStatuses = new Set([301, 302, 303, 307, 308])

/** Where a reply redirects to, as a host for display; undefined where it is no redirect. */
export function redirectHostOf(reply: IncomingMessage, origin: string, mask: Mask): string | undefined {
  const { location } = reply.headers
  if (location === undefined || !redirectStatuses.has(reply.statusCode ?? 0)) return undefined
  // Asked of the raw text: a URL's host comes in lower case, in which a credential would not be known again.
  if (mask.holdsSecret(location)) return 'an address that holds one of your credentials'
  try {
    return new URL(location, origin).host || 'an address without a host'
  } catch {
    return 'an address that cannot be read'
  }
}
