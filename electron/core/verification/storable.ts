/** The stored form of a verification's input. */
import { scrubLink } from '#contract/links/links.ts'
import { operationOf, type OperationId } from '#contract/verification/operations.ts'
import type { VerificationInput } from '#contract/verification/verification.ts'

/** The declared fields, with signatures of signed links removed. */
export function storable(
  input: VerificationInput,
  operation: OperationId
): { readonly input: VerificationInput; readonly scrubbed: boolean } {
  let scrubbed = false
  const stored: Record<string, string> = {}
  for (const field of operationOf(operation).fields) {
    const value = input[field.name] ?? ''
    const link = field.kind === 'url' ? scrubLink(value) : { url: value, scrubbed: false }
    scrubbed ||= link.scrubbed
    stored[field.name] = link.url
  }
  return { input: stored, scrubbed }
}
