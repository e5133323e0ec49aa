/** The default data folder: the one that Electron would use, so that all hosts share one history. */
import { homedir } from 'node:os'
import { join, posix, win32 } from 'node:path'

export const productFolder = 'Veridesk'

/**
 * The user's data folder of Veridesk on an operating system, as Electron's `app.getPath('userData')` returns it.
 * Source of the rule: Electron's documentation of `appData`.
 */
export function defaultDataFolder(
  platform: NodeJS.Platform = process.platform,
  environment: NodeJS.ProcessEnv = process.env,
  home: string = homedir()
): string {
  if (platform === 'win32')
    return win32.join(environment['APPDATA'] ?? win32.join(home, 'AppData', 'Roaming'), productFolder)
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support', productFolder)
  const configured = environment['XDG_CONFIG_HOME']
  // The XDG specification: ignore a relative path.
  return join(configured?.startsWith('/') ? configured : posix.join(home, '.config'), productFolder)
}
