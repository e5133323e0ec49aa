/** The id of an applicant who is named, not entered: by the rule of a verification, except for what only looks like a credential. */
import { z } from 'zod'
import { issueOf } from '../verification/field-issues.ts'
import { idFault } from '../verification/verification.ts'

export const applicantIdSchema = z.string().superRefine((id, context) => {
  const fault = idFault(id)
  if (fault) context.addIssue(issueOf(fault))
})
