/** What follows from findings. Pure. */
import type { FailureCode } from '#contract/failures.ts'
import type { Finding } from './received.ts'

/**
 * After these, the database may show others something else, or have lost which rows of a batch were sent. A batch that goes
 * on could send a row twice.
 */
const stopsShared: ReadonlySet<FailureCode> = new Set<FailureCode>(['team-events-rolled-back', 'team-events-withheld', 'team-events-forked', 'team-views-differ', 'team-events-refused', 'team-installation-restored'])

/** Whether work on shared batches must wait. */
export const isSharedWorkOnHold = (findings: readonly Finding[]): boolean => findings.some(({ failure }) => stopsShared.has(failure.code))
