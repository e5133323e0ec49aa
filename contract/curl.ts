/** A request as a command line, for a report or a colleague: with placeholders where the secrets go. */
import { credentials } from './credentials.ts'
import { escapedInJson } from './hidden-text.ts'
import { operationOf, type OperationId } from './operations.ts'
import type { VerificationInput } from './verification.ts'

export interface CurlRequest {
  /** Scheme, host and port of the connection. */
  readonly origin: string
  readonly operation: OperationId
  readonly input: VerificationInput
}

/** POSIX shells read everything between single quotes as it is, save the single quote (POSIX.1-2024, 2.2.2). */
function quotedForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function jsonOf(operation: OperationId, input: VerificationInput): string {
  const body = Object.fromEntries(
    operationOf(operation).fields.filter(({ name }) => Object.hasOwn(input, name)).map(({ name }) => [name, input[name]])
  )
  // Terminals obey control characters that a pasted command holds.
  return escapedInJson(JSON.stringify(body))
}

/**
 * The request for a POSIX shell (sh, bash, zsh). Never holds a credential: the placeholders of the
 * credentials table stand in their place. The body has the declared fields only, as the console sends them.
 */
export function curlCommand({ origin, operation, input }: CurlRequest): string {
  return [
    // The body is data, whatever it begins with: --data-raw gives “@” no meaning.
    `curl --request POST ${quotedForShell(`${origin}${operationOf(operation).path}`)}`,
    ...credentials.map(({ header, placeholder }) => `--header ${quotedForShell(`${header}: ${placeholder}`)}`),
    `--header ${quotedForShell('content-type: application/json')}`,
    `--header ${quotedForShell('accept: application/json')}`,
    `--data-raw ${quotedForShell(jsonOf(operation, input))}`
  ].join(' \\\n  ')
}
