/** `verify`: one verification from the command line. */
import { randomUUID } from 'node:crypto'
import type { ConnectionStatus } from '#contract/connections/connection.ts'
import { oneLine } from '#contract/text/hidden-text.ts'
import { isOperationId, operationIds, operationOf, type OperationId } from '#contract/verification/operations.ts'
import { outcomeOf } from '#contract/verification/outcomes.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { unknownAgainOn, type RecordDetail } from '#contract/history/records.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import { jsonText } from './print-text.ts'
import { flagOf } from './commands.ts'
import { setCredentials } from './connection.ts'
import {
  failureEnding,
  findConnection,
  historyLasts,
  textOption,
  usage,
  withoutHistory,
  type Context,
  type Ending
} from './context.ts'
import type { ExitName } from './exit.ts'
import { failureText, recordLine, recordText } from './print.ts'
import { onSignal } from './signals.ts'

export function exitOf(record: RecordDetail): ExitName {
  switch (record.state) {
    case 'answered':
      return record.status !== undefined && record.status >= 200 && record.status < 300 ? 'done' : 'answeredOtherwise'
    case 'invalid-response':
      return 'invalid-response'
    case 'not-sent':
      return 'notSent'
    default:
      return 'unknown'
  }
}

/** The outcome and where its record is, if the answer cannot be printed. */
function keptSentence({ state, status, id }: RecordDetail, lasting: boolean): string {
  const outcome = state === 'open' ? 'in progress' : outcomeOf(state).label.toLowerCase()
  const how = `The verification ended as “${outcome}”${status === undefined ? '' : ` with status ${status}`}`
  return lasting ? `${how}; “history show ${id}” prints it.` : `${how}; its record was not stored.`
}

type Told = Extract<Awaited<ReturnType<typeof askToRun>>, { readonly ok: true }>['value']

/** Asks for the verification; Ctrl-C, SIGTERM and SIGHUP cancel it. */
async function askToRun(
  context: Context,
  connection: ConnectionStatus,
  operation: OperationId,
  input: Readonly<Record<string, string>>
) {
  const runId = randomUUID()
  const unwatch = onSignal(() => {
    context.note('Cancelling …')
    void context.ask('verification.cancel', { runId })
  })
  const ending = await context.ask('verification.run', {
    runId,
    connectionId: connection.id,
    operation,
    input,
    repeatAnyway: context.options.repeat === true,
    ...(context.options['unknown-again'] === true && { unknownAgain: unknownAgainOn(connection.mode) }),
    ...(context.options['without-copies'] === true && { withoutCopies: true }),
    ...(context.options.live && { confirmation: connection.name })
  })
  unwatch()
  return ending
}

/** What is said of a verification that was held back. */
function heldBack(context: Context, told: Exclude<Told, { readonly kind: 'recorded' | 'unrecorded' }>): Ending {
  if (told.kind === 'recently-answered')
    return {
      exit: 'recentlyAnswered',
      out: context.options.json ? jsonText(told.earlier) : recordLine(told.earlier),
      error: 'The same request was recently answered. It was not sent again. Add --repeat to send it.'
    }
  if (told.kind === 'checked-by-colleague') {
    const { earlier } = told
    const when = new Date(earlier.at).toISOString()
    return {
      exit: 'recentlyAnswered',
      ...(context.options.json && { out: jsonText(earlier) }),
      error: `${oneLine(earlier.member)} made the same request at ${when}. It was not sent again. Add --repeat to send it.`
    }
  }
  // The connection became live since it was read.
  if (told.kind === 'live-unconfirmed')
    return usage(`“${told.connection}” is LIVE. Add --live to run it. Nothing was sent.`)
  if (told.kind === 'not-copied')
    return {
      exit: 'failed',
      ...(context.options.json && { out: jsonText(told.missed) }),
      error: [
        ...told.missed.map(({ field, failure }) => `${field}: ${sentencesOf(failure).what}`),
        told.required
          ? 'No copy can be kept, and nothing was sent: the connection requires one of each document.'
          : 'No copy can be kept, and nothing was sent. Add --without-copies to send it.'
      ].join('\n')
    }
  const { earlier } = told
  if (earlier.kind === 'unresolved')
    return {
      exit: 'recentlyAnswered',
      out: context.options.json ? jsonText(earlier.record) : recordLine(earlier.record),
      error: `The outcome of the same request is ${earlier.record.state === 'open' ? 'not known yet' : 'unknown'}: it may have been processed. It was not sent again.\nFind out from your provider whether it was processed, and resolve the record in the history.\nAdd --unknown-again to send it all the same.`
    }
  const why =
    earlier.kind === 'sent'
      ? `The same request was sent at ${new Date(earlier.sentAt).toISOString()}. Its record is in the history that was set aside when a backup was restored.`
      : `The history was restored at ${new Date(earlier.restoredAt).toISOString()} from the backup of ${new Date(earlier.backupAt).toISOString()}. The requests sent in between cannot be determined.`
  return {
    exit: 'recentlyAnswered',
    ...(context.options.json && { out: jsonText(earlier) }),
    error: `${why}\nNothing was sent now.\nAdd --repeat to send it.`
  }
}

/** The values of an operation's options; how the command ends if one is missing. */
function inputOf(context: Context, operation: OperationId): Result<Record<string, string>, Ending> {
  const input: Record<string, string> = {}
  for (const field of operationOf(operation).fields) {
    const value = textOption(context, flagOf(field))
    if (value === undefined) return fail(usage(`${operation} needs --${flagOf(field)}: ${field.help}`))
    input[field.name] = value
  }
  return ok(input)
}

/** Runs one verification; Ctrl-C, SIGTERM and SIGHUP cancel it, and the outcome is still recorded. */
export async function verify(context: Context): Promise<Ending> {
  const [operation] = context.operands
  if (!operation || !isOperationId(operation))
    return usage(
      `${operation ? `There is no operation “${operation}”` : 'Name an operation'}: ${operationIds.join(', ')}.`
    )
  const input = inputOf(context, operation)
  if (!input.ok) return input.failure
  const connection = await findConnection(context, textOption(context, 'connection'))
  if (!connection.ok) return connection.failure
  if (connection.value.mode === 'live' && !context.options.live)
    return usage(
      `“${connection.value.name}” is LIVE: a request costs money and processes a real person’s data. Add --live to run it. Nothing was sent.`
    )
  if (context.options['credentials-stdin']) {
    const set = await setCredentials(context, connection.value)
    if (!set.ok) return set.failure
  }
  const lacking = await withoutHistory(context)
  if (lacking) return lacking

  const ending = await askToRun(context, connection.value, operation, input.value)
  // A failure means that nothing was sent or recorded; an error in Veridesk itself has its own code.
  if (!ending.ok) return failureEnding(ending.failure)
  if (ending.value.kind !== 'recorded' && ending.value.kind !== 'unrecorded') return heldBack(context, ending.value)
  const { record } = ending.value
  const out = context.options.json ? jsonText(record) : recordText(record)
  if (ending.value.kind === 'unrecorded') return { exit: 'unrecorded', out, error: failureText(ending.value.failure) }
  return { exit: exitOf(record), out, kept: keptSentence(record, await historyLasts(context)) }
}
