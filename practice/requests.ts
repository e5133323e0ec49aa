/** Validates requests strictly against the contract's operations and headers. */
import { credentials, type CredentialValues } from '#contract/connections/credentials.ts'
import { operations, type OperationDeclaration, type OperationId } from '#contract/verification/operations.ts'
import type { IncomingHttpHeaders } from 'node:http'

export type Operation = OperationDeclaration & { readonly id: OperationId }

export interface Refusal {
  readonly accepted: false
  readonly status: number
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
}
export interface Acceptance {
  readonly accepted: true
  readonly operation: Operation
  readonly input: Readonly<Record<string, string>>
}

const byPath = new Map<string, Operation>(operations.map((operation) => [operation.path, operation]))

/** The operation at a path. A query makes the path unknown, since the interface defines none. */
export function operationAt(path: string): Operation | undefined {
  return byPath.get(path)
}

/** Node gives header names in lower case; computed once instead of for each request. */
const wanted = credentials.map((credential) => ({ ...credential, key: credential.header.toLowerCase() }))

/** The credentials in a request's headers, by ID. */
export function credentialsIn(headers: IncomingHttpHeaders): Partial<CredentialValues> {
  return Object.fromEntries(
    wanted.flatMap(({ id, key }) => (typeof headers[key] === 'string' ? [[id, headers[key]]] : []))
  )
}

const refuse = (status: number, message: string, headers?: Refusal['headers']): Refusal => ({
  accepted: false,
  status,
  message,
  ...(headers && { headers })
})

function headerFault(headers: IncomingHttpHeaders, right: CredentialValues): string | undefined {
  for (const { id, header, key } of wanted) {
    if (headers[key] === undefined) return `Unauthorized: the header ${header} is missing.`
    if (headers[key] !== right[id]) return `Unauthorized: the value of ${header} is not accepted.`
  }
  return undefined
}

function isJsonType(contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true
  const [type, ...parameters] = (contentType ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  return type === 'application/json' && parameters.every((part) => /^charset="?utf-8"?$/.test(part))
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)
}

/** Why a parsed body is not valid input for this operation; the sentence names the field. */
function bodyFault(operation: Operation, body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return 'the body must be a JSON object.'
  const given = body as Record<string, unknown>
  for (const { name, kind } of operation.fields) {
    if (!Object.hasOwn(given, name)) return `the field ${name} is required.`
    const value = given[name]
    if (typeof value !== 'string') return `the field ${name} must be a string.`
    if (value === '') return `the field ${name} must not be empty.`
    if (kind === 'url' && !isWebAddress(value)) return `the field ${name} must be an http or https URL.`
  }
  const stranger = Object.keys(given).find((name) => !operation.fields.some((field) => field.name === name))
  return stranger === undefined ? undefined : `the field ${stranger.slice(0, 60)} is not part of this operation.`
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Validates one request.
 *
 * @returns the operation and its input, or the refusal: 404 path, 405 method, 401 headers,
 *   415 content type, 400 body. The interface defines only 400; the others follow HTTP.
 */
export function validate(
  request: {
    readonly method: string
    readonly path: string
    readonly headers: IncomingHttpHeaders
    readonly body: Uint8Array
  },
  right: CredentialValues
): Acceptance | Refusal {
  const operation = byPath.get(request.path)
  if (!operation) return refuse(404, 'Not found: the service has no such path.')
  if (request.method !== 'POST')
    return refuse(405, `Method not allowed: ${operation.path} takes POST.`, { Allow: 'POST' })
  const unauthorised = headerFault(request.headers, right)
  if (unauthorised) return refuse(401, unauthorised)
  if (!isJsonType(request.headers['content-type']))
    return refuse(415, 'Unsupported media type: the Content-Type must be application/json.')
  let body: unknown
  try {
    body = JSON.parse(utf8.decode(request.body))
  } catch {
    return refuse(400, 'Bad request: the body is not valid JSON.')
  }
  const fault = bodyFault(operation, body)
  if (fault) return refuse(400, `Bad request: ${fault}`)
  return { accepted: true, operation, input: body as Record<string, string> }
}
