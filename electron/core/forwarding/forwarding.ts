/**
 * Log forwarding: offers the events of the audit trail to a collector and to a file, each from the event after the last that it
 * took. What leaves has no personal data (contract/forwarding/fields.ts).
 */
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import { forwarded, type ForwardedEvent } from '#contract/forwarding/fields.ts'
import type { ForwardingTarget, LogForwarding, TargetState } from '#contract/forwarding/forwarding.ts'
import type { NoteDraft } from '#core/audit/audit-trail.ts'
import type { OutgoingParts } from '#core/client/network.ts'
import { createSchedule, type Rhythm } from '#kit/async/schedule.ts'
import { ownFolders } from '#wire/files/own-names.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import { jsonLine, syslogFrame } from './lines.ts'
import { openPositions, withMark, type Mark, type Position, type Positions } from './positions.ts'

export interface Forwarding {
  /** How it goes with each target, as of the last attempt; empty if nothing is forwarded. */
  state(): readonly TargetState[]
  start(): void
  /** Offers what is new at once: the settings changed, or the console is unlocked. */
  look(): void
  close(): Promise<void>
}

export interface ForwardingParts extends OutgoingParts {
  /** The open history; undefined while there is none, or none whose events are still there after a restart. */
  history(): HistoryStore | undefined
  note(draft: NoteDraft): Promise<void>
  changed(): void
  readonly rhythm?: Rhythm
  /** Seconds that a collector has for one hand-over; 20 by default. */
  readonly seconds?: number
}

/** Seconds of a hand-over. */
const usualSeconds = 20
/** Events of one hand-over. */
const most = 500
/** Milliseconds. A search or a verification comes first. */
const usualRhythm: Rhythm = { first: 10_000, every: 10_000 }
/** A target that fails is tried again after this many milliseconds, then after twice as many, at most as many as the second. */
const pause = [10_000, 300_000] as const

// Files and sockets are not needed before something is forwarded.
const collector = () => import('./collector.ts')
const rotatedFile = () => import('./rotated-file.ts')

interface Target {
  readonly target: ForwardingTarget
  readonly place: string
  give(events: readonly ForwardedEvent[]): Promise<Result<null, Failure>>
}

/** Where events go by a setting. */
function targetsOf(
  { collector: to, file, message }: LogForwarding,
  { folder, version, network, seconds = usualSeconds }: ForwardingParts,
  stop: AbortSignal
): Target[] {
  const sender = { hostname: hostname(), version }
  const path = file === '' ? join(folder, ownFolders.logs, 'audit-trail.jsonl') : file
  return [
    ...(to === undefined
      ? []
      : [
          {
            target: 'collector' as const,
            place: to,
            give: async (events: readonly ForwardedEvent[]) =>
              (await collector()).handOver({
                collector: to,
                network,
                frames: events.map((event) => syslogFrame(event, message, sender)),
                seconds,
                stop
              })
          }
        ]),
    ...(path === undefined
      ? []
      : [
          {
            target: 'file' as const,
            place: path,
            give: async (events: readonly ForwardedEvent[]) =>
              (await rotatedFile()).appendLines(path, events.map(jsonLine))
          }
        ])
  ]
}

/** The last event that the target took of this audit trail: a restored one may lack the last of all. */
async function lastTaken(store: HistoryStore, marks: readonly Mark[]): Promise<number> {
  for (const { seq, hash } of marks.toReversed()) {
    const found = await store.audit.after(seq, 0)
    if (found.ok && found.value.hash === hash) return seq
  }
  return 0
}

/** Offers events to one target until it has all, or does not take them. */
function createOffering({ clock, note }: ForwardingParts, states: Map<string, TargetState>, stop: AbortSignal) {
  /** Tells once that a target takes nothing, and once that it does again. */
  async function tell({ target }: Target, state: 'silent' | 'resumed', left: number, code?: string): Promise<void> {
    await note({
      kind: 'forwarding.changed',
      plain: { target, state, waiting: left, ...(code !== undefined && { code }) }
    })
  }

  async function offer(each: Target, store: HistoryStore, positions: Positions, silentMinutes: number): Promise<void> {
    const { target, place } = each
    const show = (position: Position, taken: number, last: number, failure?: Failure): void => {
      const { takenAt, failingSince, told } = position
      states.set(place, {
        target,
        place,
        taken,
        last,
        ...(takenAt !== undefined && { takenAt }),
        ...(told && failingSince !== undefined && { silentSince: failingSince }),
        ...(failure && { failure })
      })
    }
    let position = positions.of(place)
    let taken = await lastTaken(store, position.marks)
    for (;;) {
      const page = await store.audit.after(taken, most)
      if (!page.ok) return
      const { events, last } = page.value
      const newest = events.at(-1)
      if (newest === undefined) return show(position, taken, last)
      const given = await each.give(events.map((event) => forwarded(event, positions.source)))
      if (stop.aborted && !given.ok) return
      if (!given.ok) {
        const failingSince = position.failingSince ?? clock.now()
        const silent = !position.told && Math.abs(clock.now() - failingSince) >= silentMinutes * 60_000
        // A collector that ended may have lost what it had taken last: that is offered again, and doubles are dropped.
        const marks = position.failingSince === undefined ? position.marks.slice(0, -1) : position.marks
        position = { ...position, marks, failingSince, ...(silent && { told: true as const }) }
        await positions.set(position)
        if (silent) await tell(each, 'silent', last - taken, given.failure.code)
        return show(position, taken, last, given.failure)
      }
      const { told, failingSince: _over, ...rest } = position
      taken = newest.seq
      position = {
        place: rest.place,
        marks: withMark(rest.marks, { seq: taken, hash: newest.hash }),
        takenAt: clock.now()
      }
      await positions.set(position)
      if (told) await tell(each, 'resumed', last - taken)
      show(position, taken, last)
    }
  }

  return offer
}

export function createForwarding(parts: ForwardingParts): Forwarding {
  const { settings, sendingRefusal, clock, folder, history, changed, rhythm = usualRhythm } = parts
  const ending = new AbortController()
  const states = new Map<string, TargetState>()
  /** Of targets that fail: when they are tried again, by their clock, and how long they then wait. */
  const waiting = new Map<string, { readonly until: number; readonly next: number }>()
  let opening: Promise<Positions> | undefined
  const offer = createOffering(parts, states, ending.signal)

  async function round(): Promise<void> {
    const wanted = settings().logForwarding
    const store = history()
    const targets = wanted ? targetsOf(wanted, parts, ending.signal) : []
    for (const place of states.keys()) if (!targets.some((each) => each.place === place)) states.delete(place)
    if (!wanted || !store || sendingRefusal()) return
    const positions = await (opening ??= openPositions(folder, clock))
    const before = JSON.stringify([...states.values()])
    await Promise.all(
      targets.map(async (each) => {
        const held = waiting.get(each.place)
        if (held && clock.monotonic() < held.until) return
        await offer(each, store, positions, wanted.silentMinutes)
        if (states.get(each.place)?.failure === undefined) return void waiting.delete(each.place)
        const next = held?.next ?? pause[0]
        waiting.set(each.place, { until: clock.monotonic() + next, next: Math.min(2 * next, pause[1]) })
      })
    )
    if (JSON.stringify([...states.values()]) !== before) changed()
  }
  const schedule = createSchedule(round, rhythm)

  return {
    state: () => [...states.values()],
    start: schedule.start,
    look() {
      waiting.clear()
      schedule.look()
    },
    async close() {
      ending.abort('cancelled')
      await schedule.close()
    }
  }
}
