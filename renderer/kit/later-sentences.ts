/** The sentences of failures that no window meets at its start: loaded after it. */
import { shallowRef } from 'vue'
import type { Failure } from '#contract/failures/failures.ts'
import { hasSentences } from '#contract/failures/filling.ts'

/** Whoever shows a failure depends on it: it is shown again once they are loaded. */
export const hasLaterSentences = shallowRef(false)
let loading: Promise<void> | undefined

/** Never rejects: what cannot be loaded is tried again with the next failure. */
export function loadLaterSentences(): Promise<void> {
  loading ??= import('#contract/failures/sentences.ts').then(
    () => void (hasLaterSentences.value = true),
    () => void (loading = undefined)
  )
  return loading
}

/** Whether the sentences of a failure, or of what caused it, have to be loaded first. */
export const isLater = ({ code, cause }: Failure): boolean =>
  !hasSentences(code) || (cause !== undefined && isLater(cause))
