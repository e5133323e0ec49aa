/**
 * Runs the waiting rows of a batch. For each operation of a row, in order: write the intent durably, send once, write the result durably. The
 * result of one row and the intent of the next are written together, so that each row costs one sync instead of two.
 */
import { failure, type Failure, type FailureCode } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import type { RecordEnding } from '#contract/history/records.ts'
import { stopsCheck } from '#contract/verification/recipes.ts'
import { askedWait } from '#contract/verification/retry-after.ts'
import type { Clock } from '#kit/clock.ts'
import type { RecordIntent } from '#wire/history/record-intent.ts'
import type { TakenCopies } from '#core/documents/copies.ts'
import { createBreaker } from './breaker.ts'
import { createFeed, type Feed } from './feed.ts'
import { createPace } from './pace.ts'
import { decide, maxAskedWait } from './retry.ts'
import type {
  BatchStep,
  BatchStore,
  RowBegin,
  RowFinish,
  StepDone,
  TakenRow,
  WantedField
} from '#wire/history/batches.ts'

export interface RunnerParts {
  readonly clock: Clock
  readonly store: Pick<BatchStore, 'take' | 'step'>
  readonly id: string
  readonly atOnce: number
  /** Requests per minute; 0 for no limit. */
  readonly pace: number
  /** What is recorded, with the copies that were taken of it. */
  intentOf(row: TakenRow, taken?: TakenCopies): RecordIntent
  /** What leaves a row out when its turn comes; see `RowBegin`. */
  guardOf?(row: TakenRow): Promise<Pick<RowBegin, 'recentDuplicates' | 'colleague'>>
  /** The documents of which copies are wanted beside the batch. */
  wantedOf?(row: TakenRow): readonly WantedField[]
  /** The copies without which the row is not sent, taken before its record begins. `stop` ends it. */
  copiesOf?(row: TakenRow, stop: AbortSignal): Promise<Result<RowCopiesTaken, Failure>>
  /** A row has begun whose copies are wanted beside the batch. */
  onWanted?(): void
  send(row: TakenRow, signal: AbortSignal): Promise<RecordEnding>
  /** Why no further row may be sent; asked before a row is recorded, and by `send` right before its first byte. */
  refusal?(): Failure | undefined
  retryBusy(): boolean
  /** Milliseconds during which no row is started because the user is active; `now` is of the monotonic clock. */
  yieldFor(now: number): number
  /** From 0 to 1, for the jitter. */
  random(): number
  /** A row has ended. */
  onEnd(ending: RecordEnding): void
}

/** Copies that were taken for a row, and why it is not sent if one is missing. */
export interface RowCopiesTaken {
  readonly taken: TakenCopies
  readonly unsent?: Failure
}

/** Why a run ended. */
export interface RunEnd {
  readonly state: 'paused' | 'cancelled' | 'finished' | 'stopped'
  readonly reason?: Failure
  /** Results that could not be written. They are kept in memory until the next start. */
  readonly unrecorded: readonly RowFinish[]
}

export interface Run {
  /** Starts no further row; rows in progress finish. */
  halt(state: 'paused' | 'cancelled'): void
  /** Aborts rows in progress at once; those already sent become unknown. */
  abort(): void
  halting(): 'paused' | 'cancelled' | undefined
  /** Rows whose intent is written and that wait until fewer rows are in progress. */
  readonly recordedAhead: ReadonlySet<number>
  readonly ended: Promise<RunEnd>
}

interface Halt {
  readonly state: 'paused' | 'cancelled' | 'stopped'
  readonly reason?: Failure
}

/**
 * Intents written ahead of those in progress, so that the service is not idle while the disk syncs. After a crash
 * these rows are unknown as well, so their number is small.
 */
const rowsAhead = (atOnce: number): number => Math.ceil(atOnce / 2)

/** A policy came into force during the run. */
const policyRefusals: readonly FailureCode[] = [
  'address-not-allowed',
  'own-connections-off',
  'practice-off',
  'passphrase-required',
  'recovery-key-required',
  'policies-block-sending'
]

/** Admits at most `most` at a time; the others queue. */
function createGate(most: number): { enter(): Promise<void>; leave(): void } {
  let free = most
  const line: (() => void)[] = []
  return {
    enter: () =>
      new Promise((resolve) => {
        if (free > 0) {
          free -= 1
          resolve()
        } else line.push(resolve)
      }),
    leave() {
      const next = line.shift()
      if (next) next()
      else free += 1
    }
  }
}

/** Why a run ends before its rows do, and sleep that this interrupts. */
function createHalting() {
  const sleepers = new AbortController()
  let halted: Halt | undefined
  return {
    /** Is aborted once it is halted. */
    signal: sleepers.signal,
    why: () => halted,
    halt(next: Halt): void {
      // A stop or cancellation overrides a pause; otherwise the first reason stays.
      if (!halted || (halted.state === 'paused' && next.state !== 'paused')) halted = next
      sleepers.abort()
    },
    sleep: (milliseconds: number): Promise<void> =>
      new Promise((resolve) => {
        if (sleepers.signal.aborted) return resolve()
        const wake = (): void => {
          clearTimeout(timer)
          sleepers.signal.removeEventListener('abort', wake)
          resolve()
        }
        const timer = setTimeout(wake, milliseconds)
        sleepers.signal.addEventListener('abort', wake)
      })
  }
}

