/** The window's state of applicants, decisions, queue and catalogue; all of it is local. */
import { useTimeoutFn } from '@vueuse/core'
import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import type { ApplicantDetail, DecisionDraft } from '#contract/applicants/applicants.ts'
import type { Failure } from '#contract/failures/failures.ts'
import type { Answers, ChannelName, RequestOf } from '#contract/ipc/ipc.ts'
import type { QueueCount } from '#contract/applicants/queue.ts'
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
  /** What waits, as core counted it; core tells it with each change. */
  const waiting = shallowRef<QueueCount>()
  const overdue = computed(() => waiting.value?.overdue ?? 0)
  /** Items that wait for the person here or for nobody yet. */
  const mine = computed(() => (waiting.value ? waiting.value.assigned + waiting.value.unassigned : 0))
  /** Messages of the catalogue that nobody has reviewed. */
  const unreviewed = ref(0)

  async function recount(): Promise<void> {
    if (app.history.state !== 'ready') return
    const messages = await ask('catalogue.list', { limit: 1, merge: true })
    unreviewed.value = messages.ok ? messages.value.unread : 0
  }
  async function askWaiting(): Promise<void> {
    if (app.history.state !== 'ready') return
    const answer = await ask('queue.waiting')
    if (answer.ok && answer.value) waiting.value = answer.value
  }
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
  watch(
    () => app.history.state,
    () => void Promise.all([recount(), askWaiting()]),
    { immediate: true }
  )

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
    waiting.value = undefined
    unreviewed.value = 0
    version.value += 1
    void Promise.all([recount(), askWaiting()])
  })

  return {
    version,
    waiting,
    overdue,
    mine,
    unreviewed,
    changed,
    counted: (found: QueueCount) => void (waiting.value = found),
    change,
    setDue
  }
})
