/** The document verification of an applicant: the operation that has both an applicant ID and a link. */
import { applicantFieldOf, operationIds, operationOf } from '#contract/verification/operations.ts'
import type { VerificationInput } from '#contract/verification/verification.ts'

function find() {
  const found = operationIds
    .map(operationOf)
    .find(
      ({ id, fields }) =>
        applicantFieldOf(id) !== undefined && fields.length === 2 && fields.some(({ kind }) => kind === 'url')
    )
  if (!found) throw new Error('no operation has an applicant id and one link')
  return found
}

export const ofDocument = find()

/** Its input, by the fields of the table. */
export const documentInput = (applicant: string, link: string): VerificationInput =>
  Object.fromEntries(ofDocument.fields.map(({ name, kind }) => [name, kind === 'url' ? link : applicant]))
