/**
 * Where everything of the set-up lies, how it speaks, and how it runs a command. Plain JavaScript: it has to
 * run on Node 20, before the Node of the tools and before any package is there.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'

/** The checkout. */
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
export const inRoot = (...parts) => join(root, ...parts)

const started = Date.now()

/** One line of progress, with the seconds since the start. */
export function say(text) {
  const seconds = ((Date.now() - started) / 1000).toFixed(1).padStart(6)
  console.log(`${seconds} s  ${text}`)
}

/** Something that the set-up cannot do by itself: what happened, and the line to type. */
export class SetupProblem extends Error {
  constructor(what, todo) {
    super(what)
    this.todo = todo
  }
}

/** Ends the program with a problem's two sentences; a defect of our own keeps its stack. */
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
    // A group of its own, so that what the command started ends with it.
    if (process.platform === 'win32') spawn('taskkill', ['/pid', String(child.pid), '/t', '/f'], { stdio: 'ignore' })
    else process.kill(-child.pid, signal)
  } catch {
    // Gone already.
  }
}

/**
 * Runs a command, bounded in time.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ seconds: number, cwd?: string, env?: NodeJS.ProcessEnv, show?: boolean, onText?: (text: string) => void }} options
 *   `show` passes the command's output through; otherwise it is kept for the answer.
 * @returns {Promise<{ code: number, output: string, timedOut: boolean, missing: boolean }>} never throws
 */
export function run(command, args, { seconds, cwd = root, env = process.env, show = false, onText }) {
  return new Promise((resolve) => {
    let output = ''
    let timedOut = false
    const child = spawn(command, args, {
      cwd,
      env,
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe']
    })
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
    // Ctrl+C reaches this process alone, as the command has a group of its own.
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

/** Hands the terminal over to a command until it ends; answers its exit code, 128 and the signal's number where one ended it. */
export function handOver(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'inherit', cwd: root, ...options })
    const forward = (signal) => child.kill(signal)
    process.on('SIGTERM', forward)
    process.on('SIGHUP', forward)
    // The terminal sends Ctrl+C to both; this process waits for the child's own ending.
    process.on('SIGINT', () => undefined)
    child.on('error', (error) => {
      console.error(`${command} could not be started: ${error.message}`)
      resolve(127)
    })
    child.on('close', (code, signal) => resolve(code ?? 128 + (constants.signals[signal] ?? 1)))
  })
}

/** Last lines of a command's output, for the words of a failure. */
export const tail = (text, lines = 12) => stripVTControlCharacters(text).trim().split('\n').slice(-lines).join('\n')

/**
 * How npm is called on this machine without a shell: the npm that runs us, or the one beside Node. Always on the
 * machine's own Node: npm finds its settings for the whole machine (certificates, registry) by where its Node lies.
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

/** The environment of npm: what the calling npm put into ours must not steer the one that we call. */
export function npmEnvironment() {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^npm_(config_(local_prefix|global_prefix|prefix|node_gyp|noproxy)|package_|lifecycle_|command$|prefix$)/i.test(name)
  )
  return Object.fromEntries(kept)
}