/** A row that is due again: for another attempt, or for its next operation. */
interface Waiting {
  readonly row: TakenRow
  /** Monotonic clock. */
  readonly due: number
}

/** What is left of a row after it was sent: its end, which the next step writes, and what it waits for. */
interface Performed {
  readonly finish: RowFinish
  readonly waits?: Waiting
}

/** A row that goes on with its next operation; undefined after the last one. */
const nextOf = ({ left, ...row }: TakenRow, due: number): Waiting | undefined =>
  left.length > 1 ? { row: { ...row, left: left.slice(1), tries: 0 }, due } : undefined

/** What a result means for its row, and for the run. */
function createJudge(parts: RunnerParts, pace: ReturnType<typeof createPace>, halt: (next: Halt) => void) {
  const { clock } = parts
  // A wall clock that is moved during the run must not shorten a wait that ends at a date.
  const began = clock.now() - clock.monotonic()
  const steadyNow = (): number => began + clock.monotonic()
  const breaker = createBreaker()

  /** Whether no further request is allowed; then the run ends. */
  function isRefused(): boolean {
    const reason = parts.refusal?.()
    if (reason) halt({ state: policyRefusals.includes(reason.code) ? 'stopped' : 'paused', reason })
    return reason !== undefined
  }

  /** What the result of a row means for it and for those after it. */
  function judged(row: TakenRow, recordId: string, ending: RecordEnding): Performed {
    const cancelled = ending.failure?.code === 'cancelled-before-sending'
    // The row waits, as all after it do.
    if (cancelled || (ending.outcome === 'not-sent' && isRefused()))
      return { finish: { row: row.row, recordId, ending, again: true } }
    const tries = row.tries + 1
    const wait = askedWait(ending.reply, steadyNow())
    if (wait !== undefined && wait > maxAskedWait)
      halt({
        state: 'stopped',
        reason: failure('batch-asked-to-wait', { minutes: Math.ceil(Math.min(wait, 1e12) / 60_000) })
      })
    else if (wait !== undefined) pace.hold(clock.monotonic(), wait)
    const decision = decide(ending, { tries, retryBusy: parts.retryBusy(), random: parts.random(), now: steadyNow() })
    const reason = breaker(ending)
    if (reason) halt({ state: 'stopped', reason })
    const again = decision.kind === 'again'
    const stops = stopsCheck({ state: ending.outcome, status: ending.reply?.status })
    const next = again || stops ? undefined : nextOf(row, clock.monotonic())
    if (!again && !next) parts.onEnd(ending)
    const waits = again ? { row: { ...row, tries }, due: clock.monotonic() + decision.after } : next
    return { finish: { row: row.row, recordId, ending, again }, ...(waits && { waits }) }
  }

  /** A row was recorded as not sent before its request: there is no copy of one of its documents. */
  function unsent(why: Failure): void {
    const ending: RecordEnding = { outcome: 'not-sent', endedAt: clock.now(), failure: why }
    const reason = breaker(ending)
    if (reason) halt({ state: 'stopped', reason })
    parts.onEnd(ending)
  }

  return { isRefused, judged, unsent }
}

/** Whether there are more rows; a failure halts. */
async function fill(feed: Feed, halt: (next: Halt) => void): Promise<boolean> {
  const filled = await feed.fill()
  if (!filled.ok) halt({ state: 'stopped', reason: filled.failure })
  return !filled.ok || filled.value
}

/** What a row is recorded with. */
async function beginOf(
  parts: Pick<RunnerParts, 'guardOf' | 'wantedOf' | 'intentOf'>,
  row: TakenRow,
  { taken, unsent }: Partial<RowCopiesTaken>
): Promise<RowBegin> {
  const guard = await parts.guardOf?.(row)
  const wanted = parts.wantedOf?.(row)
  const intent = parts.intentOf(row, taken)
  return { row: row.row, intent, ...guard, ...(wanted && { wanted }), ...(unsent && { unsent }) }
}

/** Takes the copies of a row; undefined if it is not begun now and waits. */
function createTaking(
  { copiesOf }: Pick<RunnerParts, 'copiesOf'>,
  stop: AbortSignal,
  run: { halted(): Halt | undefined; halt(next: Halt): void; isRefused(): boolean }
) {
  return async (row: TakenRow): Promise<RowCopiesTaken | undefined> => {
    const found = await copiesOf?.(row, stop)
    // A fetch takes up to 30 seconds.
    if (found?.ok && !run.halted() && !run.isRefused()) return found.value
    if (found?.ok) await found.value.taken.drop()
    else if (found && !run.halted()) run.halt({ state: 'stopped', reason: found.failure })
    return undefined
  }
}

