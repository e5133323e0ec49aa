/** Example values for the fields of an operation. */
import type { FieldDeclaration } from '#contract/verification/operations.ts'

/** What the practice service can be asked to answer with, by the name of its trigger; `docs/practice.md` has them all. */
export const practiceOutcomes = [
  { trigger: 'pass', label: 'Success' },
  { trigger: 'fail', label: 'Rejected image' },
  { trigger: 'unclear', label: 'Inconclusive answer' },
  { trigger: '500', label: 'Server error (500)' },
  { trigger: 'html', label: 'Invalid response' },
  { trigger: 'cut', label: 'Unknown outcome' }
] as const

/** The examples of the table; with a trigger, values that make the practice service answer as asked. */
export function exampleValues(fields: readonly FieldDeclaration[], trigger?: string): Record<string, string> {
  return Object.fromEntries(
    fields.map(({ name, kind, example }) => [name, trigger === undefined ? example : triggerIn(kind, example, trigger)])
  )
}

function triggerIn(kind: FieldDeclaration['kind'], example: string, trigger: string): string {
  if (kind === 'applicant-id') return `PRACTICE-${trigger}`
  if (kind !== 'url') return example
  const { origin, pathname } = new URL(example)
  return `${origin}/trigger/${trigger}${pathname}`
}
