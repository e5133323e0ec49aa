/** The TLS handshake, and what the other side presented in it, whether it was accepted or not. */
import net from 'node:net'
import tls from 'node:tls'
import type { CertificateFacts } from '#contract/connections/diagnosis.ts'
import { waitFor, type SocketFault } from './socket-faults.ts'
import type { Trust } from '#wire/trust.ts'

/** What a handshake agreed on. The chain ends where an issuer is missing, or with a certificate of a store. */
export interface Handshake {
  readonly protocol: string
  readonly cipher: string
  /** The application protocol, if the server chose one. */
  readonly alpn?: string
  readonly chain: readonly CertificateFacts[]
  readonly nameMatches: boolean
}

export interface Secured {
  readonly socket: tls.TLSSocket
  /** Absent if it did not get that far. */
  readonly handshake?: Handshake
  /** Why it is not usable; the socket is then destroyed. */
  readonly fault?: SocketFault
}

/** Certificates of a chain at most: a server can send any number. */
const longestChain = 12

const text = (value: unknown): string =>
  Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : ''
/** The name that people know: the common name, then the organisation. */
const named = (name: tls.Certificate | undefined): string =>
  [...new Set([text(name?.CN), text(name?.O)])].filter((part) => part !== '').join(', ')

function factsOf(certificate: tls.DetailedPeerCertificate, trust: Trust): CertificateFacts {
  const store = trust.storeOf(certificate.raw)
  const [subject, issuer] = [named(certificate.subject), named(certificate.issuer)]
  const names = (certificate.subjectaltname ?? '')
    .split(', ')
    .map((name) => name.replace(/^(?:DNS|IP Address):/, ''))
    .filter((name) => name !== '')
  return {
    subject,
    issuer,
    names,
    validFrom: certificate.valid_from,
    validTo: certificate.valid_to,
    fingerprint: certificate.fingerprint256,
    selfIssued: JSON.stringify(certificate.subject) === JSON.stringify(certificate.issuer),
    ...(store && { store })
  }
}

function chainOf(first: tls.DetailedPeerCertificate, trust: Trust): CertificateFacts[] {
  const seen = new Set<string>()
  const chain: CertificateFacts[] = []
  let next: tls.DetailedPeerCertificate | undefined = first
  while (next?.fingerprint256 && !seen.has(next.fingerprint256) && chain.length < longestChain) {
    seen.add(next.fingerprint256)
    chain.push(factsOf(next, trust))
    next = next.issuerCertificate
  }
  return chain
}

function read(socket: tls.TLSSocket, host: string, trust: Trust): Handshake {
  const certificate = socket.getPeerCertificate(true)
  const cipher = socket.getCipher() as tls.CipherNameAndProtocol | undefined
  return {
    protocol: socket.getProtocol() ?? 'TLS',
    cipher: cipher?.standardName ?? cipher?.name ?? '',
    ...(socket.alpnProtocol && { alpn: socket.alpnProtocol }),
    chain: chainOf(certificate, trust),
    nameMatches: tls.checkServerIdentity(host, certificate) === undefined
  }
}

/**
 * Secures a socket. The certificate is checked against `trust` and `host`, always: one that is refused destroys the socket, and
 * is read before that.
 */
export async function shakeHands(
  socket: net.Socket,
  host: string,
  trust: Trust,
  stop: AbortSignal,
  protocols: readonly string[] = ['http/1.1']
): Promise<Secured> {
  const secured = tls.connect({
    socket,
    secureContext: trust.secureContext,
    rejectUnauthorized: true,
    ...(protocols.length > 0 && { ALPNProtocols: [...protocols] }),
    // The certificate is checked against `host`; an IP address is not allowed as server name (RFC 6066, section 3).
    host,
    ...(net.isIP(host) === 0 && { servername: host })
  })
  let handshake: Handshake | undefined
  // Node emits `secure` when the keys are agreed, and its own listener then checks the certificate: the last moment at which one
  // that is about to be refused can be read. If a later Node does not emit it, only the report is shorter.
  secured.prependListener('secure', () => (handshake = read(secured, host, trust)))
  const fault = await waitFor(secured, 'secureConnect', stop)
  return { socket: secured, ...(handshake && { handshake }), ...(fault && { fault }) }
}
