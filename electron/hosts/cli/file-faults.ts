/**
 * Unusable settings and connections files on the command line: every command reports them, and a separate command
 * resets each.
 */
import type { Failure } from '#contract/failures/failures.ts'
import type { ResettableFile } from '#contract/app/app-state.ts'
import { failureEnding, type Context, type Ending } from './context.ts'
import { failureText } from './print.ts'

const reset: Readonly<Record<ResettableFile, string>> = {
  settings: 'The default settings are in use.',
  connections: 'There are no connections now.'
}

/** Why the file is unusable; undefined if it is usable. */
export async function fileFault(context: Context, file: ResettableFile): Promise<Failure | undefined> {
  const state = await context.ask('app.state')
  return state.ok ? state.value.fileFaults[file] : undefined
}

/** Writes to standard error what the window shows as notices, because a command's output may depend on it. */
export async function noteFileFaults(context: Context): Promise<void> {
  const state = await context.ask('app.state')
  if (state.ok) for (const notice of state.value.notices) context.note(failureText(notice))
}

/** Sets an unusable file aside, so that the defaults apply. */
export async function resetFile(context: Context, file: ResettableFile): Promise<Ending> {
  const done = await context.ask('settings.reset', { file })
  if (!done.ok) return failureEnding(done.failure)
  return { exit: 'done', out: `${reset[file]} The file that could not be used is kept as ${done.value.kept}.` }
}
