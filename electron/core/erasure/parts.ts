/** Shared by the steps of an erasure. */
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import type { TeamErasure } from '#contract/team/erasures.ts'
import type { ChosenFiles } from '#core/files/unfinished.ts'
import { codeOf } from '#wire/files/write.ts'
import type { Clock } from '#kit/clock.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import type { LaunchWorker } from '#wire/worker-line.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'

/** Dependencies of an erasure. */
export interface ErasureParts {
  readonly dataFolder: string
  readonly keychain: SecretStore
  readonly launch: LaunchWorker
  readonly clock: Clock
  readonly operator: string
  /** The open history, or why there is none; waits for an opening in progress. */
  readonly store: () => Promise<Result<HistoryStore, Failure>>
  readonly files: ChosenFiles
  readonly changed: () => void
  /** Called as soon as keys are destroyed, whatever caused it: windows and what the team keeps here of these applicants follow. */
  readonly erased: (applicantIds: readonly string[]) => Promise<void>
  /** Who in the team has acknowledged erasures, by the numbers of their events; undefined without one. */
  readonly inTeam: (events: readonly number[]) => Promise<readonly TeamErasure[] | undefined>
}

export type Answer<T> = Promise<Result<T, Failure>>

/** Queries the history’s erasure interface; fails if no history is open. */
export async function ask<T>(
  { store }: Pick<ErasureParts, 'store'>,
  work: (store: HistoryStore['erasure']) => Answer<T>
): Answer<T> {
  const opened = await store()
  return opened.ok ? work(opened.value.erasure) : opened
}

/** Runs a file operation. Returns the file system’s error code, or undefined on success. */
export async function fileFault(work: () => Promise<void>): Promise<string | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (codeOf(error) === 'unknown') throw error
    return codeOf(error)
  }
}
