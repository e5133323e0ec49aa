/**
 * `npm run dist`: builds the installers of this machine's system in dist/. Arguments are passed to electron-builder,
 * for example `npm run dist -- --linux deb`.
 *
 * `npm run dist -- --check` only packages into a folder, with the Electron of ELECTRON_OVERRIDE_DIST_PATH or of the
 * package, and checks the result: fuses, contents of the archive, native modules. The result is not for shipping.
 */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ensureBuild } from './setup/build.mjs'
import { ensureElectron } from './setup/electron.mjs'
import { endWith, handOver, inRoot, say, SetupProblem } from './setup/ground.mjs'
import { onToolsNode } from './setup/node.mjs'
import { commandOf, ensurePackages } from './setup/packages.mjs'

/** Checks the packaged result, since the configuration alone proves nothing. */
const readBack = (output) => handOver(process.execPath, [inRoot('scripts', 'checks', 'packaged.ts'), output])

const builder = (args) => handOver(process.execPath, [commandOf('electron-builder'), '--publish', 'never', ...args])

async function check() {
  const electron = await ensureElectron()
  if (!('program' in electron)) throw new SetupProblem(`there is no Electron to package (${electron.reason}).`, 'Set ELECTRON_OVERRIDE_DIST_PATH to an unpacked Electron.')
  const folder = process.platform === 'darwin' ? join(electron.program, '..', '..', '..', '..') : dirname(electron.program)
  const version = readFileSync(join(folder, 'version'), 'utf8').trim().replace(/^v/, '')
  const output = inRoot('dist', 'check')
  const code = await builder(['--dir', `-c.electronDist=${folder}`, `-c.electronVersion=${version}`, `-c.directories.output=${output}`])
  return code === 0 ? readBack(output) : code
}

async function build(args) {
  say('Building the installers into dist/ …')
  const code = await builder(args)
  return code === 0 ? readBack(inRoot('dist')) : code
}

try {
  await onToolsNode()
  await ensurePackages()
  await ensureBuild()
  if ((await handOver(process.execPath, [inRoot('scripts', 'notices.ts')])) !== 0) throw new SetupProblem('the licence notices could not be made.', 'Type: npm ci')
  const args = process.argv.slice(2)
  process.exitCode = args.includes('--check') ? await check() : await build(args)
} catch (problem) {
  endWith(problem)
}
