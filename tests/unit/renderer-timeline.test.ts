import { expect, it } from 'vitest'
import type { TimelineEntry } from '#contract/applicants/applicants.ts'
import type { RecordSummary } from '#contract/history/records.ts'
import { approvalEntryLabel } from '../../renderer/features/applicants/applicant-words.ts'
import { approvalsByFile, changesByRecord, documentsOf } from '../../renderer/features/applicants/timeline.ts'

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

type Approval = Extract<TimelineEntry, { kind: 'approval' }>
const asked = (seq: number, more: Partial<Approval> = {}): Approval => ({
  kind: 'approval',
  seq,
  at: seq,
  operator: 'a',
  note: '',
  byFile: true,
  ...more
})
const answered = (seq: number, to: number, more: Partial<Approval> = {}): Approval =>
  asked(seq, { agrees: true, by: 'b', asked: to, signedAt: 1, ...more })

it('waits for an answer to the last request by file until one counts, whatever else was answered', () => {
  const waits = (...entries: readonly TimelineEntry[]): number | undefined => approvalsByFile(entries).waiting?.seq
  expect(waits(asked(5))).toBe(5)
  expect(waits(answered(6, 5), asked(5))).toBeUndefined()
  expect(waits(answered(6, 5, { agrees: false }), note, asked(5))).toBeUndefined()
  // A late answer to the file before: agreement is to the decision, but who disagreed is asked again.
  expect(waits(answered(8, 5), asked(7), asked(5))).toBeUndefined()
  expect(waits(answered(8, 5, { agrees: false }), asked(7), asked(5))).toBe(7)
  // One that counts for nothing, and one to a request about an earlier decision.
  expect(waits(answered(8, 5), asked(7), asked(5, { void: true }))).toBe(7)
  expect(waits(answered(6, 5, { void: true }), asked(5))).toBe(5)
  expect(approvalsByFile([answered(8, 5), asked(7), asked(5)]).answers).toMatchObject([{ seq: 8 }])
})

it('has no request by file where one was made in a team, or a colleague was answered', () => {
  const { byFile: _, ...inTeam } = asked(5)
  expect(approvalsByFile([{ ...inTeam, seq: 6, agrees: true }, inTeam, note])).toEqual({
    asked: false,
    waiting: undefined,
    answers: []
  })
})

it('says of an answer whether it counts for nothing, and nothing of the team', () => {
  expect(approvalEntryLabel(asked(5, { void: true }))).toBe('Approval requested')
  expect(approvalEntryLabel(answered(6, 5))).toBe('Answer to the request for approval: countersigned')
  expect(approvalEntryLabel(answered(6, 5, { void: true }))).toBe(
    'Answer to the request for approval: countersigned. Void: evidence or a decision is newer than the request'
  )
})
