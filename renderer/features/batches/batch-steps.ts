/** The steps of making a batch, one at a time, and what each still needs before the next. */
import type { BatchCheck } from '#contract/batches/batches.ts'
import type { FieldDeclaration } from '#contract/verification/operations.ts'
import { fieldsOfRows } from '#contract/verification/recipes.ts'
import { unmappedFields } from '../../kit/count-words.ts'
import { words } from './words.ts'

export const steps = ['file', 'columns', 'rows', 'send'] as const
export type Step = (typeof steps)[number]
export const stepTitles: Readonly<Record<Step, string>> = {
  file: words.file,
  columns: words.columns,
  rows: words.rows,
  send: words.send
}

interface StepFacts {
  readonly check: Pick<BatchCheck, 'reading' | 'encodings'> | undefined
  /** Requests that the rows lead to. */
  readonly requests: number
}

/** Fields without a column: no row can be sent. */
export const unmapped = ({ reading }: Pick<BatchCheck, 'reading'>): readonly FieldDeclaration[] =>
  fieldsOfRows(reading.operations).filter(({ name }) => (reading.mapping[name] ?? -1) < 0)

/** What a step still needs, as a sentence; undefined if it is done. */
export function gapOf(step: Step, { check, requests }: StepFacts): string | undefined {
  if (!check) return words.addRowsFirst
  if (step === 'file') return check.encodings.length > 0 ? words.chooseTheEncodingFirst : undefined
  const missing = unmapped(check)
  if (step === 'columns') return missing.length > 0 ? unmappedFields(missing.map(({ label }) => label)) : undefined
  return step === 'rows' && requests === 0 ? words.thereAreNoRowsTo : undefined
}

/** The first step on the way to another that still needs something; that other one if none does. */
export const reachable = (wanted: Step, facts: StepFacts): Step =>
  steps.slice(0, steps.indexOf(wanted)).find((step) => gapOf(step, facts) !== undefined) ?? wanted

/** Where a person is: at the step that was chosen, unless the rows have changed so that an earlier one needs something again. */
export const stepShown = (chosen: Step, facts: StepFacts): Step => reachable(chosen, { ...facts, requests: 1 })
