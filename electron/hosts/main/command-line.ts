/**
 * The command line of the installed program. It runs while Electron still waits for its entry file, so there is no
 * display, no graphics process and no page; it ends before Electron is ready.
 */
import { app } from 'electron'
import { runCommandLine } from '../cli/run.ts'
import { exitCodes } from '../cli/exit.ts'
import { refusedVariable, type RefusedVariable } from '../node/environment.ts'
import type { Role } from './role.ts'
import { defaultStart } from './start.ts'
import { entryOf, launchForCommandLine } from './workers.ts'

/**
 * Runs the command or serves as its worker. Never resolves: Electron would open a display next.
 *
 * @param variable One of the environment that no start may have.
 */
export async function begin(
  role: Exclude<Role, { kind: 'window' }>,
  variable: RefusedVariable | undefined
): Promise<never> {
  // Electron goes on as soon as nothing is waited for.
  setInterval(() => undefined, 2 ** 30)
  if (variable) {
    process.stderr.write(`${refusedVariable(variable)}\n`)
    app.exit(exitCodes.failed.code)
  } else if (app.isPackaged && role.others.length > 0) {
    process.stderr.write(
      `Veridesk’s command line does not start with ${role.others[0]}. Put the words of the command after “--”.\n`
    )
    app.exit(exitCodes.usage.code)
  } else if (role.kind === 'worker') await serveAs(role.name)
  else
    app.exit(
      await runCommandLine(role.words, {
        launchWorker: launchForCommandLine(defaultStart().historyNode),
        exit: (code) => app.exit(code)
      })
    )
  return new Promise<never>(() => undefined)
}

async function serveAs(name: string): Promise<void> {
  // Only the command line starts workers, with a line to itself.
  if (!process.send) return app.exit(exitCodes.usage.code)
  await import(entryOf(`${name}-worker`))
}
