/** An applicant id, by the same rule as in a verification. */
import { z } from 'zod'
import { issueOf } from './field-issues.ts'
import { fieldFault } from './verification.ts'

export const applicantIdSchema = z.string().superRefine((id, context) => {
  const fault = fieldFault('applicant-id', id)
  if (fault) context.addIssue(issueOf(fault))
})
