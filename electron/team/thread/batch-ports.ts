/** What a run of a shared batch asks of the team's worker. */
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import type { BatchClaim, BegunRow, SharedRow, WaitingRow } from '#wire/history/shared-batches.ts'

export type Answer<T> = Promise<Result<T, Failure>>

export interface Attempt {
  readonly row: number
  /** A UUID; repeated with the same one, an intent stays one. */
  readonly attempt: string
}

/** Rows of a batch, and those of them that were begun here. */
export interface Stretch {
  readonly from: number
  readonly to: number
  readonly own: readonly BegunRow[]
}

/** Rows that can be sent, as the installation that shared the batch recorded them. */
export interface GivenRows {
  readonly rows: readonly SharedRow[]
  /** The batch, one of its rows, or the key of a row has not arrived: they can be sent later. */
  readonly awaited: boolean
}

/** The claim of a batch that this installation has recorded: the number of its event, and the claims that it replaces. */
export interface OwnClaim extends BatchClaim {
  readonly event: number
}

/** What a claim is for: it is new; those that it replaces are over by time; or its installation runs the batch. */
export type ClaimStage = 'new' | 'waited' | 'running'

/** Every call fails with `team-batch-frozen` while a finding about the database stands. */
export interface BatchPort {
  /** Becomes the runner. @returns Its fence. Failures: `team-batch-runs` while somebody else is; `team-batch-unusable`. */
  take(id: string, seconds: number): Answer<number>
  /** A sign of life. @returns False for who is the runner no more. */
  renew(id: string, fence: number, seconds: number): Answer<boolean>
  /** Hands over. */
  leave(id: string, fence: number): Answer<unknown>
  /** Rows that were begun, here or at colleagues, and have no intent are a finding. */
  compare(id: string, stretch: Stretch): Answer<null>
  /** Claims of others that stand, as far as they have arrived. */
  claims(id: string): Answer<BatchClaim['over']>
  /**
   * The claim is shared and everything that colleagues had shared before has arrived; then what the log says: `mine`; `wait`
   * while a claim that is replaced may still be at work; `beside` if another one was made at the same time. Undefined if not
   * all of it can be read yet. Failure: `team-batch-runs` if somebody has replaced it.
   */
  confirm(id: string, claim: OwnClaim, stage: ClaimStage): Answer<'mine' | 'wait' | 'beside' | undefined>
  /**
   * Rows that nobody has begun and that have no intent, of those that wait here. Compares them, too.
   *
   * @param sharer Whose rows they are; undefined for those of this installation, whose cells are here.
   * @param waiting Their numbers; `mine` may have an intent of this run.
   */
  left(
    id: string,
    sharer: string | undefined,
    stretch: Stretch,
    given: { readonly waiting: readonly number[]; readonly mine: readonly number[] }
  ): Answer<GivenRows>
  /** Why a row is not to be sent any more: its applicant was erased for the team, by whomever, or a colleague has begun it. */
  spent(id: string, sharer: string | undefined, row: WaitingRow): Answer<'erased' | 'begun' | undefined>
  /** For each row, whether it may be sent; `ended` for who is the runner no more: then nothing is stored. */
  intend(id: string, fence: number, attempts: readonly Attempt[]): Answer<readonly boolean[] | 'ended'>
}
