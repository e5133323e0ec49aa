/** What people do with shared batches: share one, take one over, run it, and read its results. */
import type { BatchSummary } from '#contract/batches/batches.ts'
import { heldBy } from '#contract/batches/held-batches.ts'
import { failed } from '#contract/failures/failures.ts'
import { fail, ok } from '#contract/failures/result.ts'
import type { RecordConnection } from '#contract/history/records.ts'
import type { ResultSource } from '#core/batches/results.ts'
import type { LocatedBatch, SharedOrder, SharedRun } from '#core/batches/shared/ports.ts'
import type { BatchDraft, SharedTerms } from '#wire/history/batches.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import type { ReceivedBatch } from '#team/thread/batches.ts'
import { createBatchListing } from './listing.ts'
import { wholeResults } from './results.ts'
import { runRules } from './rules.ts'
import { startSharedRun } from './run.ts'
import { sharingTerms, type Answer, type BatchSharingParts, type SharingTerms } from './terms.ts'

/** Waiting that ends early when there is something to do. */
interface Rests {
  rest(milliseconds: number): Promise<void>
  wake(): void
}

function createRests(): Rests {
  const resting = new Set<() => void>()
  return {
    rest: (milliseconds) =>
      new Promise((resolve) => {
        const end = (): void => {
          clearTimeout(timer)
          resting.delete(end)
          resolve()
        }
        const timer = setTimeout(end, milliseconds)
        resting.add(end)
      }),
    wake() {
      for (const end of resting) end()
    }
  }
}

/** What a batch is run over. */
export type RunConnection = RecordConnection

/** Rows that are recorded for the team in one step. */
const givenAtOnce = 500

/** Records all rows for the team; returns the number of the last one. */
async function giveRows(
  store: Pick<HistoryStore['sharedBatches'], 'give'>,
  id: string,
  by: Parameters<HistoryStore['sharedBatches']['give']>[3]
): Answer<number> {
  for (let rows = 0; ;) {
    const given = await store.give(id, rows, givenAtOnce, by)
    if (!given.ok) return given
    if (given.value === undefined) return ok(rows)
    rows = given.value
  }
}

/** Running what is shared, here. */
function createSharedRuns(parts: BatchSharingParts, { ofTeam, unshared, findIn }: SharingTerms) {
  const { clock } = parts

  async function run({ id, draft, store, journal }: SharedOrder): Answer<SharedRun> {
    const same = ofTeam(draft.shared)
    if (!same.ok) return same
    const may = unshared(draft.connection.id)
    if (!may.ok) return may
    const worker = await parts.worker()
    if (!worker.ok) return worker
    const { rows, from } = draft.shared
    if (from !== undefined) {
      const found = await findIn(worker.value, id)
      if (!found.ok) return found
      if (found.value?.installation !== from) return failed('team-batch-unusable', { reason: 'awaited' })
    }
    return startSharedRun({
      ...createRests(),
      id,
      rows,
      from,
      store,
      journal,
      operator: parts.operator,
      clock,
      rules: parts.rules ?? runRules,
      port: worker.value,
      attempt: parts.newId,
      random: Math.random
    })
  }

  return { run }
}

/** Results of batches that are here, and of those that are not. */
function createSharedResults(parts: BatchSharingParts, { ofTeam }: SharingTerms) {
  /** Results with the outcomes of all installations. */
  async function results(
    found: Pick<LocatedBatch, 'batch' | 'draft'>,
    own: ResultSource | undefined
  ): Answer<LocatedBatch> {
    const worker = await parts.worker()
    return worker.ok
      ? ok({
          ...found,
          source: wholeResults({ id: found.batch.id, from: found.draft.shared?.from, worker: worker.value, own })
        })
      : worker
  }

  /** A colleague's batch of which nothing was run here. */
  async function locate(id: string): Answer<LocatedBatch> {
    const worker = await parts.worker()
    if (!worker.ok) return worker
    const header = await worker.value.find(id)
    if (!header.ok) return header
    if (!header.value?.names || !ofTeam(header.value.shared).ok) return failed('batch-missing')
    const { connection, at } = header.value
    const draft = {
      ...draftOf(header.value, { id: '', colour: 'slate', mark: '', ...connection }),
      createdAt: at,
      operator: parts.operator,
      consoleVersion: parts.consoleVersion
    }
    return results({ batch: { id, name: draft.name }, draft }, undefined)
  }

  return { results, locate }
}

