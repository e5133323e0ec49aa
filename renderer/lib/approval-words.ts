/** The words for requests for approval in a team. */
import type { AnswerFault, ApprovalState, TeamApproval } from '#contract/team-approvals.ts'
import { sentence } from './text.ts'

export const approvalLabels: Readonly<Record<ApprovalState, string>> = {
  waiting: 'Waiting for a second person', agreed: 'Approved by a second person', disagreed: 'Not approved', void: 'Void: newer evidence',
  incomplete: 'Evidence still arriving', invalid: 'Not valid'
}

export const answerFaultLabels: Readonly<Record<AnswerFault, string>> = {
  author: 'does not count: they asked for it themselves',
  stranger: 'does not count: no member of the team',
  role: 'does not count: neither reviewer nor supervisor',
  signature: 'does not count: the signature is not theirs, or for another request',
  'same-person': 'does not count: same name as somebody involved',
  'unknown-person': 'does not count: the name of somebody involved is not known'
}

const list = new Intl.ListFormat('en', { type: 'conjunction' })
/** How many requests somebody here may answer. */
export const requestsWaiting = (requests: number): string =>
  requests === 0 ? 'None waits for your answer.' : sentence(requests, { one: '{n} request waits for your answer.', other: '{n} requests wait for your answer.' })
/** Records behind a decision that a reviewer cannot see. */
export const recordsUnshared = (records: number): string =>
  sentence(records, { one: '{n} record that the decision rests on is not shared and cannot be seen here.', other: '{n} records that the decision rests on are not shared and cannot be seen here.' })

/** What a state means, and the next step; empty where its label says everything. */
export function approvalWords({ state, newer, member, replaced }: Pick<TeamApproval, 'state' | 'newer' | 'member' | 'replaced'>): string {
  const author = member ?? 'you'
  switch (state) {
    case 'void':
      return `Newer evidence or a newer decision was recorded by ${list.format(newer.map((name) => name ?? 'this installation'))}.${replaced ? '' : ` To approve, ${member === undefined ? 'look at it, and ask again' : `${author} asks again`}.`}`
    case 'incomplete':
      return 'Not all of the evidence that it rests on has arrived here. It can be answered once it has.'
    case 'invalid':
      return `It names a decision or evidence that is another one here. ${member === undefined ? 'Ask again' : `Ask ${author} about it`}, and look at the findings under Exchange.`
    default:
      return ''
  }
}
