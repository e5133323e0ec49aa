/** Hands out a batch's waiting rows in order, with a few hundred in memory at a time. */
import type { Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { BatchStore, TakenRow } from '#wire/history/batches.ts'

const chunkRows = 256
const lowWater = 64

export interface Feed {
  /** The next row, if one is loaded. */
  next(): TakenRow | undefined
  /** Waits for more rows; false when there are none. */
  fill(): Promise<Result<boolean, Failure>>
}

export function createFeed(store: Pick<BatchStore, 'take'>, id: string): Feed {
  let rows: TakenRow[] = []
  let at = 0
  let after = 0
  let dry = false
  let loading: Promise<Result<null, Failure>> | undefined

  const load = (): Promise<Result<null, Failure>> =>
    (loading ??= (async () => {
      const taken = await store.take(id, after, chunkRows)
      loading = undefined
      if (!taken.ok) return taken
      dry = taken.value.length === 0
      after = taken.value.at(-1)?.row ?? after
      rows = [...rows.slice(at), ...taken.value]
      at = 0
      return ok(null)
    })())

  return {
    next() {
      const row = rows[at]
      if (row) at += 1
      // Loads ahead of need. A failure is returned by the `fill` that waits for it.
      if (!dry && rows.length - at < lowWater) void load()
      return row
    },
    async fill() {
      if (at < rows.length) return ok(true)
      if (dry) return ok(false)
      const loaded = await load()
      return loaded.ok ? ok(at < rows.length || !dry) : loaded
    }
  }
}
