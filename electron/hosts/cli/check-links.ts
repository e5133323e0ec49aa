/** `--check-links` of `batch check` and `batch run`: asks the server of each link of a file before anything is paid for. */
import type { BatchLinkCheck, BatchLinksOrder } from '#contract/batches/links.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import { failureEnding, type Context, type Ending } from './context.ts'
import { linksProgress, type FoundLinks } from './print-links.ts'
import { onSignal, signalEndings, type EndingSignal } from './signals.ts'

/** Rows with findings that are printed. */
const listed = 1000

/** Checks the links of a checked file, until its end or a signal. */
export async function checkLinks(context: Context, order: BatchLinksOrder): Promise<Result<FoundLinks, Ending>> {
  const { checkId } = order
  const batches = await context.batches()
  const over = Promise.withResolvers<BatchLinkCheck>()
  let signal: EndingSignal | undefined
  const ends = [
    context.onEvent((event) => {
      if (event.kind !== 'link-check' || event.check.checkId !== checkId) return
      if (event.check.state !== 'running') over.resolve(event.check)
      else context.showProgress(linksProgress(event.check))
    }),
    onSignal((received) => {
      signal = received
      void batches.stopLinks(checkId)
    })
  ]
  try {
    const started = await batches.checkLinks(order)
    if (!started.ok) return fail(failureEnding(started.failure))
    // A signal that came before had nothing to stop.
    if (signal !== undefined) void batches.stopLinks(checkId)
    const check = await over.promise
    context.clearProgress()
    if (signal !== undefined)
      return fail({
        exit: signalEndings[signal],
        error: `The check of the links was stopped after ${check.done} of ${check.links}.\nNothing was sent.`
      })
    if (check.failure) return fail(failureEnding(check.failure))
    const rows = await batches.linkRows(checkId, listed)
    return rows.ok ? ok({ check, rows: rows.value }) : fail(failureEnding(rows.failure))
  } finally {
    ends.forEach((end) => end())
  }
}
