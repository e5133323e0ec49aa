/** The words for requests for approval in a team. */
import type { AnswerFault, ApprovalState, TeamApproval } from '#contract/team/approvals.ts'
import { oneLine } from '#contract/text/hidden-text.ts'
import { listed } from '../../kit/language.ts'
import { words } from './words.ts'

export const approvalLabels: Readonly<Record<ApprovalState, string>> = {
  waiting: words.waitingForASecondPerson,
  agreed: words.countersigned,
  disagreed: words.returned,
  void: words.voidNewerEvidence,
  incomplete: words.evidenceStillArriving,
  invalid: words.notValid
}

export const answerFaultLabels: Readonly<Record<AnswerFault, string>> = {
  'author': words.doesNotCountTheyAsked,
  'stranger': words.doesNotCountNotA,
  'role': words.doesNotCountNeitherReviewer,
  'signature': words.doesNotCountTheSignature,
  'same-person': words.doesNotCountSameName,
  'unknown-person': words.doesNotCountTheName
}

/** How many requests somebody here may answer. */
export const requestsWaiting = ({ waiting, overdue }: { readonly waiting: number; readonly overdue: number }): string =>
  [
    waiting === 0 ? words.noRequestWaitsForYour : words.requestsWait({ requests: waiting }),
    ...(overdue > 0 ? [words.ofThemOverdue({ overdue })] : [])
  ].join(' ')

/** What a state means, and the next step; empty where its label says everything. */
export function approvalWords({
  state,
  newer,
  member,
  replaced
}: Pick<TeamApproval, 'state' | 'newer' | 'member' | 'replaced'>): string {
  const names = listed(newer.map((name) => oneLine(name ?? words.thisInstallation)))
  switch (state) {
    case 'void': {
      const found = words.newerEvidenceBy({ names })
      if (replaced) return found
      const next = member === undefined ? words.toApproveReviewIt : words.toApproveTheyAsk({ author: oneLine(member) })
      return `${found} ${next}`
    }
    case 'incomplete':
      return words.notAllOfTheEvidence
    case 'invalid':
      return member === undefined
        ? words.theDecisionOrEvidenceThat
        : words.theDecisionOrEvidenceThatIt({ author: oneLine(member) })
    default:
      return ''
  }
}
