/** The sentences of a team's failures: loaded after the start, since most windows never show one. */
import { shallowRef } from 'vue'
import type { Failure } from '#contract/failures/failures.ts'

/** Whoever shows a failure depends on it: it is shown again once they are loaded. */
export const hasTeamSentences = shallowRef(false)
let loading: Promise<void> | undefined

/** Never rejects: what cannot be loaded is tried again with the next failure. */
export function loadTeamSentences(): Promise<void> {
  loading ??= import('#contract/failures/sentences.ts').then(
    () => void (hasTeamSentences.value = true),
    () => void (loading = undefined)
  )
  return loading
}

/** Whether a failure, or what caused it, is one of a team. */
export const isOfTeam = ({ code, cause }: Failure): boolean =>
  code.startsWith('team-') || (cause !== undefined && isOfTeam(cause))
