/** What could not be written to a history because the disk was full, and what writes it later. */
import type { BatchState, BatchSummary } from '#contract/batches/batches.ts'
import type { Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { BatchStore, RowFinish } from '#wire/history/batches.ts'

type Ended = Pick<BatchSummary, 'state' | 'reason'>

/** Kept per history, since another one, such as after a restore, does not have these rows. */
interface Late {
  /** Results of rows, by batch. */
  readonly endings: Map<string, readonly RowFinish[]>
  /** States that batches ended in, by batch. */
  readonly states: Map<string, Ended>
}

export interface LateRows {
  of(store: BatchStore): Late
  /** Writes pending results before the state, or they would be lost when the application closes. */
  setState(
    store: BatchStore,
    id: string,
    state: BatchState,
    by: 'person' | 'console',
    reason?: Failure
  ): Promise<Result<BatchSummary, Failure>>
  /** Writes all results that have space now. */
  writeAll(): Promise<void>
  /** Whether nothing is in memory only. */
  isWritten(): boolean
}

export function createLateRows(parts: { readonly clock: { now(): number }; readonly operator: string }): LateRows {
  const kept = new Map<BatchStore, Late>()
  const lateOf = (store: BatchStore): Late => {
    const late = kept.get(store) ?? { endings: new Map(), states: new Map() }
    kept.set(store, late)
    return late
  }

  /** Writes the results that an earlier run of this batch could not write. */
  async function write(store: BatchStore, id: string): Promise<Result<null, Failure>> {
    const { endings } = lateOf(store)
    const late = [...(endings.get(id) ?? [])]
    for (let finish = late[0]; finish; finish = late[0]) {
      const done = await store.step(id, { finish })
      if (!done.ok) return done
      late.shift()
      endings.set(id, late)
    }
    endings.delete(id)
    return ok(null)
  }

  return {
    of: lateOf,
    async setState(store, id, state, by, reason) {
      const written = await write(store, id)
      if (!written.ok) return written
      const operator = by === 'person' ? parts.operator : undefined
      const changed = await store.setState(id, state, { at: parts.clock.now(), operator }, reason)
      if (changed.ok) lateOf(store).states.delete(id)
      return changed
    },
    async writeAll() {
      for (const [store, { endings }] of kept) for (const id of [...endings.keys()]) await write(store, id)
    },
    isWritten: () => [...kept.values()].every(({ endings, states }) => endings.size === 0 && states.size === 0)
  }
}
