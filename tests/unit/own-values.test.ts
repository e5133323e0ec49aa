/** Which messages contain a value of their applicant. */
import { describe, expect, it } from 'vitest'
import { containsOwnValue, type RecordValues } from '#store/projections/own-values.ts'

const fields = { name: [], birthDate: [], country: [] }
const record = (
  message: string,
  like: Partial<Omit<RecordValues, 'body'>> & { readonly answer?: object } = {}
): boolean => {
  const { answer, ...values } = like
  const body = JSON.stringify({ status: 200, message, ...answer })
  return containsOwnValue(message, { applicantId: 'APP-1', sent: [], names: undefined, ...values, body }, fields)
}

describe('a message contains a value of its applicant', () => {
  it.each([
    ['the ID', 'No applicant app-1 is known.', {}],
    ['the name of an answer before', 'The document is of Avery.', { names: { name: 'Avery Specimen' } }],
    [
      'the name that was received with it',
      'MUSTER does not match',
      { answer: { first_name: 'Celeste', last_name: 'Muster' } }
    ],
    ['the date of birth', 'Born 1990-02-01: too young', { answer: { date_of_birth: '1990-02-01' } }],
    ['a number of a document', 'Passport P1234567 has expired.', { answer: { passport: { number: 'P1234567' } } }],
    ['a link', 'https://files.example/a.jpg could not be read', { sent: ['https://files.example/a.jpg'] }],
    ['the file of a link', 'celeste.jpg could not be read', { sent: ['https://files.example/celeste.jpg?sig=1'] }],
    ['a number in an answer', 'Score 123456', { answer: { account: 123456 } }]
  ] as const)('%s', (_what, message, like) => expect(record(message, like)).toBe(true))

  it.each([
    ['nothing', 'Photo and ID validated.', {}],
    ['another ID', 'No applicant APP-12 is known.', {}],
    ['a part of a longer word', 'Averyone', { names: { name: 'Avery' } }],
    ['a short word of a name', 'No face was found.', { names: { name: 'No Li' } }],
    ['a code of the service', 'E1042: the photo is blurred', { answer: { code: 'E1042', errors: ['E1042'] } }],
    ['a kind of document', 'The passport has expired.', { answer: { document_type: 'passport' } }],
    ['the message itself', 'Expired 2026-01-01', { answer: { text: 'Expired 2026-01-01' } }]
  ] as const)('not %s', (_what, message, like) => expect(record(message, like)).toBe(false))

  it('as far as an answer can be read', () => {
    const long = JSON.stringify({ message: 'Muster is blocked', name: 'Muster', more: 'x'.repeat(300_000) })
    const values = { applicantId: undefined, sent: [], names: undefined }
    expect(containsOwnValue('Muster is blocked', { ...values, body: long }, fields)).toBe(true)
    expect(containsOwnValue('Muster is blocked', { ...values, body: 'not JSON: muster' }, fields)).toBe(false)
  })
})