/**
 * Starts a run. `ended` resolves when no row is in progress any more and never rejects because of the service or
 * disk.
 */
export function startRun(parts: RunnerParts): Run {
  const { clock, store, id } = parts
  const pace = createPace(parts.pace)
  const gate = createGate(parts.atOnce)
  const ahead = new Set<number>()
  const unrecorded: RowFinish[] = []
  const requests = new AbortController()
  const { why: halted, halt, sleep, signal: halts } = createHalting()
  const { isRefused, judged, unsent } = createJudge(parts, pace, halt)
  const copiesFor = createTaking(parts, AbortSignal.any([halts, requests.signal]), { halted, halt, isRefused })

  /** Sends a row whose intent is written; returns its result and whether it is retried. */
  async function perform(row: TakenRow, recordId: string): Promise<Performed> {
    ahead.add(row.row)
    await gate.enter()
    ahead.delete(row.row)
    // The service may have asked for a pause since this row's intent was written.
    for (let held = pace.held(clock.monotonic()); held > 0 && !halted(); held = pace.held(clock.monotonic()))
      await sleep(held)
    const ending: RecordEnding = halted()
      ? { outcome: 'not-sent', endedAt: clock.now(), failure: failure('cancelled-before-sending') }
      : await parts.send(row, requests.signal)
    gate.leave()
    return judged(row, recordId, ending)
  }

  /** Undefined if it could not be written; then the run stops. */
  async function written(step: BatchStep): Promise<StepDone | undefined> {
    const done = await store.step(id, step)
    if (done.ok) return done.value
    if (step.finish) unrecorded.push(step.finish)
    halt({ state: 'stopped', reason: done.failure })
    return undefined
  }

  /** Writes the end of a row and the intent of the next one, and sends that. Undefined if it could not be written. */
  async function advance(
    row: TakenRow | undefined,
    finish: RowFinish | undefined
  ): Promise<Partial<Performed> | undefined> {
    if (!row) return finish && !(await written({ finish })) ? undefined : {}
    if (!parts.copiesOf) return begin(row, finish)
    // The result of a row does not wait for the documents of the next.
    if (finish && !(await written({ finish }))) return undefined
    const copies = await copiesFor(row)
    if (copies) return begin(row, undefined, copies)
    pace.back()
    return {}
  }

  async function begin(
    row: TakenRow,
    finish: RowFinish | undefined,
    copies: Partial<RowCopiesTaken> = {}
  ): Promise<Partial<Performed> | undefined> {
    const begun = await beginOf(parts, row, copies)
    const done = await written({ ...(finish && { finish }), begin: begun })
    const { taken } = copies
    if (taken) await (done?.begun || done?.unsent ? taken.finish() : taken.drop())
    if (!done) return undefined
    if (done.begun) {
      if (begun.wanted) parts.onWanted?.()
      return perform(row, done.begun.id)
    }
    if (done.unsent && begun.unsent) unsent(begun.unsent)
    // What may not begin is somebody else's, was answered elsewhere, or its applicant was erased while it waited: it is not sent.
    pace.back()
    const waits = done.next && nextOf(row, clock.monotonic())
    return waits ? { waits } : {}
  }

  /** Processes rows one after another until there are none left or the run is halted. */
  async function slot(feed: Feed): Promise<void> {
    let finish: RowFinish | undefined
    let mine: Waiting | undefined
    for (;;) {
      const now = clock.monotonic()
      const wait = Math.max(pace.wait(now), (mine?.due ?? now) - now, parts.yieldFor(now))
      const row = halted() || wait > 0 || isRefused() ? undefined : (mine?.row ?? feed.next())
      if (row) pace.leave(now)
      if (row || finish) {
        const next = await advance(row, finish)
        if (!next) return
        finish = next.finish
        if (row) mine = next.waits
      } else if (halted()) return
      else if (wait > 0) await sleep(wait)
      else if (!(await fill(feed, halt))) return
    }
  }

  async function all(): Promise<RunEnd> {
    // Rows that a user resolves as "send again" during the run come before the feed's position; another pass picks
    // them up.
    for (let more = true; more && !halted();) {
      const feed = createFeed(store, id)
      const first = await feed.fill()
      if (!first.ok) halt({ state: 'stopped', reason: first.failure })
      more = first.ok && first.value
      if (more) await Promise.all(Array.from({ length: parts.atOnce + rowsAhead(parts.atOnce) }, () => slot(feed)))
    }
    const end = halted()
    return end ? { ...end, unrecorded } : { state: 'finished', unrecorded }
  }

  return {
    halt: (state) => halt({ state }),
    abort: () => requests.abort(),
    halting: () => {
      const end = halted()
      return end && end.state !== 'stopped' ? end.state : undefined
    },
    recordedAhead: ahead,
    ended: all()
  }
}
