/** `batch check|run|resume|list|show|resolve` and `profile list|remove`. */
import { basename } from 'node:path'
import {
  apostropheChoices,
  batchDelimiters,
  batchEncodings,
  batchOrderSchema,
  batchResolutions,
  roundedChoices,
  type ApostropheChoice,
  type BatchCheck,
  type BatchDelimiter,
  type BatchEncoding,
  type BatchOrder,
  type BatchReading,
  type BatchResolution,
  type BatchSummary,
  type RoundedChoice
} from '#contract/batches/batches.ts'
import type { ConnectionStatus } from '#contract/connections/connection.ts'
import { batchLinksOrderSchema } from '#contract/batches/links.ts'
import { failure } from '#contract/failures/failures.ts'
import { isOperationId, operationIds, type OperationId } from '#contract/verification/operations.ts'
import { fieldsOfRows } from '#contract/verification/recipes.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import { oneLine } from '#contract/text/hidden-text.ts'
import { count, jsonText, sizeText, spanText } from './print-text.ts'
import { foldHeading } from '#core/csv/headings.ts'
import { operationsOfRecipe } from './check.ts'
import { checkLinks } from './check-links.ts'
import { onFindings } from './commands.ts'
import { missingCredentials, setCredentials } from './connection.ts'
import {
  failureEnding,
  findConnection,
  textOption,
  usage,
  withoutHistory,
  type Context,
  type Ending
} from './context.ts'
import { followBatch } from './follow-batch.ts'
import { failureText } from './print.ts'
import { linksJson, linksText, type FoundLinks } from './print-links.ts'
import { apostropheLines, batchLine, batchText, checkText, noteLines, rowLine, workbookLines } from './print-batch.ts'

type OnFindings = (typeof onFindings)[number]

/** The choice with this text. */
export const oneOf = <T extends string>(all: readonly T[], text: string): T | undefined =>
  all.find((each) => each === text)

/** Names of encodings that the platform does not know. */
const otherNames: Readonly<Record<string, BatchEncoding>> = {
  'cp949': 'euc-kr',
  'uhc': 'euc-kr',
  'cp936': 'gbk',
  'cp932': 'shift_jis',
  'cp950': 'big5',
  'macroman': 'macintosh',
  'mac-roman': 'macintosh'
}
/** The encoding with this name, which may be one of its other names. */
function encodingNamed(text: string): BatchEncoding | undefined {
  const name = text.toLowerCase()
  const known = oneOf<BatchEncoding>(batchEncodings, name) ?? otherNames[name]
  if (known) return known
  try {
    return oneOf<BatchEncoding>(batchEncodings, new TextDecoder(name).encoding)
  } catch {
    return undefined
  }
}

/** How a file is read, by the options. */
function readingOf(context: Context, operations: readonly OperationId[]): Result<BatchReading, Ending> {
  const reading: BatchReading = { operations }
  const encoding = textOption(context, 'encoding')
  if (encoding !== undefined) {
    reading.encoding = encodingNamed(encoding)
    if (!reading.encoding) return fail(usage(`--encoding is one of ${batchEncodings.join(', ')}.`))
  }
  const apostrophes = textOption(context, 'apostrophes')
  if (apostrophes !== undefined) {
    reading.apostrophes = oneOf<ApostropheChoice>(apostropheChoices, apostrophes)
    if (!reading.apostrophes) return fail(usage(`--apostrophes is ${apostropheChoices.join(' or ')}.`))
  }
  const delimiter = textOption(context, 'delimiter')
  if (delimiter !== undefined) {
    reading.delimiter = oneOf<BatchDelimiter>(batchDelimiters, delimiter === 'tab' ? '\t' : delimiter)
    if (!reading.delimiter) return fail(usage('--delimiter is “,”, “;”, “|” or tab.'))
  }
  const headingRow = textOption(context, 'heading-row')
  if (headingRow !== undefined) {
    reading.headingRow = Number(headingRow)
    if (!Number.isInteger(reading.headingRow) || reading.headingRow < 1)
      return fail(usage('--heading-row is the number of a line, from 1.'))
  }
  const sheet = textOption(context, 'sheet')
  if (sheet !== undefined) reading.sheet = sheet
  const rounded = textOption(context, 'rounded')
  if (rounded !== undefined) {
    reading.rounded = oneOf<RoundedChoice>(roundedChoices, rounded)
    if (!reading.rounded) return fail(usage(`--rounded is ${roundedChoices.join(' or ')}.`))
  }
  return ok(reading)
}

