/** What people do with shared batches: share one, list them, take one over, and read its progress and results. */
import type { BatchSummary } from '#contract/batches/batches.ts'
import { heldBy } from '#contract/batches/held-batches.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import type { TeamBatch, TeamBatchProgress } from '#contract/team/batches.ts'
import type { ResultSource } from '#core/batches/results.ts'
import type { LocatedBatch, SharedOrder, SharedRun } from '#core/batches/shared/ports.ts'
import type { BatchDraft, SharedTerms } from '#wire/history/batches.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import type { RecordConnection } from '#contract/history/records.ts'
import type { ReceivedBatch, TeamBatchWorker } from '#team/thread/batches.ts'
import { wholeResults } from './results.ts'
import { runRules, type RunRules } from './rules.ts'
import { startSharedRun } from './run.ts'

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

type Answer<T> = Promise<Result<T, Failure>>

/** What a batch is run over. */
export type RunConnection = RecordConnection

/** This installation in its team. */
export interface SharingPlace {
  readonly installation: string
  /** The team's ID. */
  readonly team: string
  /** Its connections that are not shared; undefined before its user has chosen. */
  readonly kept: readonly string[] | undefined
}

export interface BatchSharingParts {
  readonly clock: { now(): number; monotonic(): number }
  readonly operator: string
  readonly consoleVersion: string
  history(): Answer<HistoryStore>
  /** Failures: `team-missing`; those of the team's worker. */
  worker(): Answer<TeamBatchWorker>
  /** Failures: `team-missing`, those of `readTeam`. */
  place(): Result<SharingPlace, Failure>
  /** Something was recorded here. */
  look(): void
  /** A new UUID. */
  newId(): string
  /** Those of the product, if absent. */
  readonly rules?: RunRules | undefined
}

/** Rows that are recorded for the team in one step. */
const givenAtOnce = 500

