/** Settings and connections that cannot be read, on the command line: told of by every command, reset by a word of their own. */
import type { Failure } from '#contract/failures.ts'
import type { ResettableFile } from '#contract/app-state.ts'
import { failureEnding, type Context, type Ending } from './context.ts'
import { failureText } from './print.ts'

const reset: Readonly<Record<ResettableFile, string>> = {
  settings: 'The default settings are in use.',
  connections: 'There are no connections now.'
}

/** Why the file cannot be used; undefined where it can. */
export async function fileFault(context: Context, file: ResettableFile): Promise<Failure | undefined> {
  const state = await context.ask('app.state')
  return state.ok ? state.value.fileFaults[file] : undefined
}

/** Says on standard error what the window shows as a notice: what is printed may depend on it. */
export async function noteFileFaults(context: Context): Promise<void> {
  const state = await context.ask('app.state')
  if (state.ok) for (const notice of state.value.notices) context.note(failureText(notice))
}

/** Puts a file aside that cannot be used, so that the defaults hold. */
export async function resetFile(context: Context, file: ResettableFile): Promise<Ending> {
  const done = await context.ask('settings.reset', { file })
  if (!done.ok) return failureEnding(done.failure)
  return { exit: 'done', out: `${reset[file]} The file that could not be used is kept as ${done.value.kept}.` }
}
