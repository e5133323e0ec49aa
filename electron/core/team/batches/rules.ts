/** The rules of shared batches, without a clock or a database. docs/decisions/0020-shared-batches.md. */

export const runRules = {
  /** Seconds, by the database's clock, after which a runner without a sign of life is gone. */
  seconds: 60,
  /** The part of them after which it stops by its own clocks. */
  stopsAfter: 0.8,
  /** Milliseconds between two signs of life. */
  renewsAfter: 15_000,
  /** A runner has received everything not longer ago than these milliseconds, and stops once its claim is replaced. */
  heard: 5_000,
  /** Whoever replaces a claim begins so many milliseconds after its own was shared: the other one has stopped by then. */
  replaced: 10_000
} as const
export type RunRules = Readonly<Record<keyof typeof runRules, number>>

/** Two readings of one moment. A computer that sleeps stops the first clock, and a person can set the second. Milliseconds. */
export interface Moment {
  readonly monotonic: number
  readonly wall: number
}

/** Whether a moment is less than some milliseconds ago, by either clock. */
export const isRecent = (then: Moment, now: Moment, milliseconds: number): boolean =>
  now.monotonic - then.monotonic < milliseconds && now.wall - then.wall < milliseconds

/** Milliseconds during which a runner may go on after a sign of life, counted from before it was given. */
export const safeFor = ({ seconds, stopsAfter }: RunRules): number => seconds * 1000 * stopsAfter
