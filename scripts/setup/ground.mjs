/**
 * Paths, output and commands of the setup. Plain JavaScript: it has to run on Node 20, before the tools' Node and any
 * package is installed.
 */
import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'

/** The root of the checkout. */
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
export const inRoot = (...parts) => join(root, ...parts)

const started = Date.now()

/** Prints one line of progress, with the seconds since the start. */
export function say(text) {
  const seconds = ((Date.now() - started) / 1000).toFixed(1).padStart(6)
  console.log(`${seconds} s  ${text}`)
}

/** Something that the setup cannot do by itself: what happened, and the command to type. */
export class SetupProblem extends Error {
  constructor(what, todo) {
    super(what)
    this.todo = todo
  }
}

/** Ends the process with the two sentences of a problem; a bug prints its stack. */
export function endWith(problem) {
  if (problem instanceof SetupProblem) {
    console.error(`\nVeridesk could not go on: ${problem.message}`)
    console.error(`Next step: ${problem.todo}`)
  } else {
    console.error(problem)
  }
  process.exit(1)
}

function endGroup(child, signal) {
  try {
    // A separate process group, so that everything the command started ends with it.
    if (process.platform === 'win32') spawn('taskkill', ['/pid', String(child.pid), '/t', '/f'], { stdio: 'ignore' })
    else process.kill(-child.pid, signal)
  } catch {
    // Already gone.
  }
}

/** Leaves the processor to whatever else wants it. */
function stepBack(pid) {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW)
    // Where Linux schedules each session as one, a process's own priority counts among the others of its session only.
    if (process.platform === 'linux') writeFileSync(`/proc/${pid}/autogroup`, String(constants.priority.PRIORITY_LOW))
  } catch {
    // It has ended, or this system has no such groups.
  }
}

/**
 * Runs a command with a time limit.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ seconds: number, cwd?: string, env?: NodeJS.ProcessEnv, show?: boolean, onText?: (text: string) => void, patient?: boolean }}
 *   options `show` passes the command's output through; otherwise it is returned. `patient` leaves the processor to others.
 * @returns {Promise<{ code: number, output: string, timedOut: boolean, missing: boolean }>} never throws
 */
export function run(command, args, { seconds, cwd = root, env = process.env, show = false, onText, patient = false }) {
  return new Promise((resolve) => {
    let output = ''
    let timedOut = false
    const child = spawn(command, args, {
      cwd,
      env,
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe']
    })
    if (patient && child.pid !== undefined) stepBack(child.pid)
    const take = (stream) => (chunk) => {
      output += chunk
      if (output.length > 4_000_000) output = output.slice(-2_000_000)
      if (show) stream.write(chunk)
      onText?.(String(chunk))
    }
    child.stdout.on('data', take(process.stdout))
    child.stderr.on('data', take(process.stderr))
    const clock = setTimeout(() => {
      timedOut = true
      endGroup(child, 'SIGTERM')
      setTimeout(() => endGroup(child, 'SIGKILL'), 3000).unref()
    }, seconds * 1000)
    // Ctrl+C reaches only this process, since the command has its own group.
    const onSignal = (signal) => {
      endGroup(child, signal)
      setTimeout(() => process.exit(130), 1500).unref()
    }
    process.on('SIGINT', onSignal)
    process.on('SIGTERM', onSignal)
    const settle = (answer) => {
      clearTimeout(clock)
      process.off('SIGINT', onSignal)
      process.off('SIGTERM', onSignal)
      resolve({ output, timedOut, missing: false, ...answer })
    }
    child.on('error', (error) => settle({ code: 127, output: String(error), missing: error.code === 'ENOENT' }))
    child.on('close', (code) => settle({ code: timedOut ? 124 : (code ?? 1) }))
  })
}

/** Passes the terminal to a command until it ends; returns its exit code, or 128 plus the signal's number. */
export function handOver(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'inherit', cwd: root, ...options })
    const forward = (signal) => child.kill(signal)
    process.on('SIGTERM', forward)
    process.on('SIGHUP', forward)
    // The terminal sends Ctrl+C to both; this process waits until the child has ended.
    process.on('SIGINT', () => undefined)
    child.on('error', (error) => {
      console.error(`${command} could not be started: ${error.message}`)
      resolve(127)
    })
    child.on('close', (code, signal) => resolve(code ?? 128 + (constants.signals[signal] ?? 1)))
  })
}

/** The last lines of a command's output, for an error message. */
export const tail = (text, lines = 12) => stripVTControlCharacters(text).trim().split('\n').slice(-lines).join('\n')

/**
 * The command for npm on this machine without a shell: the npm that runs this script, or the one next to Node. Always
 * on the machine's own Node, since npm finds the machine-wide settings (certificates, registry) relative to its Node.
 * @returns {{ command: string, args: string[] }}
 */
export function npmCommand() {
  const ownNode = process.env.VERIDESK_OWN_NODE ?? process.execPath
  const beside = dirname(ownNode)
  const candidates = [
    process.env.npm_execpath,
    join(beside, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    join(beside, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    '/usr/share/nodejs/npm/bin/npm-cli.js'
  ]
  const script = candidates.find((path) => path && /npm-cli\.js$/.test(path) && existsSync(path))
  return script ? { command: ownNode, args: [script] } : { command: 'npm', args: [] }
}

/** The environment for npm, without the settings that the calling npm added to ours. */
export function npmEnvironment() {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^npm_(config_(local_prefix|global_prefix|prefix|node_gyp|noproxy)|package_|lifecycle_|command$|prefix$)/i.test(
        name
      )
  )
  return Object.fromEntries(kept)
}
