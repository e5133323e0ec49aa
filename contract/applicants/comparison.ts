/**
 * An applicant's details as the service last returned them: each value of the newest answer, what earlier answers said instead, and
 * whether that is a difference: for the values of a case, and for a decision about many applicants. Veridesk's own reading: it changes
 * no state and no interpretation. Pure.
 */
import type { AnswerField, DetailsAnswer } from './applicants.ts'

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

/**
 * How a value compares with earlier answers. `alone`: there is no earlier one. `written`: only case, accents or spaces differ. `gone`: the newest
 * answer does not have it.
 */
export type Comparison = 'alone' | 'same' | 'written' | 'differs' | 'gone'

/** How people compare texts: kit's folding, which the contract does not import. */
type Fold = (text: string) => string
const plain = (text: string, fold: Fold): string =>
  fold(text)
    .replace(/[\s.,'-]+/g, ' ')
    .trim()

function comparisonOf({ newest, earlier }: SummaryRow, answers: number, fold: Fold): Comparison {
  if (!newest) return 'gone'
  const other = earlier[0]
  if (!other) return answers > 1 ? 'same' : 'alone'
  const own = plain(newest.field.value, fold)
  return earlier.every(({ field }) => plain(field.value, fold) === own) ? 'written' : 'differs'
}

/**
 * The values of an applicant, compared.
 * @param answers Newest first. @param applicantId Is no value of its own, nor is the message: both are shown elsewhere.
 */
export const comparedRows = (
  answers: readonly DetailsAnswer[],
  applicantId: string,
  fold: Fold
): (SummaryRow & { readonly comparison: Comparison })[] =>
  summaryRows(answers)
    .filter(({ name, newest }) => name !== 'message' && newest?.field.value !== applicantId)
    .map((row) => ({ ...row, comparison: comparisonOf(row, answers.length, fold) }))

/** Whether a value of the newest answer differs from an earlier one. */
export const hasDifference = (...of: Parameters<typeof comparedRows>): boolean =>
  comparedRows(...of).some(({ comparison }) => comparison === 'differs')