export function createBatchSharing(parts: BatchSharingParts) {
  const { clock, operator } = parts
  const hand = () => ({ at: clock.now(), operator })

  /** Why the results of a connection would not reach the team. */
  function unshared(connectionId: string): Result<SharingPlace, Failure> {
    const place = parts.place()
    if (!place.ok) return place
    if (place.value.kept === undefined) return failed('team-batch-unusable', { reason: 'sharing' })
    return place.value.kept.includes(connectionId) ? failed('team-batch-unusable', { reason: 'kept' }) : place
  }

  /** A batch is its team's, even if its rows are here, or have arrived, after this installation went to another one. */
  function ofTeam({ team }: Pick<SharedTerms, 'team'>): Result<SharingPlace, Failure> {
    const place = parts.place()
    return place.ok && place.value.team !== team ? failed('team-batch-unusable', { reason: 'team' }) : place
  }

  /** A batch of the present team that a colleague shared; undefined if it has not arrived. */
  async function findIn(worker: TeamBatchWorker, id: string): Answer<ReceivedBatch | undefined> {
    const found = await worker.find(id)
    if (!found.ok || !found.value) return found
    const may = ofTeam(found.value.shared)
    return may.ok ? found : may
  }

  /** What was agreed on about a batch that is here; undefined if it is not here, or not shared. */
  async function termsOf({ batches }: Pick<HistoryStore, 'batches'>, id: string): Answer<SharedTerms | undefined> {
    const draft = await batches.draft(id)
    if (draft.ok) return ok(draft.value.shared)
    return draft.failure.code === 'batch-missing' ? ok(undefined) : draft
  }

  async function share(id: string): Answer<BatchSummary> {
    const history = await parts.history()
    if (!history.ok) return history
    const { batches, sharedBatches } = history.value
    const [batch, last] = [await batches.show(id), await sharedBatches.last(id)]
    if (!batch.ok) return batch
    if (!last.ok) return last
    if (batch.value.shared) return failed('team-batch-unusable', { reason: 'shared' })
    const held = heldBy(batch.value)
    if (held) return fail(held)
    const may = unshared(batch.value.connection.id)
    if (!may.ok) return may
    let rows = 0
    for (;;) {
      const given = await sharedBatches.give(id, rows, givenAtOnce, hand())
      if (!given.ok) return given
      if (given.value === undefined) break
      rows = given.value
    }
    const { team, installation: sharer } = may.value
    const shared = await sharedBatches.share(id, { rows, team, sharer }, hand(), last.value)
    if (shared.ok) parts.look()
    return shared
  }

  /** What a colleague shared becomes a batch here, without rows, unless somebody else runs it. The same one again if it is here already. */
  async function takeOver(id: string, connection: RunConnection): Answer<BatchSummary> {
    const history = await parts.history()
    if (!history.ok) return history
    const present = await history.value.batches.show(id)
    if (present.ok) {
      const terms = await termsOf(history.value, id)
      if (!terms.ok) return terms
      const same = terms.value ? ofTeam(terms.value) : failed('team-batch-unusable', { reason: 'not-shared' })
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
      operator,
      consoleVersion: parts.consoleVersion
    })
  }

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
      operator,
      clock,
      rules: parts.rules ?? runRules,
      port: worker.value,
      attempt: parts.newId,
      random: Math.random
    })
  }

  async function list(): Answer<readonly TeamBatch[]> {
    const [history, worker, place] = [await parts.history(), await parts.worker(), parts.place()]
    if (!history.ok) return history
    if (!worker.ok) return worker
    if (!place.ok) return place
    const [received, names, here] = [
      await worker.value.received(),
      await worker.value.names(),
      await history.value.batches.list({ limit: 200 })
    ]
    if (!received.ok) return received
    if (!names.ok) return names
    if (!here.ok) return here
    const { team } = place.value
    const known = new Map<string, BatchSummary>()
    for (const batch of here.value.filter(({ shared }) => shared)) {
      const terms = await termsOf(history.value, batch.id)
      if (!terms.ok) return terms
      if (terms.value?.team === team) known.set(batch.id, batch)
    }
    const theirs = received.value
      .filter(({ shared }) => shared.team === team)
      .flatMap(({ names: words, installation, shared: _, ...batch }): readonly TeamBatch[] =>
        words
          ? [
              {
                ...batch,
                name: words.name,
                member: names.value[installation] ?? installation,
                own: false,
                here: known.has(batch.id)
              }
            ]
          : []
      )
    const ids = new Set(received.value.map(({ id }) => id))
    const own = [...known.values()]
      .filter(({ id }) => !ids.has(id))
      .map(({ id, name, operation, connection, createdAt, atOnce, pace }): TeamBatch => ({
        id,
        name,
        operation,
        connection: { name: connection.name, origin: connection.origin, mode: connection.mode },
        at: createdAt,
        atOnce,
        pace,
        member: names.value[place.value.installation] ?? operator,
        own: true,
        here: true
      }))
    return ok([...theirs, ...own].sort((a, b) => b.at - a.at))
  }

  async function progress(id: string): Answer<TeamBatchProgress> {
    const history = await parts.history()
    if (!history.ok) return history
    const terms = await termsOf(history.value, id)
    if (!terms.ok) return terms
    const same = terms.value && ofTeam(terms.value)
    if (same?.ok === false) return same
    const worker = await parts.worker()
    if (!worker.ok) return worker
    const [figures, names, finished, here, place] = [
      await worker.value.figures(id),
      await worker.value.names(),
      await worker.value.isFinished(id),
      await history.value.batches.show(id),
      parts.place()
    ]
    if (!figures.ok) return figures
    if (!names.ok) return names
    if (!finished.ok) return finished
    if (!place.ok) return place
    const { runner, installations } = figures.value
    const named = (installation: string) => ({ installation, member: names.value[installation] ?? installation })
    return ok({
      id,
      finished: finished.value || (here.ok && here.value.state === 'finished'),
      ...(runner && {
        runner: {
          ...named(runner.installation),
          own: runner.installation === place.value.installation,
          since: runner.since
        }
      }),
      shares: installations.map(({ installation, intents }) => ({ ...named(installation), rows: intents }))
    })
  }

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
      operator,
      consoleVersion: parts.consoleVersion
    }
    return results({ batch: { id, name: draft.name }, draft }, undefined)
  }

  return { share, takeOver, run, list, progress, results, locate }
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
    operation,
    connection,
    atOnce,
    pace,
    shared: { ...shared, from: installation }
  }
}
