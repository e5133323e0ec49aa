/** The npm packages, exactly as in the lockfile. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inRoot, npmCommand, npmEnvironment, run, say, SetupProblem, tail } from './ground.mjs'

const stampFile = inRoot('node_modules', '.veridesk-lock')

/** Name and version of every package that npm reports as installed, to detect a tree that npm changed manually. */
function sameTree() {
  const hidden = inRoot('node_modules', '.package-lock.json')
  if (!existsSync(hidden)) return false
  const wanted = JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8')).packages
  const present = JSON.parse(readFileSync(hidden, 'utf8')).packages
  return Object.entries(wanted).every(
    ([path, wants]) => path === '' || wants.optional || wants.devOptional || present[path]?.version === wants.version
  )
}

/** Runs `npm ci` if node_modules does not match package-lock.json. Takes at most ten minutes. */
export async function ensurePackages() {
  const lock = createHash('sha256')
    .update(readFileSync(inRoot('package-lock.json')))
    .digest('hex')
  const stamp = existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : ''
  if (stamp === lock) return
  if (sameTree()) return writeFileSync(stampFile, lock)

  say('Installing the npm packages of the lockfile (npm ci) …')
  const npm = npmCommand()
  const answer = await run(npm.command, [...npm.args, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    seconds: 600,
    env: npmEnvironment()
  })
  if (answer.code !== 0) {
    throw new SetupProblem(
      `npm ci failed${answer.timedOut ? ' (no end within 10 minutes)' : ''}:\n${tail(answer.output)}`,
      'Check the network or the proxy of npm (npm config get registry), then type the same command again.'
    )
  }
  writeFileSync(stampFile, lock)
}

/** Path of the script of a package's command, as declared in its package.json. */
export function commandOf(packageName, command = packageName) {
  const folder = inRoot('node_modules', packageName)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return join(folder, typeof bin === 'string' ? bin : bin[command])
}
