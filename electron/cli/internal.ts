import { failure } from '#contract/failures.ts'
import { failureEnding, type Ending } from './context.ts'

/** An error of Veridesk's own. Whatever was sent before, its sentences say nothing against it; its text may quote anything and is not told. */
export function internal(error: unknown): Ending {
  return failureEnding(failure('internal', { reason: 'error', error: error instanceof Error ? error.name : 'unknown error' }))
}
