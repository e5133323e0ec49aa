/** The command line: the same core as the window's, without a window. */
import { helpText } from './commands.ts'
import type { Ending } from './context.ts'
import { exitCodes } from './exit.ts'
import { internal } from './internal.ts'
import { createOutput, type Output } from './output.ts'
import { parseCommandLine, type Invocation } from './parse.ts'
import { failureText } from './print.ts'

/** Reports that the output could not be printed, unless the exit code already has a different meaning. */
function withoutOutput(ending: Ending, output: Output): Ending {
  const lost = failureText(output.lost(), ending.kept && `${ending.kept} The changes made by the command remain in effect.`)
  return { exit: ending.exit === 'done' ? 'outputLost' : ending.exit, error: [ending.error, lost].filter(Boolean).join('\n') }
}

/** Core is loaded only if a command needs it, so that help appears at once. */
async function execute({ command, ...rest }: Invocation, output: Output): Promise<Ending> {
  if (command === 'help') return { exit: 'done', out: helpText() }
  const { perform } = await import('./perform.ts')
  return perform({ ...rest, command }, output)
}

// Node would print a stack trace and exit with 1, which here means that nothing was sent.
process.on('uncaughtException', (error) => {
  process.stderr.write(`${internal(error).error}\n`)
  process.exit(exitCodes.internal.code)
})
// If standard error is closed nothing can be printed; the exit code still reports the error.
process.stderr.on('error', () => undefined)
const output = createOutput(process.stdout)
const parsed = parseCommandLine(process.argv.slice(2))
const done: Ending = parsed.ok ? await execute(parsed.value, output).catch(internal) : { exit: 'usage', error: parsed.failure }
if (done.out) output.line(done.out)
const ending = (await output.drained()) ? done : withoutOutput(done, output)
if (ending.error) process.stderr.write(`${ending.error}\n`)
process.exitCode = exitCodes[ending.exit].code
