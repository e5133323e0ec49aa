/**
 * The audit trail as windows and the command line see it: every event of the history in order, each
 * chained to the one before it. Times are Unix milliseconds; hashes are hex digits.
 */
import { z } from 'zod'
import type { AuditBreak } from './failures.ts'

/** What events are about, for filters. A group is a set of kinds; core knows which. */
export const auditGroups = ['checks', 'views', 'decisions', 'applicants', 'catalogue', 'exports', 'settings', 'connections', 'batches', 'erasure', 'program'] as const
export type AuditGroup = (typeof auditGroups)[number]

export interface AuditEvent {
  /** From 1, without gaps. */
  readonly seq: number
  readonly at: number
  readonly kind: string
  readonly group: AuditGroup
  /** What happened, as a sentence. */
  readonly words: string
  readonly operator?: string
  /** A person did it, and an earlier version did not record who. */
  readonly unnamed?: true
  readonly recordId?: string
  readonly applicantId?: string
  /** Its personal data was erased; the event and its place in the chain stay. */
  readonly erased: boolean
  readonly hash: string
}

export const auditQuerySchema = z.strictObject({
  groups: z.array(z.enum(auditGroups)).max(auditGroups.length).optional(),
  limit: z.number().int().min(1).max(200),
  /** Events before this one; newest first. */
  before: z.number().int().positive().optional(),
  /** Jumps to the newest event at or before a time. */
  at: z.number().int().nonnegative().optional()
})
export type AuditQuery = z.output<typeof auditQuerySchema>
export interface AuditPage {
  readonly events: readonly AuditEvent[]
  readonly older: boolean
}

/**
 * Names one visit of a page or a list. Whatever is asked again under it, to redraw or to read the next page, is the same
 * view and one event; without it, each request is a view.
 */
export const visitSchema = z.uuid().optional()

/** A state of the chain: its last event, and the root of the Merkle tree (RFC 9162) over its first `seq` events. */
export interface AuditHead {
  readonly seq: number
  readonly hash: string
  readonly root: string
}

export type BreakKind = AuditBreak['why']

export type AuditVerdict =
  | {
      readonly intact: true
      readonly events: number
      readonly head: AuditHead
      /** Events whose sealed data was opened and fits. */
      readonly opened: number
      /** Events whose key was destroyed: their data is gone, the chain over them holds. */
      readonly erased: number
      /** Where the head is known from outside the files; absent where nothing outside knows of it. */
      readonly anchor?: { readonly seq: number; readonly at: number }
      /** Milliseconds. */
      readonly took: number
    }
  | ({
      readonly intact: false
      /** The first event that does not fit, or the last that does where the end is missing. */
      readonly at: number
      /** Events before it that were verified. */
      readonly verified: number
      /** Milliseconds. */
      readonly took: number
    } & AuditBreak)

/** Shows that one event stands in a tree of `size` events with this root, without showing the others. */
export interface InclusionProof {
  readonly seq: number
  readonly size: number
  /** The event's hash in the chain, which is the leaf's content. */
  readonly leaf: string
  readonly path: readonly string[]
  readonly root: string
}
/** Shows that a later tree begins with an earlier one. */
export interface ConsistencyProof {
  readonly from: number
  readonly size: number
  readonly path: readonly string[]
  readonly fromRoot: string
  readonly root: string
}
