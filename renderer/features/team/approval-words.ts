/** The words for requests for approval in a team. */
import type { AnswerFault, ApprovalState, TeamApproval } from '#contract/team/approvals.ts'
import { sentence } from '../../kit/text.ts'

export const approvalLabels: Readonly<Record<ApprovalState, string>> = {
  waiting: 'Waiting for a second person',
  agreed: 'Approved by a second person',
  disagreed: 'Not approved',
  void: 'Void: newer evidence',
  incomplete: 'Evidence still arriving',
  invalid: 'Not valid'
}

export const answerFaultLabels: Readonly<Record<AnswerFault, string>> = {
  'author': 'does not count: they asked for it themselves',
  'stranger': 'does not count: not a member of the team',
  'role': 'does not count: neither reviewer nor supervisor',
  'signature': 'does not count: the signature is not theirs, or is for another request',
  'same-person': 'does not count: same name as somebody involved',
  'unknown-person': 'does not count: the name of somebody involved is not known'
}

const list = new Intl.ListFormat('en', { type: 'conjunction' })
/** How many requests somebody here may answer. */
export const requestsWaiting = (requests: number): string =>
  requests === 0
    ? 'No request waits for your answer.'
    : sentence(requests, { one: '{n} request waits for your answer.', other: '{n} requests wait for your answer.' })
/** Records behind a decision that a reviewer cannot see. */
export const recordsUnshared = (records: number): string =>
  sentence(records, {
    one: '{n} record behind the decision is not shared and cannot be seen here.',
    other: '{n} records behind the decision are not shared and cannot be seen here.'
  })

/** What a state means, and the next step; empty where its label says everything. */
export function approvalWords({
  state,
  newer,
  member,
  replaced
}: Pick<TeamApproval, 'state' | 'newer' | 'member' | 'replaced'>): string {
  const author = member ?? 'you'
  switch (state) {
    case 'void':
      return `Newer evidence or a newer decision was recorded by ${list.format(newer.map((name) => name ?? 'this installation'))}.${replaced ? '' : ` To approve, ${member === undefined ? 'review it, then ask again' : `${author} asks again`}.`}`
    case 'incomplete':
      return 'Not all of the evidence behind the decision has arrived here. You can answer once it has.'
    case 'invalid':
      return `The decision or evidence that it names is different here. ${member === undefined ? 'Ask again' : `Ask ${author} about it`}, and check the findings under Exchange.`
    default:
      return ''
  }
}
