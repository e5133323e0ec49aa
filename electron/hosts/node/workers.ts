/** Workers for hosts that run in Node: the preview, the command line and the tests. */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { LaunchWorker, WorkerLine, WorkerName } from '#wire/worker-line.ts'

/** Paths of the workers' entry files. */
export type WorkerEntries = Readonly<Record<WorkerName, URL | string>>

/** The entries in the source tree; Node runs them directly. */
const sourceEntries = (): WorkerEntries => ({
  history: new URL('../../store/worker/worker.ts', import.meta.url),
  keychain: new URL('../../keychain/worker.ts', import.meta.url),
  team: new URL('../../exchange/worker/worker.ts', import.meta.url),
  workbook: new URL('../../core/batches/reading/workbook-worker.ts', import.meta.url)
})

/**
 * Launches the history, a team's exchange and workbooks in threads, and the keychain in its own process: a keychain that hangs blocks libuv's thread
 * pool, which threads share and processes do not.
 *
 * @param entries Paths of the bundled entries, if the host does not run from source.
 */
export function launchInNode(entries: Partial<WorkerEntries> = {}): LaunchWorker {
  const all = { ...sourceEntries(), ...entries }
  return (name) => (name === 'keychain' ? processLine(all.keychain) : threadLine(all[name]))
}

/** Launches all of them in processes of their own: with each, the memory of its keys returns to the system. */
export const launchInProcesses =
  (entries: WorkerEntries): LaunchWorker =>
  (name) =>
    processLine(entries[name])

/** A line to a `worker_threads` Worker with this entry. */
export function threadLine(entry: URL | string): WorkerLine {
  // execArgv is empty so that a test runner's loaders are not inherited. A young generation of the default size
  // (three times 16 MiB and more) fills with short-lived rows and is never released.
  const worker = new Worker(entry, { execArgv: [], resourceLimits: { maxYoungGenerationSizeMb: 12 } })
  const end = once()
  worker.on('error', (error) => end.report(error instanceof Error ? error.name : 'error'))
  worker.on('exit', (code) => end.report(`exit ${code}`))
  return {
    post: (message) => worker.postMessage(message),
    onMessage: (listener) => void worker.on('message', listener),
    onEnd: end.listen,
    kill: () => void worker.terminate()
  }
}

/** A line to a forked process with this entry. */
export function processLine(entry: URL | string): WorkerLine {
  const child = fork(entry instanceof URL ? fileURLToPath(entry) : entry, {
    serialization: 'advanced',
    execArgv: [],
    // A worker's output must not reach the console's output: it could contain a secret.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc']
  })
  const end = once()
  child.on('error', (error) => end.report(error.name))
  child.on('exit', (code, signal) => end.report(signal ?? `exit ${code}`))
  return {
    // A failed send is followed by the worker's end, which resolves the call.
    post: (message) => void child.send(message as object, () => undefined),
    onMessage: (listener) => void child.on('message', listener),
    onEnd: end.listen,
    kill: () => void child.kill('SIGKILL')
  }
}

/** Reports one event once to each listener, including those added later. */
function once(): { report(reason: string): void; listen(listener: (reason: string) => void): void } {
  const listeners: ((reason: string) => void)[] = []
  let reported: string | undefined
  return {
    report: (reason) => {
      if (reported !== undefined) return
      reported = reason
      for (const listener of listeners) listener(reason)
    },
    listen: (listener) => {
      if (reported === undefined) listeners.push(listener)
      else listener(reported)
    }
  }
}
