/** The guard against paying twice, for a batch that is created: what colleagues have sent. */
import type { OperationId } from '#contract/verification/operations.ts'
import type { Settings } from '#contract/settings/settings.ts'
import type { VerificationInput } from '#contract/verification/verification.ts'
import type { Clock } from '#kit/clock.ts'
import type { RunParts } from '#core/verification/runs.ts'

export interface GuardParts {
  readonly clock: Clock
  settings(): Settings
  /** Whether there is a team: it costs nothing to ask. */
  readonly inTeam?: () => boolean
  /** A check of a colleague with the same input. */
  readonly colleagues?: RunParts['colleagues']
}

/** Milliseconds for all rows of a batch: checks of operations without an applicant are compared one by one. */
const longest = 10_000

/** Undefined where nobody is asked: the spend guard is off, or there is no team. A team that cannot be asked holds nothing back. */
export function colleagueGuard(
  { clock, settings, inTeam, colleagues }: GuardParts,
  origin: string
):
  | ((operation: OperationId, input: VerificationInput, applicantId: string | undefined) => Promise<boolean>)
  | undefined {
  const minutes = settings().spendGuardMinutes
  if (!colleagues || minutes === 0 || !inTeam?.()) return undefined
  let asked = 0
  return async (operation, input, applicantId) => {
    if (asked > longest) return false
    const begun = clock.monotonic()
    const found = await colleagues({ operation, input, origin, applicantId, since: clock.now() - minutes * 60_000 })
    asked += clock.monotonic() - begun
    return found.ok && found.value !== undefined
  }
}
