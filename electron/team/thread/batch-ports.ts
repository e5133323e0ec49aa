/** What a run of a shared batch asks of the team's worker. */
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import type { BegunRow, LeasedRow, PartClaim, WaitingRow } from '#wire/history/shared-batches.ts'

export type Answer<T> = Promise<Result<T, Failure>>

/** A part of a batch that an installation holds, until its lease ends or somebody with a later fence has it. */
export interface Held {
  readonly n: number
  readonly fence: number
}
export interface Attempt {
  readonly row: number
  /** A UUID; repeated with the same one, an intent stays one. */
  readonly attempt: string
}

/** A batch and its shares, as the database must have them. */
export interface BatchTerms {
  readonly id: string
  readonly rows: number
  readonly chunkRows: number
  readonly lanes: number
}

/** Rows of a part, and those that were begun here. */
export interface PartRows {
  readonly from: number
  readonly to: number
  readonly own: readonly BegunRow[]
}

/** Rows of a chunk that can be sent, as the installation that shared the batch recorded them. */
export interface GivenRows {
  readonly rows: readonly LeasedRow[]
  /** The batch, one of its rows, or the key of a row has not arrived: the chunk can be run later. */
  readonly awaited: boolean
}

/** The claim of a part that this installation has recorded: the number of its event, and the claims that it replaces. */
export interface OwnClaim extends PartClaim {
  readonly event: number
}

/** What the log of the team says about a part that this installation has claimed. */
export interface ConfirmedPart {
  /** `mine`; `wait` while a claim that is replaced may still be at work; `lost` if somebody has claimed it meanwhile. */
  readonly place: 'mine' | 'wait' | 'lost'
  /** Rows that colleagues have begun: they are never sent again, whatever the tables say. */
  readonly begun: readonly number[]
}

/** Every call fails with `team-batch-frozen` while a finding about the database stands. */
export interface BatchPort {
  /** Makes the batch known to the database, and gives back what an earlier process of this installation held. Failure: `team-batch-unusable`. */
  open(terms: BatchTerms): Answer<null>
  /** Rows of a stretch that were begun, here or at colleagues, and have no intent are a finding. */
  compare(id: string, rows: PartRows): Answer<null>
  take(id: string, seconds: number): Answer<Held | 'wait' | 'over'>
  /** Rows of a batch that an installation shared. */
  rows(id: string, sharer: string, from: number, to: number): Answer<GivenRows>
  /** Why a row is not to be sent any more: its applicant was erased for the team, by whomever, or a colleague has begun it. */
  spent(id: string, sharer: string | undefined, row: WaitingRow): Answer<'erased' | 'begun' | undefined>
  /** Claims of others of a part, as far as they have arrived: their events, by installation. */
  claims(id: string, part: number): Answer<PartClaim['over']>
  /**
   * The claim is shared and everything that colleagues had shared before has arrived; then what the log says. Undefined if not
   * all of it can be read yet. Rows that were begun, here or there, and have no intent are a finding.
   *
   * @param given Its rows, those of them that were begun here, and whether claims that it replaces are over by time.
   */
  confirm(
    id: string,
    claim: OwnClaim,
    given: PartRows & { readonly waited: boolean }
  ): Answer<ConfirmedPart | undefined>
  /** Whether nobody has replaced these claims, once everything has arrived; undefined likewise. */
  watch(id: string, claims: readonly OwnClaim[]): Answer<readonly boolean[] | undefined>
  /** Rows of a stretch that colleagues have not begun and that have no intent; `awaited` likewise. */
  unsent(
    id: string,
    sharer: string | undefined,
    from: number,
    to: number
  ): Answer<{ readonly rows: readonly number[]; readonly awaited: boolean }>
  /** A part that was called done has rows that nobody has sent. */
  reopen(id: string, part: number): Answer<null>
  intend(id: string, held: Held, attempts: readonly Attempt[]): Answer<readonly boolean[] | 'ended'>
  takeLane(id: string, seconds: number): Answer<Held | undefined>
  /** Of `of`, whether each is still held. */
  renew(id: string, of: 'rows' | 'lanes', held: readonly Held[], seconds: number): Answer<readonly boolean[]>
  /** False if it was held no more. */
  leave(id: string, of: 'rows' | 'lanes', held: Held, done: boolean): Answer<boolean>
  /** Installations that run it now, with this one. */
  runners(id: string): Answer<number>
}
