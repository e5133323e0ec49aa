/**
 * Runs a shared batch here, as its only runner. docs/decisions/0020-shared-batches.md.
 *
 * A row is sent only after the team's database has stored an intent for it, while this installation is the runner by the
 * clocks here: whoever takes over later gets no intent for the same row. And only while the signed log says so, too, if nobody
 * has begun the row: the tables of a database alone are never believed.
 */
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import type { SharedRun } from '#core/batches/shared/ports.ts'
import type { BatchStep, BatchStore, StepDone, TakenRow } from '#wire/history/batches.ts'
import type { SharedBatchStore } from '#wire/history/shared-batches.ts'
import { isPassing } from '#team/log/schedule.ts'
import { createIntents } from './intents.ts'
import type { Answer, BatchPort, OwnClaim } from '#team/thread/batch-ports.ts'
import { isRecent, safeFor, type Moment, type RunRules } from './rules.ts'

export interface SharedRunParts {
  readonly id: string
  /** The number of its last row. */
  readonly rows: number
  /** The installation that shared it; absent for this one, whose rows are in its history. */
  readonly from?: string | undefined
  readonly port: BatchPort
  readonly store: Pick<BatchStore, 'take' | 'step'>
  readonly journal: Pick<SharedBatchStore, 'accept' | 'release' | 'withdraw' | 'claim' | 'begun' | 'closed'>
  readonly rules: RunRules
  readonly operator: string
  readonly clock: { now(): number; monotonic(): number }
  /** Waits; ends earlier when `wake` is called. */
  rest(milliseconds: number): Promise<void>
  wake(): void
  /** A new UUID. */
  attempt(): string
  /** From 0 to 1. */
  random(): number
}

/** What this installation is while it runs the batch. */
interface Place {
  readonly fence: number
  /** The last sign of life, counted from before it was given. */
  alive: Moment
  /** Since when everything that colleagues had shared was here, and nobody had replaced the claim. */
  heard: Moment
  claim?: OwnClaim
}

/** Milliseconds: without the database, while rows are awaited, between two signs of life or looks, and before a claim counts. */
const pauses = { offline: 1000, awaited: 2000, tend: 2000, claim: 1000 } as const
/** Rows whose intents are compared with the log in one step. */
const comparedAtOnce = 5000

/** What a database has lost, it seldom lost of one part alone: everything is compared by whoever becomes the runner. */
async function compareAll({ id, rows, journal, port }: SharedRunParts): Answer<null> {
  for (let from = 1; from <= rows; from += comparedAtOnce) {
    const to = Math.min(rows, from + comparedAtOnce - 1)
    const own = await journal.begun(id, from, to)
    if (!own.ok) return own
    const compared = await port.compare(id, { from, to, own: own.value })
    if (!compared.ok) return compared
  }
  return ok(null)
}

/** Becomes the runner. Failures: `team-batch-runs` while somebody else is; those of `BatchPort`. */
export async function startSharedRun(parts: SharedRunParts): Answer<SharedRun> {
  // Left over by a crash: nothing of it is sent any more.
  const released = await parts.journal.release(parts.id)
  if (!released.ok) return released
  const first = await takePlace(parts)
  return first.ok ? ok(runFrom(parts, first.value)) : first
}

const momentOf = ({ clock }: SharedRunParts): Moment => ({ monotonic: clock.monotonic(), wall: clock.now() })

async function takePlace(parts: SharedRunParts): Answer<Place> {
  const { id, port, rules } = parts
  const asked = momentOf(parts)
  const fence = await port.take(id, rules.seconds)
  if (!fence.ok) return fence
  const compared = await compareAll(parts)
  if (compared.ok) return ok({ fence: fence.value, alive: asked, heard: asked })
  await port.leave(id, fence.value)
  return compared
}

