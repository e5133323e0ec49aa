/** Made-up records of which a thousand are one applicant's. */
import { applicantFieldOf } from '#contract/operations.ts'
import { seedChecks, type SeedCheck } from './seed-data.ts'

export const busyApplicant = 'APP-BUSY-0001'
export const busyChecks = 1000

/**
 * As `seedChecks`, but every so many that name an applicant are the busy one's, spread over the two years, the
 * newest among them.
 *
 * @param busy How many; at most a third of all.
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
      ? { ...check, intent: { ...intent, applicantId: busyApplicant, input: { ...intent.input, [field]: busyApplicant } } }
      : check
  }
}
