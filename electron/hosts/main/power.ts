/** Events of the system for which the console locks. */
import { powerMonitor } from 'electron'
import type { LockReason } from '#contract/lock/lock.ts'

/** By Electron's name of the event. A change of user is an event of its own on macOS; elsewhere the screen is locked. */
const reasons = {
  'suspend': 'suspend',
  'lock-screen': 'screen',
  'user-did-resign-active': 'user-switch'
} as const satisfies Readonly<Record<string, LockReason>>

/** Calls `lock` at each of them, for the lifetime of the app. Call when the app is ready. */
export function lockWithSystem(lock: (why: LockReason) => void): void {
  for (const [event, why] of Object.entries(reasons) as [keyof typeof reasons, LockReason][])
    powerMonitor.on(event as 'suspend', () => lock(why))
}
