/** What every command uses, and how commands end. */
import type { ConnectionStatus } from '#contract/connections/connection.ts'
import { failure, type Failure } from '#contract/failures/failures.ts'
import type { AnswerOf, ChannelName, ConsoleEvent, RequestOf } from '#contract/ipc/ipc.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import { phraseOf } from '#contract/failures/sentences.ts'
import type { Batches } from '#core/batches/batches.ts'
import type { ExitAfterSending, ExitName } from './exit.ts'
import type { Output } from './output.ts'
import type { OptionValues } from './parse.ts'
import { failureText } from './print.ts'

/** How a command ends: its exit code, and its text for standard output and standard error. */
export interface Ending {
  readonly exit: ExitName
  readonly out?: string
  readonly error?: string
  /** A sentence on where to find the content of `out`, if standard output cannot be written. */
  readonly kept?: string
}

/** The ending of a command once a request may have been sent: never one that states that nothing was sent. */
export interface EndingAfterSending extends Ending {
  readonly exit: ExitAfterSending
}

export interface Context {
  readonly operands: readonly string[]
  readonly options: OptionValues
  readonly dataFolder: string
  /** Whether there is a user at the terminal who can be asked. */
  readonly interactive: boolean
  /** Sends a request to the console's router. */
  ask<Name extends ChannelName>(name: Name, input?: RequestOf<Name>): Promise<AnswerOf<Name>>
  /** Whether standard output is a terminal; otherwise a program reads it. */
  readonly terminal: boolean
  batches(): Promise<Batches>
  /** Whether a browser for printing is available; searched only if `--pdf` is given. */
  readonly canPrint: boolean
  /** Subscribes to events of the console; returns a function that ends the subscription. */
  onEvent(listener: (event: ConsoleEvent) => void): () => void
  readonly output: Output
  /** Shows progress if standard error is a terminal; each call replaces the previous text. */
  showProgress(text: string): void
  clearProgress(): void
  /** Writes a note for the user to standard error at once. */
  note(text: string): void
}

export const usage = (error: string): Ending => ({ exit: 'usage', error })

const unavailable: readonly string[] = ['history-', 'keychain-', 'disk-full', 'data-folder-']

const isUnavailable = ({ code }: Failure): boolean => unavailable.some((start) => code.startsWith(start))

/** The ending of a command that failed before anything could have been sent. */
export function failureEnding(failure: Failure): Ending {
  const exit = isUnavailable(failure) ? 'unavailable' : failure.code === 'internal' ? 'internal' : 'failed'
  return { exit, error: failureText(failure) }
}

/** The ending of a command that failed when requests may have been sent, whatever the failure says about sending. */
export function failureAfterSending(failure: Failure): EndingAfterSending {
  return {
    exit: isUnavailable(failure) ? 'unavailable' : 'internal',
    error: failureText(
      failure,
      'Requests may have been sent before this. The history contains what is known about each.'
    )
  }
}

/** Whether new records outlast the command; without a keychain they do not. */
export async function historyLasts(context: Context): Promise<boolean> {
  const state = await context.ask('app.state')
  return state.ok && state.value.history.state === 'ready' && state.value.history.kept === 'file'
}

/** Why the keychain cannot be used, within a sentence. */
export async function keychainFault(context: Context): Promise<string> {
  const state = await context.ask('app.state')
  const keychain = state.ok ? state.value.keychain : 'absent'
  return phraseOf(
    failure(keychain === 'ready' || keychain === 'unchecked' ? 'keychain-absent' : `keychain-${keychain}`)
  )
}

/**
 * How a command that sends ends if its records cannot be stored; undefined if they can. With `--without-history` they are
 * in memory until the command ends, and the files stay as they are.
 */
export async function withoutHistory(context: Context): Promise<Ending | undefined> {
  const found = await context.ask('app.state')
  const isFailed = found.ok && found.value.history.state === 'failed'
  const state = isFailed && context.options['without-history'] ? await context.ask('history.openForSession') : found
  if (!state.ok) return failureEnding(state.failure)
  const { history } = state.value
  if (history.state === 'failed') return failureEnding(history.failure)
  if (history.state === 'ready' && history.kept === 'session' && !context.options['without-history'])
    return {
      exit: 'unavailable',
      error: `The history cannot be stored, because ${await keychainFault(context)}.\nNothing was sent.\nUnlock or start the keychain, or add --without-history to run without storing records.`
    }
  return undefined
}

/** The value of an option that takes one. */
export function textOption({ options }: Pick<Context, 'options'>, name: string): string | undefined {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

/** The connection with this name, or how the command ends. Without a name: the last one used, or the only one. */
export async function findConnection(
  context: Context,
  name: string | undefined
): Promise<Result<ConnectionStatus, Ending>> {
  const [list, state] = await Promise.all([context.ask('connections.list'), context.ask('app.state')])
  if (!list.ok) return fail(failureEnding(list.failure))
  const last = state.ok ? state.value.settings.lastConnection : ''
  const found = name
    ? list.value.find((each) => each.name.toLowerCase() === name.toLowerCase() || each.id === name)
    : (list.value.find((each) => each.id === last) ?? (list.value.length === 1 ? list.value[0] : undefined))
  if (found) return ok(found)
  // A file that could not be read is not reported as a missing connection.
  const fault = state.ok ? state.value.fileFaults.connections : undefined
  if (fault) return fail(failureEnding(fault))
  return fail(
    usage(
      name
        ? `There is no connection “${name}”. “connection list” shows them.`
        : 'Choose a connection: --connection NAME. “connection list” shows them, “connection add” adds one.'
    )
  )
}
