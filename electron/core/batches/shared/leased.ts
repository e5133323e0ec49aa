/** A run whose rows are a team's: each is recorded with its number, and takes its place in the team's pace. */
import { failure } from '#contract/failures/failures.ts'
import type { Settings } from '#contract/settings/settings.ts'
import type { RunnerParts } from '../runner.ts'
import type { BatchDraft, SharedTerms } from '#wire/history/batches.ts'
import type { SharedRun } from './ports.ts'

/** The run of a batch of one installation, with the rows that it leases. */
export const leased = (alone: RunnerParts, shared: SharedRun): RunnerParts => ({
  ...alone,
  store: shared.store,
  // The shares of all installations together are the whole.
  pace: 0,
  yieldFor: (now) => Math.max(alone.yieldFor(now), shared.waitFor(now)),
  intentOf(row) {
    shared.starting(row.row)
    return { ...alone.intentOf(row), batchRow: row.row }
  },
  async send(row, signal) {
    try {
      if (await shared.mayBeSent(row.row)) return await alone.send(row, signal)
      return { outcome: 'not-sent', endedAt: alone.clock.now(), failure: failure('cancelled-before-sending') }
    } finally {
      shared.left(row.row)
    }
  }
})

/** The draft of a batch that a team shares; undefined for others. */
export const sharedOrder = (
  draft: BatchDraft
): { readonly draft: BatchDraft & { readonly shared: SharedTerms } } | undefined =>
  draft.shared ? { draft: { ...draft, shared: draft.shared } } : undefined

/** Longest time of one request. */
export const requestSeconds = ({
  connectTimeout,
  totalTimeout
}: Pick<Settings, 'connectTimeout' | 'totalTimeout'>): number => connectTimeout + totalTimeout
