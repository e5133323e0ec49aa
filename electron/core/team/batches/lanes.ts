/**
 * This installation's shares in the concurrency and the rate limit of a shared batch. The database leases each to one
 * installation at a time, so all of them together never exceed the whole.
 */
import type { Failure } from '#contract/failures/failures.ts'
import { isPassing } from '#team/log/schedule.ts'
import type { RunPort } from './ending.ts'
import { fairShare, isSafe, laneInterval, laneSeconds, leaseRule, type Lease, type Moment } from './rules.ts'

interface Lane extends Omit<Lease, 'asked'> {
  asked: Moment
  /** When its next request may start, by the monotonic clock. */
  next: number
  row?: number | undefined
}

interface LaneParts {
  readonly id: string
  readonly lanes: number
  readonly pace: number
  readonly requestSeconds: number
  readonly port: RunPort
  moment(): Moment
  stop(why: Failure): void
  /** From then on, no share is taken or renewed. */
  isEnding(): boolean
  /** Whether this installation has rows to send. */
  hasWork(): boolean
}

/** Milliseconds before a row asks again for a share. */
const look = { shortest: 5, longest: 50 } as const

export function createLanes({
  id,
  lanes: all,
  pace,
  requestSeconds,
  port,
  moment,
  stop,
  isEnding,
  hasWork
}: LaneParts) {
  const seconds = laneSeconds(requestSeconds)
  const interval = laneInterval(all, pace)
  let held: Lane[] = []
  let busy: Promise<void> = Promise.resolve()
  const isUsable = (lane: Lane): boolean => isSafe(lane, moment(), requestSeconds * 1000)
  const idle = (now: number): Lane | undefined =>
    held.find((lane) => lane.row === undefined && lane.next <= now && isUsable(lane))
  const reported = (why: Failure): void => {
    if (!isPassing(why)) stop(why)
  }

  async function leave(lane: Lane): Promise<void> {
    held = held.filter((each) => each !== lane)
    await port.leave(id, 'lanes', lane, false)
  }

  async function takeMore(wanted: number): Promise<void> {
    while (held.length < wanted && !isEnding()) {
      const asked = moment()
      const taken = await port.takeLane(id, seconds)
      if (!taken.ok) return reported(taken.failure)
      if (!taken.value) return
      // Who had it may have sent a request just now.
      held.push({ ...taken.value, seconds, asked, next: moment().monotonic + interval })
    }
  }

  async function adjustShare(): Promise<void> {
    const runners = hasWork() ? await port.runners(id) : undefined
    if (runners?.ok === false) return reported(runners.failure)
    const wanted = runners ? fairShare(all, runners.value) : 0
    const surplus = held.filter(({ row }) => row === undefined).slice(0, Math.max(0, held.length - wanted))
    for (const lane of surplus) await leave(lane)
    await takeMore(wanted)
  }

  async function renew(): Promise<void> {
    const asked = moment()
    const due = held.filter((lane) => asked.monotonic - lane.asked.monotonic >= leaseRule.renewsAfter)
    const renewed = due.length > 0 ? await port.renew(id, 'lanes', due, seconds) : undefined
    if (renewed?.ok === false) return reported(renewed.failure)
    due.forEach((lane, index) => {
      if (renewed?.value[index]) lane.asked = asked
      else held = held.filter((each) => each !== lane)
    })
  }

  /** One after the other. */
  const inTurn = (work: () => Promise<void>): Promise<void> =>
    (busy = busy.then(() => (isEnding() ? undefined : work())))

  return {
    waitFor: (now: number): number => {
      if (idle(now)) return 0
      const soonest = Math.min(
        ...held.filter(({ row }) => row === undefined).map(({ next }) => next - now),
        look.longest
      )
      return Math.max(look.shortest, soonest)
    },
    occupy(row: number): void {
      const { monotonic: now } = moment()
      // A row can be handed out twice: it has one share.
      const lane = held.some((each) => each.row === row) ? undefined : idle(now)
      if (!lane) return
      lane.row = row
      lane.next = Math.max(now, lane.next) + interval
    },
    holds: (row: number): boolean => held.some((lane) => lane.row === row && isUsable(lane)),
    free(row: number): void {
      for (const lane of held) if (lane.row === row) lane.row = undefined
    },
    /** Takes and gives back shares, as many as are fair now. */
    balance: () => inTurn(adjustShare),
    tend: () =>
      inTurn(async () => {
        await renew()
        if (!isEnding()) await adjustShare()
      }),
    async close(): Promise<void> {
      await busy
      for (const lane of held) await leave(lane)
    }
  }
}
