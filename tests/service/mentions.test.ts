/** Before an erasure, the places are listed where others' data contains the id; they are not erased unless linked. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Mentions } from '#contract/data-management/data-management.ts'
import type { OperationId } from '#contract/verification/operations.ts'
import { mentioning } from '#store/erasure/mentions.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'

const person = 'AP-77'
let workspace: TestConsole
let connectionId: string
beforeAll(async () => {
  workspace = await startTestConsole()
  connectionId = (await workspace.get('practice.start')).id
})
afterAll(() => workspace.dispose())

async function check(operation: OperationId, input: Record<string, string>): Promise<string> {
  const ending = await workspace.get('verification.run', { runId: crypto.randomUUID(), connectionId, operation, input })
  if (ending.kind !== 'recorded') throw new Error(ending.kind)
  return ending.record.id
}
const mentions = async (): Promise<Mentions> =>
  (await workspace.get('erasure.preview', { applicantId: person })).mentions

test('unlinked records, other applicants’ records, notes and rows are listed, and linked ones are erased', async () => {
  await check('get-applicant-details', { applicant_id: person })
  expect(await mentions()).toEqual({ total: 0, records: [], notes: 0, batchRows: 0, more: false })
  const photo = await check('validate-kyc-photo', {
    photo_url: `https://files.example.com/${person.toLowerCase()}_face.jpg`
  })
  // Another applicant's, whose id begins with the same characters; and that applicant's photo.
  await check('get-applicant-details', { applicant_id: `${person}8` })
  await check('validate-kyc-photo', { photo_url: `https://files.example.com/${person}8.jpg` })
  await check('get-applicant-details', { applicant_id: 'OTHER-1' })
  await workspace.get('applicants.note', { applicantId: 'OTHER-1', text: `Brother of ${person}.` })
  const { checkId } = await workspace.get('batches.checkText', {
    name: 'rows',
    text: `applicant_id,remark\nOTHER-2,see ${person}\n`,
    reading: { operations: ['get-applicant-details'], encoding: 'utf-8' }
  })
  await workspace.get('batches.create', {
    checkId,
    connectionId,
    name: 'rows',
    atOnce: 1,
    pace: 0,
    skipDuplicates: true,
    skipRecent: false
  })

  expect(await mentions()).toMatchObject({
    total: 1,
    records: [{ id: photo, operation: 'validate-kyc-photo', linkable: true }],
    notes: 1,
    batchRows: 1,
    more: false
  })
  await workspace.get('applicants.link', { recordId: photo, applicantId: person })
  expect(await mentions()).toMatchObject({ total: 0, records: [] })
  expect(
    await workspace.get('erasure.run', { applicantId: person, confirmation: person, reason: 'asked for' })
  ).toMatchObject({ records: 2 })
  const found = await workspace.get('history.page', { filter: { search: person }, limit: 10 })
  // The note about another applicant stays, and its record is found by it.
  expect(found.records.map(({ input }) => Object.values(input)[0])).toEqual([
    'OTHER-1',
    `https://files.example.com/${person}8.jpg`,
    `${person}8`
  ])
})

test.each([
  ['AP-1', 'x/AP-1.jpg', true],
  ['AP-1', 'x/ap-1_2.jpg', true],
  ['AP-1', 'AP-12', false],
  ['AP-1', 'xAP-1', false],
  ['a/b', 'files/a%2Fb.jpg', true],
  ['say "x"', String.raw`{"id":"say \"x\""}`, true],
  ['a.c', 'abc', false]
])('%s in %s: %s', (id, text, expected) => expect(mentioning(id)(text)).toBe(expected))
