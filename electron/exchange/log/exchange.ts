/** Exchanges events with a team for as long as it is open, whatever becomes of the database. */
import { failure, type Failure } from '#contract/failures/failures.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import type { Clock } from '#kit/clock.ts'
import type { TeamLine } from '#team/transport/line.ts'
import { teamTables } from '#team/log/database.ts'
import { onReceived } from '#team/storage/on-received.ts'
import { exchangeOnce, type Round, type RoundParts } from './round.ts'
import { limitHints, type Hints } from './hints.ts'
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

/** Pauses, which end early when somebody asks to look. */
function createPauses(after: ExchangeParts['after']) {
  let wake: (() => void) | undefined
  let isAwaited = false
  let isOver = false
  return {
    /** Waits, unless somebody has asked since the last pause. */
    rest: (milliseconds: number): Promise<void> =>
      new Promise((resolve) => {
        if (milliseconds === 0 || isOver) return resolve()
        const cancel = after(milliseconds, () => {
          wake = undefined
          resolve()
        })
        wake = () => {
          wake = undefined
          cancel()
          resolve()
        }
        if (isAwaited) wake()
        isAwaited = false
      }),
    /** Ends this pause, or the next one. */
    ask(): void {
      if (wake) wake()
      else isAwaited = true
    },
    wake: (): void => wake?.(),
    /** No pause is made any more. */
    end(): void {
      isOver = true
      wake?.()
    }
  }
}

type Waiter = (answer: Result<boolean, Failure>) => void

/** Who waits for a whole round that begins from now on, and who for the one in progress. */
function createWaiters() {
  const later: Waiter[] = []
  const now: Waiter[] = []
  const answer = (whom: Waiter[], given: Result<boolean, Failure>): void => {
    for (const resolve of whom.splice(0)) resolve(given)
  }
  return {
    wait: (): Promise<Result<boolean, Failure>> => new Promise((resolve) => later.push(resolve)),
    begin: (): void => void now.push(...later.splice(0)),
    /** Answers those who waited for this round; those of one that was not whole wait for the next one. */
    end(done: Result<Round, Failure>, isSharing: boolean): void {
      if (!done.ok) answer(now, done)
      else if (done.value.unshared) answer(now, fail(done.value.unshared))
      else if (done.value.more) later.push(...now.splice(0))
      else answer(now, ok(done.value.awaited === 0 && isSharing))
    },
    answerLater: (given: Result<boolean, Failure>): void => answer(later, given),
    answerAll(given: Result<boolean, Failure>): void {
      answer(now, given)
      answer(later, given)
    }
  }
}

/** When the next round begins, and what it looks at. */
function createRhythm({ clock, random, store }: ExchangeParts) {
  let failures = 0
  let busyUntil = clock.monotonic() + pollRule.activeFor
  /** Since when events of others wait for an anchor. */
  let waitingSince: number | undefined
  /** When the database was asked whether it has all that it was given. */
  let lookedAt: number | undefined
  const busy = (): void => void (busyUntil = clock.monotonic() + pollRule.activeFor)
  /** Milliseconds until the next attempt. */
  const pause = (why?: Failure): number =>
    why ? pauseAfter(why, Math.max(1, failures), random()) : retryAfter(Math.max(1, failures), random())
  return {
    busy,
    pause,
    lookAgain: (): void => void (lookedAt = undefined),
    now: () => ({
      waiting: waitingSince === undefined ? 0 : clock.monotonic() - waitingSince,
      isThorough: lookedAt === undefined || clock.monotonic() - lookedAt >= thoroughEvery
    }),
    failed: (): void => void (failures += 1),
    done({ sent, received, more }: Round, isThorough: boolean): number {
      failures = 0
      if (isThorough && !more) lookedAt = clock.monotonic()
      const news = onReceived(() => store.unanchored().events)
      waitingSince = news.ok && news.value > 0 ? (waitingSince ?? clock.monotonic()) : undefined
      if (sent + received > 0) busy()
      return more ? 0 : pollAfter(clock.monotonic() < busyUntil, random())
    }
  }
}

/** The database says when there is something new. Without that, everything arrives with the next look. */
async function listen(line: TeamLine, hints: Hints): Promise<void> {
  line.onHint(() => hints.heard())
  void line.lost.then(() => hints.end())
  await line.query('LISTEN veridesk')
}

