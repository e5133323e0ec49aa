/**
 * The schema of each operation's input, built from `operations.ts`. Separate from the validation rules, which a
 * window needs before it loads zod.
 */
import { z } from 'zod'
import { issueOf } from './field-issues.ts'
import { operationOf, type OperationId } from './operations.ts'
import { fieldFault, type VerificationInput } from './verification.ts'

/** The schema of an operation's request body: exactly the declared fields, each valid. */
export function inputSchemaOf(operation: OperationId): z.ZodType<VerificationInput> {
  const shape = Object.fromEntries(
    operationOf(operation).fields.map((field) => [
      field.name,
      z.string().superRefine((value, context) => {
        const fault = fieldFault(field.kind, value)
        if (fault) context.addIssue(issueOf(fault))
      })
    ])
  )
  return z.strictObject(shape) as unknown as z.ZodType<VerificationInput>
}
