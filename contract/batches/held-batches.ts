/** Batches that a restore holds. Separate from the schemas of batches, since the window's frame is drawn without zod. */
import type { BatchSummary } from './batches.ts'
import { failure, type Failure } from '../failures/failures.ts'

/**
 * Held after a restore: what may have been sent since the backup must not be sent again without a user's
 * confirmation.
 */
export const isHeld = ({ state, reason }: Pick<BatchSummary, 'state' | 'reason'>): boolean =>
  (state === 'stopped' || state === 'made') && reason?.code.startsWith('batch-restored') === true

/** Why it is held; undefined if it is not. */
export function heldBy(batch: Pick<BatchSummary, 'state' | 'reason'>): Failure | undefined {
  if (!batch.reason || !isHeld(batch)) return undefined
  // The text of a reason that an earlier version recorded says nothing about its details.
  return 'what' in batch.reason ? failure('batch-restored-unconfirmed') : batch.reason
}
