/** One accepted request on its way to an answer, and the ways in which a well-formed answer is written. */
import type { ServerResponse } from 'node:http'
import { isLookup, passWording } from './answers.ts'
import { applicantDetails } from './applicants.ts'
import type { Operation } from './requests.ts'

export interface Exchange {
  readonly operation: Operation
  readonly input: Readonly<Record<string, string>>
  /** Credential values as received, in the table's order. */
  readonly credentials: readonly string[]
  /** The service's own address. */
  readonly baseUrl: string
  /** The trigger's number, its default filled in; 0 where it has none. */
  readonly number: number
  readonly response: ServerResponse
  now(): number
  /** How many times this very request has come, this time included. */
  calls(): number
  /** Runs a step after some milliseconds, unless the connection has gone by then. */
  after(milliseconds: number, step: () => void): void
}

/** Writes an answer to an exchange, well or badly. */
export type Player = (exchange: Exchange) => void

const json = 'application/json; charset=utf-8'

/** Writes a response with its length. */
export function send(
  response: ServerResponse,
  status: number,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {}
): void {
  response.writeHead(status, { 'Content-Type': json, 'Content-Length': Buffer.byteLength(body), ...headers })
  response.end(body)
}

/** Writes `{ message }`, the one shape that the interface shows. */
export function sendMessage(response: ServerResponse, status: number, message: string, headers?: Readonly<Record<string, string>>): void {
  send(response, status, JSON.stringify({ message }), headers)
}

/** The ordinary answer: `{ message }`, and for the look-up the applicant's details beside it. */
export function ordinaryBody({ operation, input, baseUrl }: Exchange): Record<string, unknown> {
  const message = passWording(operation)
  const applicant = operation.fields[0]
  return isLookup(operation) && applicant ? { message, ...applicantDetails(input[applicant.name] ?? '', baseUrl) } : { message }
}

/** The answer of every request that names no trigger. */
export const ordinary: Player = (exchange) => send(exchange.response, 200, JSON.stringify(ordinaryBody(exchange)))

/** A status and a message. */
export function status(code: number, message: string, headers?: (exchange: Exchange) => Record<string, string>): Player {
  return (exchange) => sendMessage(exchange.response, code, message, headers?.(exchange))
}

/** A 200 whose message the exchange decides. */
export function says(message: (exchange: Exchange) => string): Player {
  return (exchange) => sendMessage(exchange.response, 200, message(exchange))
}

/** A body to the letter, whatever it is worth. */
export function raw(body: string | Buffer, code = 200, contentType = json): Player {
  return ({ response }) => send(response, code, body, { 'Content-Type': contentType })
}
