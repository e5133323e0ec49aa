/** Exchanges events with a team for as long as it is open, whatever becomes of the database. */
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import type { Clock } from '#kit/clock.ts'
import type { TeamLine } from '#team/transport/line.ts'
import { teamTables } from '#team/log/database.ts'
import { onReceived } from '#team/storage/on-received.ts'
import { exchangeOnce, type Round, type RoundParts } from './round.ts'
import { limitHints } from './hints.ts'
import { pauseAfter, pollAfter, pollRule, retryAfter, thoroughEvery } from '#team/log/schedule.ts'

export interface ExchangeParts extends Omit<RoundParts, 'tables'> {
  /** Names the database in failures. */
  readonly host: string
  readonly open: () => Promise<Result<TeamLine, Failure>>
  /** Before each round: whether keys and members are still those of the list. A failure ends the round. */
  readonly prepare?: (line: TeamLine) => Promise<Result<null, Failure>>
  readonly clock: Clock
  /** From 0 to 1. */
  readonly random: () => number
  /** Calls back after milliseconds, unless it is cancelled. */
  readonly after: (milliseconds: number, run: () => void) => () => void
  readonly onChange?: (state: ExchangeState) => void
}

export interface ExchangeState {
  readonly connected: boolean
  /** Why there is no connection, or why the last round ended early. */
  readonly failure?: Failure
  readonly round?: Round
  /** When the last whole round ended, in Unix milliseconds. */
  readonly at?: number
}

/** How long the round in progress may take when the exchange ends: whoever has the database can let it wait. */
const endLimit = 5000

export interface Exchange {
  state(): ExchangeState
  /** Something was recorded here: does not wait for the next look. */
  look(): void
  /**
   * Ends with the first whole round that begins from now on: what was recorded here before is in the database, and what the
   * database showed afterwards is here. @returns False if not all of it can be read yet. Failures: why there is no connection,
   * or why that round ended early or shared nothing.
   */
  whole(): Promise<Result<boolean, Failure>>
  /** Somebody has fixed something, or wants to know: does not wait, even after a failure. */
  retry(): void
  /** Ends after the round in progress, or without it if it takes long. */
  close(): Promise<void>
}