/** Maps fields to headings of the file, if the command names some. */
async function mapped(context: Context, first: BatchCheck, reading: BatchReading): Promise<Result<BatchCheck, Ending>> {
  const map = textOption(context, 'map')
  if (map === undefined) return ok(first)
  const mapping: Record<string, number> = {}
  for (const pair of map.split(',')) {
    const [field = '', heading = ''] = pair.split('=').map((part) => part.trim())
    const column = first.columns.findIndex((each) => foldHeading(each) === foldHeading(heading))
    if (!fieldsOfRows(reading.operations).some(({ name }) => name === field) || column < 0)
      return fail(
        usage(
          `“${pair.trim()}” names no field of ${reading.operations.join(', ')} with a heading of the file (${first.columns.join(', ')}).`
        )
      )
    mapping[field] = column
  }
  const again = await (await context.batches()).recheck(first.checkId, { ...reading, mapping })
  return again.ok ? ok(again.value) : fail(failureEnding(again.failure))
}

/** The encodings that a person has to choose from, with a line that shows the difference. */
function encodingUnchosen({ encodings }: BatchCheck): Ending {
  const why = failure('batch-encoding-unchosen', { encodings: encodings.map(({ encoding }) => encoding).join(', ') })
  const shown = encodings.flatMap(({ encoding, rows }) =>
    rows
      .slice(0, 2)
      .map(
        ({ row, cells }) =>
          `  --encoding ${encoding.padEnd(12)}  line ${row}: ${oneLine(cells.join(' | ')).slice(0, 100)}`
      )
  )
  const ending = failureEnding(why)
  return { ...ending, error: [ending.error, ...shown].filter(Boolean).join('\n') }
}

/** What is sent for each row: one operation, or those of a recipe. */
async function operationsForRows(context: Context): Promise<readonly OperationId[] | Ending> {
  const [operation, recipe] = [textOption(context, 'operation'), textOption(context, 'recipe')]
  if (recipe !== undefined && operation !== undefined)
    return usage('Name --operation or --recipe, not both. Nothing was sent.')
  if (recipe !== undefined) return operationsOfRecipe(context, recipe, 'Name a recipe')
  return operation !== undefined && isOperationId(operation)
    ? [operation]
    : usage(
        `Choose what is sent for the rows with --operation: ${operationIds.join(', ')}; or with --recipe: several operations.`
      )
}

/** Checks a file with the reading options. `--map` names headings, so the file is read once before. */
async function checked(context: Context, file: string | undefined): Promise<Result<BatchCheck, Ending>> {
  if (!file) return fail(usage('Name a file: batch check FILE --operation OPERATION'))
  const operations = await operationsForRows(context)
  if ('exit' in operations) return fail(operations)
  const reading = readingOf(context, operations)
  if (!reading.ok) return reading
  const batches = await context.batches()
  const read = await batches.checkFile(file, reading.value)
  const profile = textOption(context, 'profile')
  const first = read.ok && profile !== undefined ? await batches.useProfile(read.value.checkId, profile) : read
  if (!first.ok) return fail(failureEnding(first.failure))
  if (first.value.encodings.length > 0) return fail(encodingUnchosen(first.value))
  return mapped(context, first.value, reading.value)
}

/** How a batch would run or runs: its links must stay valid until its end. */
const paceOf = (context: Context) => ({
  atOnce: Number(textOption(context, 'concurrency') ?? 2),
  pace: Number(textOption(context, 'rate-limit') ?? 0)
})
const issuesText = (issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]): string =>
  issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n')

/** Checks the links of a checked file for `batch check`. */
async function linksOf(context: Context, checkId: string): Promise<Result<FoundLinks, Ending>> {
  const connection = await findConnection(context, textOption(context, 'connection'))
  if (!connection.ok) return connection
  const order = batchLinksOrderSchema.safeParse({ checkId, connectionId: connection.value.id, ...paceOf(context) })
  return order.success ? checkLinks(context, order.data) : fail(usage(issuesText(order.error.issues)))
}

/** What copies of its documents would take, in words; nothing where none are kept. */
async function copiesLine(context: Context, checkId: string, connectionId: string): Promise<string | undefined> {
  const need = await (await context.batches()).copyNeed(checkId, connectionId)
  if (!need.ok || !need.value) return undefined
  const { documents, bytes, seconds, freeBytes, required } = need.value
  const time = seconds === undefined ? '' : `, at least ${spanText(Math.max(1, seconds))} at the speed of the last ones`
  const space = `Copies of ${count(documents, 'document', 'documents')}, about ${sizeText(bytes)}${time}; ${sizeText(freeBytes)} are free for copies`
  return bytes <= freeBytes
    ? `${space}.`
    : `${space}${required ? ': the batch cannot start.' : ': some will be missing.'}`
}

