/**
 * An applicant's details as the service last returned them: each value of the newest answer, and what earlier answers
 * said instead. Nothing is derived or combined.
 */
import type { AnswerField, DetailsAnswer } from '#contract/applicants/applicants.ts'

export interface SummaryValue {
  readonly field: AnswerField
  /** The answer that it is from. */
  readonly answer: DetailsAnswer
}
export interface SummaryRow {
  readonly name: string
  /** Absent if the newest answer does not have this value. */
  readonly newest?: SummaryValue
  /** Other values of earlier answers, the latest first, each once. */
  readonly earlier: readonly SummaryValue[]
}

/** Rows in the order of the newest answer; values that only earlier answers have come last. @param answers Newest first. */
export function summaryRows(answers: readonly DetailsAnswer[]): SummaryRow[] {
  const rows = new Map<string, { newest?: SummaryValue; earlier: SummaryValue[] }>()
  for (const [index, answer] of answers.entries()) {
    for (const field of answer.fields) {
      const row = rows.get(field.name) ?? { earlier: [] }
      rows.set(field.name, row)
      const value = { field, answer }
      if (index === 0) row.newest = value
      else if (![row.newest, ...row.earlier].some((known) => known?.field.value === field.value))
        row.earlier.push(value)
    }
  }
  return [...rows].map(([name, row]) => ({ name, ...row }))
}
