/** The command line from source: the same core as the window's, without a window. */
import { keepUsedVariables, refusedVariable } from '../node/environment.ts'
import { exitCodes } from './exit.ts'

const refused = keepUsedVariables(process.env, { installed: false, proxies: true })
if (refused) {
  process.stderr.write(`${refusedVariable(refused)}\n`)
  process.exitCode = exitCodes.failed.code
} else {
  const { runCommandLine } = await import('./run.ts')
  process.exitCode = await runCommandLine(process.argv.slice(2), { exit: (code) => process.exit(code) })
}