function runFrom(parts: SharedRunParts, first: Place): SharedRun {
  const { id, store, journal, port, rules } = parts
  const moment = (): Moment => momentOf(parts)
  let place: Place | undefined = first
  let { fence } = first
  let halted = false
  let stopped: Failure | undefined
  const rest = async (milliseconds: number): Promise<void> => (halted ? undefined : parts.rest(milliseconds))
  const stop = (why: Failure): void => {
    stopped ??= why
    parts.wake()
  }
  /** What passes is tried again; for anything else a person has to know why nothing happens. */
  const stopUnlessPassing = (why: Failure): void => {
    if (!isPassing(why)) stop(why)
  }
  const mayGoOn = (): boolean => !halted && !stopped
  const intents = createIntents({ id, port, attempt: parts.attempt, rest, stop })
  const isAlive = ({ alive }: Place): boolean => isRecent(alive, moment(), safeFor(rules))
  const hasHeard = ({ heard }: Place): boolean => isRecent(heard, moment(), rules.heard)
  /** The log says that this installation runs the batch, as far as was heard recently. */
  const isMine = (at: Place): boolean => at === place && at.claim !== undefined && isAlive(at) && hasHeard(at)
  /** Rows of which the database said that somebody else sends them. */
  const refused = new Set<number>()
  /** Numbers of applicants of the rows that were handed out. */
  const subjects = new Map<number, number>()

  /** Says in the log that the batch is run here, and waits until that counts. */
  async function claim(at: Place): Answer<null> {
    const over = await port.claims(id)
    if (!over.ok) return over
    const event = await journal.claim(id, { over: over.value }, { at: parts.clock.now(), operator: parts.operator })
    if (!event.ok) return event
    const mine = { over: over.value, event: event.value }
    const begun = moment()
    for (let shared: Moment | undefined; mayGoOn() && place === at && isAlive(at);) {
      const heard = moment()
      const waited = shared !== undefined && !isRecent(shared, heard, rules.replaced)
      const said = await port.confirm(id, mine, waited ? 'waited' : 'new')
      if (!said.ok) return said
      if (said.value === 'mine') {
        Object.assign(at, { claim: mine, heard })
        return ok(null)
      }
      if (said.value === 'beside') return standBack(mine)
      if (said.value === 'wait') shared ??= moment()
      // What cannot be read may be rows that were sent.
      else if (!isRecent(begun, moment(), safeFor(rules))) return failed('team-batch-unusable', { reason: 'awaited' })
      await rest(pauses.claim)
    }
    return ok(null)
  }

  /** Somebody else has claimed the batch at the same time: both give up, and whoever asks again first has it. */
  async function standBack(mine: OwnClaim): Answer<null> {
    place = undefined
    await rest(parts.random() * rules.replaced)
    if (!mayGoOn()) return ok(null)
    const said = await port.confirm(id, mine, 'running')
    return said.ok ? ok(null) : said
  }

  async function holdOnce(): Promise<void> {
    // What has not been heard of for as long may have been replaced.
    if (place && !(isAlive(place) && isRecent(place.heard, moment(), safeFor(rules)))) place = undefined
    if (!place) {
      const taken = await takePlace(parts)
      if (taken.ok) fence = (place = taken.value).fence
      else stopUnlessPassing(taken.failure)
    }
    const at = place
    const claimed = at && !at.claim ? await claim(at) : undefined
    if (claimed?.ok === false) stopUnlessPassing(claimed.failure)
  }
  let holding: Promise<void> | undefined

  /** Waits until this installation runs the batch; undefined if it does not any more. */
  async function held(): Promise<Place | undefined> {
    while (mayGoOn()) {
      if (place?.claim && isAlive(place) && !hasHeard(place)) await update()
      if (place && isMine(place)) return place
      const before = place
      await (holding ??= holdOnce().finally(() => (holding = undefined)))
      if (mayGoOn() && !(place && isMine(place)) && before === place) await rest(pauses.offline)
    }
    return undefined
  }

  /** Whoever has replaced the claim waits until this installation has heard of it. */
  async function updateOnce(): Promise<void> {
    const [at, heard] = [place, moment()]
    if (!at?.claim) return
    const said = await port.confirm(id, at.claim, 'running')
    if (!said.ok) stopUnlessPassing(said.failure)
    else if (said.value === 'mine') at.heard = heard
  }
  let updating: Promise<void> | undefined
  /** On a busy computer a round can take long: it is waited for, rather than giving up. */
  const update = (): Promise<void> => (updating ??= updateOnce().finally(() => (updating = undefined)))

  async function renew(): Promise<void> {
    const [at, asked] = [place, moment()]
    if (!at || isRecent(at.alive, asked, rules.renewsAfter)) return
    const renewed = await port.renew(id, at.fence, rules.seconds)
    if (!renewed.ok) stopUnlessPassing(renewed.failure)
    else if (renewed.value) at.alive = asked
    else if (place === at) place = undefined
  }

  /** The next rows of a stretch that can be sent; `awaited` if not all of them have arrived. */
  async function rowsWithin(from: number, to: number): Answer<readonly TakenRow[] | 'awaited'> {
    const [own, closed] = [await journal.begun(id, from, to), await journal.closed(id, from, to)]
    if (!own.ok) return own
    if (!closed.ok) return closed
    const isClosed = new Set(closed.value)
    const all = Array.from({ length: to - from + 1 }, (_, index) => from + index)
    const waiting = all.filter((row) => !isClosed.has(row))
    const left = await port.left(
      id,
      parts.from,
      { from, to, own: own.value },
      { waiting, mine: waiting.filter(intents.has) }
    )
    if (!left.ok) return left
    if (left.value.awaited) return ok('awaited')
    const accepted = left.value.rows.length === 0 ? ok([]) : await journal.accept(id, left.value.rows)
    if (!accepted.ok) return accepted
    for (const { row, subject } of accepted.value) subjects.set(row, subject)
    const may = new Set(accepted.value.map(({ row }) => row))
    const taken = may.size === 0 ? ok([]) : await store.take(id, from - 1, to - from + 1, to)
    return taken.ok ? ok(taken.value.filter(({ row }) => may.has(row))) : taken
  }

  /** The batch is over if there are none after the last of a pass: each row has an outcome, an intent or an erasure. */
  async function take(after: number, limit: number): Answer<readonly TakenRow[]> {
    for (let from = after + 1; from <= parts.rows && mayGoOn();) {
      if (!(await held())) continue
      const to = Math.min(parts.rows, from + limit - 1)
      const found = await rowsWithin(from, to)
      if (!found.ok && !isPassing(found.failure)) return found
      if (!found.ok || found.value === 'awaited') await rest(found.ok ? pauses.awaited : pauses.offline)
      else if (found.value.length > 0) return ok(found.value)
      else from = to + 1
    }
    return stopped ? fail(stopped) : ok([])
  }

  /**
   * An applicant can be erased while a row waits, and what a colleague erases stays in the history here until its user
   * agrees. What a colleague has begun is never sent again.
   */
  async function isSpent(row: number): Promise<boolean> {
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
  async function mayBegin(row: number): Promise<boolean> {
    for (let at = await held(); at; at = await held()) {
      if (await isSpent(row)) return false
      const mine = at
      const may = await intents.of(at.fence, row, () => mayGoOn() && place === mine && isAlive(mine))
      if (may === true) return true
      if (may === false) {
        // Whoever has an intent was named when the rows were looked at again.
        if (refused.has(row)) stop(failure('team-batch-unusable', { reason: 'intents' }))
        refused.add(row)
        return false
      }
      if (place === mine) place = undefined
    }
    return false
  }

  async function step({ finish, begin }: BatchStep): Promise<Result<StepDone, Failure>> {
    // The end of a row does not wait for the intent of the next one.
    const finished = finish ? await store.step(id, { finish }) : ok({})
    if (finished.ok && finish && !finish.again) {
      intents.forget(finish.row)
      subjects.delete(finish.row)
    }
    if (!finished.ok || !begin || !(await mayBegin(begin.row))) return finished
    const begun = await store.step(id, { begin })
    // Its end was recorded: a failure here would have it recorded again.
    if (!begun.ok) stop(begun.failure)
    return begun.ok ? begun : ok({})
  }

  const taking = new Set<Promise<unknown>>()
  const counted: SharedRun['store']['take'] = (_, after, limit) => {
    const taken = take(after, limit)
    taking.add(taken)
    return taken.finally(() => taking.delete(taken))
  }

  const tended = (async () => {
    while (!halted) {
      await rest(Math.min(pauses.tend, rules.renewsAfter))
      if (halted) break
      await renew()
      if (!halted) await update()
    }
  })()

  return {
    store: { take: counted, step: (_, given) => step(given) },
    async mayBeSent() {
      if (place && !halted && !hasHeard(place)) await update()
      return !stopped && place !== undefined && isMine(place)
    },
    halt() {
      halted = true
      parts.wake()
    },
    async close() {
      halted = true
      parts.wake()
      await Promise.all([tended, ...taking])
      // If the database does not answer, the place ends by itself.
      await port.leave(id, fence)
      await journal.release(id)
    }
  }
}
