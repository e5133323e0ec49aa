/**
 * The states of the lock and what changes them, as a pure function.
 *
 * `open` --lock--> `locking` --emptied--> `locked` --try--> `unlocking` --opened--> `open`
 *
 * `locking` lasts as long as the window stores its drafts; `unlocking` as long as a passphrase is verified and the history
 * opens. A reason to lock that comes while it unlocks locks it again at once.
 */
import type { LockReason } from '#contract/lock/lock.ts'

export type LockPhase =
  | { readonly phase: 'open' }
  | { readonly phase: 'locking' | 'locked'; readonly why: LockReason; readonly since: number }
  | {
      readonly phase: 'unlocking'
      readonly why: LockReason
      readonly since: number
      readonly again?: { readonly why: LockReason; readonly since: number }
    }

export type LockChange =
  | { readonly kind: 'lock'; readonly why: LockReason; readonly at: number }
  /** The window was emptied. */
  | { readonly kind: 'emptied' }
  /** Somebody tries to unlock. */
  | { readonly kind: 'try' }
  | { readonly kind: 'refused' }
  /** The console starts with a history that stays closed. */
  | { readonly kind: 'start'; readonly at: number }
  | { readonly kind: 'opened' }

/** The phase after a change; a change that does not apply leaves the phase as it is. */
export function nextPhase(now: LockPhase, change: LockChange): LockPhase {
  switch (change.kind) {
    case 'lock': {
      const { why, at: since } = change
      if (now.phase === 'open') return { phase: 'locking', why, since }
      // The first reason stays.
      return now.phase === 'unlocking' && !now.again ? { ...now, again: { why, since } } : now
    }
    case 'emptied':
      return now.phase === 'locking' ? { ...now, phase: 'locked' } : now
    case 'try':
      return now.phase === 'locked' ? { phase: 'unlocking', why: now.why, since: now.since } : now
    case 'refused':
      return now.phase === 'unlocking' ? { phase: 'locked', why: now.why, since: now.since } : now
    case 'start':
      return { phase: 'locked', why: 'start', since: change.at }
    case 'opened':
      if (now.phase !== 'unlocking') return now
      return now.again ? { phase: 'locked', ...now.again } : { phase: 'open' }
  }
}
