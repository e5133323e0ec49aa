/** What a section of data management shows: asked for at once, and again when the data or the history has changed. */
import { shallowRef, watch, type ShallowRef } from 'vue'
import type { Failure } from '#contract/failures.ts'
import type { Answers } from '#contract/ipc.ts'
import { ask } from '../bridge.ts'
import { useApp } from '../stores/app.ts'
import { useDataManagement } from '../stores/data-management.ts'
import { arrivesLater } from './arrivals.ts'

interface SectionAnswer<Value> {
  /** The last answer; absent until there is one. */
  readonly answer: ShallowRef<Value | undefined>
  /** Why the last request failed, of this or of an action of the section. */
  readonly failure: ShallowRef<Failure | undefined>
  load(): Promise<void>
}

/** The view is not shown before the first answer. */
export function useSectionAnswer<Name extends 'backups.list' | 'erasure.receipts' | 'recovery.state'>(name: Name): SectionAnswer<Answers[Name]> {
  const app = useApp()
  const dataManagement = useDataManagement()
  const arrived = arrivesLater()
  const answer = shallowRef<Answers[Name]>()
  const failure = shallowRef<Failure>()
  async function load(): Promise<void> {
    const now = await ask(name)
    if (now.ok) answer.value = now.value
    failure.value = now.ok ? undefined : now.failure
    arrived()
  }
  watch([() => dataManagement.version, () => app.history.state], () => void load(), { immediate: true })
  return { answer, failure, load }
}
