/**
 * Core's composition root: what the console is made of, in the order in which it comes up.
 * A host hands in its ports and gets back one door.
 */
import { createDoor, type Door, type Handlers } from '#core/door.ts'
import type { HostPorts } from '#core/ports.ts'

export interface VerideskConsole {
  /** Reads settings and connections, then opens keychain and history in the background: a window need not wait. */
  start(): Promise<void>
  /** The door for a window's requests. Never rejects. */
  readonly handle: Door
  /** Ends runs under way as unknown, closes the history and the workers. Bounded by the host. */
  close(): Promise<void>
}

/** Builds a console for a host. Nothing is read, started or written before `start()`. */
export function createConsole(host: HostPorts): VerideskConsole {
  void host
  const handlers = {} as Handlers
  return { start: async () => {}, handle: createDoor(handlers, () => {}), close: async () => {} }
}