/** Starts at once. Nothing is thrown: a bug is a state with `internal`, and the exchange goes on. */
export function startExchange(parts: ExchangeParts): Exchange {
  const { clock, random, after, host } = parts
  let state: ExchangeState = { connected: false }
  let isClosed = false
  let line: TeamLine | undefined
  let failures = 0
  let busyUntil = clock.monotonic() + pollRule.activeFor
  /** Since when events of others wait for an anchor. */
  let waitingSince: number | undefined
  /** When the database was asked whether it has all that it was given. */
  let lookedAt: number | undefined
  let wake: (() => void) | undefined
  let isAwaited = false
  /** Who waits for a whole round that begins from now on. */
  let waiters: ((answer: Result<boolean, Failure>) => void)[] = []
  /** Those who wait for the round in progress. */
  let asked: typeof waiters = []
  const answer = (whom: typeof waiters, given: Result<boolean, Failure>): void => {
    for (const resolve of whom.splice(0)) resolve(given)
  }

  const become = (next: ExchangeState): void => {
    state = next
    parts.onChange?.(state)
  }
  /** Waits, unless somebody asks to look. */
  const rest = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      const cancel = after(milliseconds, () => {
        wake = undefined
        resolve()
      })
      wake = () => {
        wake = undefined
        cancel()
        resolve()
      }
      if (isAwaited || isClosed) wake()
      isAwaited = false
    })
  const retry = (): void => {
    busyUntil = clock.monotonic() + pollRule.activeFor
    if (wake) wake()
    else isAwaited = true
  }
  /** After a failure, its pause holds whatever is recorded meanwhile: each attempt may ask for a keychain or a password. */
  const look = (): void => {
    const { connected, failure: why, round } = state
    if (connected && (!why || why === round?.unshared)) retry()
  }

  async function connect(): Promise<boolean> {
    const opened = await parts.open()
    if (!opened.ok) {
      failures += 1
      answer(waiters, opened)
      become({ ...state, connected: false, failure: opened.failure })
      return false
    }
    const mine = (line = opened.value)
    void mine.lost.then((why) => {
      if (line === mine) {
        line = undefined
        // Opening the next one may take long.
        become({ ...state, connected: false, failure: why })
      }
      wake?.()
    })
    const hints = limitHints({ monotonic: () => clock.monotonic(), after, look })
    mine.onHint(() => hints.heard())
    void mine.lost.then(() => hints.end())
    // Without it, everything arrives with the next look.
    await mine.query('LISTEN veridesk')
    return line === mine
  }

  async function round(open: TeamLine): Promise<number> {
    const waiting = waitingSince === undefined ? 0 : clock.monotonic() - waitingSince
    const isThorough = lookedAt === undefined || clock.monotonic() - lookedAt >= thoroughEvery
    asked = waiters
    waiters = []
    const prepared = await parts.prepare?.(open)
    // What it works with may have changed just now.
    const done =
      prepared?.ok === false
        ? prepared
        : await exchangeOnce({ ...parts, tables: teamTables(open, host) }, { now: clock.now(), waiting, isThorough })
    if (!done.ok) {
      answer(asked, done)
      failures += 1
      become({ ...state, connected: line !== undefined, failure: done.failure })
      return pauseAfter(done.failure, failures, random())
    }
    failures = 0
    if (isThorough && !done.value.more) lookedAt = clock.monotonic()
    const { sent, received, more, unshared, awaited } = done.value
    if (unshared) answer(asked, fail(unshared))
    else if (more) waiters.push(...asked.splice(0))
    else answer(asked, ok(awaited === 0 && parts.isSharing))
    const news = onReceived(() => parts.store.unanchored().events)
    waitingSince = news.ok && news.value > 0 ? (waitingSince ?? clock.monotonic()) : undefined
    if (sent + received > 0) busyUntil = clock.monotonic() + pollRule.activeFor
    become({ connected: true, round: done.value, at: clock.now(), ...(unshared && { failure: unshared }) })
    return more ? 0 : pollAfter(clock.monotonic() < busyUntil, random())
  }

  async function turn(): Promise<number> {
    try {
      if (!line && !(await connect()))
        return state.failure
          ? pauseAfter(state.failure, Math.max(1, failures), random())
          : retryAfter(Math.max(1, failures), random())
      return line ? await round(line) : retryAfter(Math.max(1, failures), random())
    } catch (error) {
      // What it works with was closed before a late answer arrived.
      if (isClosed) return 0
      failures += 1
      const why = failure('internal', {
        reason: 'method',
        method: 'team.exchange',
        error: error instanceof Error ? error.name : 'unknown error'
      })
      for (const whom of [asked, waiters]) answer(whom, fail(why))
      become({ ...state, failure: why })
      return retryAfter(failures, random())
    }
  }

  const ended = (async () => {
    while (!isClosed) {
      const pause = await turn()
      if (!isClosed && pause > 0) await rest(pause)
    }
    await line?.close()
    for (const whom of [asked, waiters]) answer(whom, failed('team-database-lost', { host }))
  })()

  return {
    state: () => state,
    look,
    retry: () => {
      lookedAt = undefined
      retry()
    },
    whole: () => {
      const { connected, failure: why, round: last } = state
      // After a failure, its pause holds: each attempt may ask for a keychain or a password.
      if (isClosed) return Promise.resolve(failed('team-database-lost', { host }))
      if (why && (!connected || why !== last?.unshared)) return Promise.resolve(fail(why))
      return new Promise((resolve) => {
        waiters.push(resolve)
        retry()
      })
    },
    close: () => {
      isClosed = true
      wake?.()
      // Opening a line may take long, and nothing is lost with it.
      if (!line) return Promise.resolve()
      return new Promise((resolve) => {
        const cancel = after(endLimit, resolve)
        void ended.finally(() => {
          cancel()
          resolve()
        })
      })
    }
  }
}
