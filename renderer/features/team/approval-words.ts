/** The words for requests for approval in a team. */
import type { AnswerFault, ApprovalState, TeamApproval } from '#contract/team/approvals.ts'
import { plural } from '../../kit/language.ts'
import { words } from './words.ts'

export const approvalLabels: Readonly<Record<ApprovalState, string>> = {
  waiting: words.waitingForASecondPerson,
  agreed: words.approvedByASecondPerson,
  disagreed: words.notApproved,
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

const list = new Intl.ListFormat('en', { type: 'conjunction' })
/** How many requests somebody here may answer. */
export const requestsWaiting = (requests: number): string =>
  requests === 0
    ? words.noRequestWaitsForYour
    : plural(requests, { one: words.requestWaitsForYourAnswer, other: words.requestsWaitForYourAnswer })
/** Records behind a decision that a reviewer cannot see. */
export const recordsUnshared = (records: number): string =>
  plural(records, {
    one: words.recordBehindTheDecisionIs,
    other: words.recordsBehindTheDecisionAre
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
      return replaced
        ? words.newerEvidenceOrANewer({ format: list.format(newer.map((name) => name ?? words.thisInstallation)) })
        : member === undefined
          ? words.newerEvidenceOrANewerDecision({
              format: list.format(newer.map((name) => name ?? words.thisInstallation))
            })
          : words.newerEvidenceOrANewerDecisionWas({
              format: list.format(newer.map((name) => name ?? words.thisInstallation)),
              author
            })
    case 'incomplete':
      return words.notAllOfTheEvidence
    case 'invalid':
      return member === undefined ? words.theDecisionOrEvidenceThat : words.theDecisionOrEvidenceThatIt({ author })
    default:
      return ''
  }
}