/** Checks a file; succeeds only if every row can be sent, and with `--check-links` if no link has a finding. */
export async function checkBatch(context: Context): Promise<Ending> {
  const check = await checked(context, context.operands[0])
  if (!check.ok) return check.failure
  const links = context.options['check-links'] ? await linksOf(context, check.value.checkId) : undefined
  if (links && !links.ok) return links.failure
  const connection = textOption(context, 'connection')
  const named = connection === undefined ? undefined : await findConnection(context, connection)
  if (named && !named.ok) return named.failure
  const copies = named && (await copiesLine(context, check.value.checkId, named.value.id))
  const out = context.options.json
    ? jsonText({ ...check.value, ...(links && { links: linksJson(links.value) }) })
    : [
        checkText(check.value),
        ...(copies === undefined ? [] : [copies]),
        ...(links ? [linksText(links.value)] : [])
      ].join('\n')
  const exit = check.value.invalid > 0 ? 'batchSomeNot' : links && links.value.check.found > 0 ? 'linksFound' : 'done'
  return { exit, out }
}

/** Checks the links before a batch is created, and prints what was found. An ending if nothing may be sent. */
async function stopAtFindings(context: Context, order: BatchOrder, choice: OnFindings): Promise<Ending | undefined> {
  const { checkId, connectionId, atOnce, pace } = order
  const links = await checkLinks(context, { checkId, connectionId, atOnce, pace })
  if (!links.ok) return links.failure
  const { found } = links.value.check
  const out = context.terminal ? linksText(links.value) : jsonText({ event: 'links', ...linksJson(links.value) })
  if (found > 0 && choice === 'stop')
    return {
      exit: 'linksFound',
      out,
      error: `${count(found, 'row has', 'rows have')} links with findings.\nNothing was sent.\nCorrect the file, or add --on-findings send or --on-findings skip.`
    }
  context.output.line(out)
  return undefined
}

/** The connection that a batch is run with, with its credentials and a history; or how the command ends. */
async function readyConnection(context: Context): Promise<Result<ConnectionStatus, Ending>> {
  const connection = await findConnection(context, textOption(context, 'connection'))
  if (!connection.ok) return connection
  if (connection.value.mode === 'live' && !context.options.live)
    return fail(
      usage(
        `“${connection.value.name}” is LIVE: each row costs money and processes a real person’s data. Add --live to run it. Nothing was sent.`
      )
    )
  const lacking = await withoutHistory(context)
  if (lacking) return fail(lacking)
  const set = context.options['credentials-stdin'] ? await setCredentials(context, connection.value) : connection
  if (!set.ok) return set
  // A batch that is shared waits for colleagues also if it cannot be run here.
  const lacked = context.options['share'] === true ? missingCredentials(set.value) : []
  if (lacked.length > 0) return fail(failureEnding(failure('credentials-missing', { missing: lacked.join(', ') })))
  return connection
}

/** Creates the batch, shares it if that was asked for, and runs it. */
async function createAndFollow(context: Context, order: BatchOrder, connection: string): Promise<Ending> {
  const made = await (await context.batches()).create(order)
  if (!made.ok && made.failure.code === 'batch-unfinished')
    return {
      exit: 'batchUnfinished',
      error: `${failureText(made.failure)}\nHere: “batch resume ${String(made.failure.details?.['id'])}”, or add --another.`
    }
  if (!made.ok) return failureEnding(made.failure)
  const shared =
    context.options['share'] === true ? await context.ask('teamBatches.share', { id: made.value.id }) : made
  if (!shared.ok) return failureEnding(shared.failure)
  return followBatch(context, shared.value, connection)
}

export async function runBatch(context: Context): Promise<Ending> {
  const [file] = context.operands
  const wanted = textOption(context, 'on-findings')
  const choice = oneOf(onFindings, wanted ?? 'stop')
  if (!choice) return usage(`--on-findings is one of ${onFindings.join(', ')}.`)
  if (wanted !== undefined && !context.options['check-links'])
    return usage('--on-findings needs --check-links. Nothing was sent.')
  const check = await checked(context, file)
  if (!check.ok) return check.failure
  const connection = await readyConnection(context)
  if (!connection.ok) return connection.failure
  const order = batchOrderSchema.safeParse({
    checkId: check.value.checkId,
    connectionId: connection.value.id,
    name: textOption(context, 'name') ?? basename(file ?? 'batch').slice(0, 120),
    ...paceOf(context),
    skipRecent: context.options.repeat !== true,
    ...(choice === 'skip' && { skipFound: true }),
    ...(context.options.another === true && { another: true })
  })
  if (!order.success) return usage(issuesText(order.error.issues))
  if (check.value.invalid > 0)
    context.note(
      `${check.value.invalid} of ${check.value.rows} rows are invalid and are not sent; “batch check” lists them.`
    )
  for (const line of [...workbookLines(check.value), ...noteLines(check.value), ...apostropheLines(check.value)])
    context.note(line)
  const copies = await copiesLine(context, check.value.checkId, connection.value.id)
  if (copies !== undefined) context.note(copies)
  const stopped = context.options['check-links'] ? await stopAtFindings(context, order.data, choice) : undefined
  if (stopped) return stopped
  return createAndFollow(context, order.data, connection.value.name)
}

