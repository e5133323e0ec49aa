/** The command line from source: the same core as the window's, without a window. */
import { runCommandLine } from './run.ts'

process.exitCode = await runCommandLine(process.argv.slice(2), { exit: (code) => process.exit(code) })
