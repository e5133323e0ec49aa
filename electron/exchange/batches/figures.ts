/**
 * How far shared batches are, by installation. Parts that are done get no further intents, so those of the first parts are
 * counted once: the window asks every few seconds, and a batch may have millions of rows.
 */
import type { BatchFigures } from '#team/thread/batches.ts'
import type { Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { BatchTables } from './database.ts'

/** Intents of all rows up to one, by installation. */
interface Counted {
  readonly until: number
  readonly intents: ReadonlyMap<string, number>
}
const nothing: Counted = { until: 0, intents: new Map() }

/** Keeps what it has counted of each batch. */
export function createFigures() {
  const counted = new Map<string, Counted>()
  return async (
    tables: Pick<BatchTables, 'parts' | 'countIntents'>,
    batch: string
  ): Promise<Result<BatchFigures, Failure>> => {
    // Before the intents are counted: until then, more parts can only have become done.
    const parts = await tables.parts(batch)
    if (!parts.ok) return parts
    const { chunks, done, wholeUntil, holds } = parts.value
    const last = counted.get(batch) ?? nothing
    // A database that was restored has fewer parts that are done.
    const known = last.until <= wholeUntil ? last : nothing
    const found = await tables.countIntents(batch, known.until, wholeUntil)
    if (!found.ok) return found
    const [all, final] = [new Map(known.intents), new Map(known.intents)]
    for (const { installation, intents, until } of found.value) {
      all.set(installation, (all.get(installation) ?? 0) + intents)
      if (until > 0) final.set(installation, (final.get(installation) ?? 0) + until)
    }
    counted.set(batch, { until: wholeUntil, intents: final })
    const held = new Map(holds.map(({ installation, holds: count }) => [installation, count]))
    const installations = [...new Set([...all.keys(), ...held.keys()])].sort()
    return ok({
      chunks,
      done,
      installations: installations.map((installation) => ({
        installation,
        intents: all.get(installation) ?? 0,
        holds: held.get(installation) ?? 0
      }))
    })
  }
}
