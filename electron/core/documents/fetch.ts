/**
 * Fetches a document: one GET for each address, without credentials, cookies or referrer, within limits of time, size
 * and redirects. Every address is checked before it is used (`guard.ts`).
 */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { maxDocumentBytes } from '#contract/documents/documents.ts'
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { dial } from '#core/client/dial.ts'
import { codingsOf, decoded } from '#core/client/codings.ts'
import { exchange, locationOf } from '#core/client/exchange.ts'
import type { Network } from '#core/client/network.ts'
import type { AddressKind, AddressRules } from './addresses.ts'
import { createGuard, refusedHost, type Resolve } from './guard.ts'
import { isDocument, typeOf } from './type.ts'

export interface FetchOrder {
  readonly url: string
  /** Asked before each address: a permission that is taken away during redirects counts no more. */
  rules(): Result<AddressRules, Failure>
  readonly network: Pick<Network, 'to'>
  readonly resolve: Resolve
  /** Seconds for each connection. */
  readonly connectSeconds: number
  /** Seconds for everything. */
  readonly seconds: number
  /** Ends it before. */
  readonly stop?: AbortSignal
  /** Asked once the size is known, at most, and before the content is read; the seconds begin again after it. */
  readonly admit?: Admit
}

/** Resolves when there is memory for these bytes. */
export type Admit = (bytes: number) => Promise<void>

export interface Fetched {
  /** The file, after any `Content-Encoding` was undone: what a browser would save. Size and digest are of these bytes. */
  readonly bytes: Buffer
  /** Host and port that sent it. */
  readonly host: string
  readonly redirects: number
  /** The media type that the server states, in lower case and without parameters. */
  readonly header?: string
}

export const maxRedirects = 5

/** What one address answered: the document, or where it is. */
type Step =
  | { readonly kind: 'document'; readonly fetched: Omit<Fetched, 'redirects'> }
  | { readonly kind: 'redirect'; readonly to: URL }

/** Fetches what is behind a link. Failures: `document-not-fetched`, `document-too-large`, `document-address-*`, and those of settings. */
export async function fetchDocument(order: FetchOrder): Promise<Result<Fetched, Failure>> {
  const total = new AbortController()
  const begin = (): NodeJS.Timeout => setTimeout(() => total.abort('total-timeout'), order.seconds * 1000)
  let timer = begin()
  let isOver = false
  const ends = order.stop ? AbortSignal.any([total.signal, order.stop]) : total.signal
  const admit: Admit = async (bytes) => {
    if (!order.admit) return
    clearTimeout(timer)
    await order.admit(bytes)
    if (!isOver) timer = begin()
  }
  try {
    let url = new URL(order.url)
    for (let redirects = 0; ; redirects += 1) {
      const step = await get(url, order, ends, admit)
      if (!step.ok) return step
      if (step.value.kind === 'document') return ok({ ...step.value.fetched, redirects })
      if (redirects === maxRedirects)
        return failed('document-not-fetched', { host: url.host, reason: 'redirects', limit: maxRedirects })
      url = step.value.to
    }
  } finally {
    isOver = true
    clearTimeout(timer)
  }
}

const addressFailure = (host: string, kind: AddressKind): Failure =>
  kind === 'loopback' || kind === 'private' || kind === 'carrier'
    ? failure('document-address-private', { host, reason: kind })
    : failure('document-address-refused', { host, reason: kind })

async function get(url: URL, order: FetchOrder, total: AbortSignal, admit: Admit): Promise<Result<Step, Failure>> {
  const { host, origin } = url
  const rules = order.rules()
  if (!rules.ok) return rules
  const refused = refusedHost(url.hostname, rules.value)
  if (refused) return { ok: false, failure: addressFailure(host, refused) }
  const way = await order.network.to(origin)
  if (!way.ok) return way
  const guard = createGuard(rules.value, order.resolve)
  const connect = new AbortController()
  const timer = setTimeout(() => connect.abort('connect-timeout'), order.connectSeconds * 1000)
  const line = await dial({
    origin,
    ...way.value,
    lookup: guard.lookup,
    stop: AbortSignal.any([total, connect.signal]),
    seconds: order.connectSeconds
  })
  clearTimeout(timer)
  if (line.ok) return answerOf(line.value, url, { stop: total, seconds: order.seconds, admit })
  const kind = guard.refused()
  if (kind) return { ok: false, failure: addressFailure(host, kind) }
  return total.aborted ? silence(host, order.seconds) : failed('document-not-fetched', { host, cause: line.failure })
}

const silence = (host: string, seconds: number): Result<never, Failure> =>
  failed('document-not-fetched', { host, reason: 'silence', seconds })

