/**
 * The locked screen on Linux, which Electron reports on other systems only: signals of the desktop's screen saver and of logind, as
 * `dbus-monitor` prints them (decision 27). Where it is missing, time without input and suspension still lock.
 */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** A session's object in logind: its ID, in which whatever is no letter or digit, and a digit at the start, is written as its number. */
export const sessionPath = (id: string): string =>
  `/org/freedesktop/login1/session/${id.replace(/^\d|[^A-Za-z0-9]/g, (letter) => `_${letter.charCodeAt(0).toString(16)}`)}`

/** Reads what is printed, line by line: whether the screen was locked by what ends with this line. */
export function createLockReader(): (line: string) => boolean {
  /** The value of the signal follows. */
  let isChange = false
  return (line) => {
    const [, name, member] = /^signal .*interface=([\w.]+); member=(\w+)/.exec(line) ?? []
    if (name === undefined) {
      const isLocked = isChange && /^\s+boolean true$/.test(line)
      isChange = false
      return isLocked
    }
    isChange = member === 'ActiveChanged' && name.endsWith('.ScreenSaver')
    return member === 'Lock' && name === 'org.freedesktop.login1.Session'
  }
}

/** Calls `onLock` at each lock, until the function that is returned is called. Never fails. */
export function watchScreenLock(
  onLock: () => void,
  { XDG_SESSION_ID: session }: NodeJS.ProcessEnv = process.env
): () => void {
  const watches = [['--session', "type='signal',member='ActiveChanged'"]]
  if (session !== undefined)
    watches.push([
      '--system',
      `type='signal',interface='org.freedesktop.login1.Session',member='Lock',path='${sessionPath(session)}'`
    ])
  const children = watches.map((words) => {
    // It ends with this process, however that ends.
    const child = spawn('setpriv', ['--pdeathsig', 'TERM', 'dbus-monitor', ...words], {
      stdio: ['ignore', 'pipe', 'ignore']
    })
    child.on('error', () => undefined)
    const isLocked = createLockReader()
    createInterface({ input: child.stdout }).on('line', (line) => void (isLocked(line) && onLock()))
    return child
  })
  return () => children.forEach((child) => child.kill())
}
