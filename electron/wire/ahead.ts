/** Workers that are started before they are asked for, so that they load while the host loads. */
import type { LaunchWorker, WorkerLine, WorkerName } from './worker-line.ts'

/** A launcher with workers that run already, and the end of those that nobody asked for. */
export interface LaunchedAhead {
  readonly launch: LaunchWorker
  /** Ends the workers that were not asked for. */
  end(): void
}

/** Starts a worker of each name at once; the first launch of a name returns that one, a later launch a new one. */
export function launchAhead(launch: LaunchWorker, names: readonly WorkerName[]): LaunchedAhead {
  const ready = new Map<WorkerName, WorkerLine>(names.map((name) => [name, launch(name)]))
  return {
    launch: (name) => {
      const line = ready.get(name)
      ready.delete(name)
      return line ?? launch(name)
    },
    end: () => {
      for (const line of ready.values()) line.kill()
      ready.clear()
    }
  }
}
