/** A request as a command line, for a report or a colleague: with placeholders where the secrets go. */
import { credentials } from './credentials.ts'
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

// Terminals obey control characters that a pasted command holds, and C1 ones too; JSON has an escape for each.
const unseen = /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

function jsonOf(operation: OperationId, input: VerificationInput): string {
  const body = Object.fromEntries(
    operationOf(operation).fields.filter(({ name }) => Object.hasOwn(input, name)).map(({ name }) => [name, input[name]])
  )
  return JSON.stringify(body).replace(unseen, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
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
