/** The place of the runner of a shared batch: taken, claimed in the log, kept alive, and given up. */
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok } from '#contract/failures/result.ts'
import type { BatchStore } from '#wire/history/batches.ts'
import type { SharedBatchStore } from '#wire/history/shared-batches.ts'
import { isPassing } from '#team/log/schedule.ts'
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
export interface Place {
  readonly fence: number
  /** The last sign of life, counted from before it was given. */
  alive: Moment
  /** Since when everything that colleagues had shared was here, and nobody had replaced the claim. */
  heard: Moment
  claim?: OwnClaim
}

/** Milliseconds: without the database, while rows are awaited, between two signs of life or looks, and before a claim counts. */
export const pauses = { offline: 1000, awaited: 2000, tend: 2000, claim: 1000 } as const
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

const momentOf = ({ clock }: SharedRunParts): Moment => ({ monotonic: clock.monotonic(), wall: clock.now() })

/** Failures: `team-batch-runs` while somebody else is the runner; those of `BatchPort`. */
export async function takePlace(parts: SharedRunParts): Answer<Place> {
  const { id, port, rules } = parts
  const asked = momentOf(parts)
  const fence = await port.take(id, rules.seconds)
  if (!fence.ok) return fence
  const compared = await compareAll(parts)
  if (compared.ok) return ok({ fence: fence.value, alive: asked, heard: asked })
  await port.leave(id, fence.value)
  return compared
}

/** The place while this installation has it or waits for it. Whoever has lost it takes it again, unless somebody else runs the batch. */
export class RunnerPlace {
  private readonly parts: SharedRunParts
  private place: Place | undefined
  private fence: number
  private halted = false
  private stopped: Failure | undefined
  private holding: Promise<void> | undefined
  private updating: Promise<void> | undefined

  constructor(parts: SharedRunParts, first: Place) {
    this.parts = parts
    this.place = first
    this.fence = first.fence
  }

  /** Why it stopped by itself; undefined if it did not. */
  get why(): Failure | undefined {
    return this.stopped
  }

  async rest(milliseconds: number): Promise<void> {
    if (!this.halted) await this.parts.rest(milliseconds)
  }

  stop(why: Failure): void {
    this.stopped ??= why
    this.parts.wake()
  }

  halt(): void {
    this.halted = true
    this.parts.wake()
  }

  mayGoOn(): boolean {
    return !this.halted && !this.stopped
  }

  /** Whether this is still the place, and the database would say so. */
  isHeldAs(at: Place): boolean {
    return this.place === at && this.isAlive(at)
  }

  giveUp(at: Place): void {
    if (this.place === at) this.place = undefined
  }

  /** Whether the log says so now: asked before each row is sent. */
  async isRunner(): Promise<boolean> {
    if (this.place && !this.halted && !this.hasHeard(this.place)) await this.update()
    return !this.stopped && this.place !== undefined && this.isMine(this.place)
  }

  /** Gives signs of life, and hears of others' claims, until it is halted. */
  async tend(): Promise<void> {
    while (!this.halted) {
      await this.rest(Math.min(pauses.tend, this.parts.rules.renewsAfter))
      if (this.halted) break
      await this.renew()
      if (!this.halted) await this.update()
    }
  }

  async leave(): Promise<void> {
    // If the database does not answer, the place ends by itself.
    await this.parts.port.leave(this.parts.id, this.fence)
    await this.parts.journal.release(this.parts.id)
  }

  /** Waits until this installation runs the batch; undefined if it does not any more. */
  async held(): Promise<Place | undefined> {
    while (this.mayGoOn()) {
      if (this.place?.claim && this.isAlive(this.place) && !this.hasHeard(this.place)) await this.update()
      if (this.place && this.isMine(this.place)) return this.place
      const before = this.place
      await (this.holding ??= this.holdOnce().finally(() => (this.holding = undefined)))
      if (this.mayGoOn() && !(this.place && this.isMine(this.place)) && before === this.place)
        await this.rest(pauses.offline)
    }
    return undefined
  }

  /** What passes is tried again; for anything else a person has to know why nothing happens. */
  private stopUnlessPassing(why: Failure): void {
    if (!isPassing(why)) this.stop(why)
  }

