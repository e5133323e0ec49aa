/** The command line: the same core as the window's, without a window. */
import { helpText } from './commands.ts'
import type { Ending } from './context.ts'
import { exitCodes } from './exit.ts'
import { internal } from './internal.ts'
import { createOutput, type Output } from './output.ts'
import { parseCommandLine, type Invocation } from './parse.ts'
import { failureText } from './print.ts'

/** An ending whose words could not be printed says so, unless its code has more to say already. */
function withoutOutput(ending: Ending, output: Output): Ending {
  const lost = failureText(output.lost(), ending.kept && `${ending.kept} The changes made by the command remain in effect.`)
  return { exit: ending.exit === 'done' ? 'outputLost' : ending.exit, error: [ending.error, lost].filter(Boolean).join('\n') }
}

/** The core is loaded only where a command needs it: help must come at once. */
async function carriedOut({ command, ...rest }: Invocation, output: Output): Promise<Ending> {
  if (command === 'help') return { exit: 'done', out: helpText() }
  const { perform } = await import('./perform.ts')
  return perform({ ...rest, command }, output)
}

// Node would print where in its code it happened and end with 1, which here means that nothing was sent.
process.on('uncaughtException', (error) => {
  process.stderr.write(`${internal(error).error}\n`)
  process.exit(exitCodes.internal.code)
})
// Nobody is left to be told where standard error is closed; the exit code still says it.
process.stderr.on('error', () => undefined)
const output = createOutput(process.stdout)
const parsed = parseCommandLine(process.argv.slice(2))
const done: Ending = parsed.ok ? await carriedOut(parsed.value, output).catch(internal) : { exit: 'usage', error: parsed.failure }
if (done.out) output.line(done.out)
const ending = (await output.drained()) ? done : withoutOutput(done, output)
if (ending.error) process.stderr.write(`${ending.error}\n`)
process.exitCode = exitCodes[ending.exit].code
