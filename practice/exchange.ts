/** An accepted request that awaits its answer, and functions that write well-formed answers. */
import type { ServerResponse } from 'node:http'
import { isLookup, passWording } from './answers.ts'
import { applicantDetails } from './applicants.ts'
import type { Operation } from './requests.ts'

export interface Exchange {
  readonly operation: Operation
  readonly input: Readonly<Record<string, string>>
  /** Credential values as received, in the order of the contract's table. */
  readonly credentials: readonly string[]
  /** The service's own address. */
  readonly baseUrl: string
  /** The trigger's number or its default; 0 if the trigger takes none. */
  readonly number: number
  readonly response: ServerResponse
  now(): number
  /** How many times this same request has been received, including now. */
  calls(): number
  /** Runs a step after a delay in milliseconds, unless the connection has closed by then. */
  after(milliseconds: number, step: () => void): void
}

/** Writes an answer to an exchange, valid or not. */
export type Player = (exchange: Exchange) => void

const json = 'application/json; charset=utf-8'

/** Writes a response with a Content-Length. */
export function send(
  response: ServerResponse,
  status: number,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {}
): void {
  response.writeHead(status, { 'Content-Type': json, 'Content-Length': Buffer.byteLength(body), ...headers })
  response.end(body)
}

/** Writes `{ message }`, the only response shape that the interface defines. */
export function sendMessage(
  response: ServerResponse,
  status: number,
  message: string,
  headers?: Readonly<Record<string, string>>
): void {
  send(response, status, JSON.stringify({ message }), headers)
}

/** The ordinary answer: `{ message }`, and for the lookup also the applicant's details. */
export function ordinaryBody({ operation, input, baseUrl }: Exchange): Record<string, unknown> {
  const message = passWording(operation)
  const applicant = operation.fields[0]
  return isLookup(operation) && applicant
    ? { message, ...applicantDetails(input[applicant.name] ?? '', baseUrl) }
    : { message }
}

/** The answer to every request without a trigger. */
export const ordinary: Player = (exchange) => send(exchange.response, 200, JSON.stringify(ordinaryBody(exchange)))

/** A status and a message. */
export function status(
  code: number,
  message: string,
  headers?: (exchange: Exchange) => Record<string, string>
): Player {
  return (exchange) => sendMessage(exchange.response, code, message, headers?.(exchange))
}

/** A 200 whose message depends on the exchange. */
export function says(message: (exchange: Exchange) => string): Player {
  return (exchange) => sendMessage(exchange.response, 200, message(exchange))
}

/** The given body, unchanged, valid or not. */
export function raw(body: string | Buffer, code = 200, contentType = json): Player {
  return ({ response }) => send(response, code, body, { 'Content-Type': contentType })
}
