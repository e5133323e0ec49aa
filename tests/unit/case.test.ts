/** What a case shows without a window: values compared and dates judged, the order of documents, and what a decision still needs. */
import { describe, expect, it } from 'vitest'
import type { DetailsAnswer } from '#contract/applicants/applicants.ts'
import type { RecordSummary } from '#contract/history/records.ts'
import {
  documentsOfRecord,
  documentsOfRecords,
  largeDocuments
} from '../../renderer/features/documents/document-list.ts'
import { expiryOf } from '#contract/applicants/expiry.ts'
import { caseValues, changesSince, fieldLabel } from '../../renderer/features/case/case-values.ts'
import { firstGap, type DecisionInput } from '../../renderer/features/case/first-gap.ts'

const day = (text: string): number => Date.parse(`${text}T00:00:00Z`)
const answer = (fields: Readonly<Record<string, string>>): DetailsAnswer =>
  ({ record: {}, fields: Object.entries(fields).map(([name, value]) => ({ name, value })) }) as unknown as DetailsAnswer

describe('what changed since a review', () => {
  const at = (startedAt: number, fields: Readonly<Record<string, string | null>>): DetailsAnswer =>
    ({
      record: { startedAt },
      fields: Object.entries(fields).map(([name, value]) => ({
        name,
        value: value ?? '',
        ...(value === null && { none: true })
      }))
    }) as unknown as DetailsAnswer
  const answers = [
    at(300, { message: 'Other.', applicant_id: 'APP-1', name: 'OTA  MUSTER', town: 'Newhaven', phone: '1', fax: null }),
    at(200, { message: 'Found.', applicant_id: 'APP-1', name: 'Ōta Muster', town: 'Oldhaven', email: 'a@example.com' }),
    at(100, { message: 'Found.', applicant_id: 'APP-1', name: 'Somebody', town: 'Elsewhere' })
  ]
  const said = (moment: number) =>
    changesSince(answers, 'APP-1', moment)?.map(({ name, before, now }) => [name, before?.value, now?.value])

  it('is told by the newest answer and the newest one of then, without the message and ways of writing', () => {
    expect(said(200)).toEqual([
      ['town', 'Oldhaven', 'Newhaven'],
      ['phone', undefined, '1'],
      ['email', 'a@example.com', undefined]
    ])
    expect(said(199)?.[0]).toEqual(['name', 'Somebody', 'OTA  MUSTER'])
  })
  it('is not known without a newer answer, or without one of then', () =>
    expect([said(300), said(1000), said(99), changesSince([], 'APP-1', 1)]).toEqual(Array(4).fill(undefined)))
})

describe('values', () => {
  const today = day('2026-11-27')
  const rows = caseValues(
    [
      answer({
        'message': 'Found.',
        'applicant_id': 'APP-1',
        'email': 'a@example.com',
        'name': 'Ōta Muster',
        'date_of_birth': '1990-08-12',
        'documents[0].expires_on': '2026-05-03'
      }),
      answer({
        message: 'Found.',
        applicant_id: 'APP-1',
        email: 'a@example.com',
        name: 'OTA  MUSTER',
        date_of_birth: '1990-08-13',
        town: 'Testhaven'
      })
    ],
    'APP-1',
    today
  )
  it('have differences first, then dates that have passed, then who it is; neither the message nor the ID', () =>
    expect(rows.map(({ name, comparison }) => [name, comparison])).toEqual([
      ['date_of_birth', 'differs'],
      ['documents[0].expires_on', 'same'],
      ['name', 'written'],
      ['email', 'same'],
      ['town', 'gone']
    ]))
  it('are not compared if there is nothing before', () =>
    expect(caseValues([answer({ name: 'Ōta' })], 'APP-1', today)[0]?.comparison).toBe('alone'))

  it.each([
    ['expires_on', '2026-11-26', 'expired', -1],
    ['expires_on', '2026-11-27', 'soon', 0],
    ['passport.expiryDate', '2027-02-25', 'soon', 90],
    ['valid_until', '2027-02-26', 'valid', 91],
    ['documents[1].expires_on', '2034-08-11T00:00:00Z', 'valid', 2814]
  ] as const)('%s of %s is %s', (name, text, is, days) =>
    expect(expiryOf(name, text, today)).toMatchObject({ is, days })
  )
  it.each([
    ['issued_on', '2020-01-01'],
    ['date_of_birth', '1990-08-12'],
    ['expires_on', '03/05/2026'],
    ['expires_on', '2026-02-30'],
    ['expires_on', 'never']
  ])('%s of %s is not judged', (name, text) => expect(expiryOf(name, text, today)).toBeUndefined())

  it.each([
    ['date_of_birth', 'Date of birth'],
    ['documents[0].number', 'Passport number'],
    ['documents[1].number', 'Documents 2 number'],
    ['address.lines[0]', 'Address lines 1'],
    ['postalCode', 'Postal code'],
    ['applicant_id', 'Applicant ID']
  ])('%s is shown as %s', (name, label) =>
    expect(fieldLabel(name, (path) => (path === 'documents[0].type' ? 'passport' : undefined))).toBe(label)
  )
})

