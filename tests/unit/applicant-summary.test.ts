/** The summary of an applicant's details: newest values, and differing earlier ones. */
import { describe, expect, it } from 'vitest'
import { maxAnswerFields, maxAnswerValue, type DetailsAnswer } from '#contract/applicants/applicants.ts'
import { fieldsOf } from '#store/applicants/answers.ts'
import { summaryRows } from '#contract/applicants/comparison.ts'

const answerOf = (seq: number, fields: Readonly<Record<string, string>>): DetailsAnswer =>
  ({
    record: { seq },
    fields: Object.entries(fields).map(([name, value]) => ({ name, value }))
  }) as unknown as DetailsAnswer
const shown = (answers: readonly DetailsAnswer[]) =>
  summaryRows(answers).map(({ name, newest, earlier }) => [
    name,
    newest?.field.value,
    earlier.map(({ field, answer }) => [field.value, answer.record.seq])
  ])

describe('the summary of details', () => {
  it('takes each value from the newest answer and lists different earlier ones once, with their record', () => {
    expect(
      shown([
        answerOf(4, { message: 'a', town: 'X' }),
        answerOf(3, { message: 'b', town: 'X' }),
        answerOf(2, { message: 'b', town: 'Y' }),
        answerOf(1, { message: 'a', town: 'X' })
      ])
    ).toEqual([
      ['message', 'a', [['b', 3]]],
      ['town', 'X', [['Y', 2]]]
    ])
  })

  it('does not pass an earlier value off as current', () => {
    expect(shown([answerOf(2, { message: 'a' }), answerOf(1, { message: 'a', email: 'e' })])).toEqual([
      ['message', 'a', []],
      ['email', undefined, [['e', 1]]]
    ])
  })
})

describe('the values of an answer', () => {
  it('are listed by path, the message first, with the digits of numbers', () => {
    const body = '{"id":12345678901234567890,"message":"hello","address":{"lines":["1 Street"],"town":null},"none":[]}'
    expect(fieldsOf(body, 'hello').fields).toEqual([
      { name: 'message', value: 'hello' },
      { name: 'id', value: '12345678901234567890' },
      { name: 'address.lines[0]', value: '1 Street' },
      { name: 'address.town', value: 'null', none: true },
      { name: 'none', value: '[]' }
    ])
  })

  it('are bounded in number, length and depth', () => {
    const many = fieldsOf(JSON.stringify(Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`f${n}`, n]))), 'm')
    expect([many.fields.length, many.more]).toEqual([maxAnswerFields, true])
    expect(fieldsOf(JSON.stringify({ long: 'x'.repeat(9999) }), undefined).fields).toEqual([
      { name: 'long', value: 'x'.repeat(maxAnswerValue), cut: true }
    ])
    expect(fieldsOf('{"a":'.repeat(50) + '1' + '}'.repeat(50), undefined).fields.length).toBe(1)
    expect(fieldsOf('{"cut', 'only this').fields).toEqual([{ name: 'message', value: 'only this' }])
  })
})
