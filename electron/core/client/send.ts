/**
 * Sends one verification once and determines its outcome: answered, invalid response, not sent, unknown.
 *
 * Two stages keep "not sent" certain. First a connection is opened, including every handshake (`dial.ts`); until then
 * no request exists. Only then is the request handed over, and from that moment anything but a complete response is
 * "unknown". Nothing is ever sent twice.
 */
import type { IncomingMessage } from 'node:http'
import { baseUrlFault } from '#contract/connections/connection.ts'
import { credentialFault, credentials, type CredentialValues } from '#contract/connections/credentials.ts'
import { failure, type Failure } from '#contract/failures/failures.ts'
import type { RecordEnding } from '#contract/history/records.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { Settings } from '#contract/settings/settings.ts'
import type { VerificationInput } from '#contract/verification/verification.ts'
import type { Clock } from '#kit/clock.ts'
import { acceptedEncodings, readBody, type BodyRead } from './body.ts'
import { dial, type SignInTo } from './dial.ts'
import { maxHeaderBytes, postOnce } from './http.ts'
import { openLine, type Line, type LinePool } from './line.ts'
import { createMask, type Mask } from './mask.ts'
import { messageIn, parseReply } from './parse.ts'
import type { Route } from './proxy.ts'
import { redirectHostOf, replyRecordOf } from './reply.ts'
import type { SocketFault, StopReason } from './socket-faults.ts'
import type { Trust } from '#wire/trust.ts'

export type SendPhase = 'connecting' | 'sent' | 'receiving'

export interface SendOrder {
  /** Scheme, host and port of the connection. */
  readonly origin: string
  /** Path of the operation, from `operations.ts`. */
  readonly path: string
  /** Exactly the declared fields; validated by the caller with `inputFaults`. */
  readonly body: VerificationInput
  readonly credentials: CredentialValues
  /** Seconds, seconds and bytes. */
  readonly limits: Pick<Settings, 'connectTimeout' | 'totalTimeout' | 'maxReplyBytes'>
  readonly route: Route
  readonly trust: Trust
  /** What is stored for signing in to a proxy. */
  readonly signIn?: SignInTo
  /** Why it may not be sent any more; asked again right before the first byte leaves. */
  refusal?(): Failure | undefined
  /** Aborts when the user cancels. */
  readonly signal: AbortSignal
  /** `sent` is reported before the first byte is sent. */
  onPhase(phase: SendPhase): void
  /** Connections kept open between the requests of a batch; without it each request opens its own. */
  readonly lines?: LinePool
  readonly clock: Clock
}

/** Why nothing may be sent to this address with these headers; checked again here, however they were saved. */
function refusalOf(order: SendOrder): Failure | undefined {
  const fault = baseUrlFault(order.origin)
  if (fault) return failure('connection-address-invalid', {}, { baseUrl: fault })
  const missing = credentials.filter(({ id }) => !order.credentials[id])
  if (missing.length > 0)
    return failure('credentials-missing', { missing: missing.map(({ label }) => label).join(', ') })
  const reason = credentials.map(({ id }) => credentialFault(order.credentials[id])).find((each) => each !== undefined)
  return reason ? failure('credential-invalid', { reason }) : order.refusal?.()
}

function headersOf(values: CredentialValues): Record<string, string> {
  return {
    ...Object.fromEntries(credentials.map(({ id, header }) => [header, values[id]])),
    'content-type': 'application/json',
    'accept': 'application/json',
    'accept-encoding': acceptedEncodings,
    'user-agent': 'Veridesk'
  }
}

/** Combines the user's cancel and both deadlines in one abort signal; its reason is a `StopReason`. */
interface Watch {
  readonly stop: AbortSignal
  /** Between `connecting` and `connected` the shorter deadline applies as well. */
  connecting(): void
  connected(): void
  end(): void
}

