/** What a section of data management shows: asked for at once, and again when the data or the history has changed. */
import { computed, shallowRef, watch, type ComputedRef, type ShallowRef } from 'vue'
import type { Failure } from '#contract/failures/failures.ts'
import type { Answers } from '#contract/ipc/ipc.ts'
import { ask } from '../../bridge.ts'
import { useApp } from '../shell/app-store.ts'
import { useDataManagement } from './data-management-store.ts'
import { arrivesLater } from '../../kit/arrivals.ts'

interface SectionAnswer<Value> {
  /** The last answer; absent until there is one. */
  readonly answer: ShallowRef<Value | undefined>
  /** Why the section's last action failed. Set by the section; loading again does not clear it. */
  readonly refused: ShallowRef<Failure | undefined>
  /** Why the last action failed, otherwise why the last request did. */
  readonly failure: ComputedRef<Failure | undefined>
  load(): Promise<void>
}

/** The view is not shown before the first answer. */
export function useSectionAnswer<
  Name extends 'backups.list' | 'documents.condition' | 'erasure.receipts' | 'recovery.state'
>(name: Name): SectionAnswer<Answers[Name]> {
  const app = useApp()
  const dataManagement = useDataManagement()
  const arrived = arrivesLater()
  const answer = shallowRef<Answers[Name]>()
  const refused = shallowRef<Failure>()
  const unread = shallowRef<Failure>()
  async function load(): Promise<void> {
    const now = await ask(name)
    if (now.ok) answer.value = now.value
    unread.value = now.ok ? undefined : now.failure
    arrived()
  }
  watch([() => dataManagement.version, () => app.history.state], () => void load(), { immediate: true })
  return { answer, refused, failure: computed(() => refused.value ?? unread.value), load }
}
