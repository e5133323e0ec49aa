/** Builds what is stored of a response, without the credentials that were sent. */
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { credentials } from '#contract/connections/credentials.ts'
import type { ReplyRecord } from '#contract/history/records.ts'
import type { BodyRead } from './body.ts'
import { locationOf } from './exchange.ts'
import { textOfReply, type ReplyText } from './parse.ts'
import type { Mask } from './mask.ts'

/** Headers that contain a secret of a session or a caller. */
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
    kept.push([name, inUtf8(value)])
  }
  return kept
}

/**
 * The bytes of a body, base64, if its text does not give them back. A secret is masked in the text only, so the bytes of
 * a body that contains one are dropped; so are those of a body that was cut, in which a part of one could remain.
 */
function rawOf({ bytes, end }: BodyRead, { text, exact }: ReplyText, mask: Mask): string | undefined {
  if (end !== 'complete' || exact) return undefined
  const raw = Buffer.from(bytes).toString('base64')
  return mask.holdsSecret(text) || mask.holdsSecret(raw) ? undefined : raw
}

/** Node reads headers as Latin-1, and many servers write UTF-8 into them. */
function inUtf8(text: string): string {
  if (!/[\u0080-\u00ff]/.test(text)) return text
  const bytes = Buffer.from(text, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : text
}

/**
 * The response as stored and shown. Bytes that the text of its body does not give back (another character set, a byte order
 * mark, damaged UTF-8) are kept beside it.
 */
export function replyRecordOf(reply: IncomingMessage, body: BodyRead, mask: Mask): ReplyRecord {
  const truncated = body.end !== 'complete'
  const read = textOfReply(body.bytes, reply.headers['content-type'], truncated)
  const raw = rawOf(body, read, mask)
  return {
    status: reply.statusCode ?? 0,
    statusText: mask.text(inUtf8(reply.statusMessage ?? '')),
    headers: keptHeaders(reply.rawHeaders, mask),
    body: mask.text(read.text, truncated),
    ...(raw !== undefined && { raw }),
    bytes: body.seen,
    truncated
  }
}

const redirectStatuses = new Set([301, 302, 303, 307, 308])

/** The host that a response redirects to, for display; undefined if it is not a redirect. */
export function redirectHostOf(reply: IncomingMessage, origin: string, mask: Mask): string | undefined {
  const { location } = reply.headers
  if (location === undefined || !redirectStatuses.has(reply.statusCode ?? 0)) return undefined
  // Checks the raw text: a URL's host is lower case, in which a credential would no longer be recognised.
  if (mask.holdsSecret(location)) return 'an address that holds one of your credentials'
  try {
    return new URL(locationOf(reply) ?? '', origin).host || 'an address without a host'
  } catch {
    return 'an address that cannot be read'
  }
}
