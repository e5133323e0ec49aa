/**
 * The messages of the practice service: plausible wording, derived only from the operation's title, so new
 * operations have messages too. The real service's messages are not known.
 */
import type { OperationDeclaration } from '#contract/verification/operations.ts'

/** The subject of the operation: its title without the verb. */
function subjectOf(operation: OperationDeclaration): string {
  const subject = operation.title.replace(/^\w+ /, '')
  return subject.charAt(0).toUpperCase() + subject.slice(1)
}

/** Whether the operation looks up an applicant: its input has an applicant and no image. */
export function isLookup(operation: OperationDeclaration): boolean {
  return operation.fields.every((field) => field.kind === 'applicant-id')
}

/** The message of a successful answer. */
export function passWording(operation: OperationDeclaration): string {
  return `${subjectOf(operation)} ${isLookup(operation) ? 'retrieved' : 'validated'} successfully.`
}

/** The message of an answer that rejects the image. */
export function failWording(operation: OperationDeclaration): string {
  return isLookup(operation)
    ? 'Applicant verification failed: at least one check did not pass.'
    : `${subjectOf(operation)} validation failed: the image does not meet the criteria.`
}

/** The message of an inconclusive answer. */
export function unclearWording(operation: OperationDeclaration): string {
  return `${subjectOf(operation)}: the result is inconclusive. A manual review is needed.`
}
