/** A two-way line of structured-cloneable messages to a worker (thread or process). */
export interface WorkerLine {
  post(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  /** Called once, when the worker has ended for whatever reason. */
  onEnd(listener: (reason: string) => void): void
  /** Ends the worker at once. */
  kill(): void
}

/** The two pieces that run outside the core's own thread: the history (synchronous SQLite) and the keychain (may hang). */
export type WorkerName = 'history' | 'keychain'
export type LaunchWorker = (name: WorkerName) => WorkerLine
