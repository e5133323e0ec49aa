/** The Node for the tools: this one if it is new enough, otherwise one from npm in .tools/. */
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { handOver, inRoot, npmCommand, npmEnvironment, run, say, SetupProblem, tail } from './ground.mjs'

/** Type stripping without a flag, and the requirement of better-sqlite3-multiple-ciphers. */
const least = [22, 18]

function newEnough(version) {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number)
  // 23.0 to 23.5 still need a flag for type stripping.
  return major > 23 || (major === 23 ? minor >= 6 : major === least[0] && minor >= least[1])
}

const todo =
  'Install Node 24 or newer from https://nodejs.org (or your package manager) and type the same command again.'

/** Path of the tools' Node in a folder that npm has installed, or undefined. */
function binaryIn(folder) {
  const declared = JSON.parse(readFileSync(inRoot('scripts', 'setup', 'node', 'package.json'), 'utf8'))
  const file = process.platform === 'win32' ? 'node.exe' : 'node'
  return Object.keys(declared.optionalDependencies)
    .map((name) => join(folder, 'node_modules', name, 'bin', file))
    .find((path) => existsSync(path))
}

async function works(binary) {
  const answer = await run(binary, ['--version'], { seconds: 20 })
  return answer.code === 0 && newEnough(answer.output.trim())
}

async function install() {
  const lock = readFileSync(inRoot('scripts', 'setup', 'node', 'package-lock.json'))
  const folder = inRoot('.tools', `node-${createHash('sha256').update(lock).digest('hex').slice(0, 12)}`)
  const present = existsSync(folder) ? binaryIn(folder) : undefined
  if (present && (await works(present))) return present

  say(`This is Node ${process.versions.node}; the tools need 22.18 or newer. Fetching one from npm into .tools/ …`)
  mkdirSync(folder, { recursive: true })
  for (const file of ['package.json', 'package-lock.json'])
    copyFileSync(inRoot('scripts', 'setup', 'node', file), join(folder, file))
  copyFileSync(inRoot('.npmrc'), join(folder, '.npmrc'))
  const npm = npmCommand()
  // The lockfile pins version and digest; no package scripts run.
  const answer = await run(
    npm.command,
    [...npm.args, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      seconds: 300,
      cwd: folder,
      env: npmEnvironment()
    }
  )
  if (answer.code !== 0) {
    throw new SetupProblem(
      `npm could not fetch a Node for the tools${answer.timedOut ? ' within 5 minutes' : ''}:\n${tail(answer.output)}`,
      todo
    )
  }
  const binary = binaryIn(folder)
  if (!binary) throw new SetupProblem(`npm holds no Node for ${process.platform} on ${process.arch}.`, todo)
  if (!(await works(binary))) throw new SetupProblem('The Node that npm fetched does not run on this machine.', todo)
  return binary
}

/**
 * Ensures that the calling script runs on a Node with type stripping. Otherwise restarts the script with the tools'
 * Node and ends this process with its exit code.
 */
export async function onToolsNode() {
  if (newEnough(process.versions.node)) return
  const binary = await install()
  process.exit(
    await handOver(binary, process.argv.slice(1), {
      env: {
        ...process.env,
        VERIDESK_OWN_NODE: process.execPath,
        PATH: `${dirname(binary)}${delimiter}${process.env.PATH ?? ''}`
      }
    })
  )
}
