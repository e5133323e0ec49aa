/** Which answers of an applicant stand, and how they read together: the property that no favourable answer hides another operation's. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { messageMeanings, type MessageMeaning } from '#contract/applicants/meanings.ts'
import { gravest, standingAnswers } from '#contract/applicants/standing.ts'

interface Answer {
  readonly operation: number
  readonly seq: number
  readonly since: number
  readonly means: MessageMeaning
}
/** Answers in the order in which their records began; they arrived, or were linked, in any other. */
const history: fc.Arbitrary<readonly Answer[]> = fc
  .array(
    fc.record({
      operation: fc.integer({ min: 1, max: 4 }),
      since: fc.integer({ min: 1, max: 60 }),
      means: fc.constantFrom(...messageMeanings)
    }),
    { maxLength: 12 }
  )
  .map((answers) => answers.map((each, at) => ({ ...each, seq: at + 1 })))
const asRead = (answers: readonly Answer[], approved = 0): MessageMeaning | undefined =>
  gravest(standingAnswers(answers, approved), ({ means }) => means)?.means

describe('standing answers', () => {
  it('are those after which their operation was not answered again, and that no approval has seen, newest first', () =>
    fc.assert(
      fc.property(history, fc.integer({ min: 0, max: 60 }), (answers, approved) => {
        const expected = answers.filter(
          ({ operation, seq, since }) =>
            since > approved && !answers.some((other) => other.operation === operation && other.seq > seq)
        )
        expect(standingAnswers(answers, approved)).toEqual(expected.toReversed())
      })
    ))

  it('read as the gravest of them: unfavourable before unclear, before unreviewed, before favourable', () => {
    const of = (...all: MessageMeaning[]) =>
      asRead(all.map((means, at) => ({ operation: at + 1, seq: at + 1, since: at + 1, means })))
    expect(of('good', 'unreviewed', 'unclear', 'bad')).toBe('bad')
    expect(of('unclear', 'unreviewed', 'good')).toBe('unclear')
    expect(of('good', 'unreviewed', 'good')).toBe('unreviewed')
    expect(of('good', 'good')).toBe('good')
    expect(of()).toBeUndefined()
  })

  it('never read better for a favourable answer to another operation', () =>
    fc.assert(
      fc.property(history, (answers) => {
        const more: Answer = { operation: 5, seq: answers.length + 1, since: 61, means: 'good' }
        expect(asRead([...answers, more])).toBe(asRead(answers) ?? 'good')
      })
    ))
})
