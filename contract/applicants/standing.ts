/**
 * What the service's answers say of an applicant together: a favourable answer to one operation does not outweigh an unfavourable one to
 * another. Queue, filters and decisions about many applicants go by it. Pure.
 */
import type { MessageMeaning } from './meanings.ts'

/** An answer that is evidence. `seq`: its record, the newest has the highest; `since`: the event by which it became evidence. */
export interface PlacedAnswer {
  readonly operation: number
  readonly seq: number
  readonly since: number
}

/**
 * The standing answers of an applicant: the newest answer of each operation, without those that an approval has seen. They are what an
 * approval has to answer for. After any other decision, what it was made for still stands.
 *
 * @param approved The last event of the evidence that the decision in force has seen, if it is an approval; otherwise 0.
 * @returns The newest first.
 */
export function standingAnswers<Answer extends PlacedAnswer>(answers: readonly Answer[], approved: number): Answer[] {
  const newest = new Map<number, Answer>()
  for (const answer of answers)
    if (answer.seq > (newest.get(answer.operation)?.seq ?? 0)) newest.set(answer.operation, answer)
  return [...newest.values()].filter(({ since }) => since > approved).sort((a, b) => b.seq - a.seq)
}

/** The gravest first. */
const gravity: readonly MessageMeaning[] = ['bad', 'unclear', 'unreviewed', 'good']

/** The gravest of several answers, of equal ones the first; undefined without any. */
export function gravest<Answer>(
  answers: readonly Answer[],
  meaningOf: (answer: Answer) => MessageMeaning
): { readonly answer: Answer; readonly means: MessageMeaning } | undefined {
  const all = answers.map((answer) => ({ answer, means: meaningOf(answer) }))
  for (const meaning of gravity) {
    const found = all.find(({ means }) => means === meaning)
    if (found) return found
  }
  return undefined
}
