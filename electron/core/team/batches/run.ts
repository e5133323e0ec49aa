/**
 * Runs the rows of a shared batch that this installation leases. docs/decisions/0020-shared-batches.md.
 *
 * A row is sent only after the team's database has stored an intent for it, under a lease that stands by the clocks here:
 * whoever dies, nobody else gets an intent for the same row. And only in a part that the signed log says is this
 * installation's, if nobody has begun the row: the tables of a database alone are never believed.
 */
import type { Held } from '#team/thread/batch-ports.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import type { SharedRun } from '#core/batches/shared/ports.ts'
import type { BatchStep, BatchStore, StepDone, TakenRow } from '#wire/history/batches.ts'
import type { LeasedRow, SharedBatchStore } from '#wire/history/shared-batches.ts'
import { isPassing } from '#team/log/schedule.ts'
import { untilAway, type RunPort } from './ending.ts'
import { createIntents, type IntendedChunk } from './intents.ts'
import { createLanes } from './lanes.ts'
import type { Answer, BatchTerms, OwnClaim } from '#team/thread/batch-ports.ts'
import { claimRule, isRecent, isSafe, leaseRule, rowsOf, type Moment } from './rules.ts'

export interface SharedRunParts extends BatchTerms {
  /** The installation that shared it; absent for this one, whose rows are in its history. */
  readonly from?: string | undefined
  /** Requests per minute of the whole team; 0 for no limit. */
  readonly pace: number
  readonly requestSeconds: number
  readonly port: RunPort
  readonly store: Pick<BatchStore, 'take' | 'step'>
  readonly journal: Pick<SharedBatchStore, 'lease' | 'release' | 'withdraw' | 'claim' | 'begun' | 'closed'>
  readonly operator: string
  readonly clock: { now(): number; monotonic(): number }
  /** Waits; ends earlier when `wake` is called. */
  rest(milliseconds: number): Promise<void>
  wake(): void
  /** A new UUID. */
  attempt(): string
}

/** `again`: an attempt was not sent, and the row is tried again under the same intent. */
type RowPlace = 'waiting' | 'open' | 'again'

interface Chunk extends IntendedChunk {
  /** Rows without a final outcome here. */
  readonly left: Map<number, RowPlace>
  readonly subjects: ReadonlyMap<number, number>
  readonly claim: OwnClaim
  /** Since when everything that colleagues had shared was here, and nobody had replaced the claim. */
  heard: Moment
}

const numbers = (from: number, to: number): readonly LeasedRow[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ row: from + index }))

/** Milliseconds: without the database, while others have the rest, with enough rows, and between two looks at the leases. */
const pauses = { offline: 1000, others: 2000, full: 200, tend: 2000, replaced: 1000 } as const

/** Rows that are looked at together before a batch is finished. */
const stretch = 2000

