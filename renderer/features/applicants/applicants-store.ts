/** The window's state of applicants, decisions, queue and catalogue; all of it is local. */
import { useThrottleFn, useTimeoutFn } from '@vueuse/core'
import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import type { ApplicantDetail, DecisionDraft } from '#contract/applicants/applicants.ts'
import type { Failure } from '#contract/failures/failures.ts'
import type { Answers, ChannelName, RequestOf } from '#contract/ipc/ipc.ts'
import type { QueuePage } from '#contract/applicants/queue.ts'
import { ask } from '../../bridge.ts'
import { onRemoval } from '../../kit/removal.ts'
import { useDecideMany } from './decide-many-store.ts'
import { useApp } from '../shell/app-store.ts'

/** Requests that change an applicant and return its new state. */
type Change = Exclude<
  { [Name in ChannelName]: Answers[Name] extends ApplicantDetail ? Name : never }[ChannelName],
  'applicants.show'
>

export const useApplicants = defineStore('applicants', () => {
  const app = useApp()
  /** Incremented with each change of an applicant, decision, interpretation or due date. */
  const version = ref(0)
  const queue = shallowRef<Pick<QueuePage, 'counts' | 'overdue'>>()
  const waiting = computed(() => Object.values(queue.value?.counts ?? {}).reduce((sum, each) => sum + each, 0))
  const overdue = computed(() => queue.value?.overdue ?? 0)
  /** Items that wait for the person here or for nobody yet. */
  const mine = ref(0)
  /** Messages of the catalogue that nobody has reviewed. */
  const unreviewed = ref(0)

  async function recount(): Promise<void> {
    if (app.history.state !== 'ready') return
    const answer = await ask('queue.list', { limit: 0 })
    queue.value = answer.ok ? { counts: answer.value.counts, overdue: answer.value.overdue } : undefined
    const messages = await ask('catalogue.list', { limit: 1, unread: true })
    unreviewed.value = messages.ok ? messages.value.unread : 0
    await recountMine()
  }
  /** Goes through the whole queue, so not as often as the window looks. */
  const recountMine = useThrottleFn(
    async () => {
      const names = [app.settings.displayName, app.state?.operator?.account ?? ''].filter((name) => name !== '')
      const answer = await ask('queue.list', { limit: 0, filter: { assignees: ['', ...names] } })
      mine.value = answer.ok ? answer.value.total : 0
    },
    2000,
    true
  )
  const lookAgain = useTimeoutFn(
    () => {
      version.value += 1
      void recount()
    },
    200,
    { immediate: false }
  )
  /** A batch may change applicants a hundred times a second; the window updates a few times. */
  function changed(): void {
    if (!lookAgain.isPending.value) lookAgain.start()
  }
  watch([() => app.history.state, () => app.settings.displayName], () => void recount(), { immediate: true })

  /** Sends a change and returns the applicant's new state. */
  async function change<Name extends Change>(
    name: Name,
    input: RequestOf<Name>
  ): Promise<{ applicant?: ApplicantDetail; failure?: Failure }> {
    const many = useDecideMany()
    const decided = name === 'decisions.make' ? (input as DecisionDraft) : undefined
    const answer = await ask(name, decided ? (many.within(decided) as RequestOf<Name>) : input)
    if (decided && answer.ok) many.noteDecided(decided)
    // For each of these names the map of answers has an applicant.
    return answer.ok ? { applicant: answer.value as ApplicantDetail } : { failure: answer.failure }
  }
  async function setDue(draft: RequestOf<'queue.due'>): Promise<Failure | undefined> {
    const answer = await ask('queue.due', draft)
    return answer.ok ? undefined : answer.failure
  }

  onRemoval('applicants', () => {
    queue.value = undefined
    mine.value = unreviewed.value = 0
    version.value += 1
    void recount()
  })

  return { version, queue, waiting, overdue, mine, unreviewed, changed, change, setDue }
})
