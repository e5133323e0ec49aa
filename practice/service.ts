/**
 * The practice service: a local simulation of the eKYC service, derived from the contract's operations and
 * credentials. It stores no personal data and uses only the loopback interface.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isLoopbackHost } from '#contract/connections/connection.ts'
import { credentials as declared, type CredentialId, type CredentialValues } from '#contract/connections/credentials.ts'
import { ordinary, sendMessage, type Exchange } from './exchange.ts'
import { bodyDigest, markerHeader, openLedger, type LedgerEntry } from './ledger.ts'
import { triggerIn, type FoundTrigger } from './triggers.ts'
import { credentialsIn, validate, operationAt, type Acceptance } from './requests.ts'
import { sampleServer } from './samples.ts'

export interface PracticeOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number
  /** A loopback address; 127.0.0.1 by default. */
  readonly host?: string
  /** Milliseconds before each answer of an operation. */
  readonly latency?: number | { readonly min: number; readonly max: number }
  /** File to which one JSON line per request is appended. Without it the ledger is kept in memory. */
  readonly ledger?: string
  /** Values to accept instead of the documented ones. */
  readonly credentials?: Partial<Record<CredentialId, string>>
  /** Unix milliseconds. */
  readonly now?: () => number
}

export interface PracticeService {
  readonly baseUrl: string
  readonly credentials: Record<CredentialId, string>
  /** The requests received so far, in order of arrival. */
  ledger(): readonly LedgerEntry[]
  close(): Promise<void>
}

/** The values that the service accepts by default: public, and valid nowhere else. */
export const practiceCredentials = Object.fromEntries(declared.map(({ id }) => [id, `practice-${id}`])) as Record<
  CredentialId,
  string
>

/** Larger bodies are refused with 413. */
const maxBodyBytes = 1024 * 1024

/** Reads the whole body and passes it on; undefined if it is too large. Never calls `done` if the body breaks off. */
function readBody(request: IncomingMessage, done: (body: Buffer | undefined) => void): void {
  const parts: Buffer[] = []
  let size = 0
  request.on('data', (part: Buffer) => {
    size += part.length
    if (size <= maxBodyBytes) parts.push(part)
    else parts.length = 0
  })
  request.on('end', () => done(size > maxBodyBytes ? undefined : parts.length === 1 ? parts[0] : Buffer.concat(parts)))
  request.on('error', () => {})
}

function triggerOf({ operation, input }: Acceptance): FoundTrigger | undefined {
  for (const field of operation.fields) {
    const found = triggerIn(field.kind, input[field.name] ?? '')
    if (found) return found
  }
  return undefined
}

/** Runs a step after a delay in milliseconds, unless the connection has closed by then. */
function later(response: ServerResponse, milliseconds: number, step: () => void): void {
  const socket = response.socket
  if (!socket || socket.destroyed) return
  const stop = (): void => clearTimeout(timer)
  const timer = setTimeout(() => {
    socket.off('close', stop)
    step()
  }, milliseconds)
  socket.once('close', stop)
}

/**
 * Starts the service on a loopback address.
 *
 * @throws if the host is not a loopback address, the port is in use or the ledger's file cannot be opened
 */
export async function startPracticeService(options: PracticeOptions = {}): Promise<PracticeService> {
  const host = options.host ?? '127.0.0.1'
  if (!isLoopbackHost(host)) throw new Error(`the practice service listens on this machine only, not on ${host}`)
  const accepted: CredentialValues & Record<CredentialId, string> = { ...practiceCredentials, ...options.credentials }
  const now = options.now ?? Date.now
  const ledger = openLedger(options.ledger, now)
  const serveSample = sampleServer()
  const calls = new Map<string, number>()
  let baseUrl = ''

  const latency = (): number => {
    const { latency: wanted = 0 } = options
    return typeof wanted === 'number' ? wanted : wanted.min + Math.random() * (wanted.max - wanted.min)
  }

  function answer(request: IncomingMessage, response: ServerResponse, verdict: Acceptance, digest: string): void {
    const found = triggerOf(verdict)
    if (found && !found.trigger) {
      sendMessage(
        response,
        400,
        `Bad request: the practice service has no trigger “${found.name}”. docs/practice.md lists them.`
      )
      return
    }
    const exchange: Exchange = {
      operation: verdict.operation,
      input: verdict.input,
      credentials: Object.values(credentialsIn(request.headers)),
      baseUrl,
      number: found?.number ?? 0,
      response,
      now,
      calls() {
        const key = `${verdict.operation.id} ${digest}`
        const count = (calls.get(key) ?? 0) + 1
        calls.set(key, count)
        return count
      },
      after: (milliseconds, step) => later(response, milliseconds, step)
    }
    const play = found?.trigger?.play ?? ordinary
    play(exchange)
  }

  function onWholeRequest(request: IncomingMessage, response: ServerResponse, body: Buffer | undefined): void {
    const path = request.url ?? ''
    const method = request.method ?? ''
    const verdict = validate({ method, path, headers: request.headers, body: body ?? Buffer.alloc(0) }, accepted)
    const digest = bodyDigest(body ?? '')
    const marker = request.headers[markerHeader]
    ledger.add({
      method,
      path: path.slice(0, 500),
      operation: operationAt(path)?.id ?? null,
      digest,
      accepted: verdict.accepted && body !== undefined,
      credentials: Object.keys(credentialsIn(request.headers)).length,
      ...(typeof marker === 'string' && { marker })
    })
    const reply = (): void => {
      if (body === undefined) sendMessage(response, 413, 'Payload too large: at most 1 MiB.', { Connection: 'close' })
      else if (verdict.accepted) answer(request, response, verdict, digest)
      else sendMessage(response, verdict.status, verdict.message, verdict.headers)
    }
    const wait = latency()
    if (wait > 0) later(response, wait, reply)
    else reply()
  }

  const server = createServer({ keepAliveTimeout: 65_000, noDelay: true }, (request, response) => {
    response.on('error', () => {})
    if (request.url?.startsWith('/samples/')) {
      void serveSample(request, response)
      request.resume()
      return
    }
    readBody(request, (body) => onWholeRequest(request, response, body))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, host, resolve)
  }).catch((reason: unknown) => {
    ledger.close()
    throw reason
  })
  const { port } = server.address() as AddressInfo
  baseUrl = `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`

  return {
    baseUrl,
    credentials: { ...accepted },
    ledger: () => ledger.entries(),
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
      ledger.close()
    }
  }
}
