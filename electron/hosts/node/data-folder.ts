/** The default data folder, the same for all hosts, so that they share one history. */
import { homedir } from 'node:os'
import { join, posix, win32 } from 'node:path'

export const productFolder = 'Veridesk'

/**
 * The user's data folder of Veridesk on an operating system: the one of Electron's `app.getPath('userData')`, except on
 * Windows. There a profile may roam, and a database that is copied between computers is damaged: it stays on the computer.
 */
export function defaultDataFolder(
  platform: NodeJS.Platform = process.platform,
  environment: NodeJS.ProcessEnv = process.env,
  home: string = homedir()
): string {
  if (platform === 'win32')
    return win32.join(environment['LOCALAPPDATA'] ?? win32.join(home, 'AppData', 'Local'), productFolder)
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support', productFolder)
  const configured = environment['XDG_CONFIG_HOME']
  // The XDG specification: ignore a relative path.
  return join(configured?.startsWith('/') ? configured : posix.join(home, '.config'), productFolder)
}
