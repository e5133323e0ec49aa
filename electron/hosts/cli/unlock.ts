/** The passphrase for a command: from the terminal, or the first line of standard input; never from argv. */
import type { Failure } from '#contract/failures/failures.ts'
import { failureEnding, type Context, type Ending } from './context.ts'
import { askForSecret, readFirstLine } from './credentials-input.ts'
import { failureText } from './print.ts'

const ofLock = ({ code }: Failure): boolean => code === 'locked' || code.startsWith('passphrase-')

/** Unlocks the data folder if a passphrase protects it; returns how the command ends if that fails. Nothing was sent then. */
export async function unlock(context: Context): Promise<Ending | undefined> {
  const state = await context.ask('app.state')
  if (!state.ok || state.value.lock === undefined) return undefined
  const fromInput = context.options['passphrase-stdin'] === true
  if (!fromInput && !context.interactive)
    return {
      exit: 'locked',
      error:
        'The data folder is protected by a passphrase, and there is no terminal to ask for it.\nNothing was sent or changed.\nGive it as the first line of standard input, with --passphrase-stdin.'
    }
  const passphrase = fromInput ? await readFirstLine() : await askForSecret('Passphrase')
  const unlocked = await context.ask('lock.unlock', { passphrase })
  if (unlocked.ok) return undefined
  return ofLock(unlocked.failure)
    ? { exit: 'locked', error: failureText(unlocked.failure) }
    : failureEnding(unlocked.failure)
}
