import type { ConsoleBridge } from '#contract/ipc/ipc.ts'

declare global {
  interface Window {
    /** Set by the host before the first script runs. */
    readonly veridesk: ConsoleBridge
  }
}
