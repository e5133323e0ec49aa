/**
 * `npm run dist`: builds the installers of this machine's system in dist/. Arguments are passed to electron-builder,
 * for example `npm run dist -- --linux deb`.
 *
 * `npm run dist -- --check` only packages into a folder, with the Electron of ELECTRON_OVERRIDE_DIST_PATH or of the
 * package, and checks the result: fuses, contents of the archive, native modules, the command line. The result is not for
 * shipping. With `--twice` it also builds and packages a copy of the sources and compares both archives.
 *
 * `npm run dist -- --release` fails where a file for Windows or macOS would not be signed, or one for macOS not notarised. Without it, a
 * build without keys says that it is unsigned.
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

const builder = (args, options) =>
  handOver(process.execPath, [commandOf('electron-builder'), '--publish', 'never', ...args], options)

async function check(twice) {
  const electron = await ensureElectron()
  if (!('program' in electron))
    throw new SetupProblem(
      `there is no Electron to package (${electron.reason}).`,
      'Set ELECTRON_OVERRIDE_DIST_PATH to an unpacked Electron.'
    )
  const folder =
    process.platform === 'darwin' ? join(electron.program, '..', '..', '..', '..') : dirname(electron.program)
  const version = readFileSync(join(folder, 'version'), 'utf8').trim().replace(/^v/, '')
  const output = inRoot('dist', 'check')
  const pack = (cwd, to) =>
    builder(['--dir', `-c.electronDist=${folder}`, `-c.electronVersion=${version}`, `-c.directories.output=${to}`], {
      cwd
    })
  for (const step of [() => pack(inRoot(), output), () => readBack(output)]) {
    const code = await step()
    if (code !== 0) return code
  }
  if (!twice) return 0
  // Loaded on the tools' Node, which reads TypeScript.
  const { compareTwice } = await import('./checks/reproducible.mjs')
  return compareTwice(output, pack)
}

/** Whether a signing key for this system's files is named; macOS may also find one in its keychain. */
const hasSigningKey = () => ['CSC_LINK', 'WIN_CSC_LINK', 'CSC_NAME'].some((name) => process.env[name])

/** What a release of this system signs with. Throws if a part is missing: nothing is built then. */
async function signing() {
  // Loaded on the tools' Node, which reads TypeScript.
  const { signingOf } = await import('./releases/signing.ts')
  const { by, missing, options } = signingOf(process.platform, process.env)
  if (missing.length > 0)
    throw new SetupProblem(
      `a release is signed by ${by}, and these variables are not set: ${missing.join(', ')}.`,
      'Set them as docs/releasing.md says, or build without --release.'
    )
  return options
}

async function release(args, options) {
  const { afterBuild, incomplete } = await import('./releases/signing.ts')
  say('Building the installers of a release into dist/ …')
  const code = await builder([...args.filter((each) => each !== '--release'), ...options])
  if (code !== 0) return code
  const why = incomplete(afterBuild(process.platform, inRoot('dist'), process.env), process.env)
  if (why !== undefined) console.error(`This release is not complete: ${why}.`)
  return why === undefined ? 0 : 1
}

async function build(args) {
  say('Building the installers into dist/ …')
  const code = await builder(args)
  if (code === 0 && process.platform !== 'linux' && !hasSigningKey())
    say(
      'These installers are UNSIGNED: no signing key is set (CSC_LINK). Windows and macOS warn their users; do not deploy them.'
    )
  return code
}

try {
  await onToolsNode()
  const args = process.argv.slice(2)
  const isCheck = args.includes('--check') || args.includes('--twice')
  const options = args.includes('--release') ? await signing() : undefined
  await ensurePackages()
  await ensureBuild()
  if ((await handOver(process.execPath, [inRoot('scripts', 'notices.ts')])) !== 0)
    throw new SetupProblem('the licence notices could not be made.', 'Type: npm ci')
  if (isCheck) process.exitCode = await check(args.includes('--twice'))
  else {
    const code = await (options ? release(args, options) : build(args))
    process.exitCode = code === 0 ? await readBack(inRoot('dist')) : code
  }
} catch (problem) {
  endWith(problem)
}
