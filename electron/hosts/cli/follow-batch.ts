/** Runs a batch and waits for its end, whether by its last row, a signal, or an output that is no longer read. */
import { batchStateLabels } from '#contract/batches/rows.ts'
import type { BatchSummary } from '#contract/batches/batches.ts'
import { count, jsonText, number } from './print-text.ts'
import {
  failureAfterSending,
  failureEnding,
  historyLasts,
  textOption,
  type Context,
  type Ending,
  type EndingAfterSending
} from './context.ts'
import type { ExitAfterSending } from './exit.ts'
import { failureText } from './print.ts'
import { batchText, progressLine } from './print-batch.ts'
import { onSignal, signalEndings } from './signals.ts'

/** How to resume a batch, or why it cannot be resumed. */
const resumeHint = async (context: Context, { id }: BatchSummary): Promise<string> =>
  (await historyLasts(context))
    ? `“batch resume ${id}” resumes it.`
    : 'it cannot be resumed, because its history was not stored.'

/** Ctrl-C has always ended a batch as paused; the other two have the exit codes that their senders expect. */
const pausedBy = { ...signalEndings, SIGINT: 'batchStopped' } as const

/** Reports rows that the spend guard holds back: a batch of only such rows would otherwise end without any message. */
function recentNote({ counts, rows }: BatchSummary): string {
  const recent = counts['recently-answered']
  const which =
    recent < rows
      ? `${number(recent)} of ${count(rows, 'row', 'rows')}`
      : rows === 1
        ? 'The row'
        : `All ${number(rows)} rows`
  return recent === 1
    ? `${which} was recently answered and is not sent again; --repeat sends it.`
    : `${which} were recently answered and are not sent again; --repeat sends them.`
}

/** The ending of a batch that ran, by the states of its rows; `stopped` if something paused it. */
function endingOf(batch: BatchSummary, stopped: ExitAfterSending | undefined, how: string): EndingAfterSending {
  const { counts, state } = batch
  const missed = counts['invalid-response'] + counts['not-sent'] + counts.unknown + counts.invalid + counts.cancelled
  const reason = batch.reason && failureText(batch.reason)
  if (state === 'paused') return { exit: stopped ?? 'batchStopped', error: reason ?? `The batch is paused; ${how}` }
  return {
    exit: state !== 'finished' ? 'batchStopped' : missed > 0 ? 'batchSomeNot' : 'done',
    ...(reason !== undefined && { error: reason })
  }
}

/** Writes the results if requested; a results file that cannot be written does not change the outcome of the run. */
async function withResults(
  context: Context,
  batch: BatchSummary,
  ending: EndingAfterSending
): Promise<EndingAfterSending> {
  const out = textOption(context, 'out')
  if (out === undefined) return ending
  const saved = await (await context.batches()).saveTo(batch.id, 'results', out)
  if (saved.ok) return ending
  const where = (await historyLasts(context))
    ? `The batch is ${batchStateLabels[batch.state].toLowerCase()}, and its results are in the history: “batch save ${batch.id} --out FILE” writes them.`
    : `The batch is ${batch.state}; its history was not stored.`
  return {
    ...ending,
    exit: 'fileMissing',
    error: [ending.error, failureText(saved.failure), where].filter((text) => text !== undefined).join('\n')
  }
}

/** Waits for the end of a running batch; from here on no ending may state that nothing was sent. */
async function waitForEnd(
  context: Context,
  id: string,
  stopped: () => ExitAfterSending | undefined
): Promise<EndingAfterSending> {
  const batches = await context.batches()
  await batches.ended(id)
  // The links of its rows may expire before the next command.
  await batches.copied()
  const over = await batches.show(id)
  if (!over.ok) return failureAfterSending(over.failure)
  context.clearProgress()
  context.output.line(context.terminal ? batchText(over.value) : jsonText({ event: 'end', ...over.value }))
  const written = await context.output.drained()
  const how = await resumeHint(context, over.value)
  const ending = await withResults(context, over.value, endingOf(over.value, stopped(), how))
  const kept = `The batch is ${over.value.state}; ${over.value.state === 'paused' ? how : `“batch show ${id}” prints it.`}`
  return written ? ending : { ...ending, kept }
}

/**
 * Starts a batch and waits for its end. The first Ctrl-C, SIGTERM or SIGHUP pauses it, as does an output that cannot
 * be written: rows in progress finish. A later Ctrl-C ends the process at once, without losing data.
 */
export async function followBatch(context: Context, batch: BatchSummary, connectionName: string): Promise<Ending> {
  const batches = await context.batches()
  const { id } = batch
  const report = (shown: BatchSummary): void => {
    if (context.terminal) context.showProgress(progressLine(shown))
    else context.output.line(jsonText({ event: 'progress', ...shown }))
  }
  if (batch.counts['recently-answered'] > 0) context.note(recentNote(batch))
  if (batch.unresolved > 0)
    context.note(
      `The outcome of ${number(batch.unresolved)} of ${count(batch.rows, 'row', 'rows')} is unknown, or that of the same request: they are not sent before “batch resolve ${id}”.`
    )
  // Tests the output before anything is sent.
  report(batch)
  if (!(await context.output.drained()))
    return { exit: 'outputLost', kept: `Nothing was sent by it; ${await resumeHint(context, batch)}` }
  const nothingToSend = batch.counts.waiting + batch.counts.open === 0

  let stopped: ExitAfterSending | undefined
  const pause = (exit: ExitAfterSending): void => {
    if (stopped !== undefined) return
    stopped = exit
    context.note(`${context.terminal ? '\n' : ''}Pausing: rows in progress are finishing …`)
    void batches.halt(id, 'paused')
    void batches.stopCopying()
  }
  const ends = [
    context.onEvent((event) => {
      if (event.kind === 'batch-changed' && event.batch.id === id) report(event.batch)
    }),
    onSignal((signal) => pause(pausedBy[signal])),
    context.output.onFault(() => pause('outputLost'))
  ]
  try {
    const started = await batches.start(id, {
      ...(context.options.live && { confirmation: connectionName }),
      afterRestore: context.options['after-restore'] === true
    })
    if (!started.ok) return failureEnding(started.failure)
    // A request to pause that came while the batch was starting had no effect yet.
    if (stopped !== undefined) void batches.halt(id, 'paused')
    const ending = await waitForEnd(context, id, () => stopped)
    const { 'recently-answered': recent, duplicate } = batch.counts
    return nothingToSend && ending.exit === 'done' && recent > 0 && recent + duplicate === batch.rows
      ? { ...ending, exit: 'recentlyAnswered' }
      : ending
  } finally {
    ends.forEach((end) => end())
  }
}
