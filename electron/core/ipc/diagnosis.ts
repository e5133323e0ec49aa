/** The network diagnosis. */
import type { HandlersOf } from '#contract/ipc/channel.ts'
import type { diagnosisChannels } from '#contract/connections/diagnosis-channels.ts'
import { failed } from '#contract/failures/failures.ts'
import { fail } from '#contract/failures/result.ts'
import { done, type HandlerParts } from './parts.ts'

export function diagnosisHandlers({
  host,
  settings,
  policies,
  practice,
  diagnoses
}: HandlerParts): HandlersOf<typeof diagnosisChannels> {
  return {
    'diagnosis.run': async (asked) => {
      // With settings that are not in effect, a diagnosis would not see what a verification sees.
      const refusal = settings.sendingRefusal()
      if (refusal) return fail(refusal)
      if ('baseUrl' in asked) {
        const baseUrl = asked.baseUrl.trim()
        const notAllowed = policies.addressRefusal({ baseUrl, practice: baseUrl === practice.address() })
        if (notAllowed) return fail(notAllowed)
        return host.sample ? failed('sample-practice-only') : diagnoses.run(asked.diagnosisId, baseUrl)
      }
      const connection = await practice.reachable(asked.id)
      return connection.ok ? diagnoses.run(asked.diagnosisId, connection.value.baseUrl) : connection
    },
    'diagnosis.stop': async ({ diagnosisId }) => {
      diagnoses.stop(diagnosisId)
      return done
    },
    'diagnosis.save': ({ diagnosisId }) => diagnoses.save(diagnosisId)
  }
}
