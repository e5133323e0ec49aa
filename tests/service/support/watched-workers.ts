/** Launches the tests' workers, knows which of them run, and can hold up one of them. */
import type { LaunchWorker, WorkerName } from '#wire/worker-line.ts'
import { launchWorkers } from './workers.ts'

export interface HeldWorker {
  /** Resolves when something was asked of it. */
  readonly reached: Promise<void>
  release(): void
}

export interface WatchedWorkers {
  readonly launch: LaunchWorker
  /** The workers that run now. */
  running(): readonly WorkerName[]
  /** Of the workers of the history that are launched from now on, holds up one: it is sent nothing until its release. @param before How many come before it. */
  hold(before?: number): HeldWorker
  /** Releases what a test that failed still holds up. */
  free(): void
}

export function watchWorkers(): WatchedWorkers {
  const running = new Map<object, WorkerName>()
  const releases = new Set<() => void>()
  let next: { before: number; reached: () => void; readonly released: Promise<void> } | undefined
  return {
    running: () => [...running.values()],
    hold(before = 0) {
      let reached = (): void => undefined
      let release = (): void => undefined
      const isReached = new Promise<void>((resolve) => (reached = resolve))
      const released = new Promise<void>((resolve) => (release = resolve))
      next = { before, reached, released }
      releases.add(release)
      return { reached: isReached, release }
    },
    free() {
      next = undefined
      for (const release of releases) release()
    },
    launch(name) {
      const line = launchWorkers(name)
      running.set(line, name)
      line.onEnd(() => running.delete(line))
      if (name !== 'history' || !next) return line
      next.before -= 1
      if (next.before >= 0) return line
      const { reached, released } = next
      next = undefined
      return {
        ...line,
        post(message) {
          reached()
          void released.then(() => line.post(message))
        }
      }
    }
  }
}
