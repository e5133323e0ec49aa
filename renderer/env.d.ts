import type { ConsoleBridge } from '#contract/ipc.ts'

declare global {
  interface Window {
    /** Put there by the host before the first script runs. */
    readonly veridesk: ConsoleBridge
  }
}

declare module '*.vue' {
  import type { DefineComponent } from 'vue'
  const component: DefineComponent<Record<string, unknown>, Record<string, unknown>, unknown>
  export default component
}
