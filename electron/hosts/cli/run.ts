/** Runs one command line from its words to its exit code, for each host that has one. */
import type { LaunchWorker, WorkerLine, WorkerName } from '#wire/worker-line.ts'
import { launchInNode, type WorkerEntries } from '../node/workers.ts'
import { helpText, isStandalone } from './commands.ts'
import type { Ending } from './context.ts'
import { exitCodes } from './exit.ts'
import { internal } from './internal.ts'
import { createOutput, type Output } from './output.ts'
import { parseCommandLine, type Invocation } from './parse.ts'
import { failureText } from './print.ts'

/** A launcher with workers that run already, and the end of those that nobody asked for. */
interface LaunchedAhead {
  readonly launch: LaunchWorker
  /** Ends the workers that were not asked for. */
  end(): void
}

/** Starts a worker of each name at once; the first launch of a name returns that one, a later launch a new one. */
export function launchAhead(launch: LaunchWorker, names: readonly WorkerName[]): LaunchedAhead {
  const ready = new Map<WorkerName, WorkerLine>(names.map((name) => [name, launch(name)]))
  return {
    launch: (name) => {
      const line = ready.get(name)
      ready.delete(name)
      return line ?? launch(name)
    },
    end: () => {
      for (const line of ready.values()) line.kill()
      ready.clear()
    }
  }
}

/** Bundled workers are beside the bundle; core finds those in the source tree. */
const builtWorkers: Partial<WorkerEntries> = import.meta.url.endsWith('.js')
  ? {
      history: new URL('./history-worker.js', import.meta.url),
      keychain: new URL('./keychain-worker.js', import.meta.url),
      team: new URL('./team-worker.js', import.meta.url),
      workbook: new URL('./workbook-worker.js', import.meta.url)
    }
  : {}

/** What differs between the installed program and a start from source. */
export interface CommandLineHost {
  /** Launches workers; as threads and processes of Node if omitted. */
  readonly launchWorker?: LaunchWorker
  /** Ends the process at once. */
  exit(code: number): void
}

/** Reports that the output could not be printed, unless the exit code already has a different meaning. */
function withoutOutput(ending: Ending, output: Output): Ending {
  const lost = failureText(
    output.lost(),
    ending.kept && `${ending.kept} The changes made by the command remain in effect.`
  )
  return {
    exit: ending.exit === 'done' ? 'outputLost' : ending.exit,
    error: [ending.error, lost].filter(Boolean).join('\n')
  }
}

/** Core is loaded only if a command needs it, so that help appears at once. */
async function execute({ command, ...rest }: Invocation, output: Output, host: CommandLineHost): Promise<Ending> {
  if (command === 'help') return { exit: 'done', out: helpText() }
  // They load while core loads; what a command does not use ends with it.
  const ahead = launchAhead(
    host.launchWorker ?? launchInNode(builtWorkers),
    isStandalone(command) ? [] : ['keychain', 'history']
  )
  try {
    const { perform } = await import('./perform.ts')
    return await perform({ ...rest, command }, output, ahead.launch)
  } finally {
    ahead.end()
  }
}

/** Resolves when the text was passed to the system, or could not be. */
const written = (text: string): Promise<void> =>
  new Promise((resolve) => void process.stderr.write(text, () => resolve()))

/**
 * Runs the command and prints its result.
 *
 * @param words What follows `veridesk` on the command line.
 * @returns Its exit code (`exit.ts`).
 */
export async function runCommandLine(words: readonly string[], host: CommandLineHost): Promise<number> {
  // Node would print a stack trace and exit with 1, which here means that nothing was sent.
  process.on('uncaughtException', (error) => {
    process.stderr.write(`${internal(error).error}\n`)
    host.exit(exitCodes.internal.code)
  })
  // If standard error is closed nothing can be printed; the exit code still reports the error.
  process.stderr.on('error', () => undefined)
  const output = createOutput(process.stdout)
  const parsed = parseCommandLine(words)
  const done: Ending = parsed.ok
    ? await execute(parsed.value, output, host).catch(internal)
    : { exit: 'usage', error: parsed.failure }
  if (done.out) output.line(done.out)
  const ending = (await output.drained()) ? done : withoutOutput(done, output)
  if (ending.error) await written(`${ending.error}\n`)
  return exitCodes[ending.exit].code
}
