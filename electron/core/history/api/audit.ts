/** What the audit trail asks of the history. */
import type { AuditHead, AuditPage, AuditQuery, ConsistencyProof, InclusionProof } from '#contract/audit.ts'
import type { Failure } from '#contract/failures.ts'
import type { Result } from '#contract/result.ts'
import type { AuditNote } from './audit-notes.ts'
import type { KnownHead, WalkStep, WalkTask } from './audit-walk.ts'

type Answer<T> = Promise<Result<T, Failure>>

export interface AuditStore {
  /** Appends an event that is no record's own: a view, an export, a changed setting. Synced before it settles. */
  note(note: AuditNote): Answer<{ readonly seq: number }>
  page(query: AuditQuery): Answer<AuditPage>
  /** The last event and the tree's root; what every export carries. */
  head(): Answer<AuditHead>
  /** Failure: `event-missing`. `size` defaults to all events. */
  inclusion(seq: number, size?: number): Answer<InclusionProof>
  consistency(from: number, size?: number): Answer<ConsistencyProof>
  /** What a verification goes up to, and the heads that the chain must contain; `anchor` is the keychain's. */
  anchors(): Answer<{ readonly until: number; readonly known: readonly KnownHead[]; readonly anchor?: { readonly seq: number; readonly at: number } }>
  /** Verifies a stretch of some tens of milliseconds; `AuditTrail.verify()` asks for one after the other. */
  walk(task: WalkTask): Answer<WalkStep>
}