export function createBatchSharing(parts: BatchSharingParts) {
  const { clock } = parts
  const terms = sharingTerms(parts)
  const { ofTeam, unshared, findIn, termsOf } = terms
  const hand = () => ({ at: clock.now(), operator: parts.operator })

  async function share(id: string): Answer<BatchSummary> {
    const history = await parts.history()
    if (!history.ok) return history
    const { batches, sharedBatches } = history.value
    const [batch, last] = [await batches.show(id), await sharedBatches.last(id)]
    if (!batch.ok) return batch
    if (!last.ok) return last
    if (batch.value.shared) return failed('team-batch-unusable', { reason: 'shared' })
    if (batch.value.operations.length > 1) return failed('team-batch-unusable', { reason: 'recipe' })
    const held = heldBy(batch.value)
    if (held) return fail(held)
    const may = unshared(batch.value.connection.id)
    if (!may.ok) return may
    const rows = await giveRows(sharedBatches, id, hand())
    if (!rows.ok) return rows
    const { team, installation: sharer } = may.value
    const shared = await sharedBatches.share(id, { rows: rows.value, team, sharer }, hand(), last.value)
    if (shared.ok) parts.look()
    return shared
  }

  /** What a colleague shared becomes a batch here, without rows, unless somebody else runs it. The same one again if it is here already. */
  async function takeOver(id: string, connection: RunConnection): Answer<BatchSummary> {
    const history = await parts.history()
    if (!history.ok) return history
    const present = await history.value.batches.show(id)
    if (present.ok) {
      const agreed = await termsOf(history.value, id)
      if (!agreed.ok) return agreed
      const same = agreed.value ? ofTeam(agreed.value) : failed('team-batch-unusable', { reason: 'not-shared' })
      if (!same.ok) return same
    }
    const worker = await parts.worker()
    if (!worker.ok) return worker
    const free = await worker.value.free(id)
    if (!free.ok) return free
    if (present.ok) return present
    const found = await findIn(worker.value, id)
    if (!found.ok) return found
    if (!found.value?.names) return failed('team-batch-missing')
    const may = unshared(connection.id)
    if (!may.ok) return may
    const { connection: theirs } = found.value
    if (theirs.origin !== connection.origin || theirs.mode !== connection.mode)
      return failed('team-batch-unusable', { reason: 'connection', origin: theirs.origin, mode: theirs.mode })
    return history.value.sharedBatches.join(id, {
      ...draftOf(found.value, connection),
      createdAt: clock.now(),
      operator: parts.operator,
      consoleVersion: parts.consoleVersion
    })
  }

  return {
    share,
    takeOver,
    ...createSharedRuns(parts, terms),
    ...createBatchListing(parts, terms),
    ...createSharedResults(parts, terms)
  }
}

type TakenDraft = Omit<BatchDraft, 'createdAt' | 'operator' | 'consoleVersion'> & { readonly shared: SharedTerms }

function draftOf(
  { names, operation, atOnce, pace, shared, installation }: ReceivedBatch,
  connection: RunConnection
): TakenDraft {
  const { name, fileName, sha256, layout } = names ?? {
    name: '',
    fileName: '',
    sha256: '',
    layout: { columns: [], delimiter: ',' as const, mapping: {}, applicantColumn: -1 }
  }
  return {
    name,
    fileName,
    sha256,
    layout,
    operations: [operation],
    connection,
    atOnce,
    pace,
    shared: { ...shared, from: installation }
  }
}