describe('documents', () => {
  const record = (id: string, operation: string, input: Readonly<Record<string, string>>): RecordSummary =>
    ({ id, operation, input, connection: { id: 'c' } }) as unknown as RecordSummary
  it('are the photo, then the others from the newest on, each address once', () =>
    expect(
      documentsOfRecords([
        record('3', 'validate-passport', { id_url: 'https://a/passport' }),
        record('2', 'validate-applicant-documents', {
          photo_document_url: 'https://a/face',
          id_document_url: 'https://a/card'
        }),
        record('1', 'validate-applicant-id-document', { document_url: 'https://a/card' })
      ]).map(({ kind, source }) => [kind, 'recordId' in source && source.recordId])
    ).toEqual([
      ['photo', '2'],
      ['passport', '3'],
      ['document', '2']
    ]))
  it('of one record are each of its different copies, and one for a file that is the document behind the link', () => {
    const copies = (
      [
        ['file', 'a'],
        ['later', 'a'],
        ['file', 'b']
      ] as const
    ).map(([when, sha256]) => ({
      ...{ type: 'jpeg' as const, bytes: 9, at: 1 },
      when,
      sha256
    }))
    const listed = documentsOfRecord({
      ...record('1', 'validate-applicant-id-document', { document_url: 'https://a/card' }),
      copies: { document_url: copies }
    })
    expect(listed.map(({ kept, source }) => [kept, 'recordId' in source && source.copy])).toEqual([
      ['file', undefined],
      ['file', 'b']
    ])
    expect(new Set(listed.map(({ key }) => key)).size).toBe(2)
  })
  it('of one record are a copy whose file is whole first, as without a digest that one opens', () => {
    const copy = { type: 'jpeg' as const, bytes: 9, at: 1 }
    const listed = documentsOfRecord({
      ...record('1', 'validate-applicant-id-document', { document_url: 'https://a/card' }),
      copies: {
        document_url: [
          { ...copy, when: 'before', sha256: 'a', fault: 'missing' },
          { ...copy, when: 'file', sha256: 'b' }
        ]
      }
    })
    expect(listed.map(({ kept, source }) => [kept, 'recordId' in source && source.copy])).toEqual([
      ['file', undefined],
      ['before', 'a']
    ])
  })
  it.each([
    [1, 2, ['c']],
    [2, 0, ['a', 'b']],
    [2, 3, ['a', 'd']],
    [3, 1, ['a', 'b', 'c']],
    [3, 3, ['a', 'b', 'd']]
  ])('%i of them are large, with number %i', (most, chosen, shown) =>
    expect(largeDocuments(['a', 'b', 'c', 'd'], chosen, most)).toEqual(shown)
  )
})

describe('the first gap of a decision', () => {
  const whole: DecisionInput = {
    decision: 'approve',
    newer: false,
    unanswered: 0,
    unansweredOfReview: 0,
    offered: 2,
    given: 1,
    noteNeeded: true,
    note: 'Seen.'
  }
  it.each([
    [{}, undefined],
    [{ note: ' ' }, 'note'],
    [{ note: '', noteNeeded: false }, undefined],
    [{ given: 0, note: '' }, 'reasons'],
    [{ given: 0, offered: 0 }, undefined],
    [{ newer: true, given: 0 }, 'evidence'],
    [{ decision: undefined, newer: true, given: 0 }, 'decision']
  ] as const)('%o: %s', (part, gap) => expect(firstGap({ ...whole, ...part })).toBe(gap))
})
