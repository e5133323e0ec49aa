/** What this installation may do with a shared batch: whose it is, whether its results reach the team, what was agreed on. */
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { SharedTerms } from '#wire/history/batches.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import type { ReceivedBatch, TeamBatchWorker } from '#team/thread/batches.ts'
import type { RunRules } from './rules.ts'

export type Answer<T> = Promise<Result<T, Failure>>

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

export type SharingTerms = ReturnType<typeof sharingTerms>

export function sharingTerms(parts: Pick<BatchSharingParts, 'place'>) {
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

  return { unshared, ofTeam, findIn, termsOf }
}
