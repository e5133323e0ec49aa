/** `check`: several operations for one applicant from the command line. */
import { randomUUID } from 'node:crypto'
import { unknownAgainOn } from '#contract/history/records.ts'
import { oneLine } from '#contract/text/hidden-text.ts'
import type { CheckPart } from '#contract/verification/check-run.ts'
import { isOperationId, operationIds, type OperationId } from '#contract/verification/operations.ts'
import { fieldsOfCheck } from '#contract/verification/recipes.ts'
import { setCredentials } from './connection.ts'
import {
  failureEnding,
  findConnection,
  textOption,
  usage,
  withoutHistory,
  type Context,
  type Ending
} from './context.ts'
import type { ExitName } from './exit.ts'
import { failureText, recordLine } from './print.ts'
import { jsonText } from './print-text.ts'
import { onSignal } from './signals.ts'
import { exitOf } from './verify.ts'

/** The operations: those of a recipe, or those named. */
async function operationsOf(context: Context): Promise<readonly OperationId[] | Ending> {
  const named = textOption(context, 'operations')
  if (named !== undefined) {
    const ids = named.split(',').map((id) => id.trim())
    const wrong = ids.find((id) => !isOperationId(id))
    return wrong === undefined
      ? [...new Set(ids as OperationId[])]
      : usage(`There is no operation “${wrong}”: ${operationIds.join(', ')}.`)
  }
  return operationsOfRecipe(context, context.operands[0], 'Name a recipe, or --operations')
}

/** The operations of the recipe with this name; `unnamed`: what to say without a name. */
export async function operationsOfRecipe(
  context: Context,
  name: string | undefined,
  unnamed: string
): Promise<readonly OperationId[] | Ending> {
  const state = await context.ask('app.state')
  if (!state.ok) return failureEnding(state.failure)
  const own = state.value.settings.recipes
  const team = await context.ask('team.recipes')
  if (!team.ok) return failureEnding(team.failure)
  // A colleague's can be named without the colleague, if nobody else's has this name.
  const theirs = team.value.map((each) => ({ ...each, name: `${each.name} (${each.member})`, short: each.name }))
  const recipes = [...own, ...theirs]
  const isNamed = (each: string): boolean => each.toLowerCase() === name?.toLowerCase()
  const short = theirs.filter((each) => isNamed(each.short))
  const recipe = recipes.find((each) => isNamed(each.name)) ?? (short.length === 1 ? short[0] : undefined)
  const known = recipes.map((each) => `“${oneLine(each.name)}”`).join(', ')
  return recipe?.operations ?? usage(`${name ? `There is no recipe “${name}”` : unnamed}: ${known}.`)
}

function lineOf(part: CheckPart): string {
  switch (part.kind) {
    case 'recorded':
    case 'unrecorded':
      return recordLine(part.record)
    case 'used':
      return `${new Date(part.at).toISOString()}  Recently answered  ${part.operation}  not sent again  ${part.recordId}`
    case 'failed':
      return `${part.operation}: ${failureText(part.failure)}`
    case 'held':
      return `${part.operation}: held back (${part.why})`
    case 'not-sent':
      return `${part.operation}: not sent (${part.why}${part.after ? ` after ${part.after}` : ''})`
    default:
      return `${part.operation}: ${part.kind}`
  }
}

/** The exit code of the first part that did not end well. */
function exitOfCheck(parts: readonly CheckPart[]): ExitName {
  const anySent = parts.some(({ kind }) => kind === 'recorded' || kind === 'unrecorded')
  for (const part of parts) {
    if (part.kind === 'unrecorded') return 'unrecorded'
    if (part.kind === 'failed') return anySent ? 'checkIncomplete' : 'failed'
    if (part.kind === 'held') return anySent ? 'checkIncomplete' : 'recentlyAnswered'
    if (part.kind === 'not-sent') return 'checkIncomplete'
    if (part.kind === 'recorded' && exitOf(part.record) !== 'done') {
      const exit = exitOf(part.record)
      if (exit !== 'notSent' || !anySent) return exit
    }
  }
  return anySent ? 'done' : 'recentlyAnswered'
}

/** Checks an applicant; Ctrl-C cancels what was not sent yet. */
export async function checkApplicant(context: Context): Promise<Ending> {
  const operations = await operationsOf(context)
  if ('exit' in operations) return operations
  const values: Record<string, string> = {}
  for (const { key, field } of fieldsOfCheck(operations)) {
    const flag = key === 'applicant' ? 'applicant-id' : key
    const value = textOption(context, flag)
    if (value === undefined) return usage(`These operations need --${flag}: ${field.help}`)
    values[key] = value
  }
  const connection = await findConnection(context, textOption(context, 'connection'))
  if (!connection.ok) return connection.failure
  const { mode, name, id } = connection.value
  if (mode === 'live' && !context.options.live)
    return usage(
      `“${name}” is LIVE: each request costs money and processes a real person’s data. Add --live to run it. Nothing was sent.`
    )
  if (context.options['credentials-stdin']) {
    const set = await setCredentials(context, connection.value)
    if (!set.ok) return set.failure
  }
  const lacking = await withoutHistory(context)
  if (lacking) return lacking
  const checkId = randomUUID()
  const unwatch = onSignal(() => {
    context.note('Cancelling the rest …')
    void context.ask('check.cancelRest', { checkId })
  })
  const applicantId = textOption(context, 'applicant-id')
  const answer = await context.ask('check.run', {
    checkId,
    connectionId: id,
    operations: [...operations],
    values,
    ...(applicantId !== undefined && { applicantId }),
    ...(context.options.repeat === true && { repeat: [...operations] }),
    ...(context.options.live && { confirmation: name }),
    ...(context.options['unknown-again'] === true && {
      unknownAgain: operations.map((operation) => ({ operation, answer: unknownAgainOn(mode) }))
    })
  })
  unwatch()
  if (!answer.ok) return failureEnding(answer.failure)
  const parts = answer.value
  const isHeld = parts.some((part) => part.kind === 'held' && part.why === 'may-have-been-sent')
  return {
    exit: exitOfCheck(parts),
    out: context.options.json ? parts.map((part) => jsonText(part)).join('\n') : parts.map(lineOf).join('\n'),
    ...(isHeld && {
      error:
        'The outcome of the same request is unknown: it may have been processed. It was not sent again.\nFind out from your provider whether it was processed, and resolve the record in the history.\nAdd --unknown-again to send it all the same.'
    })
  }
}