function startWatch(order: SendOrder): Watch {
  const controller = new AbortController()
  const because = (reason: StopReason) => () => controller.abort(reason)
  const onCancel = because('cancelled')
  const total = setTimeout(because('total-timeout'), order.limits.totalTimeout * 1000)
  let connect: NodeJS.Timeout | undefined
  if (order.signal.aborted) onCancel()
  else order.signal.addEventListener('abort', onCancel, { once: true })
  return {
    stop: controller.signal,
    connecting() {
      connect = setTimeout(because('connect-timeout'), order.limits.connectTimeout * 1000)
    },
    connected: () => clearTimeout(connect),
    end() {
      clearTimeout(total)
      clearTimeout(connect)
      order.signal.removeEventListener('abort', onCancel)
    }
  }
}

/** What happened after the request was handed over. */
type Exchange =
  | { readonly kind: 'reply'; readonly reply: IncomingMessage; readonly body: BodyRead }
  | { readonly kind: 'fault'; readonly fault: SocketFault }
  /** The line had closed before the request was assigned to it: no byte was written. */
  | { readonly kind: 'outdated' }

async function exchange(order: SendOrder, line: Line, stop: AbortSignal): Promise<Exchange> {
  const posted = await postOnce({
    url: `${order.origin}${order.path}`,
    headers: headersOf(order.credentials),
    body: JSON.stringify(order.body),
    line,
    stop
  })
  if (!posted.ok) return line.outdated() ? { kind: 'outdated' } : { kind: 'fault', fault: posted.failure }
  const reading = readBody(posted.value, order.limits.maxReplyBytes, stop)
  order.onPhase('receiving')
  return { kind: 'reply', reply: posted.value, body: await reading }
}

const poolKey = (order: SendOrder): string => JSON.stringify([order.origin, order.route, order.trust.id])

async function newLine(order: SendOrder, stop: AbortSignal): Promise<Result<Line, Failure>> {
  const { origin, route, trust, signIn } = order
  const seconds = Math.min(order.limits.connectTimeout, order.limits.totalTimeout)
  const socket = await dial({ origin, route, trust, ...(signIn && { signIn }), stop, seconds })
  return socket.ok ? ok(openLine(socket.value, origin.startsWith('https:'), order.lines !== undefined)) : socket
}

/**
 * Sends an order and resolves with its result; never rejects because of the network or the service. Ends at most half
 * a second after a deadline. No result contains a credential.
 */
export async function sendVerification(order: SendOrder): Promise<RecordEnding> {
  const notSent = (why: Failure): RecordEnding => ({ outcome: 'not-sent', endedAt: order.clock.now(), failure: why })
  const refusal = refusalOf(order)
  if (refusal) return notSent(refusal)
  // Built before anything is sent: a bug in it must not lose the result of a sent request.
  const mask = createMask(order.credentials, order.body)
  const watch = startWatch(order)
  const { stop } = watch
  let line: Line | undefined
  let reusable = false
  try {
    if (stop.aborted) return notSent(failure('cancelled-before-sending'))
    order.onPhase('connecting')
    line = order.lines?.take(poolKey(order))
    let kept = line !== undefined
    for (;;) {
      if (!line) {
        watch.connecting()
        const opened = await newLine(order, stop)
        if (!opened.ok) return notSent(opened.failure)
        line = opened.value
        kept = false
      }
      watch.connected()
      // An abort that arrived together with the connection: nothing has been handed over yet.
      if (stop.aborted) return notSent(stoppedBefore(stop.reason as StopReason, order))
      // Connecting takes seconds, and a batch seconds more: what it is sent with may have been taken away meanwhile.
      const withdrawn = order.refusal?.()
      if (withdrawn) return notSent(withdrawn)
      order.onPhase('sent')
      const begun = order.clock.monotonic()
      const result = await exchange(order, line, stop)
      if (result.kind === 'outdated') {
        // An idle line may have been closed; a new one that closes at once means that the service refuses.
        if (!kept) return notSent(failure('connection-refused', { host: new URL(order.origin).host }))
        line.close()
        line = undefined
        continue
      }
      reusable = result.kind === 'reply' && result.body.end === 'complete'
      return {
        ...endingOf(result, mask, order, stop),
        endedAt: order.clock.now(),
        took: order.clock.monotonic() - begun
      }
    }
  } finally {
    watch.end()
    if (line && reusable && order.lines) order.lines.give(poolKey(order), line)
    else line?.close()
  }
}

