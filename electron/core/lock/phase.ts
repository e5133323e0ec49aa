/** The phase of the lock, apart from what changes it: what a console is built on has to know whether it is open. */
import { nextPhase, type LockChange, type LockPhase } from './states.ts'

export interface Phase {
  now(): LockPhase
  isOpen(): boolean
  /** Returns the phase after the change. */
  change(made: LockChange): LockPhase
}

export function createPhase(): Phase {
  let phase: LockPhase = { phase: 'open' }
  return {
    now: () => phase,
    isOpen: () => phase.phase === 'open',
    change: (made) => (phase = nextPhase(phase, made))
  }
}
