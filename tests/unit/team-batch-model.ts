/**
 * A team in one process: a database with the rules of version 1, a service that counts, and installations that die. Every
 * question waits until it is its turn, so that any order can be tried.
 */
import type { Held } from '#team/thread/batch-ports.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import type { SharedRun } from '#core/batches/shared/ports.ts'
import type { PartClaim } from '#wire/history/shared-batches.ts'
import type { BatchStep, TakenRow } from '#wire/history/batches.ts'
import type { BatchPort } from '#team/thread/batch-ports.ts'
import { startSharedRun } from '#core/team/batches/run.ts'

interface Options {
  readonly rows: number
  readonly chunkRows: number
  readonly lanes: number
  readonly installations: number
  /** A number for the next choice. */
  random(): number
  /** Steps at which the database's answer is lost. */
  readonly lossAt?: ReadonlySet<number>
  /** Rows whose applicants were erased. */
  readonly erased?: ReadonlySet<number>
}
export type Model = ReturnType<typeof createModel>

interface Part {
  owner: number | undefined
  fence: number
  until: number
  done: boolean
}
type Place = 'shared' | 'cancelled' | 'waiting' | 'open' | 'answered' | 'not-sent' | 'unknown'
interface Pending {
  readonly life: Life
  readonly kind: 'database' | 'journal' | 'call'
  run(): void
  lose?(): void
}
interface Timer {
  readonly at: number
  readonly end: () => void
  readonly life: Life
}
/** `asked`: questions to the database since it is away. */
interface Life {
  readonly who: number
  isDead: boolean
  over: boolean
  run?: SharedRun
  stoppedBy?: string
  readonly halting: AbortController
  readonly halted: Promise<undefined>
  isAway: boolean
  asked: number
}

