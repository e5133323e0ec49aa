/** Field errors from a schema: if a rule has its own code, the issue's message is that code. */
import type { z } from 'zod'
import { invalidField, type FieldFault, type FieldFaultCode, type FieldFaults } from '../failures/failures.ts'

/** The message of a schema rule: a code without details. */
export const rule = (code: FieldFaultCode): FieldFaultCode => code

/** A fault as a schema issue, for `context.addIssue`. */
export const issueOf = (fault: FieldFault) => ({ code: 'custom', message: fault.code, params: { fault } }) as const

function faultOfIssue(issue: z.core.$ZodIssue): FieldFault {
  if (issue.code === 'custom' && issue.params?.['fault']) return issue.params['fault'] as FieldFault
  if (/^[a-z]+(-[a-z]+)*$/.test(issue.message)) return { code: issue.message } as FieldFault
  if (issue.code === 'too_small' && issue.origin === 'number')
    return invalidField('at-least', { minimum: Number(issue.minimum) })
  if (issue.code === 'invalid_type' && (issue.expected === 'number' || issue.expected === 'int'))
    return invalidField('whole-number')
  if (issue.code !== 'too_big') return invalidField('value-invalid')
  const maximum = Number(issue.maximum)
  if (issue.origin === 'string') return invalidField('too-many-characters', { maximum })
  return issue.origin === 'array' ? invalidField('too-many-entries', { maximum }) : invalidField('at-most', { maximum })
}

/** The first error of each field that a schema rejected, by the field's path. */
export function faultsOfIssues(issues: readonly z.core.$ZodIssue[]): FieldFaults {
  const faults: Record<string, FieldFault> = {}
  for (const issue of issues) faults[issue.path.join('.')] ??= faultOfIssue(issue)
  return faults
}
