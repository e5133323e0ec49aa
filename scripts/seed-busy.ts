/** Synthetic records, a thousand of which belong to one applicant. */
import { applicantFieldOf } from '#contract/verification/operations.ts'
import { seedChecks, type SeedCheck } from './seed-data.ts'

export const busyApplicant = 'APP-BUSY-0001'
export const busyChecks = 1000

/**
 * Like `seedChecks`, but some of those with an applicant belong to the busy one, spread over the two years and
 * including the newest.
 *
 * @param busy Their number; at most a third of all.
 */
export function* withBusyApplicant(records: number, now: number, busy = busyChecks): Generator<SeedCheck> {
  const naming = [...seedChecks(records, now)]
  const places = naming.flatMap(({ intent }, index) => (intent.applicantId === undefined ? [] : [index]))
  const step = Math.floor(places.length / busy)
  const chosen = new Set(places.filter((_, at) => (places.length - 1 - at) % step === 0).slice(-busy))
  for (const [index, check] of naming.entries()) {
    const { intent } = check
    const field = applicantFieldOf(intent.operation)
    yield chosen.has(index) && field !== undefined
      ? {
          ...check,
          intent: { ...intent, applicantId: busyApplicant, input: { ...intent.input, [field]: busyApplicant } }
        }
      : check
  }
}