const bugIn = (error: unknown): Failure =>
  failure('internal', {
    reason: 'method',
    method: 'team.exchange',
    error: error instanceof Error ? error.name : 'unknown error'
  })

/**
 * Why nobody can wait for a whole round now; undefined if somebody can. After a failure, its pause holds: each
 * attempt may ask for a keychain or a password.
 */
const notNow = ({ connected, failure: why, round }: ExchangeState): Failure | undefined =>
  why && (!connected || why !== round?.unshared) ? why : undefined

/** Resolves when something has ended, or after a time. */
const endWithin = (after: ExchangeParts['after'], milliseconds: number, ended: Promise<unknown>): Promise<void> =>
  new Promise((resolve) => {
    const cancel = after(milliseconds, resolve)
    void ended.finally(() => {
      cancel()
      resolve()
    })
  })

/** Starts at once. Nothing is thrown: a bug is a state with `internal`, and the exchange goes on. */
export function startExchange(parts: ExchangeParts): Exchange {
  const { clock, after, host } = parts
  const pauses = createPauses(after)
  const waiters = createWaiters()
  let state: ExchangeState = { connected: false }
  let isClosed = false
  let line: TeamLine | undefined
  const rhythm = createRhythm(parts)
  const lost = fail(failure('team-database-lost', { host }))

  const become = (next: ExchangeState): void => {
    state = next
    parts.onChange?.(state)
  }
  const failed = (why: Failure): void => {
    rhythm.failed()
    become({ ...state, connected: line !== undefined, failure: why })
  }
  const retry = (): void => {
    rhythm.busy()
    pauses.ask()
  }
  /** After a failure, its pause holds whatever is recorded meanwhile: each attempt may ask for a keychain or a password. */
  const look = (): void => {
    if (state.connected && !notNow(state)) retry()
  }

  async function connect(): Promise<boolean> {
    const opened = await parts.open()
    if (!opened.ok) {
      waiters.answerLater(opened)
      failed(opened.failure)
      return false
    }
    const mine = (line = opened.value)
    void mine.lost.then((why) => {
      if (line === mine) {
        line = undefined
        // Opening the next one may take long.
        become({ ...state, connected: false, failure: why })
      }
      pauses.wake()
    })
    await listen(mine, limitHints({ monotonic: () => clock.monotonic(), after, look }))
    return line === mine
  }

  async function round(open: TeamLine): Promise<number> {
    const { waiting, isThorough } = rhythm.now()
    waiters.begin()
    const prepared = await parts.prepare?.(open)
    // What it works with may have changed just now.
    const done =
      prepared?.ok === false
        ? prepared
        : await exchangeOnce({ ...parts, tables: teamTables(open, host) }, { now: clock.now(), waiting, isThorough })
    waiters.end(done, parts.isSharing)
    if (!done.ok) {
      failed(done.failure)
      return rhythm.pause(done.failure)
    }
    const { unshared } = done.value
    const pause = rhythm.done(done.value, isThorough)
    become({ connected: true, round: done.value, at: clock.now(), ...(unshared && { failure: unshared }) })
    return pause
  }

  async function turn(): Promise<number> {
    try {
      if (!line && !(await connect())) return rhythm.pause(state.failure)
      return line ? await round(line) : rhythm.pause()
    } catch (error) {
      // What it works with was closed before a late answer arrived.
      if (isClosed) return 0
      const why = bugIn(error)
      waiters.answerAll(fail(why))
      become({ ...state, failure: why })
      rhythm.failed()
      return rhythm.pause()
    }
  }

  const ended = (async () => {
    while (!isClosed) await pauses.rest(await turn())
    await line?.close()
    waiters.answerAll(lost)
  })()

  return {
    state: () => state,
    look,
    retry: () => {
      rhythm.lookAgain()
      retry()
    },
    whole: () => {
      const why = notNow(state)
      if (isClosed || why) return Promise.resolve(why && !isClosed ? fail(why) : lost)
      const answer = waiters.wait()
      retry()
      return answer
    },
    close() {
      isClosed = true
      pauses.end()
      // Opening a line may take long, and nothing is lost with it.
      return line ? endWithin(after, endLimit, ended) : Promise.resolve()
    }
  }
}
