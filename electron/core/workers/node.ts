/** Workers for hosts that run in Node: the preview, the command line and the tests. */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { LaunchWorker, WorkerLine, WorkerName } from '#core/ports/worker-line.ts'

/** Where each worker's entry file is. */
export type WorkerEntries = Readonly<Record<WorkerName, URL | string>>

/** The entries as they lie in the source; Node runs them as they are. */
const sourceEntries = (): WorkerEntries => ({
  history: new URL('../history/worker/worker.ts', import.meta.url),
  keychain: new URL('../secrets/keychain-worker.ts', import.meta.url)
})

/**
 * Launches the history on a thread and the keychain in a process of its own: a keychain that hangs
 * blocks libuv's pool, which threads share and processes do not.
 *
 * @param entries Paths of the bundled entries, where the host does not run from source.
 */
export function launchInNode(entries: Partial<WorkerEntries> = {}): LaunchWorker {
  const all = { ...sourceEntries(), ...entries }
  return (name) => (name === 'keychain' ? processLine(all.keychain) : threadLine(all[name]))
}

/** A line to a `worker_threads` Worker with this entry. */
export function threadLine(entry: URL | string): WorkerLine {
  // execArgv is emptied so that a test runner's own loaders do not follow into the worker. A young generation of
  // the usual size (three times 16 MiB and more) fills with rows that are gone at once, and is never given back.
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
    // Nothing that a worker prints may reach the console's own output: it could hold a secret.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc']
  })
  const end = once()
  child.on('error', (error) => end.report(error.name))
  child.on('exit', (code, signal) => end.report(signal ?? `exit ${code}`))
  return {
    // A failed send is followed by the worker's end, which settles the call.
    post: (message) => void child.send(message as object, () => undefined),
    onMessage: (listener) => void child.on('message', listener),
    onEnd: end.listen,
    kill: () => void child.kill('SIGKILL')
  }
}

/** Reports one event once to each listener, late listeners too. */
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