function stoppedBefore(reason: StopReason, order: SendOrder): Failure {
  if (reason === 'cancelled') return failure('cancelled-before-sending')
  const seconds = reason === 'connect-timeout' ? order.limits.connectTimeout : order.limits.totalTimeout
  return failure('connect-timeout', { host: new URL(order.origin).host, seconds })
}

/** Why Node refuses a response, by the code of its parser. */
const malformed: Readonly<Record<string, 'two-lengths' | 'long-headers'>> = {
  HPE_HEADER_OVERFLOW: 'long-headers',
  HPE_INVALID_CONTENT_LENGTH: 'two-lengths',
  HPE_INVALID_TRANSFER_ENCODING: 'two-lengths',
  HPE_UNEXPECTED_CONTENT_LENGTH: 'two-lengths'
}

/** Why no complete response arrived after the request was handed over. */
function lossOf({ code, status }: SocketFault, order: SendOrder, stop: AbortSignal): Failure {
  if (stop.aborted && stop.reason === 'cancelled') return failure('cancelled-after-sending')
  if (stop.aborted) return failure('total-timeout', { seconds: order.limits.totalTimeout })
  if (code.startsWith('HPE_') && status !== undefined) {
    const reason = malformed[code] ?? 'header'
    return failure('reply-malformed', { status, reason, socketError: code, limitBytes: maxHeaderBytes })
  }
  if (code.startsWith('HPE_')) return failure('connection-lost', { reason: 'not-http', socketError: code })
  const closed = code === 'ECONNRESET' || code === 'EPIPE' || code === 'UNKNOWN'
  return failure('connection-lost', closed ? { reason: 'closed' } : { errno: code })
}

type Ending = Pick<RecordEnding, 'outcome' | 'reply' | 'message' | 'failure'>

function endingOf(
  result: Exclude<Exchange, { kind: 'outdated' }>,
  mask: Mask,
  order: SendOrder,
  stop: AbortSignal
): Ending {
  if (result.kind === 'fault') return { outcome: 'unknown', failure: lossOf(result.fault, order, stop) }
  return endingOfReply(result.reply, result.body, mask, order, stop)
}

function endingOfReply(
  incoming: IncomingMessage,
  body: BodyRead,
  mask: Mask,
  order: SendOrder,
  stop: AbortSignal
): Ending {
  const reply = replyRecordOf(incoming, body, mask)
  const invalidResponse = (why: Failure): Ending => ({ outcome: 'invalid-response', reply, failure: why })
  if (body.end === 'stopped' || body.end === 'lost')
    return { outcome: 'unknown', reply, failure: lossOf({ code: 'ECONNRESET' }, order, stop) }
  const host = redirectHostOf(incoming, order.origin, mask)
  if (host !== undefined) return invalidResponse(failure('reply-redirect', { host }))
  if (body.end === 'too-large')
    return invalidResponse(failure('reply-too-large', { limitBytes: order.limits.maxReplyBytes }))
  if (body.end === 'damaged') return invalidResponse(failure('reply-not-json', { reason: 'compression' }))
  const message = parseReply(body.bytes, incoming.headers['content-type'])
  if (!message.ok) return invalidResponse(failure('reply-not-json', message.failure))
  // Read from the stored body, so that the message contains nothing that the stored body does not.
  return { outcome: 'answered', reply, message: mask.text(messageIn(reply.body) ?? message.value) }
}
