/**
 * A team in one process: a database with the rules of the real one, a log, a service that counts, and installations that die.
 * Every question waits until it is its turn, so that any order can be tried.
 */
import { failed, type Failure } from '#contract/failures/failures.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import type { SharedRun } from '#core/batches/shared/ports.ts'
import type { BatchStep, TakenRow } from '#wire/history/batches.ts'
import type { BatchPort } from '#team/thread/batch-ports.ts'
import { runRules } from '#core/team/batches/rules.ts'
import type { SharedRunParts } from '#core/team/batches/place.ts'
import { startSharedRun } from '#core/team/batches/run.ts'

interface Options {
  readonly rows: number
  readonly installations: number
  /** Rows that one installation has in progress. */
  readonly atOnce: number
  /** A number for the next choice. */
  random(): number
  /** Steps at which the database's answer is lost. */
  readonly lossAt?: ReadonlySet<number>
  /** Rows whose applicants were erased. */
  readonly erased?: ReadonlySet<number>
  /** The database lets everybody run the batch, and shows each installation its own intents alone. */
  readonly lies?: boolean
}
export type Model = ReturnType<typeof createModel>

type Place = 'waiting' | 'cancelled' | 'open' | 'answered' | 'not-sent' | 'unknown'
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
/** A process of an installation. `asked`: questions to the database since it is away. */
interface Life {
  readonly who: number
  isDead: boolean
  isOver: boolean
  run?: SharedRun
  stoppedBy?: string
  isHalted: boolean
  isAway: boolean
  asked: number
}
interface Claim {
  readonly who: number
  readonly event: number
  readonly over: Readonly<Record<string, number>>
  stands: boolean
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export function createModel(options: Options) {
  const { rows, random, lies = false } = options
  const all = Array.from({ length: rows }, (_, index) => index + 1)
  let runner: { readonly who: number; readonly fence: number; until: number } | undefined
  let fences = 0
  const intents = new Map<string, { readonly who: number; readonly attempt: string }>()
  const keyOf = (who: number, row: number): string => (lies ? `${who}/${row}` : String(row))
  const journals = Array.from({ length: options.installations }, () => new Map<number, Place>())
  const sent = new Map<number, number>()
  let claims: Claim[] = []
  let events = 0
  let pending: Pending[] = []
  let timers: Timer[] = []
  let [time, steps, most, frozen] = [0, 0, 0, undefined as Failure | undefined]
  const runEnded = (who: number): void => {
    for (const claim of claims) if (claim.who === who) claim.stands = false
  }
  const isBegun = (who: number, row: number): boolean =>
    journals.some(
      (journal, other) => other !== who && ['open', 'answered', 'not-sent', 'unknown'].includes(journal.get(row) ?? '')
    )

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

  const runsElsewhere = (who: number) =>
    failed('team-batch-runs', { member: String(who), installation: String(who), runningSince: 0 })

  function portOf(life: Life): BatchPort {
    const { who } = life
    const database = <T>(work: () => Result<T, Failure>): Promise<Result<T, Failure>> => ask(life, 'database', work)
    const runs = (fence: number): boolean =>
      lies || (runner?.who === who && runner.fence === fence && runner.until > time)
    return {
      take: (_, seconds) =>
        database(() => {
          if (!lies && runner && runner.who !== who && runner.until > time) return runsElsewhere(runner.who)
          fences += 1
          runner = { who, fence: fences, until: time + seconds * 1000 }
          return ok(fences)
        }),
      renew: (_, fence, seconds) =>
        database(() => {
          if (runner && runs(fence)) runner.until = time + seconds * 1000
          return ok(runs(fence))
        }),
      leave: (_, fence) =>
        database(() => {
          if (runner?.fence === fence) runner = undefined
          return ok(null)
        }),
      compare: () => database(() => ok(null)),
      claims: () =>
        ask(life, 'journal', () =>
          ok(
            Object.fromEntries(
              claims.flatMap((claim) => (claim.who !== who && claim.stands ? [[claim.who, claim.event]] : []))
            )
          )
        ),
      confirm: (_, { over, event }, stage) =>
        database(() => {
          const others = claims.filter((claim) => claim.who !== who)
          const next = others.find((each) => (each.over[who] ?? 0) >= event)
          if (next) return runsElsewhere(next.who)
          const standing = others.filter(({ stands }) => stands)
          if (stage === 'running' || standing.length === 0) return ok('mine')
          if (standing.some((each) => each.event > (over[each.who] ?? 0))) return ok('beside')
          return ok(stage === 'waited' ? 'mine' : 'wait')
        }),
      left: (_, __, ___, { waiting, mine }) =>
        database(() =>
          ok({
            awaited: false,
            rows: waiting
              .filter((row) => !isBegun(who, row) && (!intents.has(keyOf(who, row)) || mine.includes(row)))
              .map((row) => ({ row }))
          })
        ),
      spent: (_, __, { row, subject }) =>
        ask(life, 'journal', () =>
          ok(options.erased?.has(subject) ? 'erased' : isBegun(who, row) ? 'begun' : undefined)
        ),
      intend: (_, fence, attempts) =>
        database<readonly boolean[] | 'ended'>(() => {
          if (!runs(fence)) return ok('ended')
          return ok(
            attempts.map(({ row, attempt }) => {
              const key = keyOf(who, row)
              if (!intents.has(key)) intents.set(key, { who, attempt })
              return intents.get(key)?.who === who && intents.get(key)?.attempt === attempt
            })
          )
        })
    }
  }

  function journalOf(life: Life): SharedRunParts['journal'] & SharedRunParts['store'] {
    const journal = journals[life.who] as Map<number, Place>
    const local = <T>(work: () => T): Promise<Result<T, Failure>> => ask(life, 'journal', () => ok(work()))
    return {
      accept: (_, given) =>
        local(() =>
          given.flatMap(({ row }) => {
            const isFree = (journal.get(row) ?? 'waiting') === 'waiting'
            if (isFree) journal.set(row, 'waiting')
            return isFree ? [{ row, subject: row }] : []
          })
        ),
      claim: (_, { over }) =>
        local(() => {
          events += 1
          claims = [
            ...claims.filter(({ who }) => who !== life.who),
            { who: life.who, event: events, over, stands: true }
          ]
          return events
        }),
      begun: () => local(() => []),
      closed: (_, from, to) =>
        local(() => all.filter((row) => row >= from && row <= to && (journal.get(row) ?? 'waiting') !== 'waiting')),
      withdraw: (_, row) =>
        local(() => {
          journal.set(row, 'cancelled')
          return null
        }),
      release: () =>
        local(() => {
          for (const [row, place] of journal) if (place === 'waiting') journal.delete(row)
          return null
        }),
      take: (_, after, limit, to = rows) =>
        local(() =>
          [...journal]
            .filter(([row, place]) => row > after && row <= to && place === 'waiting')
            .map(([row]): TakenRow => ({ row, tries: 0, left: ['get-applicant-details'], cells: [] }))
            .sort((a, b) => a.row - b.row)
            .slice(0, limit)
        ),
      step: (_, { finish, begin }: BatchStep) =>
        ask(life, 'journal', () => {
          if (finish) journal.set(finish.row, finish.again ? 'waiting' : (finish.ending.outcome as Place))
          if (!begin) return ok({})
          if (journal.get(begin.row) !== 'waiting') return failed('internal', { reason: 'row-not-waiting' })
          journal.set(begin.row, 'open')
          return ok({ begun: { id: String(begin.row), seq: begin.row } })
        })
    }
  }

  /** What the runner of batches does: one pass after another over the rows, until none is left. */
  async function slots(life: Life, run: SharedRun): Promise<void> {
    for (let more = true; more && !life.isHalted && life.stoppedBy === undefined;) {
      let [after, queue] = [0, [] as TakenRow[]]
      more = false
      let loading: Promise<void> | undefined
      const load = async (): Promise<void> => {
        const taken = await run.store.take('', after, 3)
        if (!taken.ok) life.stoppedBy ??= taken.failure.code
        queue = taken.ok ? [...taken.value] : []
        after = queue.at(-1)?.row ?? rows
        more ||= queue.length > 0
      }
      const slot = async (): Promise<void> => {
        while (!life.isHalted && life.stoppedBy === undefined) {
          const row = queue.shift()?.row
          if (row === undefined) {
            if (after >= rows) return
            await (loading ??= load().finally(() => (loading = undefined)))
            continue
          }
          const begun = await run.store.step('', { begin: { row, intent: {} as never } })
          if (!begun.ok || !begun.value.begun) continue
          const may = !life.isHalted && (await run.mayBeSent())
          if (may) await ask(life, 'call', () => ok(sent.set(row, (sent.get(row) ?? 0) + 1)))
          await run.store.step('', {
            finish: { row, recordId: '', again: !may, ending: { outcome: may ? 'answered' : 'not-sent', endedAt: 0 } }
          })
        }
      }
      await Promise.all(Array.from({ length: options.atOnce }, slot))
    }
  }

  async function live(life: Life): Promise<void> {
    const journal = journals[life.who] as Map<number, Place>
    for (const [row, place] of journal) if (place === 'open') journal.set(row, 'unknown')
    runEnded(life.who)
    const store = journalOf(life)
    const rest = (milliseconds: number): Promise<void> =>
      new Promise((resolve) => timers.push({ at: time + milliseconds, end: resolve, life }))
    let attempts = 0
    const parts: SharedRunParts = {
      id: '',
      rows,
      port: portOf(life),
      store,
      journal: store,
      rules: runRules,
      operator: '',
      rest,
      wake() {
        const mine = timers.filter((timer) => timer.life === life)
        timers = timers.filter((timer) => timer.life !== life)
        for (const { end } of mine) end()
      },
      clock: { now: () => time, monotonic: () => time },
      attempt: () => `${life.who}/${steps}/${(attempts += 1)}`,
      random: () => (random() % 1000) / 1000
    }
    // A person tries again, until nobody else runs it.
    while (!life.isHalted) {
      const run = await startSharedRun(parts)
      if (run.ok) {
        life.run = run.value
        delete life.stoppedBy
        await slots(life, run.value)
        await run.value.close()
        runEnded(life.who)
        if (life.stoppedBy !== 'team-batch-runs') break
      } else if (frozen) {
        life.stoppedBy = run.failure.code
        break
      }
      await rest(5000)
    }
    life.isOver = true
  }

  const born = (who: number): Life => {
    const life: Life = { who, isDead: false, isOver: false, isHalted: false, isAway: false, asked: 0 }
    void live(life)
    return life
  }
  const lives = Array.from({ length: options.installations }, (_, who) => born(who))
  const places = (row: number): (Place | undefined)[] => journals.map((journal) => journal.get(row))

  return {
    isMoving: () => lives.some(({ isOver }) => !isOver) && (pending.length > 0 || timers.length > 0 || steps === 0),
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
      if (!life || life.isOver) return
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
      if (!life) return
      life.isHalted = true
      life.run?.halt()
    },
    /** From now on, the database cannot be reached. */
    cut(): void {
      for (const life of lives) life.isAway = true
    },
    /** Questions to the database since it was cut. */
    asked: () => lives.reduce((sum, life) => sum + life.asked, 0),
    isHeld: () => runner !== undefined,
    waiting: () => all.filter((row) => places(row).includes('waiting')),
    freeze(why: Failure): void {
      frozen = why
    },
    doubled: () => all.filter((row) => (sent.get(row) ?? 0) > 1),
    unlabelled: () =>
      all.filter((row) => sent.has(row) && !places(row).some((place) => place === 'answered' || place === 'unknown')),
    /** Rows of which nobody knows anything: neither sent, nor about to be. */
    lost: () =>
      all.filter(
        (row) =>
          !journals.some((_, who) => intents.has(keyOf(who, row))) && !places(row).some((place) => place === 'answered')
      ),
    answered: () => all.filter((row) => places(row).includes('answered')).length,
    sent: () => all.filter((row) => sent.has(row)),
    calls: () => [...sent.values()].reduce((sum, count) => sum + count, 0),
    mostAtOnce: () => most,
    stoppedBy: () => lives.map((life) => life.stoppedBy)
  }
}
