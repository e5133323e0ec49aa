/** The values of a check, taken from the inputs of earlier records. */
import { expect, test } from 'vitest'
import { scrubLink } from '#contract/links/links.ts'
import { fieldsOfCheck, inputOfCheck, valuesOfInputs } from '#contract/verification/recipes.ts'
import { operationIds } from '#contract/verification/operations.ts'

test('each operation gets back what it was last sent, and a value of several operations is that of the first input', () => {
  for (const operation of operationIds) {
    const keys = fieldsOfCheck([operation]).map(({ key }) => key)
    const input = inputOfCheck(operation, Object.fromEntries(keys.map((key) => [key, `of ${key}`])))
    expect(inputOfCheck(operation, valuesOfInputs([{ operation, input }]))).toEqual(input)
  }
  expect(
    valuesOfInputs([
      { operation: 'get-applicant-details', input: { applicant_id: 'NEW' } },
      { operation: 'validate-kyc-photo', input: { applicant_id: 'OLD', photo_url: 'https://files.example.com/p.png' } }
    ])
  ).toMatchObject({ applicant: 'NEW' })
})

test('a link whose signature was removed fills nothing', () => {
  const signed = 'https://files.example.com/p.png?X-Amz-Signature=0123456789abcdef0123456789abcdef'
  const { url } = scrubLink(signed)
  expect(url).not.toBe(signed)
  expect(valuesOfInputs([{ operation: 'validate-passport', input: { id_url: url } }])).toEqual({})
})
