/** Batches that a restore holds. Separate from the schemas of batches, since the window's frame is drawn without zod. */
import type { BatchSummary } from './batches.ts'
import type { Failure } from '../failures/failures.ts'

/**
 * Held after a restore: what may have been sent since the backup must not be sent again without a user's
 * confirmation.
 */
export const isHeld = ({ state, reason }: Pick<BatchSummary, 'state' | 'reason'>): boolean =>
  (state === 'stopped' || state === 'made') && reason?.code.startsWith('batch-restored') === true

/** Why it is held; undefined if it is not. */
export function heldBy(batch: Pick<BatchSummary, 'state' | 'reason'>): Failure | undefined {
  return isHeld(batch) ? batch.reason : undefined
}
