import type { WorkerEntries } from './workers.ts'

/** Bundled workers are beside the bundle; core finds those in the source tree. */
export const builtWorkers: Partial<WorkerEntries> = import.meta.url.endsWith('.js')
  ? {
      history: new URL('./history-worker.js', import.meta.url),
      keychain: new URL('./keychain-worker.js', import.meta.url),
      team: new URL('./team-worker.js', import.meta.url)
    }
  : {}
