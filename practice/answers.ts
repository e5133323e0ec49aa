/**
 * What the practice service says: plausible wording, made from the operation's title alone, so that a
 * seventh operation has its sentences too. The real service's texts are not known.
 */
import type { OperationDeclaration } from '#contract/operations.ts'

/** What the operation is about: its title without the verb. */
function subjectOf(operation: OperationDeclaration): string {
  const subject = operation.title.replace(/^\w+ /, '')
  return subject.charAt(0).toUpperCase() + subject.slice(1)
}

/** Whether the operation looks an applicant up: it is given an applicant and no image. */
export function isLookup(operation: OperationDeclaration): boolean {
  return operation.fields.every((field) => field.kind === 'applicant-id')
}

/** The wording of a successful answer. */
export function passWording(operation: OperationDeclaration): string {
  return `${subjectOf(operation)} ${isLookup(operation) ? 'retrieved' : 'validated'} successfully.`
}

/** The wording of an answer that finds against the image. */
export function failWording(operation: OperationDeclaration): string {
  return isLookup(operation)
    ? 'Applicant verification failed: at least one check did not pass.'
    : `${subjectOf(operation)} validation failed: the image does not meet the criteria.`
}

/** The wording of an answer that decides nothing. */
export function unclearWording(operation: OperationDeclaration): string {
  return `${subjectOf(operation)}: the result is inconclusive. A manual review is needed.`
}
