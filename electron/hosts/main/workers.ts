/** Launches the workers in separate processes, so that they block neither the window nor core. */
import { fork, spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { app, utilityProcess } from 'electron'
import type { LaunchWorker, WorkerLine, WorkerName } from '#wire/worker-line.ts'
import { commandLineSwitches, workerSwitch } from './role.ts'

/** The built file of a worker. */
export const entryOf = (name: string): string => fileURLToPath(new URL(`./${name}.js`, import.meta.url))

/**
 * Launches workers as Electron's utility processes.
 *
 * @param databaseNode Tests only: a Node that hosts the workers with a database, if Electron's own Node is older than the
 * database module requires.
 */
export function launchInElectron(databaseNode?: string): LaunchWorker {
  return (name) =>
    name !== 'keychain' && databaseNode
      ? nodeLine(databaseNode, entryOf(`${name}-worker`))
      : utilityLine(`${name}-worker`, `Veridesk ${name}`)
}

/** A utility process with one of the built files; it inherits no open file of this process. */
export function utilityLine(
  file: 'history-worker' | 'keychain-worker' | 'team-worker' | 'workbook-worker' | 'sample-starter',
  serviceName: string
): WorkerLine {
  // A worker's output must not reach the console's output: it could contain a secret.
  const child = utilityProcess.fork(entryOf(file), [], { serviceName, stdio: 'ignore' })
  return {
    post: (message) => child.postMessage(message),
    onMessage: (listener) => void child.on('message', listener),
    onEnd: (listener) => void child.once('exit', (code) => listener(`exit ${code}`)),
    kill: () => void child.kill()
  }
}

/**
 * Launches workers for the command line, which ends before Electron is ready and has no utility processes: each is this
 * program once more. It is no Node that could run a file (its fuse RunAsNode is off), and a thread would end the command
 * with itself if a native module failed.
 *
 * @param databaseNode As in `launchInElectron`.
 */
export function launchForCommandLine(databaseNode?: string): LaunchWorker {
  return (name) =>
    name !== 'keychain' && databaseNode ? nodeLine(databaseNode, entryOf(`${name}-worker`)) : ownLine(name)
}

/** This program again, as a worker. */
function ownLine(name: WorkerName): WorkerLine {
  const development = process.defaultApp ? [app.getAppPath()] : []
  const args = [...development, `${workerSwitch}${name}`, ...commandLineSwitches.slice(1)]
  return childLine(
    spawn(process.execPath, args, { serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  )
}

const nodeLine = (node: string, entry: string): WorkerLine =>
  childLine(
    fork(entry, {
      execPath: node,
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc']
    })
  )

function childLine(child: ChildProcess): WorkerLine {
  let end = (_reason: string): void => undefined
  const ended = new Promise<string>((resolve) => {
    end = resolve
  })
  child.once('error', (error) => end(error.name))
  child.once('exit', (code, signal) => end(signal ?? `exit ${code}`))
  return {
    post: (message) => void child.send(message as object, () => undefined),
    onMessage: (listener) => void child.on('message', listener),
    onEnd: (listener) => void ended.then(listener),
    kill: () => void child.kill('SIGKILL')
  }
}
