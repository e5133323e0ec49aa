/** Start at log-on on Linux: the desktop starts what is in its folder of the user (freedesktop.org, Desktop Application Autostart). */
import { readFile, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '#wire/files/regular.ts'
import { replaceFile } from '#wire/files/write.ts'
import { defaultDataFolder } from './data-folder.ts'

/** Beside the data folder of the system: in XDG_CONFIG_HOME. */
const entryPath = (config: string): string => join(config, 'autostart', 'app.veridesk.console.desktop')

/** A value of `Exec`: in quotes, with what has a meaning in them escaped, once for the quotes and once for the file. */
const quoted = (program: string): string =>
  `"${program
    .replace(/["`$\\]/g, '\\$&')
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')}"`

const entryOf = (program: string): string =>
  `[Desktop Entry]\nType=Application\nName=Veridesk\nComment=Started at log-on by a policy of your organisation\nExec=${quoted(program)}\nTerminal=false\n`

/**
 * Writes or removes the entry. Never fails: what could not be written is written at the next start.
 *
 * @param config The folder of the user's settings.
 */
export async function setAutostart(
  on: boolean,
  program: string,
  config = dirname(defaultDataFolder('linux'))
): Promise<void> {
  const path = entryPath(config)
  if (!on) return unlink(path).catch(() => undefined)
  const entry = entryOf(program)
  if ((await readFile(path, 'utf8').catch(() => undefined)) === entry) return
  await makeFolder(dirname(path)).catch(() => undefined)
  await replaceFile(path, entry)
}
