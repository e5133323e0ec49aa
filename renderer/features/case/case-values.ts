/**
 * The values of a case: what the newest answer with the applicant's details says, compared with the answers before it, and the dates in
 * it judged by the calendar. All of it is Veridesk's own reading: nothing of it changes a state or an interpretation. Pure.
 */
import type { AnswerField, DetailsAnswer } from '#contract/applicants/applicants.ts'
import { comparedRows, type Comparison, type SummaryValue } from '#contract/applicants/comparison.ts'
import { endsWords, expiryOf, ownWords, type Expiry } from '#contract/applicants/expiry.ts'
import { folded } from '#kit/text/folding.ts'

export interface CaseValue {
  /** Its path in the answer. */
  readonly name: string
  readonly newest?: AnswerField
  readonly comparison: Comparison
  /** Other values of earlier answers, the latest first. */
  readonly earlier: readonly SummaryValue[]
  readonly expiry?: Expiry
}

/** What a reader looks for first, by the words of the field. */
const first = [/\bname$/, /birth/, /nationality/, /^number$|document number|passport number/, endsWords]

const rank = ({ name, comparison, expiry }: CaseValue): number => {
  if (comparison === 'differs') return -3
  if (expiry?.is === 'expired') return -2
  if (expiry?.is === 'soon') return -1
  const place = first.findIndex((each) => each.test(ownWords(name)))
  return place < 0 || comparison === 'gone' ? first.length : place
}

/**
 * The rows of a case: differences first, then dates that have passed or are about to, then what identifies a person, then the rest as received.
 * @param answers Newest first. @param applicantId Is in the head of the case already, as is the message in the answers.
 */
export function caseValues(answers: readonly DetailsAnswer[], applicantId: string, today: number): CaseValue[] {
  return comparedRows(answers, applicantId, folded)
    .map((row): CaseValue => {
      const expiry = row.newest && expiryOf(row.name, row.newest.field.value, today)
      return {
        name: row.name,
        comparison: row.comparison,
        earlier: row.earlier,
        ...(row.newest && { newest: row.newest.field }),
        ...(expiry && { expiry })
      }
    })
    .map((row, at) => [row, rank(row), at] as const)
    .sort(([, a, at], [, b, after]) => a - b || at - after)
    .map(([row]) => row)
}

/** A value that is not as it was; without `before` it is new, without `now` it is gone. */
export interface ChangedValue {
  readonly name: string
  readonly before?: AnswerField
  readonly now?: AnswerField
}

/**
 * What changed since a moment, such as that of the last review: the newest answer against the newest one of then.
 * @param answers Newest first. @param at Unix milliseconds.
 * @returns Undefined if there is no newer answer, or none of then to compare with.
 */
export function changesSince(
  answers: readonly DetailsAnswer[],
  applicantId: string,
  at: number
): readonly ChangedValue[] | undefined {
  const [newest] = answers
  const then = answers.find(({ record }) => record.startedAt <= at)
  if (!newest || !then || then === newest) return undefined
  const had = new Set(then.fields.map(({ name }) => name))
  const given = (value: SummaryValue | undefined): AnswerField | undefined =>
    value?.field.none ? undefined : value?.field
  return comparedRows([newest, then], applicantId, folded).flatMap((row) => {
    if (row.comparison === 'written' || (row.comparison === 'same' && had.has(row.name))) return []
    const [before, now] = [given(row.earlier[0]), given(row.newest)]
    return before || now ? [{ name: row.name, ...(before && { before }), ...(now && { now }) }] : []
  })
}

/** Initialisms that are written in capitals. */
const capitals: Readonly<Record<string, string>> = { id: 'ID', url: 'URL', mrz: 'MRZ', dob: 'Date of birth' }
const sentence = (text: string): string => {
  const words = text.split(' ').map((word) => capitals[word] ?? word)
  const [head = '', ...rest] = words
  return [`${head.slice(0, 1).toUpperCase()}${head.slice(1)}`, ...rest].join(' ')
}

/**
 * A field in words, for a reader: `date_of_birth` is “Date of birth”, and `documents[0].number` is “Passport number” where the answer says what the
 * document is. @param typeOf The value of another path of the same answer.
 */
export function fieldLabel(name: string, typeOf: (path: string) => string | undefined): string {
  const own = ownWords(name)
  const parent = /^(.*)\.[^.]+$/.exec(name)?.[1]
  if (parent === undefined) {
    const place = /\[(\d+)\]$/.exec(name)?.[1]
    return sentence(place === undefined ? own : `${own} ${Number(place) + 1}`)
  }
  const type = own === 'type' ? undefined : typeOf(`${parent}.type`)
  const within = type === undefined ? ownWords(parent) : type.replace(/[_\s-]+/g, ' ').toLowerCase()
  const place = type === undefined ? /\[(\d+)\]$/.exec(parent)?.[1] : undefined
  const item = /\[(\d+)\]$/.exec(name)?.[1]
  return sentence(
    [
      within,
      place === undefined ? '' : String(Number(place) + 1),
      own,
      item === undefined ? '' : String(Number(item) + 1)
    ]
      .filter(Boolean)
      .join(' ')
  )
}
