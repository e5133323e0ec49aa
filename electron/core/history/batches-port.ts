/** The batches' side of the port, over the worker's line. */
import type { BatchStore } from '../batches/store.ts'

type Call = <T>(method: string, ...args: readonly unknown[]) => Promise<T>

export const batchPort = (call: Call): BatchStore => ({
  make: (draft) => call('batch.make', draft),
  add: (id, rows, lately) => call('batch.add', id, rows, lately),
  seal: (id) => call('batch.seal', id),
  discard: (id) => call('batch.discard', id),
  again: (id, at) => call('batch.again', id, at),
  show: (id) => call('batch.show', id),
  draft: (id) => call('batch.draft', id),
  list: (query) => call('batch.list', query),
  rows: (query) => call('batch.rows', query),
  results: (id, wanted) => call('batch.results', id, wanted),
  take: (id, after, limit) => call('batch.take', id, after, limit),
  step: (id, step) => call('batch.step', id, step),
  become: (id, state, at, reason) => call('batch.become', id, state, at, reason),
  settle: (id, rows, as, at) => call('batch.settle', id, rows, as, at)
})
