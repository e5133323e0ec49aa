/** What is wrong, from the step that failed: pure functions from errors to codes of `contract/connections/diagnosis-sentences.ts`. */
import { failure, type Failure } from '#contract/failures/failures.ts'
import type { DialStep, DialTlsStep } from '#core/client/dial-steps.ts'
import type { ProbeAnswer } from '#core/client/probe.ts'
import type { SocketFault } from '#core/client/socket-faults.ts'

/** What the sentences name besides the step. */
export interface VerdictPlace {
  /** Host and port of the service. */
  readonly host: string
  /** The connection timeout. */
  readonly seconds: number
}

const untrusted = [
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_UNTRUSTED'
]
const notTls = [
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
  'ERR_SSL_HTTP_REQUEST',
  'ERR_SSL_UNEXPECTED_MESSAGE',
  'ERR_SSL_UNKNOWN_PROTOCOL',
  'ERR_SSL_BAD_PACKET_LENGTH'
]
const oldTls = ['ERR_SSL_UNSUPPORTED_PROTOCOL', 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION']
const closed = ['ECONNRESET', 'EPIPE', 'CLOSED', 'ECONNABORTED']
/** Errors of a name server that did not answer, unlike those of a name that does not exist. */
const serverErrors = ['EAI_AGAIN', 'EAI_FAIL', 'ESERVFAIL', 'ETIMEOUT', 'STOPPED']
/** The day of a time of a certificate. */
const day = (text: string): string => {
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? text : at.toISOString().slice(0, 10)
}

/** The verdict on a failed step of opening a connection. */
export function verdictOfDial(step: DialStep, { host, seconds }: VerdictPlace): Failure {
  const code = step.fault?.code ?? ''
  const proxy = step.proxy
  switch (step.step) {
    case 'name':
      if (proxy !== undefined) return failure('diagnosis-proxy-name', { host: proxy })
      return serverErrors.includes(code)
        ? failure('diagnosis-name-server', { host: step.host, errno: code })
        : failure('diagnosis-name-unknown', { host: step.host })
    case 'connect':
      return ofConnect(step.fault, proxy, { host, seconds })
    case 'proxy-tls':
      return step.fault?.stop
        ? failure('diagnosis-proxy-silent', { host: proxy ?? '', seconds })
        : failure('diagnosis-proxy-tls', { host: proxy ?? '', errno: code })
    case 'tunnel':
    case 'sign-in':
      return ofTunnel(step, proxy ?? '', seconds)
    case 'tls':
      return ofTls(step, host, seconds)
  }
}

function ofConnect(
  fault: SocketFault | undefined,
  proxy: string | undefined,
  { host, seconds }: VerdictPlace
): Failure {
  const errno = fault?.code ?? ''
  if (proxy !== undefined)
    return fault?.stop
      ? failure('diagnosis-proxy-silent', { host: proxy, seconds })
      : failure('diagnosis-proxy-unreachable', { host: proxy, errno })
  if (fault?.stop || errno === 'ETIMEDOUT') return failure('diagnosis-connect-silent', { host, seconds })
  return errno === 'ECONNREFUSED' || errno === 'ECONNRESET'
    ? failure('diagnosis-refused', { host })
    : failure('diagnosis-unreachable', { host, errno })
}

function ofTunnel(step: DialStep & { readonly step: 'tunnel' | 'sign-in' }, host: string, seconds: number): Failure {
  if (step.fault?.stop) return failure('diagnosis-proxy-silent', { host, seconds })
  if (step.failure?.code.startsWith('keychain-')) return failure('diagnosis-keychain', { host })
  const { answer, failure: why } = step
  if (!answer) return failure('diagnosis-proxy-closed', { host })
  const { status } = answer
  const shown = answer.reply ?? String(status)
  if (status === 407) {
    const schemes = why?.details?.['schemes']
    if (typeof schemes === 'string') return failure('diagnosis-proxy-scheme', { host, schemes })
    return why?.details?.['reason'] === 'password'
      ? failure('diagnosis-proxy-password', { host })
      : failure('diagnosis-proxy-sign-in', { host })
  }
  if (status >= 502 && status <= 504) return failure('diagnosis-proxy-gateway', { host, answer: shown })
  return status === 403 || status === 401 || status === 451
    ? failure('diagnosis-proxy-forbids', { host, answer: shown })
    : failure('diagnosis-proxy-status', { host, answer: shown })
}

type Certificate = NonNullable<DialTlsStep['handshake']>['chain'][number]

/** What is wrong with the service's own certificate; undefined if nothing is. */
function ofOwn(own: Certificate | undefined, name: string, host: string, errno: string): Failure | undefined {
  if (errno === 'CERT_HAS_EXPIRED') return failure('diagnosis-expired', { host, date: day(own?.validTo ?? '') })
  if (errno === 'CERT_NOT_YET_VALID')
    return failure('diagnosis-not-yet-valid', { host, date: day(own?.validFrom ?? '') })
  return errno === 'ERR_TLS_CERT_ALTNAME_INVALID'
    ? failure('diagnosis-wrong-name', { host: name, names: own?.names.join(', ') || own?.subject || '?' })
    : undefined
}

/** What is wrong with the certificate; undefined if nothing of one was seen. */
function ofCertificate(step: DialTlsStep, host: string, errno: string): Failure | undefined {
  const { proxy, handshake } = step
  const chain = handshake?.chain ?? []
  const [own] = chain
  const isSelfSigned = errno === 'DEPTH_ZERO_SELF_SIGNED_CERT'
  if (isSelfSigned || untrusted.includes(errno)) {
    const issuer = chain.at(-1)?.issuer || '?'
    if (proxy !== undefined) return failure('diagnosis-untrusted-proxy', { host: proxy, issuer })
    return isSelfSigned ? failure('diagnosis-self-signed', { host }) : failure('diagnosis-untrusted', { host, issuer })
  }
  return ofOwn(own, step.host, host, errno) ?? (handshake && failure('diagnosis-certificate', { host, errno }))
}

function ofTls(step: DialTlsStep, host: string, seconds: number): Failure {
  const errno = step.fault?.code ?? ''
  if (step.fault?.stop) return failure('diagnosis-tls-silent', { host, seconds })
  const certificate = ofCertificate(step, host, errno)
  if (certificate) return certificate
  // Nothing of a certificate was seen: through a proxy, whatever is at its end does not speak TLS.
  if (oldTls.includes(errno)) return failure('diagnosis-old-tls', { host })
  if (step.proxy !== undefined) return failure('diagnosis-tunnel-broken', { host: step.proxy, errno })
  if (notTls.includes(errno) || errno === 'EPROTO') return failure('diagnosis-not-tls', { host })
  return closed.includes(errno)
    ? failure('diagnosis-tls-closed', { host, errno })
    : failure('diagnosis-certificate', { host, errno })
}

/** The verdict on a request that was not answered. */
export function verdictOfFault(fault: SocketFault, host: string, seconds: number): Failure {
  if (fault.stop) return failure('diagnosis-http-silent', { host, seconds })
  return fault.code.startsWith('HPE_')
    ? failure('diagnosis-not-http', { host, errno: fault.code })
    : failure('diagnosis-http-closed', { host, errno: fault.code })
}

/** A clock is wrong beyond this: Kerberos and most signed requests tolerate as much. In milliseconds. */
const clockTolerance = 5 * 60_000

/**
 * The verdict on an answer: an error of the service, a clock that is wrong, a connection that took most of the time allowed.
 * Undefined if nothing is wrong. Any other status counts as reachable: the interface has no operation at `/`.
 *
 * @param skew How much this computer's clock is ahead, in milliseconds; undefined without a `Date` header.
 */
export function verdictOfAnswer(
  answer: ProbeAnswer,
  skew: number | undefined,
  steps: readonly DialStep[],
  { host, seconds }: VerdictPlace
): Failure | undefined {
  if (answer.status >= 500) return failure('diagnosis-service-error', { host, status: answer.status })
  if (skew !== undefined && Math.abs(skew) > clockTolerance)
    return failure('diagnosis-clock', {
      minutes: Math.round(Math.abs(skew) / 60_000),
      reason: skew > 0 ? 'ahead' : 'behind'
    })
  return slowness(steps, seconds)
}

const slowAs = {
  'name': 'name',
  'connect': 'connect',
  'proxy-tls': 'proxy',
  'tunnel': 'proxy',
  'sign-in': 'proxy',
  'tls': 'tls'
} as const

/** A connection that took more than half of the time allowed fails on a bad day. */
function slowness(steps: readonly DialStep[], seconds: number): Failure | undefined {
  const total = steps.reduce((sum, { took }) => sum + took, 0)
  const slowest = [...steps].sort((a, b) => b.took - a.took)[0]
  if (!slowest || total <= (seconds * 1000) / 2) return undefined
  return failure('diagnosis-slow', { took: (total / 1000).toFixed(1), seconds, reason: slowAs[slowest.step] })
}
