/** Libraries and programs of the operating system: found, installed if permitted, otherwise listed. */
import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { run, say, tail } from './ground.mjs'

/** The requirements of each purpose, by Debian's package names; on other systems only programs are looked for. */
const purposes = {
  keychain: { packages: ['libsecret-1-0'], programs: [] },
  browser: { packages: ['chromium'], programs: [] },
  // The same engine without a browser's own windows, which take a fifth of a test's processor time.
  testBrowser: { packages: [], optional: ['chromium-headless-shell'], programs: [] },
  testKeychain: {
    packages: ['libsecret-1-0', 'dbus', 'gnome-keyring'],
    programs: ['dbus-run-session', 'gnome-keyring-daemon']
  },
  certificates: { packages: ['openssl', 'ca-certificates'], programs: ['openssl'] },
  electron: {
    packages: [
      'libgtk-3-0',
      'libnss3',
      'libasound2',
      'libgbm1',
      'libxss1',
      'libxtst6',
      'libatk-bridge2.0-0',
      'libnotify4'
    ],
    programs: []
  },
  // A validator of XML by a schema; without it, its tests are skipped.
  schemas: { packages: [], optional: ['libxml2-utils'], programs: [] },
  database: { packages: ['postgresql'], programs: ['postgres'] },
  // A network of its own, in which tests see whatever leaves.
  ownNetwork: { packages: [], optional: ['iproute2'], programs: [] },
  // x11-utils list the windows of the display, so that a test sees a dialog.
  virtualDisplay: { packages: ['xvfb', 'xauth', 'x11-utils'], programs: ['xvfb-run', 'xwininfo', 'xprop'] }
}

const isRoot = () => process.getuid?.() === 0

/** Whether a program is on the PATH. */
export function hasProgram(name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** `debian`, `ubuntu` or another ID in /etc/os-release; empty if there is none. */
function distribution() {
  if (process.platform !== 'linux' || !existsSync('/etc/os-release')) return ''
  return /^ID="?([a-z]+)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? ''
}

/** The packages that dpkg does not list as installed; libraries may have gained a suffix (t64). */
async function missingOf(packages) {
  const answer = await run(
    'dpkg-query',
    ['-W', '-f=${Package} ${db:Status-Status}\n', ...packages.flatMap((name) => [name, `${name}t64`])],
    {
      seconds: 30
    }
  )
  const installed = new Set(
    answer.output
      .split('\n')
      .filter((line) => line.endsWith(' installed'))
      .map((line) => line.split(' ')[0])
  )
  return packages.filter((name) => !installed.has(name) && !installed.has(`${name}t64`))
}

const hasPackageLists = () =>
  existsSync('/var/lib/apt/lists') && readdirSync('/var/lib/apt/lists').some((name) => /_Packages(\.|$)/.test(name))

const aptEnvironment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
const apt = (args) =>
  run('apt-get', ['-q', '-y', '-o', 'DPkg::Lock::Timeout=120', '-o', 'Acquire::Retries=2', ...args], {
    seconds: 600,
    env: aptEnvironment
  })

/** Those of the packages that apt knows: not every distribution has them. */
async function availableOf(packages) {
  const answers = await Promise.all(packages.map((name) => run('apt-cache', ['show', name], { seconds: 30 })))
  return packages.filter((_name, index) => answers[index].code === 0)
}

async function install(packages) {
  say(`Installing ${packages.join(' ')} with apt-get …`)
  if (!hasPackageLists()) await apt(['update'])
  const arguments_ = ['install', '--no-install-recommends', ...packages]
  const first = await apt(arguments_)
  if (first.code === 0 || first.timedOut) return first
  // The package lists may be older than the mirror.
  await apt(['update'])
  return apt(arguments_)
}

/** Installs what makes something faster and is not needed for it; its absence is no problem. */
async function installOptional(packages) {
  if (packages.length === 0 || !isRoot() || !hasProgram('apt-get')) return
  const wanted = await availableOf(await missingOf(packages))
  if (wanted.length > 0) await install(wanted)
}

/**
 * Installs what the purposes need. Never asks and never throws: returns what is still missing, as a sentence with the
 * command to type, or undefined if nothing is.
 *
 * @param {readonly (keyof typeof purposes)[]} wanted
 */
export async function ensureSystem(wanted) {
  if (process.platform !== 'linux') return undefined
  const { packages, programs } = {
    packages: [...new Set(wanted.flatMap((purpose) => purposes[purpose].packages))],
    programs: wanted.flatMap((purpose) => purposes[purpose].programs)
  }
  if (!hasProgram('dpkg-query') || !hasProgram('apt-get')) {
    const missing = programs.filter((name) => !hasProgram(name))
    if (missing.length === 0) return undefined
    return `Missing: ${missing.join(', ')}. Install with your package manager what Debian calls: ${packages.join(' ')}.`
  }
  // Ubuntu's chromium package only installs a snap, which neither a container nor a test can use.
  const wantedHere = distribution() === 'ubuntu' ? packages.filter((name) => name !== 'chromium') : packages
  const missing = await missingOf(wantedHere)
  const optional = () => installOptional(wanted.flatMap((purpose) => purposes[purpose].optional ?? []))
  if (missing.length === 0) return void (await optional())
  const line = `apt-get update && apt-get install -y --no-install-recommends ${missing.join(' ')}`
  if (!isRoot()) return `Missing system packages. Type: sudo sh -c '${line}'`
  const answer = await install(missing)
  if (answer.code === 0) return void (await optional())
  return `apt-get could not install ${missing.join(' ')}:\n${tail(answer.output, 6)}\nType: ${line}`
}
