/** The batches' side of the port, over the worker's line. */
import type { Failure } from '#contract/failures.ts'
import type { Result } from '#contract/result.ts'
import type { BatchStep, BatchStore, StepDone } from './api/batches.ts'

type Call = <T>(method: string, ...args: readonly unknown[]) => Promise<T>
type Stepped = Result<StepDone, Failure>

/**
 * Steps that are asked for while others are being written go together in the next message, and to the disk
 * together: a commit costs as much as the writing of several rows.
 */
function grouped(call: Call): BatchStore['step'] {
  let gathered: { readonly step: readonly [id: string, step: BatchStep]; readonly settle: (done: Stepped) => void }[] = []
  let busy = false
  async function send(): Promise<void> {
    while (gathered.length > 0) {
      const group = gathered
      gathered = []
      // A worker that was lost answers for all of them with one failure.
      const answers = await call<readonly Stepped[] | (Stepped & { ok: false })>('batch.steps', group.map(({ step }) => step))
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

export const batchPort = (call: Call): BatchStore => ({
  make: (draft) => call('batch.make', draft),
  add: (id, rows, recentDuplicates) => call('batch.add', id, rows, recentDuplicates),
  seal: (id) => call('batch.seal', id),
  discard: (id) => call('batch.discard', id),
  again: (id, at) => call('batch.again', id, at),
  show: (id) => call('batch.show', id),
  draft: (id) => call('batch.draft', id),
  failed: (id) => call('batch.failed', id),
  recentDuplicates: (of, checks, since) => call('batch.recentDuplicates', of, checks, since),
  list: (query) => call('batch.list', query),
  rows: (query) => call('batch.rows', query),
  results: (id, wanted) => call('batch.results', id, wanted),
  take: (id, after, limit) => call('batch.take', id, after, limit),
  step: grouped(call),
  become: (id, state, at, reason) => call('batch.become', id, state, at, reason),
  resolve: (id, rows, as, at) => call('batch.resolve', id, rows, as, at)
})