const seconds = 1000
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export function createModel(options: Options) {
  const { rows, chunkRows, random } = options
  const partsOf = (count: number): Part[] =>
    Array.from({ length: count }, () => ({ owner: undefined, fence: 0, until: 0, done: false }))
  const [chunks, lanes] = [partsOf(Math.ceil(rows / chunkRows)), partsOf(options.lanes)]
  const intents = new Map<number, { readonly who: number; readonly attempt: string }>()
  const journals = Array.from({ length: options.installations }, () => new Map<number, Place>())
  const sent = new Map<number, number>()
  /** What the log says: who has claimed which part, and whose run has not ended since. */
  let claims: {
    readonly who: number
    readonly part: number
    readonly event: number
    readonly over: Readonly<Record<string, number>>
    stands: boolean
  }[] = []
  let events = 0
  const claimsOf = (who: number, part: number) => claims.filter((claim) => claim.who !== who && claim.part === part)
  const runEnded = (who: number): void => {
    for (const claim of claims) if (claim.who === who) claim.stands = false
  }
  const all = Array.from({ length: rows }, (_, index) => index + 1)
  /** Rows that others have begun, of a stretch. */
  const begunBy = (who: number, from: number, to: number): number[] =>
    all.filter(
      (row) =>
        row >= from &&
        row <= to &&
        journals.some(
          (journal, other) =>
            other !== who && ['open', 'answered', 'not-sent', 'unknown'].includes(journal.get(row) ?? '')
        )
    )
  let pending: Pending[] = []
  let timers: Timer[] = []
  let [time, steps, most, frozen] = [0, 0, 0, undefined as Failure | undefined]

  const ask = <T>(life: Life, kind: Pending['kind'], work: () => Result<T, Failure>): Promise<Result<T, Failure>> =>
    new Promise((resolve) => {
      if (life.isAway && kind === 'database') life.asked += 1
      const run = (): void => {
        const answer =
          kind !== 'database'
            ? work()
            : frozen
              ? fail(frozen)
              : life.isAway
                ? failed('team-database-unreachable', { host: 'model', reason: 'timeout', seconds: 10 })
                : work()
        if (!life.isDead) resolve(answer)
      }
      const lose = (): void => {
        work()
        if (!life.isDead) resolve(failed('team-database-lost', { host: 'model' }))
      }
      pending.push({ life, kind, run, ...(kind === 'database' && { lose }) })
      most = Math.max(most, pending.filter((each) => each.kind === 'call' && !each.life.isDead).length)
    })

  const isHeld = (of: Part[], { n, fence }: Held, who: number): boolean =>
    of[n]?.owner === who && of[n].fence === fence && !of[n].done && of[n].until > time
  const take = (of: Part[], who: number, lease: number): Held | undefined => {
    const n = of.findIndex((part) => !part.done && (part.owner === undefined || part.until <= time))
    const part = of[n]
    if (!part) return undefined
    Object.assign(part, { owner: who, fence: part.fence + 1, until: time + lease * seconds })
    return { n, fence: part.fence }
  }

  const portOf = (life: Life): BatchPort => {
    const { who } = life
    const ofKind = (of: 'rows' | 'lanes'): Part[] => (of === 'rows' ? chunks : lanes)
    const database = <T>(work: () => T): Promise<Result<T, Failure>> => ask(life, 'database', () => ok(work()))
    return {
      open: () =>
        database(() => {
          for (const part of [...chunks, ...lanes]) if (part.owner === who && !part.done) part.owner = undefined
          return null
        }),
      compare: () => database(() => null),
      take: (_, lease) =>
        database(() => take(chunks, who, lease) ?? (chunks.every(({ done }) => done) ? 'over' : 'wait')),
      rows: () => ask(life, 'journal', () => ok({ rows: [], awaited: false })),
      spent: (_, __, { row, subject }) =>
        ask(life, 'journal', () =>
          ok(
            options.erased?.has(subject)
              ? ('erased' as const)
              : begunBy(who, row, row).length > 0
                ? ('begun' as const)
                : undefined
          )
        ),
      claims: (_, part) =>
        ask(life, 'journal', () =>
          ok(
            Object.fromEntries(claimsOf(who, part).flatMap((claim) => (claim.stands ? [[claim.who, claim.event]] : [])))
          )
        ),
      confirm: (_, { part, over, event }, { from, to, waited }) =>
        database(() => {
          const others = claimsOf(who, part)
          const standing = others.filter(({ stands }) => stands)
          const lost =
            others.some((each) => (each.over[who] ?? 0) >= event) ||
            standing.some((each) => each.event > (over[each.who] ?? 0))
          return {
            place: lost ? ('lost' as const) : standing.length > 0 && !waited ? ('wait' as const) : ('mine' as const),
            begun: begunBy(who, from, to)
          }
        }),
      watch: (_, given) =>
        database(() =>
          given.map(({ part, event }) => !claimsOf(who, part).some(({ over }) => (over[who] ?? 0) >= event))
        ),
      unsent: (_, __, from, to) =>
        database(() => ({
          awaited: false,
          rows: all.filter(
            (row) => row >= from && row <= to && !intents.has(row) && begunBy(who, row, row).length === 0
          )
        })),
      reopen: (_, n) =>
        database(() => {
          Object.assign(chunks[n] as Part, { done: false, owner: undefined })
          return null
        }),
      takeLane: (_, lease) => database(() => take(lanes, who, lease)),
      intend: (_, held, attempts) =>
        database(() => {
          if (!isHeld(chunks, held, who)) return 'ended' as const
          return attempts.map(({ row, attempt }) => {
            if (!intents.has(row)) intents.set(row, { who, attempt })
            return intents.get(row)?.who === who && intents.get(row)?.attempt === attempt
          })
        }),
      renew: (_, of, held, lease) =>
        database(() =>
          held.map((each) => {
            const part = isHeld(ofKind(of), each, who) ? ofKind(of)[each.n] : undefined
            if (part) part.until = time + lease * seconds
            return part !== undefined
          })
        ),
      leave: (_, of, held, done) =>
        database(() => {
          const part = isHeld(ofKind(of), held, who) ? ofKind(of)[held.n] : undefined
          if (part) Object.assign(part, { done, owner: done ? who : undefined })
          return part !== undefined
        }),
      runners: () =>
        database(
          () =>
            new Set(
              [...chunks, ...lanes]
                .filter(({ owner, done, until }) => owner !== undefined && !done && until > time)
                .map(({ owner }) => owner)
            ).size
        )
    }
  }

  function journalOf(life: Life) {
    const journal = journals[life.who] as Map<number, Place>
    return {
      lease: (_: string, given: readonly { readonly row: number }[]) =>
        ask(life, 'journal', () =>
          ok(
            given
              .map(({ row }) => ({ row, subject: row }))
              .filter(({ row }) => {
                const isFree = ['shared', 'waiting'].includes(journal.get(row) ?? 'shared')
                if (isFree) journal.set(row, 'waiting')
                return isFree
              })
          )
        ),
      claim: (_: string, { part, over }: PartClaim) =>
        ask(life, 'journal', () => {
          events += 1
          claims = [
            ...claims.filter((claim) => claim.who !== life.who || claim.part !== part),
            { who: life.who, part, event: events, over, stands: true }
          ]
          return ok(events)
        }),
      begun: () => ask(life, 'journal', () => ok([])),
      closed: (_: string, from: number, to: number) =>
        ask(life, 'journal', () =>
          ok(
            all.filter(
              (row) => row >= from && row <= to && !['shared', 'waiting'].includes(journal.get(row) ?? 'shared')
            )
          )
        ),
      withdraw: (_: string, row: number) =>
        ask(life, 'journal', () => {
          journal.set(row, 'cancelled')
          return ok(null)
        }),
      release: () =>
        ask(life, 'journal', () => {
          for (const [row, place] of journal) if (place === 'waiting') journal.set(row, 'shared')
          return ok(null)
        }),
      take: (_: string, after: number, limit: number) =>
        ask(life, 'journal', () => {
          const waiting = [...journal]
            .filter(([row, place]) => row > after && place === 'waiting')
            .map(([row]) => row)
            .sort((a, b) => a - b)
          return ok(waiting.slice(0, limit).map((row): TakenRow => ({ row, tries: 0, cells: [] })))
        }),
      step: (_: string, { finish, begin }: BatchStep) =>
        ask(life, 'journal', () => {
          if (finish) journal.set(finish.row, finish.again ? 'not-sent' : (finish.ending.outcome as Place))
          if (!begin) return ok({})
          if (journal.get(begin.row) !== 'waiting') return failed('internal', { reason: 'row-not-waiting' })
          journal.set(begin.row, 'open')
          return ok({ begun: { id: String(begin.row), seq: begin.row } })
        })
    }
  }

  /** What the runner of batches does with one row after another. */
  async function slot(
    life: Life,
    run: SharedRun,
    queue: TakenRow[],
    rest: (milliseconds: number) => Promise<void>
  ): Promise<void> {
    while (!life.halting.signal.aborted) {
      const wait = run.waitFor(time)
      if (wait > 0) {
        await rest(wait)
        continue
      }
      const row = queue.shift()?.row
      if (row === undefined) {
        // Who halts does not wait for the next rows.
        const taken = await Promise.race([run.store.take('', 0, 256), life.halted])
        if (!taken) return
        if (!taken.ok) life.stoppedBy ??= taken.failure.code
        if (!taken.ok || (taken.value.length === 0 && queue.length === 0)) return
        queue.push(...taken.value)
        continue
      }
      run.starting(row)
      const begun = await run.store.step('', { begin: { row, intent: {} as never } })
      if (!begun.ok || !begun.value.begun) continue
      const may = await run.mayBeSent(row)
      if (may) await ask(life, 'call', () => ok(sent.set(row, (sent.get(row) ?? 0) + 1)))
      run.left(row)
      await run.store.step('', {
        finish: { row, recordId: '', again: !may, ending: { outcome: may ? 'answered' : 'not-sent', endedAt: 0 } }
      })
    }
  }

  async function live(life: Life): Promise<void> {
    const journal = journals[life.who] as Map<number, Place>
    for (const [row, place] of journal) if (place === 'open') journal.set(row, 'unknown')
    runEnded(life.who)
    const store = journalOf(life)
    await store.release()
    const port = portOf(life)
    for (
      let opened = await port.open({ id: '', rows, chunkRows, lanes: options.lanes });
      !opened.ok;
      opened = await port.open({ id: '', rows, chunkRows, lanes: options.lanes })
    )
      if (frozen) return
    const rest = (milliseconds: number): Promise<void> =>
      new Promise((resolve) => timers.push({ at: time + milliseconds, end: resolve, life }))
    const wake = (): void => {
      const mine = timers.filter((timer) => timer.life === life)
      timers = timers.filter((timer) => timer.life !== life)
      for (const { end } of mine) end()
    }
    let attempts = 0
    const run = (life.run = startSharedRun({
      id: '',
      rows,
      chunkRows,
      lanes: options.lanes,
      operator: '',
      pace: 0,
      requestSeconds: 10,
      port,
      store,
      journal: store,
      rest,
      wake,
      clock: { now: () => time, monotonic: () => time },
      attempt: () => `${life.who}/${steps}/${(attempts += 1)}`
    }))
    const queue: TakenRow[] = []
    await Promise.all(Array.from({ length: options.lanes + 1 }, () => slot(life, run, queue, rest)))
    await run.close()
    runEnded(life.who)
    life.over = true
  }

  const born = (who: number): Life => {
    const halting = new AbortController()
    const halted = new Promise<undefined>((resolve) =>
      halting.signal.addEventListener('abort', () => resolve(undefined))
    )
    const life: Life = { who, isDead: false, over: false, halting, halted, isAway: false, asked: 0 }
    void live(life)
    return life
  }
  const lives = Array.from({ length: options.installations }, (_, who) => born(who))
  const places = (row: number): (Place | undefined)[] => journals.map((journal) => journal.get(row))

  return {
    isMoving: () => lives.some(({ over }) => !over) && (pending.length > 0 || timers.length > 0 || steps === 0),
    async step(): Promise<void> {
      steps += 1
      await settled()
      const [next] = pending.length > 0 ? pending.splice(random() % pending.length, 1) : []
      if (next && options.lossAt?.has(steps) && next.lose) next.lose()
      else if (next) next.run()
      else {
        const soonest = timers.sort((a, b) => a.at - b.at).shift()
        time = Math.max(time, soonest?.at ?? time)
        if (soonest && !soonest.life.isDead) soonest.end()
      }
      await settled()
    },
    /** Dies now, and starts again: what it asked may have happened, or not. */
    kill(given: number): void {
      const who = given % options.installations
      const life = lives[who]
      if (!life || life.over) return
      life.isDead = true
      const lost = pending.filter((each) => each.life === life)
      pending = pending.filter((each) => each.life !== life)
      timers = timers.filter((timer) => timer.life !== life)
      for (const each of lost) if (random() % 2 === 0) each.run()
      lives[who] = born(who)
    },
    /** A person pauses it at one installation. */
    halt(given: number): void {
      const life = lives[given % options.installations]
      life?.halting.abort()
      life?.run?.halt()
    },
    /** From now on, the database cannot be reached. */
    cut(): void {
      for (const life of lives) life.isAway = true
    },
    /** Questions to the database since it was cut. */
    asked: () => lives.reduce((sum, life) => sum + life.asked, 0),
    /** Parts that somebody holds. */
    held: () => [...chunks, ...lanes].filter(({ owner, done }) => owner !== undefined && !done).length,
    waiting: () => all.filter((row) => places(row).includes('waiting')),
    freeze(why: Failure): void {
      frozen = why
    },
    doubled: () => all.filter((row) => (sent.get(row) ?? 0) > 1),
    unlabelled: () =>
      all.filter((row) => sent.has(row) && !places(row).some((place) => place === 'answered' || place === 'unknown')),
    /** Rows of which nobody knows anything: neither sent, nor about to be. */
    lost: () => all.filter((row) => !intents.has(row) && !places(row).some((place) => place === 'answered')),
    answered: () => all.filter((row) => places(row).includes('answered')).length,
    sent: () => all.filter((row) => sent.has(row)),
    calls: () => [...sent.values()].reduce((sum, count) => sum + count, 0),
    mostAtOnce: () => most,
    stoppedBy: () => lives.map((life) => life.stoppedBy)
  }
}