  private isAlive({ alive }: Place): boolean {
    return isRecent(alive, momentOf(this.parts), safeFor(this.parts.rules))
  }

  private hasHeard({ heard }: Place): boolean {
    return isRecent(heard, momentOf(this.parts), this.parts.rules.heard)
  }

  /** The log says that this installation runs the batch, as far as was heard recently. */
  private isMine(at: Place): boolean {
    return at === this.place && at.claim !== undefined && this.isAlive(at) && this.hasHeard(at)
  }

  /** Says in the log that the batch is run here, and waits until that counts. */
  private async claim(at: Place): Answer<null> {
    const over = await this.parts.port.claims(this.parts.id)
    if (!over.ok) return over
    const event = await this.parts.journal.claim(
      this.parts.id,
      { over: over.value },
      { at: this.parts.clock.now(), operator: this.parts.operator }
    )
    if (!event.ok) return event
    const mine = { over: over.value, event: event.value }
    const begun = momentOf(this.parts)
    for (let shared: Moment | undefined; this.mayGoOn() && this.place === at && this.isAlive(at);) {
      const heard = momentOf(this.parts)
      const waited = shared !== undefined && !isRecent(shared, heard, this.parts.rules.replaced)
      const said = await this.parts.port.confirm(this.parts.id, mine, waited ? 'waited' : 'new')
      if (!said.ok) return said
      if (said.value === 'mine') {
        Object.assign(at, { claim: mine, heard })
        return ok(null)
      }
      if (said.value === 'beside') return this.standBack(mine)
      if (said.value === 'wait') shared ??= momentOf(this.parts)
      // What cannot be read may be rows that were sent.
      else if (!isRecent(begun, momentOf(this.parts), safeFor(this.parts.rules)))
        return failed('team-batch-unusable', { reason: 'awaited' })
      await this.rest(pauses.claim)
    }
    return ok(null)
  }

  /** Somebody else has claimed the batch at the same time: both give up, and whoever asks again first has it. */
  private async standBack(mine: OwnClaim): Answer<null> {
    this.place = undefined
    await this.rest(this.parts.random() * this.parts.rules.replaced)
    if (!this.mayGoOn()) return ok(null)
    const said = await this.parts.port.confirm(this.parts.id, mine, 'running')
    return said.ok ? ok(null) : said
  }

  private async holdOnce(): Promise<void> {
    // What has not been heard of for as long may have been replaced.
    if (
      this.place &&
      !(this.isAlive(this.place) && isRecent(this.place.heard, momentOf(this.parts), safeFor(this.parts.rules)))
    )
      this.place = undefined
    if (!this.place) {
      const taken = await takePlace(this.parts)
      if (taken.ok) this.fence = (this.place = taken.value).fence
      else this.stopUnlessPassing(taken.failure)
    }
    const at = this.place
    const claimed = at && !at.claim ? await this.claim(at) : undefined
    if (claimed?.ok === false) this.stopUnlessPassing(claimed.failure)
  }

  /** Whoever has replaced the claim waits until this installation has heard of it. */
  private async updateOnce(): Promise<void> {
    const [at, heard] = [this.place, momentOf(this.parts)]
    if (!at?.claim) return
    const said = await this.parts.port.confirm(this.parts.id, at.claim, 'running')
    if (!said.ok) this.stopUnlessPassing(said.failure)
    else if (said.value === 'mine') at.heard = heard
  }

  /** On a busy computer a round can take long: it is waited for, rather than giving up. */
  private update(): Promise<void> {
    return (this.updating ??= this.updateOnce().finally(() => (this.updating = undefined)))
  }

  private async renew(): Promise<void> {
    const [at, asked] = [this.place, momentOf(this.parts)]
    if (!at || isRecent(at.alive, asked, this.parts.rules.renewsAfter)) return
    const renewed = await this.parts.port.renew(this.parts.id, at.fence, this.parts.rules.seconds)
    if (!renewed.ok) this.stopUnlessPassing(renewed.failure)
    else if (renewed.value) at.alive = asked
    else if (this.place === at) this.place = undefined
  }
}
