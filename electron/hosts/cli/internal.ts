import { failure } from '#contract/failures/failures.ts'
import { failureEnding, type Ending } from './context.ts'

/**
 * The ending for an error in Veridesk itself. Its sentences make no statement about what was sent; the error's text
 * is left out, because it may contain any data.
 */
export function internal(error: unknown): Ending {
  return failureEnding(
    failure('internal', { reason: 'error', error: error instanceof Error ? error.name : 'unknown error' })
  )
}
