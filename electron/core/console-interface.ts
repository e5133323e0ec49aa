/** What a host has of a console. */
import type { LockReason } from '#contract/lock/lock.ts'
import type { Batches } from '#core/batches/batches.ts'
import type { Router } from './ipc/router.ts'

export interface VerideskConsole {
  /**
   * Reads settings and connections, then opens keychain and history in the background, so that a window need not
   * wait.
   */
  start(): Promise<void>
  /** Resolves when keychain and history have opened or failed; within seconds in any case. */
  opened(): Promise<void>
  /** The router for a window's requests. Never rejects; waits for `start()`. */
  readonly handle: Router
  /** Locks the console, for a host that knows of the system's events. Waits for `start()`; nothing with sample data. */
  lock(why: LockReason): Promise<void>
  /** Batches, for a host that names files itself. Waits for `start()`. */
  batches(): Promise<Batches>
  /**
   * Ends runs in progress and writes their outcome, then closes the history and the workers. The host limits its
   * time.
   */
  close(): Promise<void>
}
