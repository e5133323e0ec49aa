import { expect, it } from 'vitest'
import type { TimelineEntry } from '#contract/applicants/applicants.ts'
import type { RecordSummary } from '#contract/history/records.ts'
import { changesByRecord, documentsOf } from '../../renderer/features/applicants/timeline.ts'

const connection = {
  id: 'c',
  name: 'C',
  origin: 'https://kyc.example.com',
  mode: 'sandbox',
  colour: 'teal',
  mark: 'C'
} as const
const check = (id: string, more: Partial<RecordSummary> = {}): TimelineEntry => {
  const record: RecordSummary = {
    id,
    seq: 1,
    operation: 'validate-applicant-id-document',
    connection,
    state: 'answered',
    startedAt: 1,
    status: 200,
    message: 'Fine',
    input: { applicant_id: 'A', document_url: 'https://files.example.com/1.jpg' },
    ...more
  }
  return { kind: 'check', seq: 1, at: 1, record, local: false, linked: false }
}
const note: TimelineEntry = { kind: 'note', seq: 2, at: 2, operator: 'a', text: 'x' }

it('names the documents of a check, and not its applicant', () => {
  expect(
    documentsOf({
      operation: 'validate-applicant-id-document',
      input: { applicant_id: 'A', document_url: 'https://x.example/1' }
    })
  ).toEqual([{ label: 'Document URL', address: 'https://x.example/1' }])
  expect(documentsOf({ operation: 'get-applicant-details', input: { applicant_id: 'A' } })).toEqual([])
})

it('tells what differs from the last answer of the same operation at the same connection', () => {
  const entries = [
    check('4', {
      input: { applicant_id: 'A', document_url: 'https://files.example.com/2.jpg' },
      status: 404,
      message: 'Gone'
    }),
    note,
    check('unknown', { state: 'unknown' }),
    check('elsewhere', { connection: { ...connection, id: 'd' }, message: 'Other' }),
    check('3'),
    check('2')
  ]
  expect([...changesByRecord(entries)]).toEqual([
    ['4', ['Different document', 'Status 200, now 404', 'Different message']],
    ['3', []]
  ])
})
