/** How a verification that a window or a command asked for ended. */
import type { Failure } from '../failures/failures.ts'
import type { MissedCopy } from '../documents/documents.ts'
import type { EarlierCheck, RecordDetail, RecordSummary } from '../history/records.ts'
import type { TeamEntry } from '../team/activity.ts'

/** The result of a verification: recorded, or held back: the same verification was or may have been sent, or a person has to confirm it. */
export type RunEnding =
  | { readonly kind: 'recorded'; readonly record: RecordDetail }
  /** It ended, but its result could not be written: this is the only copy of the answer. */
  | { readonly kind: 'unrecorded'; readonly record: RecordDetail; readonly failure: Failure }
  | { readonly kind: 'recently-answered'; readonly earlier: RecordSummary }
  /** A colleague sent the same request, which was answered or may have been. */
  | { readonly kind: 'checked-by-colleague'; readonly earlier: TeamEntry }
  /** The connection is live, and the settings require a confirmation, which the request did not have. */
  | { readonly kind: 'live-unconfirmed'; readonly connection: string; readonly repeatAnyway: boolean }
  /** Copies are kept, and none can be of some documents; where one is required, no person can send without. */
  | { readonly kind: 'not-copied'; readonly missed: readonly MissedCopy[]; readonly required: boolean }
  | { readonly kind: 'may-have-been-sent'; readonly earlier: Exclude<EarlierCheck, { readonly kind: 'answered' }> }
