/** The rules of shared batches, without a clock or a database. Times are milliseconds, as the caller measures them. */

/** Seconds of a lease by the database's clock, and the part of it after which an installation stops by its own. */
export const leaseRule = { seconds: 60, stopsAfter: 0.8, renewsAfter: 15_000 } as const

/** Two readings of one moment. A computer that sleeps stops the first clock, and a person can set the second. */
export interface Moment {
  readonly monotonic: number
  readonly wall: number
}

/** A lease, with when it was asked for: the database counts from later. */
export interface Lease {
  readonly n: number
  readonly fence: number
  readonly seconds: number
  readonly asked: Moment
}

/** Whether 80 % of a lease have not passed, by either clock. @param needs Milliseconds that must be left of them. */
export function isSafe({ seconds, asked }: Pick<Lease, 'seconds' | 'asked'>, now: Moment, needs = 0): boolean {
  const left = seconds * 1000 * leaseRule.stopsAfter - needs
  return now.monotonic - asked.monotonic < left && now.wall - asked.wall < left
}

/**
 * Milliseconds. Whoever runs a part has heard of all that colleagues have shared not longer ago than `heard`, and stops it once
 * somebody has replaced its claim; whoever replaces a claim begins `replaced` after that was shared, when the other one has
 * stopped. docs/decisions/0020-shared-batches.md.
 */
export const claimRule = { heard: 5_000, replaced: 10_000 } as const

/** Whether a moment is less than some milliseconds ago, by either clock. */
export const isRecent = (then: Moment, now: Moment, milliseconds: number): boolean =>
  now.monotonic - then.monotonic < milliseconds && now.wall - then.wall < milliseconds

/** Rows of one lease: few enough that several installations share a small batch. */
export const chunkRowsFor = (rows: number): number => Math.min(100, Math.max(1, Math.ceil(rows / 40)))

/** Rows of a chunk, from the first to the last. */
export const rowsOf = (
  n: number,
  { rows, chunkRows }: { readonly rows: number; readonly chunkRows: number }
): { readonly from: number; readonly to: number } => ({
  from: n * chunkRows + 1,
  to: Math.min(rows, (n + 1) * chunkRows)
})

/**
 * Shares of a team in the concurrency and the rate limit of a batch. Who holds one may have one request in progress, and
 * send one in each interval; all of them together are the whole. With a low limit there are fewer, so that nobody who has
 * just taken one waits for more than a minute.
 *
 * @param pace Requests per minute of the whole team; 0 for no limit.
 */
export const lanesFor = (atOnce: number, pace: number): number =>
  pace > 0 ? Math.max(1, Math.min(atOnce, pace)) : atOnce

/** Milliseconds between two requests of one share. */
export const laneInterval = (lanes: number, pace: number): number => (pace > 0 ? (60_000 * lanes) / pace : 0)

/** Seconds of the lease of a share: whoever holds it may start requests for half a minute, and end them, before 80 % of it have passed. */
export const laneSeconds = (requestSeconds: number): number =>
  Math.min(3600, Math.ceil((30 + requestSeconds) / leaseRule.stopsAfter))

/** How many shares an installation wants. Rounded up: the database gives none twice. */
export const fairShare = (lanes: number, runners: number): number => Math.ceil(lanes / Math.max(1, runners))
