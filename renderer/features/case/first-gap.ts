/** What is missing of a decision, and what is open before one. Pure. */
import type { TimelineEntry } from '#contract/applicants/applicants.ts'

/** What a decision still needs, in the order of the form. `evidence`: newer evidence was not reviewed. */
export type Gap = 'decision' | 'evidence' | 'reasons' | 'note'

export interface DecisionInput {
  readonly decision: string | undefined
  /** Newer evidence has arrived since it was begun. */
  readonly newer: boolean
  /** Reasons that can be given, and those that are. */
  readonly offered: number
  readonly given: number
  readonly noteNeeded: boolean
  readonly note: string
}

/** The first thing that is missing; undefined if the decision can be recorded. */
export function firstGap({ decision, newer, offered, given, noteNeeded, note }: DecisionInput): Gap | undefined {
  if (decision === undefined) return 'decision'
  if (newer) return 'evidence'
  if (offered > 0 && given === 0) return 'reasons'
  return noteNeeded && note.trim() === '' ? 'note' : undefined
}

/** Unknown outcomes among the entries that nobody has resolved. */
export const unresolvedIn = (entries: readonly TimelineEntry[]): number =>
  entries.filter((entry) => entry.kind === 'check' && entry.record.state === 'unknown' && !entry.record.resolved).length
