/** Runs a batch and stays with it to its end, whatever ends it: its rows, a signal, or an output that nobody reads. */
import type { BatchSummary } from '#contract/batches.ts'
import { jsonText } from './print-text.ts'
import { failureAfterSending, failureEnding, historyLasts, textOption, type Context, type Ending, type EndingAfterSending } from './context.ts'
import type { ExitAfterSending } from './exit.ts'
import { failureText } from './print.ts'
import { batchText, progressLine } from './print-batch.ts'
import { onSignal, signalEndings } from './signals.ts'

/** How to go on with a batch, or why nobody can. */
const goingOn = async (context: Context, { id }: BatchSummary): Promise<string> =>
  (await historyLasts(context)) ? `“batch resume ${id}” resumes it.` : 'it cannot be resumed, because its history was not stored.'

/** Ctrl-C always ended a batch as paused; the other two have the codes that who sent them expects. */
const pausedBy = { ...signalEndings, SIGINT: 'batchStopped' } as const

/** Rows that the guard holds back, said aloud: a batch of them alone would end without a word. */
function recentNote({ counts, rows }: BatchSummary): string {
  const number = (value: number): string => value.toLocaleString('en')
  const which = counts['recently-answered'] === rows ? `All ${number(rows)} rows were` : `${number(counts['recently-answered'])} of ${number(rows)} rows were`
  return `${which} recently answered and are not sent again; --repeat sends them.`
}

/** The ending of a batch that was run, by the states of its rows; `stopped` where something made it pause. */
function endingOf(batch: BatchSummary, stopped: ExitAfterSending | undefined, how: string): EndingAfterSending {
  const { counts, state } = batch
  const missed = counts.unreadable + counts['not-sent'] + counts.unknown + counts.invalid + counts.cancelled
  const reason = batch.reason && failureText(batch.reason)
  if (state === 'paused') return { exit: stopped ?? 'batchStopped', error: reason ?? `The batch is paused; ${how}` }
  return { exit: state !== 'finished' ? 'batchStopped' : missed > 0 ? 'batchSomeNot' : 'done', ...(reason !== undefined && { error: reason }) }
}

/** Writes the results where they were asked for; a file that is missing does not unsay the run. */
async function withResults(context: Context, batch: BatchSummary, ending: EndingAfterSending): Promise<EndingAfterSending> {
  const out = textOption(context, 'out')
  if (out === undefined) return ending
  const saved = await (await context.batches()).saveTo(batch.id, 'results', out)
  if (saved.ok) return ending
  const where = (await historyLasts(context))
    ? `The batch is ${batch.state}, and its results are in the history: “batch save ${batch.id} --out FILE” writes them.`
    : `The batch is ${batch.state}; its history was not stored.`
  return { ...ending, exit: 'fileMissing', error: [ending.error, failureText(saved.failure), where].filter((text) => text !== undefined).join('\n') }
}

/** Once it runs: to its end, and no ending from here on may say that nothing was sent. */
async function toItsEnd(context: Context, id: string, stopped: () => ExitAfterSending | undefined): Promise<EndingAfterSending> {
  const batches = await context.batches()
  await batches.ended(id)
  const over = await batches.show(id)
  if (!over.ok) return failureAfterSending(over.failure)
  if (context.terminal) context.clearProgress()
  context.output.line(context.terminal ? batchText(over.value) : jsonText({ event: 'end', ...over.value }))
  const written = await context.output.drained()
  const how = await goingOn(context, over.value)
  const ending = await withResults(context, over.value, endingOf(over.value, stopped(), how))
  const kept = `The batch is ${over.value.state}; ${over.value.state === 'paused' ? how : `“batch show ${id}” prints it.`}`
  return written ? ending : { ...ending, kept }
}

/**
 * Starts a batch and stays with it. The first Ctrl-C, SIGTERM or SIGHUP pauses it, and so does an output that
 * cannot be written: rows in progress come to their end. A later Ctrl-C ends at once, and loses nothing.
 */
export async function followBatch(context: Context, batch: BatchSummary, connectionName: string): Promise<Ending> {
  const batches = await context.batches()
  const { id } = batch
  const report = (shown: BatchSummary): void => {
    if (context.terminal) context.showProgress(progressLine(shown))
    else context.output.line(jsonText({ event: 'progress', ...shown }))
  }
  if (batch.counts['recently-answered'] > 0) context.note(recentNote(batch))
  // Whether the output takes anything is found out before anything is sent.
  report(batch)
  if (!(await context.output.drained())) return { exit: 'outputLost', kept: `Nothing was sent by it; ${await goingOn(context, batch)}` }
  const nothingToSend = batch.counts.waiting + batch.counts.open === 0

  let stopped: ExitAfterSending | undefined
  const pause = (exit: ExitAfterSending): void => {
    if (stopped !== undefined) return
    stopped = exit
    context.note(`${context.terminal ? '\n' : ''}Pausing: rows in progress are finishing …`)
    void batches.halt(id, 'paused')
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
    // What was asked for while it was about to start did not reach it.
    if (stopped !== undefined) void batches.halt(id, 'paused')
    const ending = await toItsEnd(context, id, () => stopped)
    const { 'recently-answered': recent, duplicate } = batch.counts
    return nothingToSend && ending.exit === 'done' && recent > 0 && recent + duplicate === batch.rows ? { ...ending, exit: 'recentlyAnswered' } : ending
  } finally {
    ends.forEach((end) => end())
  }
}
