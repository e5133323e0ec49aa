import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { operationOf, operations } from '#contract/verification/operations.ts'
import {
  forOtherOperation,
  spreadPaste as spreadOrRefuse,
  type Spread
} from '../../renderer/features/verify/pasted-fields.ts'

/** Of texts that are not refused. */
const spreadPaste = (...given: Parameters<typeof spreadOrRefuse>): Spread | undefined =>
  spreadOrRefuse(...given) as Spread | undefined

const documents = operationOf('validate-applicant-documents').fields
const passport = operationOf('validate-passport').fields
const [photo, id] = ['https://a.example/photo.jpg?x=1&y=2', 'https://a.example/id.jpg']

describe('spreadPaste', () => {
  it('leaves one plain value to the field under the cursor', () => {
    for (const text of ['APP-000123', photo, '  00012 ', 'two words', 'applicant', '']) {
      expect(spreadPaste(documents, text)).toBeUndefined()
    }
  })

  it('spreads JSON by name, and by alias where a name is missing', () => {
    const spread = spreadPaste(
      documents,
      JSON.stringify({ id: ' 0012 ', selfie: photo, id_document_url: id, extra: 'x' })
    )
    expect(spread?.values).toEqual({ applicant_id: '0012', photo_document_url: photo, id_document_url: id })
    expect(spread?.unused).toEqual(['extra'])
    expect(spread?.from).toBe('JSON')
  })

  it('prefers the exact name to an alias that comes earlier', () => {
    const spread = spreadPaste(documents, JSON.stringify({ document: 'https://wrong.example/', id_document_url: id }))
    expect(spread?.values).toEqual({ id_document_url: id })
    expect(spread?.unused).toEqual(['document'])
  })

  it('keeps every digit of a number', () => {
    expect(spreadPaste(documents, '{"applicant_id": 12345678901234567890}')?.values).toEqual({
      applicant_id: '12345678901234567890'
    })
  })

  it('reads the body of a curl command, quoted for a shell or on several lines', () => {
    const single = `curl -X POST 'https://kyc.example/x' \\\n  -H 'content-type: application/json' \\\n  --data-raw '{"id_url":"${id}"}'`
    const double = `curl https://kyc.example/x -d "{\\"id_url\\":\\"${id}\\"}"`
    for (const command of [single, double]) {
      expect(spreadPaste(passport, command)).toEqual({
        values: { id_url: id },
        from: 'Command of curl',
        unused: [],
        credentials: []
      })
    }
  })

  it('takes the quote that a shell writes between quotes', () => {
    const command = `curl x --data-raw '{"applicant_id":"O'\\''Neil"}'`
    expect(spreadPaste(documents, command)?.values).toEqual({ applicant_id: "O'Neil" })
  })

  it('reads name and value lines with colon, equals sign or tab', () => {
    for (const mark of [': ', '=', '\t', ' = ']) {
      const text = `Applicant ID${mark}0012\r\nphoto${mark}${photo}\r\nid document${mark}${id}\r\n`
      expect(spreadPaste(documents, text)?.values).toEqual({
        applicant_id: '0012',
        photo_document_url: photo,
        id_document_url: id
      })
    }
  })

  it('reads a heading line and a row of a table', () => {
    const spread = spreadPaste(documents, `applicant_id\tphoto_url\tid_url\tcity\n0012\t${photo}\t${id}\tOslo`)
    expect(spread?.values).toEqual({ applicant_id: '0012', photo_document_url: photo, id_document_url: id })
    expect(spread?.unused).toEqual(['city'])
  })

  it('gives links to the link fields in their order, and the other line to the applicant', () => {
    const spread = spreadPaste(documents, `${photo}\n0012\n${id}\nhttps://a.example/third.jpg`)
    expect(spread?.values).toEqual({ applicant_id: '0012', photo_document_url: photo, id_document_url: id })
    expect(spread?.unused).toEqual(['https://a.example/third.jpg'])
  })

  it('refuses JSON that fits no field', () => {
    for (const text of ['{"colour":"red"}', '{broken'])
      expect(spreadPaste(passport, text)).toEqual({ refused: { code: 'paste-unmatched' } })
  })

  it('brings every input of every operation back from its JSON', () => {
    const value = fc.stringMatching(/^[A-Za-z0-9-]{1,30}$/)
    for (const operation of operations) {
      fc.assert(
        fc.property(fc.array(value, { minLength: 3, maxLength: 3 }), (texts) => {
          const input = Object.fromEntries(operation.fields.map((field, index) => [field.name, texts[index] as string]))
          expect(spreadPaste(operation.fields, JSON.stringify(input))?.values).toEqual(input)
        }),
        { numRuns: 50 }
      )
    }
  })

  it('never throws, names only fields of the form and never fills one with outer spaces', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400, unit: 'binary' }), (text) => {
        for (const [name, filled] of Object.entries(spreadPaste(documents, text)?.values ?? {})) {
          expect(documents.map((field) => field.name)).toContain(name)
          expect(filled).toBe(filled.trim())
        }
      }),
      { numRuns: 500 }
    )
  })
})