const answerOf = (
  socket: Socket,
  url: URL,
  { stop, seconds, admit }: { readonly stop: AbortSignal; readonly seconds: number; readonly admit: Admit }
): Promise<Result<Step, Failure>> =>
  exchange<Result<Step, Failure>>(socket, {
    method: 'GET',
    path: `${url.pathname}${url.search}`,
    stop,
    // Nothing that identifies anyone. A compressed answer is not asked for, and read where a storage has no other.
    headers: {
      'host': url.host,
      'accept': 'image/jpeg, image/png, image/webp, image/avif, image/heic, image/jp2, application/pdf',
      'accept-encoding': 'identity',
      'user-agent': 'Veridesk'
    },
    read: (reply) => stepOf(reply, url, admit),
    fault(fault) {
      if (fault.why === 'stopped') return silence(url.host, seconds)
      return fault.why === 'lost'
        ? failed('document-not-fetched', { host: url.host, reason: 'lost' })
        : failed('document-not-fetched', { host: url.host, errno: fault.errno })
    }
  })

async function stepOf(reply: IncomingMessage, url: URL, admit: Admit): Promise<Result<Step, Failure>> {
  const status = reply.statusCode ?? 0
  const { host } = url
  const location = locationOf(reply)
  if ([301, 302, 303, 307, 308].includes(status) && location !== undefined) return redirect(location, url)
  if (status !== 200) return failed('document-not-fetched', { host, reason: 'status', status })
  const tooLarge = failed('document-too-large', { limitBytes: maxDocumentBytes })
  const length = Number(reply.headers['content-length'])
  if (length > maxDocumentBytes) return tooLarge
  const stated = Number.isInteger(length) ? length : undefined
  await admit(codingsOf(reply).length === 0 ? (stated ?? maxDocumentBytes) : maxDocumentBytes)
  const sent = await bodyOf(reply, stated ?? 0)
  if (!sent) return tooLarge
  if (!reply.complete) return failed('document-not-fetched', { host, reason: 'lost' })
  const bytes = await fileOf(sent, codingsOf(reply))
  if (bytes === 'too-large') return tooLarge
  if (bytes === 'damaged') return failed('document-not-fetched', { host, reason: 'compressed' })
  const [header = ''] = (reply.headers['content-type'] ?? '').toLowerCase().split(';')
  return ok({
    kind: 'document',
    fetched: { bytes, host, ...(header.trim() !== '' && { header: header.trim().slice(0, 100) }) }
  })
}

/**
 * The file that was sent: storages keep some compressed, and say so whoever asks. Both what is sent and what it unpacks to
 * have the limit of a document. Where the bytes are a document already, the storage was told wrongly.
 */
async function fileOf(sent: Buffer, codings: readonly string[]): Promise<Buffer | 'too-large' | 'damaged'> {
  if (codings.length === 0 || isDocument(typeOf(sent))) return sent
  const file = await decoded(sent, codings, maxDocumentBytes)
  release(sent)
  return file
}

/**
 * The body, or undefined as soon as it is too large. Its memory is moved when it grows and given back by `release`, so that the next
 * document takes it again: memory that is new to the process costs more than the fetch.
 */
async function bodyOf(reply: IncomingMessage, stated: number): Promise<Buffer | undefined> {
  let memory = new ArrayBuffer(stated)
  let size = 0
  for await (const part of reply as AsyncIterable<Uint8Array>) {
    const needed = size + part.length
    if (needed > maxDocumentBytes) {
      memory.transfer(0)
      return undefined
    }
    if (needed > memory.byteLength) memory = memory.transfer(Math.min(maxDocumentBytes, 2 * needed))
    new Uint8Array(memory, size, part.length).set(part)
    size = needed
  }
  return Buffer.from(memory.transfer(size))
}

/** Gives the memory of a document back at once; its bytes are gone. Waiting for the garbage collector would let a server fill it. */
export function release({ buffer, byteLength }: Buffer): void {
  // A part of a larger memory is not the document's own.
  if (buffer instanceof ArrayBuffer && !buffer.detached && buffer.byteLength === byteLength) buffer.transfer(0)
}

function redirect(location: string, from: URL): Result<Step, Failure> {
  if (!URL.canParse(location, from.href))
    return failed('document-address-refused', { host: from.host, reason: 'scheme' })
  const to = new URL(location, from)
  if (to.protocol !== 'https:' && to.protocol !== 'http:')
    return failed('document-address-refused', { host: from.host, reason: 'scheme' })
  if (to.username || to.password) return failed('document-address-refused', { host: to.host, reason: 'credentials' })
  if (from.protocol === 'https:' && to.protocol === 'http:')
    return failed('document-address-refused', { host: to.host, reason: 'downgrade' })
  return ok({ kind: 'redirect', to })
}