/** The batch with this id or beginning of an id. */
export async function findBatch(context: Context): Promise<Result<BatchSummary, Ending>> {
  const [id] = context.operands
  if (!id) return fail(usage('Name a batch: “batch list” shows the IDs.'))
  const list = await (await context.batches()).list({ search: id, limit: 50 })
  if (!list.ok) return fail(failureEnding(list.failure))
  const found = list.value.filter((batch) => batch.id.startsWith(id.toLowerCase()))
  const [only] = found
  return only && found.length === 1
    ? ok(only)
    : fail(usage(`${found.length === 0 ? 'No batch' : 'More than one batch'} has an ID that starts with “${id}”.`))
}

export async function resumeBatch(context: Context): Promise<Ending> {
  const batch = await findBatch(context)
  if (!batch.ok) return batch.failure
  if (context.options['credentials-stdin']) {
    const connection = await findConnection(context, batch.value.connection.id)
    if (!connection.ok) return connection.failure
    const set = await setCredentials(context, connection.value)
    if (!set.ok) return set.failure
  }
  const connection = await findConnection(context, batch.value.connection.id)
  return followBatch(context, batch.value, connection.ok ? connection.value.name : batch.value.connection.name)
}

export async function listBatches(context: Context): Promise<Ending> {
  const search = context.operands.join(' ')
  const list = await (await context.batches()).list({ limit: 200, ...(search && { search }) })
  if (!list.ok) return failureEnding(list.failure)
  if (list.value.length === 0 && !context.options.json) return { exit: 'done', error: 'No batches match.' }
  return {
    exit: 'done',
    out: list.value.map((batch) => (context.options.json ? jsonText(batch) : batchLine(batch))).join('\n')
  }
}

export async function showBatch(context: Context): Promise<Ending> {
  const batch = await findBatch(context)
  if (!batch.ok) return batch.failure
  if (context.options.json) return { exit: 'done', out: jsonText(batch.value) }
  const states = ['invalid', 'not-sent', 'invalid-response', 'unknown'] as const
  const rows = await (await context.batches()).rows({ id: batch.value.id, states: [...states], offset: 0, limit: 100 })
  if (!rows.ok) return failureEnding(rows.failure)
  const lines = rows.value.rows.map(rowLine)
  if (rows.value.total > lines.length) lines.push('… and more; “batch save” writes them all.')
  return { exit: 'done', out: [batchText(batch.value), ...lines].join('\n') }
}

export async function resolveBatch(context: Context): Promise<Ending> {
  const as = oneOf<BatchResolution>(batchResolutions, textOption(context, 'as') ?? '')
  if (!as) return usage(`Choose the resolution with --as: ${batchResolutions.join(' or ')}.`)
  const batch = await findBatch(context)
  if (!batch.ok) return batch.failure
  const resolved = await (await context.batches()).resolve(batch.value.id, undefined, as)
  return resolved.ok ? { exit: 'done', out: batchText(resolved.value) } : failureEnding(resolved.failure)
}

export async function listProfiles(context: Context): Promise<Ending> {
  const state = await context.ask('app.state')
  if (!state.ok) return failureEnding(state.failure)
  const { columnProfiles } = state.value.settings
  if (context.options.json) return { exit: 'done', out: columnProfiles.map((profile) => jsonText(profile)).join('\n') }
  if (columnProfiles.length === 0)
    return { exit: 'done', error: 'There are no column profiles. The window saves them.' }
  const lines = columnProfiles.map(
    ({ name, operations, mapping }) =>
      `${oneLine(name)}  ${operations.join(',')}  ${Object.entries(mapping)
        .map(([field, heading]) => `${field}=${oneLine(heading)}`)
        .join(', ')}`
  )
  return { exit: 'done', out: lines.join('\n') }
}

export async function removeProfile(context: Context): Promise<Ending> {
  const [name] = context.operands
  if (!name) return usage('Name a column profile: “profile list” shows them.')
  const state = await context.ask('app.state')
  if (!state.ok) return failureEnding(state.failure)
  const { columnProfiles } = state.value.settings
  const left = columnProfiles.filter((profile) => profile.name !== name)
  if (left.length === columnProfiles.length) return failureEnding(failure('batch-profile-missing', { name }))
  const changed = await context.ask('settings.change', { columnProfiles: left })
  return changed.ok ? { exit: 'done', out: `Removed “${oneLine(name)}”.` } : failureEnding(changed.failure)
}
