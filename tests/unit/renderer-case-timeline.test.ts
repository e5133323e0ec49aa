/** A four-eyes case in words: verifications, decisions and notes from the events of a pack. */
import { describe, expect, it } from 'vitest'
import type { CaseDocument } from '#contract/evidence/evidence.ts'
import { caseTimeline } from '../../renderer/features/evidence/case-timeline.ts'

const labels = {
  decisionReasons: [{ code: 'forged', label: 'Forged document', decisions: ['decline' as const] }],
  removedReasons: []
}
const fields = (values: Readonly<Record<string, string | null>>): CaseDocument['fields'] =>
  Object.entries(values).map(([label, value]) => ({ label, value }))
const event = (
  seq: number,
  kind: string,
  values: Readonly<Record<string, string | null>>,
  record: number | null = null,
  response: Readonly<Record<string, string | null>> = {}
): CaseDocument => ({ seq, at: seq * 1000, kind, record, fields: fields(values), response: fields(response) })

describe('a case to countersign', () => {
  it('shows a verification as one entry, from its start to its resolution', () => {
    const documents = [
      event(
        1,
        'record.begun',
        {
          'operation': 'validate-applicant-id-document',
          'operator': 'ann',
          'input.applicant_id': '007',
          'input.document_url': 'https://files.example.com/a.jpg'
        },
        4
      ),
      event(2, 'note.made', { operator: 'ann', text: 'Seen in person' }),
      event(3, 'record.ended', { outcome: 'unknown', failureCode: 'reply-lost' }, 4),
      event(4, 'record.resolved', { as: 'processed', note: 'Confirmed by phone', operator: 'bo' }, 4)
    ]
    const [check, note] = caseTimeline(documents, labels)
    expect(check).toMatchObject({
      kind: 'check',
      title: 'Validate applicant identity document',
      by: 'ann',
      outcome: 'unknown',
      withheld: 0
    })
    expect(check?.facts).toEqual([
      { label: 'Applicant ID', value: '007', exact: true },
      { label: 'Document URL', value: 'https://files.example.com/a.jpg', exact: true },
      { label: 'Resolution of the unknown outcome', value: 'It was processed' },
      { label: 'Resolved by', value: 'bo' },
      { label: 'Note on the resolution', value: 'Confirmed by phone' }
    ])
    expect(check?.documents.map(({ seq }) => seq)).toEqual([1, 3, 4])
    expect(note).toMatchObject({ kind: 'other', title: 'Note', by: 'ann', note: 'Seen in person' })
  })

  it('shows the answer with the service’s own message, in full where the response has it', () => {
    const [connection, check] = caseTimeline(
      [
        event(0, 'connection.noted', {
          ref: '3',
          snapshot: '{"id":"x","name":"Bank","mode":"live","origin":"https://kyc.example.com"}'
        }),
        event(1, 'record.begun', { operation: 'get-applicant-details', operator: 'ann', connection: '3' }, 1),
        event(2, 'record.ended', { outcome: 'answered', reply: '{"status":404,"bytes":12}', message: 'Not fo' }, 1, {
          body: '{"message":"Not found"}',
          message: 'Not found'
        })
      ],
      labels
    )
    expect(check).toMatchObject({
      outcome: 'answered',
      status: 404,
      message: 'Not found',
      facts: [{ label: 'Connection', value: 'Bank (LIVE)' }]
    })
    expect(connection).toMatchObject({
      title: 'Connection used for the first time',
      facts: [{ value: 'Bank (LIVE)' }, { value: 'https://kyc.example.com' }]
    })
  })

  it('shows a decision with its reasons in words, and the code of a reason that this installation does not know', () => {
    const [decision] = caseTimeline(
      [
        event(9, 'decision.made', {
          decision: 'decline',
          operator: 'cy',
          records: '[1,2]',
          readings: '[]',
          reasons: '["forged","other-code"]',
          note: 'Twice the same photo'
        })
      ],
      labels
    )
    expect(decision).toMatchObject({
      kind: 'decision',
      title: 'Decision: Declined',
      by: 'cy',
      note: 'Twice the same photo'
    })
    expect(decision?.facts).toEqual([
      { label: 'Based on', value: '2 records' },
      { label: 'Reasons', value: 'Forged document; other-code' }
    ])
  })

  it('says what was on screen before a decision', () => {
    const factsOf = (seen: string | null) =>
      caseTimeline([event(9, 'decision.made', { decision: 'approve', seen, focus: 'under-60' })], labels)[0]?.facts
    const time = { label: 'Time shown before, as the window says', value: '15 to 60 seconds' }
    expect(factsOf('{"answers":[2,3],"documents":[1,2]}')).toContainEqual({
      label: 'Shown before',
      value: '2 of 3 answers, 1 of 2 documents opened'
    })
    expect(factsOf('{"answers":[3,3],"documents":[0,0]}')).toContainEqual({
      label: 'Shown before',
      value: '3 of 3 answers'
    })
    for (const other of [null, '[]', '{"answers":[1]}', 'null']) expect(factsOf(other)?.slice(-1)).toEqual([time])
  })

  it('shows a decision that needs a second person as a proposal', () => {
    const [decision] = caseTimeline([event(9, 'decision.made', { decision: 'approve', requires: '1' })], labels)
    expect(decision?.title).toBe('Decision: Proposed: approve')
  })

  it('shows what was answered of a checklist by its own labels, and without the answers whether all are', () => {
    const item = { code: 'photo', label: 'The photo matches', required: true, answer: 'yes-no', decisions: ['approve'] }
    const right = { code: 'right', label: 'The values are right', required: false, answer: 'tick' }
    const noted = (ref: number, kind: string, items: readonly object[]): CaseDocument =>
      event(ref, 'checklist.noted', { ref: String(ref), text: JSON.stringify({ kind, items }) })
    const named = (ref: number, complete: boolean): string => JSON.stringify({ ref, complete })
    const decided = { decision: 'approve', records: '[1]', readings: '[]' }
    const entries = caseTimeline(
      [
        noted(1, 'decision', [item]),
        noted(2, 'review', [right]),
        event(3, 'decision.made', { ...decided, checklist: named(1, true), checks: '{"photo":"no"}' }),
        event(4, 'review.recorded', { outcome: 'unchanged', checklist: named(2, false), checks: '{}' }),
        event(5, 'decision.made', { ...decided, checklist: named(1, true) }),
        event(6, 'decision.made', { ...decided, checklist: named(9, false), checks: '{"photo":"no"}' })
      ],
      labels
    )
    expect(entries[0]).toMatchObject({ kind: 'other', title: 'Checklist answered for the first time' })
    expect(entries[0]).not.toHaveProperty('note')
    expect(entries.slice(2).map(({ facts }) => facts.at(-1))).toEqual([
      { label: 'The photo matches', value: 'No' },
      { label: 'The values are right', value: 'Not answered' },
      { label: 'Checklist', value: 'All items are answered' },
      { label: 'Checklist', value: 'Not all items are answered' }
    ])
  })

  it('counts what is withheld, and says so of a name', () => {
    const [check, decision] = caseTimeline(
      [
        event(1, 'record.begun', { 'operation': 'get-applicant-details', 'operator': null, '3 values': null }, 1),
        event(2, 'decision.made', { decision: 'approve', operator: null })
      ],
      labels
    )
    expect(check).toMatchObject({ by: null, withheld: 4 })
    expect(decision).toMatchObject({ by: null, withheld: 1 })
  })

  it('keeps an event of a kind that it does not know, with its values', () => {
    expect(caseTimeline([event(5, 'later.kind', { what: '{"a":1}' })], labels)).toMatchObject([
      { title: 'Other event', documents: [{ seq: 5 }] }
    ])
  })
})
