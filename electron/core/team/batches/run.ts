/**
 * Runs a shared batch here, as its only runner. docs/decisions/0020-shared-batches.md.
 *
 * A row is sent only after the team's database has stored an intent for it, while this installation is the runner by the
 * clocks here: whoever takes over later gets no intent for the same row. And only while the signed log says so, too, if nobody
 * has begun the row: the tables of a database alone are never believed.
 */
import { failure, type Failure } from '#contract/failures/failures.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import type { SharedRun } from '#core/batches/shared/ports.ts'
import type { BatchStep, StepDone, TakenRow } from '#wire/history/batches.ts'
import { isPassing } from '#team/log/schedule.ts'
import type { Answer } from '#team/thread/batch-ports.ts'
import { createIntents } from './intents.ts'
import { pauses, RunnerPlace, takePlace, type SharedRunParts } from './place.ts'

/** Becomes the runner. Failures: `team-batch-runs` while somebody else is; those of `BatchPort`. */
export async function startSharedRun(parts: SharedRunParts): Answer<SharedRun> {
  // Left over by a crash: nothing of it is sent any more.
  const released = await parts.journal.release(parts.id)
  if (!released.ok) return released
  const first = await takePlace(parts)
  return first.ok ? ok(runFrom(parts, new RunnerPlace(parts, first.value))) : first
}

/** The rows of a batch that this installation runs. */
class SharedRows {
  private readonly parts: SharedRunParts
  private readonly place: RunnerPlace
  private readonly intents
  /** Rows of which the database said that somebody else sends them. */
  private readonly refused = new Set<number>()
  /** Numbers of applicants of the rows that were handed out. */
  private readonly subjects = new Map<number, number>()

  constructor(parts: SharedRunParts, place: RunnerPlace) {
    this.parts = parts
    this.place = place
    this.intents = createIntents({
      id: parts.id,
      port: parts.port,
      attempt: parts.attempt,
      rest: (milliseconds) => place.rest(milliseconds),
      stop: (why) => place.stop(why)
    })
  }

  /** The batch is over if there are none after the last of a pass: each row has an outcome, an intent or an erasure. */
  async take(after: number, limit: number): Answer<readonly TakenRow[]> {
    for (let from = after + 1; from <= this.parts.rows && this.place.mayGoOn();) {
      if (!(await this.place.held())) continue
      const to = Math.min(this.parts.rows, from + limit - 1)
      const found = await this.rowsWithin(from, to)
      if (!found.ok && !isPassing(found.failure)) return found
      if (!found.ok || found.value === 'awaited') await this.place.rest(found.ok ? pauses.awaited : pauses.offline)
      else if (found.value.length > 0) return ok(found.value)
      else from = to + 1
    }
    return this.place.why ? fail(this.place.why) : ok([])
  }

  async step({ finish, begin }: BatchStep): Promise<Result<StepDone, Failure>> {
    // The end of a row does not wait for the intent of the next one.
    const finished = finish ? await this.parts.store.step(this.parts.id, { finish }) : ok({})
    if (finished.ok && finish && !finish.again) {
      this.intents.forget(finish.row)
      this.subjects.delete(finish.row)
    }
    if (!finished.ok || !begin || !(await this.mayBegin(begin.row))) return finished
    const begun = await this.parts.store.step(this.parts.id, { begin })
    // Its end was recorded: a failure here would have it recorded again.
    if (!begun.ok) this.place.stop(begun.failure)
    // It has ended already: there is no copy of one of its documents.
    if (begun.ok && begun.value.unsent) {
      this.intents.forget(begin.row)
      this.subjects.delete(begin.row)
    }
    return begun.ok ? begun : ok({})
  }

  /** The next rows of a stretch that can be sent; `awaited` if not all of them have arrived. */
  private async rowsWithin(from: number, to: number): Answer<readonly TakenRow[] | 'awaited'> {
    const [own, closed] = [
      await this.parts.journal.begun(this.parts.id, from, to),
      await this.parts.journal.closed(this.parts.id, from, to)
    ]
    if (!own.ok) return own
    if (!closed.ok) return closed
    const isClosed = new Set(closed.value)
    const all = Array.from({ length: to - from + 1 }, (_, index) => from + index)
    const waiting = all.filter((row) => !isClosed.has(row))
    const left = await this.parts.port.left(
      this.parts.id,
      this.parts.from,
      { from, to, own: own.value },
      { waiting, mine: waiting.filter(this.intents.has) }
    )
    if (!left.ok) return left
    if (left.value.awaited) return ok('awaited')
    const accepted =
      left.value.rows.length === 0 ? ok([]) : await this.parts.journal.accept(this.parts.id, left.value.rows)
    if (!accepted.ok) return accepted
    for (const { row, subject } of accepted.value) this.subjects.set(row, subject)
    const may = new Set(accepted.value.map(({ row }) => row))
    const taken = may.size === 0 ? ok([]) : await this.parts.store.take(this.parts.id, from - 1, to - from + 1, to)
    return taken.ok ? ok(taken.value.filter(({ row }) => may.has(row))) : taken
  }

  /**
   * An applicant can be erased while a row waits, and what a colleague erases stays in the history here until its user
   * agrees. What a colleague has begun is never sent again.
   */
  private async isSpent(row: number): Promise<boolean> {
    const spent = await this.parts.port.spent(this.parts.id, this.parts.from, {
      row,
      subject: this.subjects.get(row) ?? 0
    })
    if (!spent.ok) this.place.stop(spent.failure)
    // Without an answer, it is not sent.
    if (!spent.ok || spent.value === 'begun') return true
    if (spent.value === undefined) return false
    const withdrawn = await this.parts.journal.withdraw(this.parts.id, row)
    if (!withdrawn.ok) this.place.stop(withdrawn.failure)
    return true
  }

  /** Whether a row may be recorded and sent. */
  private async mayBegin(row: number): Promise<boolean> {
    for (let at = await this.place.held(); at; at = await this.place.held()) {
      if (await this.isSpent(row)) return false
      const mine = at
      const may = await this.intents.of(at.fence, row, () => this.place.mayGoOn() && this.place.isHeldAs(mine))
      if (may === true) return true
      if (may === false) {
        // Whoever has an intent was named when the rows were looked at again.
        if (this.refused.has(row)) this.place.stop(failure('team-batch-unusable', { reason: 'intents' }))
        this.refused.add(row)
        return false
      }
      this.place.giveUp(mine)
    }
    return false
  }
}

function runFrom(parts: SharedRunParts, place: RunnerPlace): SharedRun {
  const rows = new SharedRows(parts, place)
  const taking = new Set<Promise<unknown>>()
  const tended = place.tend()
  return {
    store: {
      take(_, after, limit) {
        const taken = rows.take(after, limit)
        taking.add(taken)
        return taken.finally(() => taking.delete(taken))
      },
      step: (_, given) => rows.step(given)
    },
    mayBeSent: () => place.isRunner(),
    halt: () => place.halt(),
    async close() {
      place.halt()
      await Promise.all([tended, ...taking])
      await place.leave()
    }
  }
}
