/** What is said of decisions about many applicants. */
import type { Decision } from '#contract/applicants/applicants.ts'
import {
  leftOutReasons,
  type DecisionSet,
  type LeftOut,
  type LeftOutReason,
  type ManyDecided
} from '#contract/applicants/decide-many.ts'
import { words } from './words.ts'

/** By decision, since no language makes these sentences of parts. */
export const manyWords = {
  approve: {
    title: words.approveApplicants,
    afterSample: words.reviewThenApprove,
    oneByOne: words.reviewAllOneByOne,
    others: words.approveTheOthers,
    done: words.approvedApplicants,
    ofSample: words.approvedOfSample,
    othersNot: words.othersNotApproved
  },
  decline: {
    title: words.declineApplicants,
    afterSample: words.reviewThenDecline,
    oneByOne: words.reviewAllOneByOne,
    others: words.declineTheOthers,
    done: words.declinedApplicants,
    ofSample: words.declinedOfSample,
    othersNot: words.othersNotDeclined
  },
  escalate: {
    title: words.escalateApplicants,
    afterSample: words.reviewThenEscalate,
    oneByOne: words.reviewAllOneByOne,
    others: words.escalateTheOthers,
    done: words.escalatedApplicants,
    ofSample: words.escalatedOfSample,
    othersNot: words.othersNotEscalated
  }
} as const satisfies Record<Decision, object>

const proposedWords = { approve: words.proposedApprovals, decline: words.proposedDeclines } as const

const leftOutLabels: Readonly<Record<Exclude<LeftOutReason, 'tagged'>, (of: { some: number }) => string>> = {
  'missing': words.outMissing,
  'decided': words.outDecided,
  'proposed': words.outProposed,
  'returned': words.outReturned,
  'challenged': words.outChallenged,
  'no-evidence': words.outNoEvidence,
  'held': words.outHeld,
  'claimed': words.outClaimed,
  'colleague-decided': words.outColleagueDecided,
  'unresolved': words.outUnresolved,
  'differs': words.outDiffers,
  'changed': words.outChanged,
  'unfavourable': words.outUnfavourable,
  'unclear': words.outUnclear,
  'unreviewed': words.outUnreviewed,
  'unanswered': words.outUnanswered,
  'expired': words.outExpired
}
/** By reason, in the order of the reasons, and by tag. */
const leftOutGroups = (
  leftOut: readonly LeftOut[]
): readonly { readonly why: string; readonly label: string; readonly ids: readonly string[] }[] =>
  leftOutReasons.flatMap((why) => {
    const found = leftOut.filter((each) => each.why === why)
    return [...new Set(found.map(({ tag = '' }) => tag))].map((tag) => {
      const ids = found.filter((each) => (each.tag ?? '') === tag).map(({ applicantId }) => applicantId)
      const some = ids.length
      return {
        why: `${why} ${tag}`,
        label: why === 'tagged' ? words.outTagged({ some, tag }) : leftOutLabels[why]({ some }),
        ids
      }
    })
  })
/** How many are left out and why: “4 are left out: 2 with an unresolved unknown outcome, 2 under a legal hold.” */
const leftOutWords = (leftOut: readonly LeftOut[]): string =>
  words.someAreLeftOut({
    some: leftOut.length,
    why: leftOutGroups(leftOut)
      .map(({ label }) => label)
      .join(', ')
  })

/** What was done, as a toast. */
export function doneToast(
  decision: Decision,
  { decided, proposed, leftOut }: ManyDecided
): readonly [text: string, look: { readonly tone?: 'warning' }] {
  const parts = [
    ...(decided > proposed || proposed === 0 ? [manyWords[decision].done({ decided: decided - proposed })] : []),
    ...(proposed > 0 && decision !== 'escalate' ? [proposedWords[decision]({ decided: proposed })] : []),
    ...(leftOut.length > 0 ? [leftOutWords(leftOut)] : [])
  ]
  return [parts.join(' '), leftOut.length > 0 ? { tone: 'warning' } : {}]
}

/** What the dialog points out about a set, each with whom it is about. */
export const remarksOf = ({ leftOut, noted }: Pick<DecisionSet, 'leftOut' | 'noted'>) =>
  [
    { key: 'left-out', text: leftOutWords(leftOut), groups: leftOutGroups(leftOut) },
    {
      key: 'noted',
      text: words.haveANoteOfAColleague({ some: noted.length }),
      groups: [{ why: 'noted', label: words.notedSinceTheNewestAnswer, ids: noted }]
    }
  ].filter(({ groups }) => groups.some(({ ids }) => ids.length > 0))