describe('a text for another operation', () => {
  const json = JSON.stringify({ id_url: id })
  const to = (operation: string): string => `https://kyc.example.com/kyc-api/v1.0/kyc/${operation}`
  it.each([
    ['curl', `curl -X POST '${to('validate-passport')}' -H 'x-api-key: k' --data-raw '${json}'`],
    ['cmd', `curl ^"${to('validate-passport')}^" -H ^"x-api-key: k^" --data-raw ^"{\\^"id_url\\^":\\^"${id}\\^"}^"`],
    ['a request', `POST ${to('validate-passport')} HTTP/1.1\nx-api-key: k\n\n${json}`],
    ['HTTPie', `http POST ${to('validate-passport')} x-api-key:k id_url='${id}'`]
  ])('is known by the address of %s', (_, text) =>
    expect(forOtherOperation('validate-kyc-id', text)).toMatchObject({
      operation: 'validate-passport',
      values: { id_url: id },
      credentials: ['API key']
    })
  )
  it('is known by the names in JSON that one operation alone has, most names first', () => {
    const input = JSON.stringify({ applicant_id: 'APP-1', document_url: id })
    expect(forOtherOperation('get-applicant-details', input)?.operation).toBe(
      operations.find(({ fields }) => fields.some(({ name }) => name === 'document_url'))?.id
    )
    // Two operations have this one.
    expect(forOtherOperation('get-applicant-details', json)).toBeUndefined()
  })
  it.each([
    ['its own operation', `curl ${to('validate-passport')} -d '${json}'`],
    ['no address of an operation', `curl https://kyc.example.com/other -d '${json}'`],
    [
      'another service’s word in a link',
      `curl https://kyc.example.com/x -d '{"id_url":"https://a.example/validate-kyc-id/"}'`
    ],
    ['a value', 'APP-1'],
    ['a part of another operation’s fields', '{"applicant_id":"APP-9","photo_document_url":"https://a.example/p.jpg"}'],
    ['nothing that could be filled', `curl ${to('validate-kyc-id')} -d @file`]
  ])('is not: %s', (_, text) => expect(forOtherOperation('validate-passport', text)).toBeUndefined())
})

describe('credentials of a text', () => {
  const body = JSON.stringify({ id_url: id })
  it.each([
    [
      `curl x -H 'x-api-key: 1' -H "X-Api-Secret: 2" -H 'authorization: 3' -d '${body}'`,
      ['API key', 'API secret', 'Authorization value']
    ],
    [JSON.stringify({ id_url: id, headers: { 'x-api-secret': '2' } }), ['API secret']],
    [`id_url: ${id}\nAuthorization: Bearer 1`, ['Authorization value']],
    [`curl x -H 'my-x-api-key-name: 1' -d '${body}'`, []],
    [body, []]
  ])('%s', (text, labels) => {
    const found = spreadPaste(passport, text)
    expect(found?.credentials).toEqual(labels)
  })
})
