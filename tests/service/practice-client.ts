/** The simplest possible client: it does not follow, decode or correct anything. */
import { request, type Agent, type IncomingHttpHeaders } from 'node:http'
import { credentials } from '#contract/connections/credentials.ts'
import { operations, operationOf, type OperationId } from '#contract/verification/operations.ts'
import type { PracticeService } from '#practice/service.ts'

export interface PlainReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly text: string
  /** Milliseconds to the headers, and to the end. */
  readonly headersAfter: number
  readonly endedAfter: number
}

export interface PlainRequest {
  readonly method?: string
  readonly path?: string
  readonly headers?: Record<string, string>
  readonly body?: string | Buffer
  readonly agent?: Agent
  /** Stops reading after this many bytes. */
  readonly enough?: number
}

/** Sends one request. Rejects with Node's error if the connection breaks. */
export function plainSend(
  baseUrl: string,
  { method = 'POST', path = '/', headers = {}, body = '', agent, enough = Infinity }: PlainRequest
): Promise<PlainReply> {
  return new Promise((resolve, reject) => {
    const begun = performance.now()
    const sent = request(new URL(path, baseUrl), {
      method,
      headers: { 'Content-Length': Buffer.byteLength(body), ...headers },
      ...(agent && { agent })
    })
    sent.on('error', reject)
    sent.on('response', (reply) => {
      const headersAfter = performance.now() - begun
      const parts: Buffer[] = []
      let size = 0
      const done = (): void => {
        const whole = Buffer.concat(parts)
        resolve({
          status: reply.statusCode ?? 0,
          headers: reply.headers,
          body: whole,
          text: whole.toString('utf8'),
          headersAfter,
          endedAfter: performance.now() - begun
        })
      }
      reply.on('data', (part: Buffer) => {
        parts.push(part)
        size += part.length
        if (size < enough) return
        done()
        reply.destroy()
      })
      reply.on('error', reject)
      reply.on('end', done)
    })
    sent.end(body)
  })
}

/** The three headers with the service's own values. */
export function rightHeaders(service: PracticeService): Record<string, string> {
  return Object.fromEntries(credentials.map(({ id, header }) => [header, service.credentials[id]]))
}

/** An input that passes, with one value replaced in every field of a kind. */
export function inputOf(id: OperationId, values: { applicant?: string; url?: string } = {}): Record<string, string> {
  return Object.fromEntries(
    operationOf(id).fields.map(({ name, kind, example }) => [
      name,
      (kind === 'applicant-id' ? values.applicant : values.url) ?? example
    ])
  )
}

/** A well-formed request of an operation. */
export function wellFormed(service: PracticeService, id: OperationId, input: Record<string, unknown>): PlainRequest {
  return {
    path: operationOf(id).path,
    headers: { ...rightHeaders(service), 'Content-Type': 'application/json' },
    body: JSON.stringify(input)
  }
}

/** The first operation that takes an applicant, and the first that takes none. */
export const withApplicant = operations.find(({ fields }) => fields.some(({ kind }) => kind === 'applicant-id'))
  ?.id as OperationId
export const withUrlOnly = operations.find(({ fields }) => fields.every(({ kind }) => kind === 'url'))
  ?.id as OperationId
