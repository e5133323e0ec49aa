/** What was decided about an applicant, replayed from events. */
import { expect, it } from 'vitest'
import { replay, type CaseEvent } from '#store/overview/decision-replay.ts'

const newest = { connection: 1, message: 1 }
const decided = { kind: 'decided', reviewer: 1, evidence: 1, due: null, set: 0, looked: 0, proposed: false } as const
const overturned = (events: readonly CaseEvent[]): readonly boolean[] =>
  replay(events).decided.map((each) => each.overturned)

it('overturns a decision while a later one holds, and no longer once that one is returned', () => {
  const approved: readonly CaseEvent[] = [
    { seq: 1, at: 1, kind: 'evidence', record: 1, newest },
    { seq: 2, at: 2, ...decided, decision: 'approve' },
    { seq: 3, at: 3, ...decided, decision: 'decline', proposed: true }
  ]
  const answered = (seq: number, agrees: boolean): CaseEvent => {
    return { seq, at: seq, kind: 'answered', decision: 3, agrees, signer: 'b' }
  }
  expect(overturned(approved)).toEqual([false])
  expect(overturned([...approved, answered(4, true)])).toEqual([true, false])
  expect(overturned([...approved, answered(4, true), answered(5, false)])).toEqual([false])
})

it('overturns nothing by the same decision, by newer evidence, or of an escalation', () => {
  const begun: CaseEvent = { seq: 1, at: 1, kind: 'evidence', record: 1, newest }
  const made = (decision: 'approve' | 'decline' | 'escalate', seq: number, evidence = 1): CaseEvent => {
    return { seq, at: seq, ...decided, decision, evidence }
  }
  expect(overturned([begun, made('approve', 2), made('approve', 3)])).toEqual([false, false])
  expect(overturned([begun, made('escalate', 2), made('approve', 3)])).toEqual([false, false])
  expect(overturned([begun, made('approve', 2), made('decline', 3, 9)])).toEqual([false, false])
  expect(overturned([begun, made('approve', 2), made('approve', 3), made('decline', 4)])).toEqual([true, true, false])
})
