/** Steps of batches that are asked for at the same time, sent together. */
import type { Failure } from '#contract/failures.ts'
import type { Result } from '#contract/result.ts'
import type { BatchStep, BatchStore, StepDone } from './api/batches.ts'
import type { HistoryWorker } from './worker/interface.ts'

type Stepped = Result<StepDone, Failure>

/**
 * Steps that are asked for while others are being written go together in the next message, and to the disk
 * together: a commit costs as much as the writing of several rows.
 */
export function grouped(steps: HistoryWorker['batches']['steps']): BatchStore['step'] {
  let gathered: { readonly step: readonly [id: string, step: BatchStep]; readonly settle: (done: Stepped) => void }[] = []
  let busy = false
  async function send(): Promise<void> {
    while (gathered.length > 0) {
      const group = gathered
      gathered = []
      // A worker that was lost answers for all of them with one failure.
      const answers = await steps(group.map(({ step }) => step))
      group.forEach(({ settle }, index) => settle('ok' in answers ? answers : (answers[index] as Stepped)))
    }
    busy = false
  }
  return (id, step) =>
    new Promise((settle) => {
      gathered.push({ step: [id, step], settle })
      if (busy) return
      busy = true
      // What is asked for in the same turn goes along.
      setImmediate(() => void send())
    })
}
