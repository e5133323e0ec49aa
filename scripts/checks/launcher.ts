/** Starts the packaged program's command line through its launcher, as a person or a script would. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Packaged } from './fuses.ts'

interface Trial {
  readonly what: string
  readonly words: readonly string[]
  readonly code: number
  readonly out: RegExp
  /** Started directly instead of by the launcher. */
  readonly direct?: true
}

const trials: readonly Trial[] = [
  { what: 'help', words: ['help'], code: 0, out: /^veridesk: verify applicants from the command line\n/ },
  {
    what: 'its versions',
    words: ['version', '--json'],
    code: 0,
    out: /^\{"veridesk":"[\d.]+","electron":"[\d.]+","chromium":"[\d.]+","node":"[\d.]+"/
  },
  { what: 'an unknown command', words: ['frobnicate'], code: 64, out: /^$/ },
  {
    what: 'a switch that would open it to others',
    words: ['--cli', '--remote-debugging-port=0', '--', 'help'],
    code: 64,
    out: /^$/,
    direct: true
  }
]

/** What of the trials went wrong, one sentence each; nothing on another system than the package's. */
export function launcherFaults({ program, resources, system }: Packaged): string[] {
  if (system !== `${process.platform}-${process.arch}`) return []
  const windows = process.platform === 'win32'
  const launcher = join(resources, 'bin', windows ? 'veridesk.cmd' : 'veridesk')
  const direct = process.platform === 'darwin' ? join(program, 'Contents', 'MacOS', 'Veridesk') : program
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  // Nothing of the display: the command line needs none.
  const { DISPLAY: _x11, WAYLAND_DISPLAY: _wayland, ...env } = process.env
  return trials.flatMap(({ what, words, code, out, direct: own }) => {
    const ran = spawnSync(own ? direct : launcher, own ? [...asRoot, ...words] : words, {
      encoding: 'utf8',
      env,
      timeout: 60_000,
      shell: windows
    })
    const right = ran.status === code && out.test(ran.stdout.replaceAll('\r\n', '\n'))
    return right
      ? []
      : [
          `its command line answered ${what} with ${ran.status ?? ran.signal ?? ran.error?.message}, not ${code}: ${ran.stderr.slice(0, 200)}`
        ]
  })
}
