/** Finds Electron's binary, or tries to download it with a short time limit. */
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { inRoot, run, say } from './ground.mjs'

const packageFolder = inRoot('node_modules', 'electron')
/** Left by a failed attempt to keep later starts fast; valid for an hour. */
const failedMark = inRoot('node_modules', '.veridesk-no-electron')
const markCounts = 3_600_000

const programIn = (folder) =>
  join(
    folder,
    { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }[process.platform] ?? 'electron'
  )

/** Electron's executable, if it is on this machine: ELECTRON_OVERRIDE_DIST_PATH first, otherwise the package's own. */
function findElectron() {
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH
  if (override) return existsSync(programIn(override)) ? programIn(override) : undefined
  const own = join(packageFolder, 'dist')
  // path.txt is written last, so an interrupted download does not count.
  return existsSync(join(packageFolder, 'path.txt')) && existsSync(programIn(own)) ? programIn(own) : undefined
}

/** Whether the download host accepts a connection; with a proxy this is left to the download itself. */
function reachable() {
  const proxy = process.env.HTTPS_PROXY ?? process.env.https_proxy ?? process.env.npm_config_https_proxy
  if (proxy) return Promise.resolve(true)
  const mirror = process.env.ELECTRON_MIRROR ?? process.env.npm_config_electron_mirror ?? 'https://github.com/'
  const { hostname, port, protocol } = new URL(mirror)
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) || (protocol === 'http:' ? 80 : 443) })
    const end = (answer) => {
      socket.destroy()
      resolve(answer)
    }
    socket.setTimeout(4000, () => end(false))
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })
}

/**
 * Electron's executable, downloaded if it is missing and available.
 * @returns {Promise<{ program: string } | { reason: string }>}
 */
export async function ensureElectron() {
  const present = findElectron()
  if (present) return { program: present }
  if (process.env.ELECTRON_OVERRIDE_DIST_PATH)
    return { reason: 'ELECTRON_OVERRIDE_DIST_PATH names a folder without Electron' }
  if (process.env.ELECTRON_SKIP_BINARY_DOWNLOAD) return { reason: 'ELECTRON_SKIP_BINARY_DOWNLOAD is set' }
  if (existsSync(failedMark) && Date.now() - statSync(failedMark).mtimeMs < markCounts)
    return { reason: readFileSync(failedMark, 'utf8') }

  const giveUp = (reason) => {
    writeFileSync(failedMark, reason)
    return { reason }
  }
  if (!(await reachable())) return giveUp('its download cannot be reached from here')
  say('Downloading Electron (about 120 MB, at most 3 minutes) …')
  const answer = await run(process.execPath, [join(packageFolder, 'install.js')], {
    seconds: 180,
    env: { ...process.env, NODE_USE_SYSTEM_CA: '1' }
  })
  const program = findElectron()
  if (answer.code !== 0 || !program)
    return giveUp(answer.timedOut ? 'its download took too long' : 'its download failed')
  rmSync(failedMark, { force: true })
  return { program }
}
