/** What the overview counts of colleagues: their decisions, with the evidence that each rests on. */
import type { DecidedSet, Decision } from '#contract/applicants/applicants.ts'
import type { Seen } from '#contract/applicants/seen.ts'
import type { RecordConnection } from '#contract/history/records.ts'
import type { OperationId } from '#contract/verification/operations.ts'

export type ColleagueConnection = Pick<RecordConnection, 'name' | 'origin' | 'mode'>

interface Event {
  /** Its place among all received events. */
  readonly place: number
  readonly at: number
}
export type ColleagueEvent = Event &
  (
    | {
        readonly kind: 'evidence'
        readonly operation: OperationId
        readonly connection?: ColleagueConnection | undefined
        readonly status?: number | undefined
        readonly message?: string | undefined
      }
    | {
        readonly kind: 'decided'
        readonly decision: Decision
        readonly operator: string
        /** It counts once a second person agrees. */
        readonly proposed: boolean
        /** The place of the last event of the evidence that was seen. */
        readonly evidence: number
        readonly seen?: Seen | undefined
        readonly set?: Pick<DecidedSet, 'share'> | undefined
      }
    | { readonly kind: 'challenged' }
    /** By a second person, to the decision at that place; of each installation the last one. */
    | { readonly kind: 'answered'; readonly decision: number; readonly agrees: boolean; readonly by: string }
  )

/** What colleagues did with one applicant, or with a subject whose key has not arrived. */
export interface ColleagueCase {
  readonly key: string
  readonly applicantId?: string
  /** In no order; none if nothing is counted of it any more. */
  readonly events: readonly ColleagueEvent[]
}

/** Cases that are new or have changed since the page before. */
export interface ColleagueCases {
  /** What is known once the page was taken. */
  readonly version: number
  /** It begins anew: what was known before is dropped. */
  readonly whole: boolean
  readonly cases: readonly ColleagueCase[]
  readonly more: boolean
}
