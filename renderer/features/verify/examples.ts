/** Example values for the fields of an operation. */
import type { FieldDeclaration } from '#contract/verification/operations.ts'
import { words } from './words.ts'

/** What the practice service can be asked to answer with, by the name of its trigger; `docs/practice.md` has them all. */
export const practiceOutcomes = [
  { trigger: 'pass', label: words.success },
  { trigger: 'fail', label: words.rejectedImage },
  { trigger: 'unclear', label: words.inconclusiveAnswer },
  { trigger: '500', label: words.serverError500 },
  { trigger: 'html', label: words.invalidResponse },
  { trigger: 'cut', label: words.unknownOutcome }
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
