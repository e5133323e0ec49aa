/** `batch share|take-over`, `team batches`. */
import { oneLine } from '#contract/text/hidden-text.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import type { TeamBatch, TeamBatchProgress } from '#contract/team/batches.ts'
import { findBatch, oneOf } from './batch.ts'
import { setCredentials } from './connection.ts'
import { failureEnding, findConnection, usage, type Context, type Ending, textOption } from './context.ts'
import { followBatch } from './follow-batch.ts'
import { batchText } from './print-batch.ts'
import { count, cutLine, print } from './print-text.ts'
import { receiveFirst } from './team-receive.ts'
import { batchFiles, tableFormats, type BatchFile, type TableFormat } from '#contract/batches/batches.ts'

const later = 'What was recorded here reaches the team with “team exchange”, or while Veridesk is open.'

export async function shareBatch(context: Context): Promise<Ending> {
  const batch = await findBatch(context)
  if (!batch.ok) return batch.failure
  const shared = await context.ask('teamBatches.share', { id: batch.value.id })
  return shared.ok
    ? {
        exit: 'done',
        out: print(context.options['json'], shared.value, [
          batchText(shared.value),
          `“batch resume ${shared.value.id}” runs it here; a colleague takes it over with “batch take-over”. ${later}`
        ])
      }
    : failureEnding(shared.failure)
}

/** The batch of the team with this ID or beginning of an ID. */
export async function findShared(context: Context): Promise<Result<TeamBatch, Ending>> {
  const [id] = context.operands
  if (!id) return fail(usage('Name a batch: “team batches” shows the IDs.'))
  await receiveFirst(context)
  const list = await context.ask('teamBatches.list')
  if (!list.ok) return fail(failureEnding(list.failure))
  const found = list.value.filter((batch) => batch.id.startsWith(id.toLowerCase()))
  const [only] = found
  return only && found.length === 1
    ? ok(only)
    : fail(
        usage(
          `${found.length === 0 ? 'No batch' : 'More than one batch'} of the team has an ID that starts with “${id}”.`
        )
      )
}

export async function takeOverBatch(context: Context): Promise<Ending> {
  const batch = await findShared(context)
  if (!batch.ok) return batch.failure
  const connection = await findConnection(
    context,
    typeof context.options['connection'] === 'string' ? context.options['connection'] : undefined
  )
  if (!connection.ok) return connection.failure
  if (connection.value.mode === 'live' && !context.options['live'])
    return usage(
      `“${connection.value.name}” is LIVE: each row costs money and processes a real person’s data. Add --live to run it. Nothing was sent.`
    )
  if (context.options['credentials-stdin']) {
    const set = await setCredentials(context, connection.value)
    if (!set.ok) return set.failure
  }
  const taken = await context.ask('teamBatches.takeOver', { id: batch.value.id, connectionId: connection.value.id })
  if (!taken.ok) return failureEnding(taken.failure)
  const ending = await followBatch(context, taken.value, connection.value.name)
  context.note(later)
  return ending
}

export async function listTeamBatches(context: Context): Promise<Ending> {
  if (context.operands.length > 0) return showProgress(context)
  await receiveFirst(context)
  const list = await context.ask('teamBatches.list')
  if (!list.ok) return failureEnding(list.failure)
  if (list.value.length === 0 && !context.options['json']) return { exit: 'done', error: 'The team shares no batches.' }
  return { exit: 'done', out: print(context.options['json'], list.value, list.value.map(line)) }
}

const line = ({ id, at, name, member, own, here, operation, connection }: TeamBatch): string =>
  [
    id,
    new Date(at).toISOString(),
    `${oneLine(name)}:`,
    operation,
    `on ${oneLine(connection.origin)}`,
    own ? 'shared here' : `shared by ${oneLine(member)}`,
    ...(here && !own ? ['run here too'] : [])
  ].join('  ')

async function showProgress(context: Context): Promise<Ending> {
  const batch = await findShared(context)
  if (!batch.ok) return batch.failure
  const progress = await context.ask('teamBatches.progress', { id: batch.value.id })
  return progress.ok
    ? { exit: 'done', out: print(context.options['json'], progress.value, progressLines(batch.value, progress.value)) }
    : failureEnding(progress.failure)
}

const progressLines = (batch: TeamBatch, { finished, runner, shares }: TeamBatchProgress): string[] => [
  line(batch),
  runner?.isRunning
    ? `${runner.own ? 'This installation' : oneLine(runner.member)} has been running it since ${new Date(runner.since).toISOString()}`
    : finished
      ? 'Finished'
      : 'Nobody runs it now.',
  ...shares.map(
    ({ installation, member, rows }) => `${installation}  ${oneLine(member)}: ${count(rows, 'row', 'rows')}`
  )
]

/** A batch of this installation or, if there is none, of its team: also one of which nothing was run here. */
async function findToSave(context: Context): Promise<Result<string, Ending>> {
  const here = await findBatch(context)
  if (here.ok) {
    if (here.value.shared) await receiveFirst(context)
    return ok(here.value.id)
  }
  const team = context.operands.length > 0 ? await context.ask('team.state') : undefined
  if (!team?.ok || !team.value?.team) return here
  const shared = await findShared(context)
  return shared.ok ? ok(shared.value.id) : here
}

export async function saveBatch(context: Context): Promise<Ending> {
  const file = oneOf<BatchFile>(batchFiles, textOption(context, 'file') ?? 'results')
  const path = textOption(context, 'out')
  if (!file || !path) return usage(`batch save ID --out FILE, with --file one of ${batchFiles.join(', ')}.`)
  const wanted = textOption(context, 'format')
  const format = wanted === undefined ? undefined : oneOf<TableFormat>(tableFormats, wanted)
  if (wanted !== undefined && !format) return usage(`--format is one of ${tableFormats.join(', ')}.`)
  const id = await findToSave(context)
  if (!id.ok) return id.failure
  const saved = await (await context.batches()).saveTo(id.value, file, path, format)
  return saved.ok
    ? {
        exit: 'done',
        out: `${saved.value.rows} rows written to ${saved.value.path}`,
        ...(saved.value.cut > 0 && { error: cutLine(saved.value.cut) })
      }
    : failureEnding(saved.failure)
}
