/**
 * Locks and unlocks the console. A lock empties the window at once; then it waits for what still needs the history,
 * closes it, and drops the keys. `states.ts` has the states.
 */
import type { AppState } from '#contract/app/app-state.ts'
import type { Failure } from '#contract/failures/failures.ts'
import type { LockReason, LockState, UnlockWay } from '#contract/lock/lock.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { createTurns } from '#kit/async/in-turn.ts'
import { within } from '#kit/async/within.ts'
import type { Clock } from '#kit/clock.ts'
import type { Phase } from './phase.ts'

export interface LockParts {
  readonly phase: Phase
  readonly clock: Clock
  /** Asks the window to store its drafts; it confirms with `ready()`. */
  announceLocking(): void
  /** Empties core's caches, then the window. */
  empty(): void
  /** Pauses running batches, if the setting says so, and cancels what waits for a person. */
  hold(): void
  /** Resolves when nothing needs the history any more; false if something is in memory that would be lost. */
  drained(): Promise<boolean>
  /** What `drained` waits for. */
  working(): LockState['working']
  /** Closes the history and drops keys; false if they would be lost. */
  wipe(): Promise<boolean>
  /** Opens the history again. */
  reopen(): Promise<void>
  /** It was unlocked. */
  opened(): void
  note(
    event: { readonly kind: 'locked'; readonly why: LockReason } | { readonly kind: 'unlocked'; readonly by: UnlockWay }
  ): Promise<void>
  /** What unlocks it, and how many attempts were wrong. */
  tried(): Pick<LockState, 'by' | 'wrong' | 'waitSeconds' | 'recovery'>
  /** The state of the lock has changed. */
  changed(): void
}

export interface Lock {
  /** For the window; undefined while the console is open. */
  state(): AppState['lock']
  /** Resolves when the window is empty. */
  lock(why: LockReason): Promise<void>
  /** The window has stored its drafts. */
  ready(): void
  /** Unlocks if `admit` succeeds; returns its failure. Nothing is asked of an open console. */
  unlock(admit: () => Promise<Result<UnlockWay, Failure>>): Promise<Result<null, Failure>>
  /** Begins locked, with a history that was never opened. */
  startLocked(): void
  /** Waits for a closing of the history that has begun; none begins any more. The console ends. */
  close(): Promise<void>
}

/** Milliseconds that the window has to store its drafts. */
const draftsLimit = 1500

export function createLock(parts: LockParts): Lock {
  const { now, change } = parts.phase
  let kept: Pick<LockState, 'working' | 'inMemory'> = {}
  let stored = (): void => undefined
  /** Closing and opening the history never overlap. */
  const inTurn = createTurns()
  let wiped = false
  /** Counts locks: an earlier one has nothing to wipe any more. */
  let round = 0
  let ended = false

  /** Waits for the end of what needs the history, then wipes, unless it was unlocked meanwhile. */
  async function wipe(): Promise<void> {
    const mine = (round += 1)
    const whole = await parts.drained()
    await inTurn(async () => {
      if (round !== mine || ended) return
      wiped = whole && (await parts.wipe())
      kept = wiped ? {} : whole ? { inMemory: true } : { working: 'unwritten' }
      parts.changed()
    })
  }

  /** From an empty window on. */
  async function shut(why: LockReason): Promise<void> {
    parts.empty()
    // Before the event is recorded, which a history that is being replaced delays: the keys are still in memory.
    kept = { working: parts.working() ?? 'closing' }
    parts.changed()
    await parts.note({ kind: 'locked', why })
    void wipe()
  }

  async function lock(why: LockReason): Promise<void> {
    const before = now()
    const phase = change({ kind: 'lock', why, at: parts.clock.now() })
    if (phase === before || phase.phase !== 'locking') return
    parts.hold()
    const storing = new Promise<void>((resolve) => (stored = resolve))
    parts.announceLocking()
    await within(draftsLimit, storing)
    if (ended) return
    change({ kind: 'emptied' })
    await shut(why)
  }

  async function unlock(admit: () => Promise<Result<UnlockWay, Failure>>): Promise<Result<null, Failure>> {
    const before = now()
    if (change({ kind: 'try' }) === before) return ok(null)
    const admitted = await admit()
    if (!admitted.ok) {
      change({ kind: 'refused' })
      parts.changed()
      return admitted
    }
    await inTurn(async () => {
      round += 1
      if (wiped) await parts.reopen()
      wiped = false
    })
    const phase = change({ kind: 'opened' })
    kept = {}
    await parts.note({ kind: 'unlocked', by: admitted.value })
    parts.opened()
    if (phase.phase === 'locked') await shut(phase.why)
    parts.changed()
    return ok(null)
  }

  return {
    state() {
      const phase = now()
      return phase.phase === 'open' ? undefined : { why: phase.why, since: phase.since, ...parts.tried(), ...kept }
    },
    lock,
    ready: () => stored(),
    unlock,
    startLocked() {
      change({ kind: 'start', at: parts.clock.now() })
      wiped = true
      parts.changed()
    },
    close() {
      ended = true
      return inTurn(() => Promise.resolve())
    }
  }
}
