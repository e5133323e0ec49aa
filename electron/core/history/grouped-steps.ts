/** Sends batch steps that are requested at the same time together. */
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import type { BatchStep, BatchStore, StepDone } from '#wire/history/batches.ts'
import type { HistoryWorker } from '#wire/history/thread.ts'

type Stepped = Result<StepDone, Failure>

/**
 * Steps requested while others are being written go together in the next message and are synced together: a commit
 * costs as much as writing several rows.
 */
export function grouped(steps: HistoryWorker['batches']['steps']): BatchStore['step'] {
  let gathered: { readonly step: readonly [id: string, step: BatchStep]; readonly resolve: (done: Stepped) => void }[] =
    []
  let busy = false
  async function send(): Promise<void> {
    while (gathered.length > 0) {
      const group = gathered
      gathered = []
      // If the worker ended, one failure answers all of them.
      const answers = await steps(group.map(({ step }) => step))
      group.forEach(({ resolve }, index) => resolve('ok' in answers ? answers : (answers[index] as Stepped)))
    }
    busy = false
  }
  return (id, step) =>
    new Promise((resolve) => {
      gathered.push({ step: [id, step], resolve })
      if (busy) return
      busy = true
      // Includes what is requested in the same turn.
      setImmediate(() => void send())
    })
}
