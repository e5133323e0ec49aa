/**
 * The audit trail for windows and the command line: every event of the history in order, each chained to the previous
 * one. Times are Unix milliseconds; hashes are hex digits.
 */
import { z } from 'zod'
import type { AuditBreak } from '../failures/failures.ts'

/** Groups of events, for filters. A group is a set of kinds, defined in core. */
export const auditGroups = [
  'verifications',
  'views',
  'decisions',
  'applicants',
  'catalogue',
  'exports',
  'settings',
  'connections',
  'batches',
  'erasure',
  'program'
] as const
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
  readonly recordId?: string
  readonly applicantId?: string
  /** The batch that it is about, with its name here. */
  readonly batch?: { readonly id: string; readonly name?: string }
  /** The setting that was changed, as the settings' table names it. */
  readonly setting?: string
  /** The name of the connection that it is about. */
  readonly connection?: string
  /** Its personal data was erased; the event and its position in the chain remain. */
  readonly erased: boolean
  readonly hash: string
  /** In exports: the checkpoint of the audit trail that an authority dated, and its token (RFC 3161), base64. */
  readonly timestamp?: { readonly checkpoint: string; readonly token: string }
}

/** Which events are listed or exported; different filters are combined. */
export const auditFilterSchema = z.strictObject({
  groups: z.array(z.enum(auditGroups)).max(auditGroups.length).optional(),
  /** Kinds of events, such as `export.made`. */
  kinds: z.array(z.string().max(60)).max(60).optional(),
  /** Part of the event's sentence or kind, ignoring case. */
  search: z.string().max(200).optional(),
  /** Part of the operator's name, ignoring case. */
  operator: z.string().max(200).optional(),
  /** What it is about: the ID of an applicant, record, batch or connection, or a connection's name. */
  about: z.string().max(256).optional()
})
export type AuditFilter = z.output<typeof auditFilterSchema>
export const auditQuerySchema = auditFilterSchema.extend({
  limit: z.number().int().min(1).max(200),
  /** Events before this one; newest first. */
  before: z.number().int().positive().optional(),
  /** Events after this one, oldest first: 0 for the first page. */
  after: z.number().int().nonnegative().optional(),
  /** Goes to the newest event at or before a time. */
  at: z.number().int().nonnegative().optional()
})
export type AuditQuery = z.output<typeof auditQuerySchema>
export interface AuditPage {
  readonly events: readonly AuditEvent[]
  /** Whether there may be more events in this direction. */
  readonly older: boolean
  /**
   * The event before or after which the next page begins. A search reads for some milliseconds at a time, so a page may
   * have few events or none although more follow.
   */
  readonly next?: number
  /** With the first page: how many events are views of data, whatever is asked for. */
  readonly views?: number
}

/**
 * Identifies one visit of a page or list. Repeated requests with the same id, to redraw or to read the next page,
 * count as one view and one event; without an id, each request is a view.
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
      /** Events whose sealed data was opened and matches. */
      readonly opened: number
      /** Events whose key was destroyed: their data is gone, but the chain over them is verified. */
      readonly erased: number
      /** The head known from outside the files; absent if there is none. */
      readonly anchor?: { readonly seq: number; readonly at: number }
      /** Milliseconds. */
      readonly took: number
    }
  | ({
      readonly intact: false
      /** The first event that does not match, or the last that does if the end is missing. */
      readonly at: number
      /** Number of events before it that were verified. */
      readonly verified: number
      /** Milliseconds. */
      readonly took: number
    } & AuditBreak)

/** Proves that an event is in a tree of `size` events with this root, without showing the others. */
export interface InclusionProof {
  readonly seq: number
  readonly size: number
  /** The event's hash in the chain, which is the leaf's content. */
  readonly leaf: string
  readonly path: readonly string[]
  readonly root: string
}
/** Proves that a later tree begins with an earlier one. */
export interface ConsistencyProof {
  readonly from: number
  readonly size: number
  readonly path: readonly string[]
  readonly fromRoot: string
  readonly root: string
}
