/** A two-way channel of structured-cloneable messages to a worker (thread or process). */
export interface WorkerLine {
  post(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  /** Calls the listener once, when the worker has ended for any reason. */
  onEnd(listener: (reason: string) => void): void
  /** Ends the worker at once. */
  kill(): void
}

/**
 * The parts that run outside the core's thread: the history and a team's exchange (synchronous SQLite), the keychain (may
 * hang), and workbooks (others' archives, unpacked).
 */
export const workerNames = ['history', 'keychain', 'team', 'workbook'] as const
export type WorkerName = (typeof workerNames)[number]
export type LaunchWorker = (name: WorkerName) => WorkerLine