export function startSharedRun(parts: SharedRunParts): SharedRun {
  const { id, store, journal, clock } = parts
  const moment = (): Moment => ({ monotonic: clock.monotonic(), wall: clock.now() })
  const chunks = new Map<number, Chunk>()
  /** Done here, and not known as done by the database yet. */
  const leaving = new Map<number, Held>()
  /** Rows that were asked for; who halts does not wait for them. */
  const taking = new Set<Promise<unknown>>()
  let halted = false
  const isEnding = (): boolean => halted
  const port = untilAway(parts.port, isEnding)
  const rest = async (milliseconds: number): Promise<void> => (halted ? undefined : parts.rest(milliseconds))
  let stopped: Failure | undefined
  const stop = (why: Failure): void => {
    stopped ??= why
    parts.wake()
  }
  const lanes = createLanes({ ...parts, port, moment, stop, isEnding, hasWork: () => chunks.size > 0 })
  const intents = createIntents({
    id,
    port,
    attempt: parts.attempt,
    rest,
    stop,
    mayGoOn: (chunk) => !halted && !stopped && chunks.get(chunk.n) === chunk && isSafe(chunk, moment())
  })
  /** The lease stands, and nobody has replaced the claim as far as was heard recently. */
  const isMine = (chunk: Chunk): boolean => isSafe(chunk, moment()) && isRecent(chunk.heard, moment(), claimRule.heard)
  const chunkOf = (row: number): Chunk | undefined => chunks.get(Math.floor((row - 1) / parts.chunkRows))
  const waiting = (): number =>
    [...chunks.values()].reduce(
      (sum, { left }) => sum + [...left.values()].filter((place) => place === 'waiting').length,
      0
    )

  const hasRows = (): boolean =>
    [...chunks.values()].some(({ left }) => [...left.values()].some((place) => place !== 'open'))

  /** Others may run what is left of it: rows with an intent are nobody else's. */
  async function abandon(chunk: Chunk): Promise<void> {
    if (chunks.get(chunk.n) !== chunk) return
    chunks.delete(chunk.n)
    await port.leave(id, 'rows', chunk, false)
  }

  async function leaveDone(): Promise<void> {
    for (const [n, held] of leaving) {
      const left = await port.leave(id, 'rows', held, true)
      // If the lease has ended, whoever takes it finds nothing to send, and says that it is done.
      if (left.ok) leaving.delete(n)
    }
  }

  /** A row has its outcome, or is somebody else's. */
  function finish(row: number): void {
    const chunk = chunkOf(row)
    if (!chunk?.left.delete(row) || chunk.left.size > 0) return
    chunks.delete(chunk.n)
    leaving.set(chunk.n, { n: chunk.n, fence: chunk.fence })
    void leaveDone()
    parts.wake()
  }

  /** The log, and not the table of leases, says that this installation runs a part. Undefined if it does not say so now. */
  async function claimed(
    { n: part }: Held,
    asked: Moment
  ): Answer<(Pick<Chunk, 'claim' | 'heard'> & { readonly begun: ReadonlySet<number> }) | undefined> {
    const [over, own] = [
      await port.claims(id, part),
      await journal.begun(id, rowsOf(part, parts).from, rowsOf(part, parts).to)
    ]
    if (!over.ok) return over
    if (!own.ok) return own
    const event = await journal.claim(id, { part, over: over.value }, { at: clock.now(), operator: parts.operator })
    if (!event.ok) return event
    const claim = { part, over: over.value, event: event.value }
    let isUnread = false
    for (
      let shared: Moment | undefined;
      !halted && !stopped && isSafe({ seconds: leaseRule.seconds, asked }, moment());
    ) {
      const heard = moment()
      const waited = shared !== undefined && !isRecent(shared, heard, claimRule.replaced)
      const confirmed = await port.confirm(id, claim, { ...rowsOf(part, parts), own: own.value, waited })
      if (!confirmed.ok) return confirmed
      if (confirmed.value?.place === 'mine') return ok({ claim, heard, begun: new Set(confirmed.value.begun) })
      if (confirmed.value?.place === 'lost') break
      if (confirmed.value) shared ??= moment()
      isUnread = confirmed.value === undefined
      await rest(pauses.replaced)
    }
    // What cannot be read may be rows that were sent: a person has to know why nothing happens.
    return isUnread && !halted && !stopped ? failed('team-batch-unusable', { reason: 'awaited' }) : ok(undefined)
  }

  async function receive(held: Held, asked: Moment): Answer<readonly TakenRow[]> {
    const { from, to } = rowsOf(held.n, parts)
    const mine = await claimed(held, asked)
    if (!mine.ok || !mine.value) {
      await port.leave(id, 'rows', held, false)
      if (!mine.ok) return mine
      await rest(pauses.others)
      return ok([])
    }
    const { claim, heard, begun } = mine.value
    const given =
      parts.from === undefined
        ? ok({ rows: numbers(from, to), awaited: false })
        : await port.rows(id, parts.from, from, to)
    if (!given.ok || given.value.awaited) {
      await port.leave(id, 'rows', held, false)
      if (!given.ok) return given
      await rest(pauses.others)
      return ok([])
    }
    const leased = await journal.lease(id, given.value.rows)
    if (!leased.ok) return leased
    const may = new Map(leased.value.map(({ row, subject }) => [row, subject]))
    const taken = may.size === 0 ? ok([]) : await store.take(id, from - 1, parts.chunkRows, to)
    if (!taken.ok) return taken
    const rows = taken.value.filter(({ row }) => may.has(row) && !begun.has(row))
    if (rows.length === 0) leaving.set(held.n, held)
    else
      chunks.set(held.n, {
        ...held,
        seconds: leaseRule.seconds,
        asked,
        left: new Map(rows.map(({ row }) => [row, 'waiting'])),
        subjects: may,
        granted: new Set(),
        claim,
        heard
      })
    await (rows.length === 0 ? leaveDone() : lanes.balance())
    return ok(rows)
  }

  /** Parts that were called done, and were not: each is taken up again once. */
  const reopened = new Set<number>()

  /** The table says that everything is done. It is if each row has an outcome, an intent or an erasure. */
  async function end(): Answer<'over' | number> {
    for (let from = 1; from <= parts.rows; from += stretch) {
      const to = Math.min(parts.rows, from + stretch - 1)
      const [left, closed] = [await port.unsent(id, parts.from, from, to), await journal.closed(id, from, to)]
      if (!left.ok) return isPassing(left.failure) ? ok(pauses.offline) : left
      if (!closed.ok) return closed
      if (left.value.awaited) return ok(pauses.others)
      const done = new Set(closed.value)
      const open = [
        ...new Set(
          left.value.rows.filter((row) => !done.has(row)).map((row) => Math.floor((row - 1) / parts.chunkRows))
        )
      ]
      if (open.some((part) => reopened.has(part))) return failed('team-batch-unusable', { reason: 'parts' })
      for (const part of open) {
        reopened.add(part)
        const again = await port.reopen(id, part)
        if (!again.ok) return isPassing(again.failure) ? ok(pauses.offline) : again
      }
      if (open.length > 0) return ok(0)
    }
    return ok('over')
  }

  async function takeOnce(): Answer<readonly TakenRow[] | 'over' | number> {
    // A share or two of rows ahead: the rest is for others.
    if (waiting() >= 2 * parts.lanes) return ok(pauses.full)
    const asked = moment()
    const held = await port.take(id, leaseRule.seconds)
    if (!held.ok) return isPassing(held.failure) ? ok(pauses.offline) : held
    if (held.value === 'over') return end()
    if (halted) {
      if (held.value !== 'wait') await port.leave(id, 'rows', held.value, false)
      return ok([])
    }
    if (held.value === 'wait') {
      await leaveDone()
      await lanes.balance()
      return ok(pauses.others)
    }
    const rows = await receive(held.value, asked)
    return rows.ok || !isPassing(rows.failure) ? rows : ok(pauses.offline)
  }

  async function take(): Answer<readonly TakenRow[]> {
    while (!halted) {
      if (stopped) return fail(stopped)
      const taken = await takeOnce()
      if (!taken.ok) return taken
      if (taken.value === 'over') return ok([])
      if (typeof taken.value === 'number') await rest(taken.value)
      else if (taken.value.length > 0) return ok(taken.value)
    }
    return ok([])
  }

  const counted = (): Answer<readonly TakenRow[]> => {
    const taken = take()
    taking.add(taken)
    return taken.finally(() => taking.delete(taken))
  }

  /**
   * An applicant can be erased while a chunk is leased, and what a colleague erases stays in the history here until its user
   * agrees. What a colleague has begun is never sent again.
   */
  async function isSpent({ subjects }: Chunk, row: number): Promise<boolean> {
    const spent = await port.spent(id, parts.from, { row, subject: subjects.get(row) ?? 0 })
    if (!spent.ok) stop(spent.failure)
    // Without an answer, it is not sent.
    if (!spent.ok || spent.value === 'begun') return true
    if (spent.value === undefined) return false
    const withdrawn = await journal.withdraw(id, row)
    if (!withdrawn.ok) stop(withdrawn.failure)
    return true
  }

  /** Whether a row may be recorded and sent. */
  async function claim(row: number): Promise<boolean | 'in progress'> {
    const chunk = chunkOf(row)
    const place = chunk?.left.get(row)
    // A row can be handed out twice, if its chunk was given back and leased again.
    if (place === 'open') return 'in progress'
    if (!chunk || place === undefined) return false
    chunk.left.set(row, 'open')
    await updateAgain(chunk)
    if (!halted && !stopped && lanes.holds(row) && isMine(chunk)) {
      const may = (await isSpent(chunk, row)) ? false : await intents.of(chunk, row)
      if (may === true) return true
      if (may === false) {
        finish(row)
        return false
      }
    }
    await abandon(chunk)
    // Whoever has no share takes it again at once.
    await rest(pauses.full)
    return false
  }

  function onFinished({ row, again }: { readonly row: number; readonly again: boolean }): void {
    const chunk = chunkOf(row)
    if (!again) finish(row)
    else if (chunk?.left.has(row)) chunk.left.set(row, 'again')
  }

  async function begin(
    step: NonNullable<BatchStep['begin']>,
    may: boolean | 'in progress'
  ): Promise<Result<StepDone, Failure>> {
    // Its share is that of the other one.
    if (may === 'in progress') return ok({})
    const begun: Result<StepDone, Failure> = may ? await store.step(id, { begin: step }) : ok({})
    if (begun.ok && begun.value.begun) return begun
    lanes.free(step.row)
    // The spend guard left it out, with a record.
    if (may && begun.ok) finish(step.row)
    // Its end was recorded: a failure here would have it recorded again.
    if (!begun.ok) stop(begun.failure)
    return ok({})
  }

  async function step(given: BatchStep): Promise<Result<StepDone, Failure>> {
    // The end of a row does not wait for the intent of the next one.
    const finished = given.finish ? await store.step(id, { finish: given.finish }) : ok({})
    if (!finished.ok) {
      if (given.begin) lanes.free(given.begin.row)
      return finished
    }
    if (given.finish) onFinished(given.finish)
    return given.begin ? begin(given.begin, await claim(given.begin.row)) : ok({})
  }

  async function renew(): Promise<void> {
    const asked = moment()
    const due = [...chunks.values()].filter((chunk) => asked.monotonic - chunk.asked.monotonic >= leaseRule.renewsAfter)
    const renewed = due.length > 0 ? await port.renew(id, 'rows', due, leaseRule.seconds) : ok([])
    if (!renewed.ok) {
      if (!isPassing(renewed.failure)) stop(renewed.failure)
      return
    }
    for (const [index, chunk] of due.entries()) {
      if (chunks.get(chunk.n) !== chunk) continue
      if (renewed.value[index]) chunk.asked = asked
      else chunks.delete(chunk.n)
    }
  }

  /** Whoever has replaced a claim waits until this installation has heard of it. */
  async function updateAll(): Promise<void> {
    const [heard, held] = [moment(), [...chunks.values()]]
    const watched =
      held.length > 0
        ? await port.watch(
            id,
            held.map(({ claim }) => claim)
          )
        : ok([])
    if (!watched.ok && !isPassing(watched.failure)) stop(watched.failure)
    if (!watched.ok || !watched.value) return
    for (const [index, chunk] of held.entries()) {
      if (watched.value[index]) chunk.heard = heard
      else await abandon(chunk)
    }
  }

  let updating: Promise<void> | undefined
  const update = (): Promise<void> => (updating ??= updateAll().finally(() => (updating = undefined)))
  /** On a busy computer a round can take long: it is waited for, rather than giving the part up. */
  async function updateAgain(chunk: Chunk): Promise<void> {
    if (!halted && !stopped && !isRecent(chunk.heard, moment(), claimRule.heard)) await update()
  }

  const tended = (async () => {
    while (!halted) {
      await rest(pauses.tend)
      if (halted) break
      await renew()
      if (halted) break
      await update()
      if (halted) break
      await leaveDone()
      await lanes.tend()
    }
  })()

  return {
    store: { take: counted, step: (_, given) => step(given) },
    // Without rows here, nobody waits for a share: who asks for rows then learns that there are none left.
    waitFor: (now) => (halted || stopped || !hasRows() ? 0 : lanes.waitFor(now)),
    starting: (row) => lanes.occupy(row),
    async mayBeSent(row) {
      const found = chunkOf(row)
      if (found) await updateAgain(found)
      const chunk = chunkOf(row)
      const may = !stopped && chunk !== undefined && isMine(chunk) && lanes.holds(row)
      if (!may && chunk) void abandon(chunk)
      return may
    },
    left: (row) => lanes.free(row),
    halt() {
      halted = true
      parts.wake()
    },
    async close() {
      halted = true
      parts.wake()
      await Promise.all([tended, ...taking])
      await leaveDone()
      for (const chunk of chunks.values()) await abandon(chunk)
      await lanes.close()
      await journal.release(id)
    }
  }
}
