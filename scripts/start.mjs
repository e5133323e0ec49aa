/**
 * `npm start`: performs missing setup, then opens the console. Without a display it runs one guided verification of the
 * console, headless, against the practice service instead.
 *
 * Options:
 *   --sample   opens sample data in a temporary folder, deleted when its window closes
 *   --preview  opens the preview in an installed browser even if Electron is installed
 *   --guided   runs the guided verification even if there is a display
 */
import { existsSync } from 'node:fs'
import { ensureBuild } from './setup/build.mjs'
import { ensureElectron } from './setup/electron.mjs'
import { endWith, handOver, inRoot, say, SetupProblem } from './setup/ground.mjs'
import { onToolsNode } from './setup/node.mjs'
import { ensurePackages } from './setup/packages.mjs'
import { ensureSystem, hasProgram } from './setup/system.mjs'

const wants = (option) => process.argv.includes(option)
const sample = wants('--sample') ? ['--sample'] : []
const asRoot = process.getuid?.() === 0

/** Installs a browser for the preview and other requirements at once, if they are missing and that is permitted. */
async function ensureBrowser(alsoWanted = []) {
  const { findBrowser } = await import('../electron/hosts/node/chromium/browser.ts')
  const missing = await ensureSystem(findBrowser() ? alsoWanted : ['browser', ...alsoWanted])
  if (findBrowser()) {
    if (missing) say(missing)
    return
  }
  throw new SetupProblem(
    'neither Electron nor a Chromium, Chrome or Edge is on this machine.',
    missing ?? 'Install Chrome, Edge or Chromium, or name its program in the environment variable VERIDESK_BROWSER.'
  )
}

async function openPreview() {
  await ensureBrowser()
  await ensureBuild()
  say('Opening the preview: the same console in an installed browser.')
  return handOver(process.execPath, [inRoot('out', 'preview', 'main.js'), ...sample])
}

/** A runtime in ELECTRON_OVERRIDE_DIST_PATH may be older than ours: it gets the same arguments as in the tests. */
async function launchOf(program) {
  if (!process.env.ELECTRON_OVERRIDE_DIST_PATH) return { program, args: [inRoot()], environment: {} }
  const { electronRuntime } = await import('../tests/app/fixtures/runtime.ts')
  const runtime = electronRuntime()
  if ('missing' in runtime)
    throw new SetupProblem(
      `${runtime.missing}.`,
      'Unset ELECTRON_OVERRIDE_DIST_PATH, or name a folder with an unpacked Electron.'
    )
  return { program: runtime.executablePath, args: runtime.args, environment: runtime.environment }
}

async function openElectron(found) {
  await ensureBuild()
  const { program, args, environment } = await launchOf(found)
  if (asRoot)
    say('You are root: Chromium’s sandbox does not work for root and is off. Use an ordinary account for real work.')
  say('Opening the window.')
  return handOver(program, [...(asRoot ? ['--no-sandbox'] : []), ...args, ...sample], {
    env: { ...process.env, ...environment }
  })
}

async function openWindow() {
  const missing = await ensureSystem(['keychain'])
  if (missing) say(`${missing}\n          Without it, credentials are kept for one session only.`)
  if (wants('--preview')) return openPreview()
  const electron = await ensureElectron()
  if ('program' in electron) {
    const libraries = await ensureSystem(['electron'])
    if (libraries) say(libraries)
    return openElectron(electron.program)
  }
  say(`Electron is not here (${electron.reason}), so the preview host stands in for it.`)
  return openPreview()
}

async function guide() {
  await ensureBrowser(['keychain', 'testKeychain'])
  await ensureBuild()
  const script = [process.execPath, inRoot('scripts', 'guided.ts')]
  // A separate keychain for the guided verification, which must neither need nor change the user's.
  const ownKeychain =
    process.platform === 'linux' && hasProgram('dbus-run-session') && hasProgram('gnome-keyring-daemon')
  const [command, ...args] = ownKeychain ? ['sh', inRoot('scripts', 'with-keyring.sh'), ...script] : script
  return handOver(command, args, { env: { ...process.env, ...(ownKeychain && { VERIDESK_KEYRING: 'unlocked' }) } })
}

try {
  await onToolsNode()
  if (!existsSync(inRoot('package-lock.json')))
    throw new SetupProblem('package-lock.json is missing.', 'Clone the project anew.')
  await ensurePackages()
  const { hasDisplay } = await import('../electron/hosts/node/chromium/browser.ts')
  if (!hasDisplay()) say('There is no display here, so the console is driven headless through one guided check.')
  process.exitCode = !hasDisplay() || wants('--guided') ? await guide() : await openWindow()
} catch (problem) {
  endWith(problem)
}
