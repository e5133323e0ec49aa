/** Which values of a details answer are the name, the date of birth and the country. */
import { describe, expect, it } from 'vitest'
import { namesIn, nameFieldsSchema, type NameFields } from '#contract/applicants/names.ts'
import { applicantDetails } from '../../practice/applicants.ts'

const guessed: NameFields = { name: [], birthDate: [], country: [] }
const of = (answer: unknown, fields: Partial<NameFields> = {}) => namesIn(answer, { ...guessed, ...fields })

describe('guessed from common names', () => {
  it.each([
    [{ name: 'Zoë Müller', date_of_birth: '1980-01-02', nationality: 'AT' }, ['Zoë Müller', '1980-01-02', 'AT']],
    [{ fullName: 'A B', dateOfBirth: '1.2.1980', country: 'DE' }, ['A B', '1.2.1980', 'DE']],
    [{ first_name: 'Ann', last_name: 'Lee', dob: '1980-01-02' }, ['Ann Lee', '1980-01-02', undefined]],
    [
      { person: { surname: 'Lee', givenNames: 'Ann Mary', middle_name: 'M', birth: { date: '1980', country: 'XX' } } },
      ['Ann Mary M Lee', '1980', undefined]
    ],
    [{ name: { first: 'Ann', last: 'Lee' }, address: { country: 'FR' } }, ['Ann Lee', undefined, 'FR']],
    [{ nationality: 'JP', address: { country: 'FR' } }, [undefined, undefined, 'JP']],
    // Names of others, and of documents in a list, are nobody's.
    [{ documents: [{ name: 'Passport', issuing_country: 'DE' }], employer: { name: 'X Ltd' } }, []],
    [{ mother: { first_name: 'Eve' }, first: 'yes', passport: { country: 'DE' } }, []]
  ] as const)('%j', (answer, [name, birthDate, country]) => {
    expect(of(answer)).toEqual(
      Object.fromEntries(Object.entries({ name, birthDate, country }).filter(([, value]) => value !== undefined))
    )
  })

  it('reads what the practice service answers', () => {
    const details = applicantDetails('SAMPLE-0001', 'http://127.0.0.1')
    expect(of(details)).toEqual({
      name: details['name'],
      birthDate: details['date_of_birth'],
      country: details['nationality']
    })
  })
})

describe('mapped by the organisation', () => {
  const answer = { name: 'Alias', a: { n1: 'Ann' }, docs: [{ n2: 'Lee' }], born: '1980', lands: ['AT', 'DE'] }

  it('joins the fields of a name and takes the first of the others that has a text', () => {
    expect(of(answer, { name: ['a.n1', 'docs[0].n2'], birthDate: ['none', 'born'], country: ['lands[1]'] })).toEqual({
      name: 'Ann Lee',
      birthDate: '1980',
      country: 'DE'
    })
  })

  it('does not guess what is mapped and missing', () => {
    expect(of(answer, { name: ['other'] })).toEqual({})
    expect(of({ name: ' ' })).toEqual({})
  })
})

it('reads nothing but objects, cuts long values and survives deep ones', () => {
  for (const nothing of [undefined, null, 'name', 3, ['name'], { name: 7 }]) expect(of(nothing)).toEqual({})
  expect(of({ name: 'x'.repeat(5000) }).name).toHaveLength(200)
  let deep: unknown = { name: 'Too deep' }
  for (let level = 0; level < 50; level += 1) deep = { inner: deep }
  expect(of(deep)).toEqual({})
  expect(nameFieldsSchema.safeParse({ ...guessed, name: [' '] }).success).toBe(false)
})
