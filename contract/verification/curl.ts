/** A request as a curl command, for a report or a colleague, with placeholders for the secrets. */
import { credentials } from '../connections/credentials.ts'
import { escapedInJson } from '../text/hidden-text.ts'
import { operationOf, type OperationId } from './operations.ts'
import type { VerificationInput } from './verification.ts'

export interface CurlRequest {
  /** Scheme, host and port of the connection. */
  readonly origin: string
  readonly operation: OperationId
  readonly input: VerificationInput
}

/** POSIX shells take everything between single quotes literally, except the single quote (POSIX.1-2024, 2.2.2). */
function quotedForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function jsonOf(operation: OperationId, input: VerificationInput): string {
  const body = Object.fromEntries(
    operationOf(operation)
      .fields.filter(({ name }) => Object.hasOwn(input, name))
      .map(({ name }) => [name, input[name]])
  )
  // Terminals execute control characters in a pasted command.
  return escapedInJson(JSON.stringify(body))
}

/**
 * The request for a POSIX shell (sh, bash, zsh). Never contains a credential, only placeholders. The body has the
 * declared fields only, as Veridesk sends them.
 */
export function curlCommand({ origin, operation, input }: CurlRequest): string {
  return [
    // The body is data, whatever it begins with: --data-raw does not interpret “@”.
    `curl --request POST ${quotedForShell(`${origin}${operationOf(operation).path}`)}`,
    ...credentials.map(({ header, placeholder }) => `--header ${quotedForShell(`${header}: ${placeholder}`)}`),
    `--header ${quotedForShell('content-type: application/json')}`,
    `--header ${quotedForShell('accept: application/json')}`,
    `--data-raw ${quotedForShell(jsonOf(operation, input))}`
  ].join(' \\\n  ')
}
