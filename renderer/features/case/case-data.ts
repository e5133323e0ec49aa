/** What a case shows: the applicant, its timeline and the newest answers, read again whenever something of it changes. */
import { useDocumentVisibility, useTimeoutFn, useWindowFocus } from '@vueuse/core'
import { computed, onScopeDispose, ref, shallowRef, watch, type ComputedRef, type Ref } from 'vue'
import type { ApplicantAnswers, ApplicantDetail, TimelineEntry } from '#contract/applicants/applicants.ts'
import type { ReviewProof } from '#contract/applicants/seen.ts'
import type { Failure } from '#contract/failures/failures.ts'
import { ask } from '../../bridge.ts'
import { useApp } from '../shell/app-store.ts'
import { useApplicantDrafts } from '../applicants/applicant-drafts-store.ts'
import { useApplicants } from '../applicants/applicants-store.ts'
import { approvalsByFile } from '../applicants/timeline.ts'
import { useDataManagement } from '../data-management/data-management-store.ts'
import { useHistory } from '../history/history-store.ts'

export type CheckEntry = Extract<TimelineEntry, { kind: 'check' }>

export interface CaseData {
  readonly applicant: Ref<ApplicantDetail | undefined>
  readonly entries: Ref<readonly TimelineEntry[]>
  readonly checks: ComputedRef<readonly CheckEntry[]>
  /** There are entries before those. */
  readonly older: Ref<boolean>
  readonly answers: Ref<ApplicantAnswers | undefined>
  readonly answersFailure: Ref<Failure | undefined>
  /** Of the own key, which a second person compares; absent while nobody was asked by file. */
  readonly fingerprint: Ref<string | undefined>
  readonly failure: Ref<Failure | undefined>
  /** Each case that is opened is a view; what is read again while it is open is not. */
  readonly visit: Ref<string>
  load(): Promise<void>
  loadOlder(): Promise<void>
}

const pageSize = 100
/** Entries that are read again at most. */
const most = 1000

/** @param id The applicant. @param gone It was shown, and is no longer in the history. */
export function useCase(id: () => string, gone: () => void): CaseData {
  const app = useApp()
  const applicants = useApplicants()
  const history = useHistory()
  const dataManagement = useDataManagement()
  const applicant = shallowRef<ApplicantDetail>()
  const entries = shallowRef<readonly TimelineEntry[]>([])
  const older = ref(false)
  const answers = shallowRef<ApplicantAnswers>()
  const answersFailure = shallowRef<Failure>()
  const fingerprint = ref<string>()
  const failure = shallowRef<Failure>()
  const visit = ref(crypto.randomUUID())
  let question = 0

  async function load(): Promise<void> {
    if (app.history.state !== 'ready') return
    const mine = ++question
    const applicantId = id()
    const limit = Math.min(most, Math.max(pageSize, entries.value.length))
    const [shown, timeline, newest] = await Promise.all([
      ask('applicants.show', { applicantId, visit: visit.value }),
      ask('applicants.timeline', { applicantId, limit, visit: visit.value }),
      ask('applicants.answers', { applicantId, visit: visit.value })
    ])
    if (mine !== question) return
    if (!shown.ok && shown.failure.code === 'applicant-missing' && applicant.value) gone()
    failure.value = shown.ok ? (timeline.ok ? undefined : timeline.failure) : shown.failure
    applicant.value = shown.ok ? shown.value : undefined
    entries.value = timeline.ok ? timeline.value.entries : []
    older.value = timeline.ok && timeline.value.older
    answers.value = newest.ok ? newest.value : undefined
    answersFailure.value = newest.ok ? undefined : newest.failure
    const isAsked = approvalsByFile(entries.value).asked
    const key = isAsked ? await ask('evidence.publicKey') : undefined
    if (mine === question) fingerprint.value = isAsked ? (key?.ok ? key.value.fingerprint : '') : undefined
  }
  async function loadOlder(): Promise<void> {
    const before = entries.value.at(-1)?.seq
    if (before === undefined) return
    const mine = question
    const answer = await ask('applicants.timeline', {
      applicantId: id(),
      limit: pageSize,
      before,
      visit: visit.value
    })
    if (mine !== question || !answer.ok) return
    entries.value = [...entries.value, ...answer.value.entries]
    older.value = answer.value.older
  }

  watch(id, () => {
    visit.value = crypto.randomUUID()
    applicant.value = answers.value = fingerprint.value = failure.value = undefined
    entries.value = []
  })
  watch(
    [id, () => app.history.state, () => applicants.version, () => history.version, () => dataManagement.version],
    () => void load(),
    {
      immediate: true
    }
  )
  const checks = computed(() => entries.value.filter((entry): entry is CheckEntry => entry.kind === 'check'))
  return { applicant, entries, checks, older, answers, answersFailure, fingerprint, failure, visit, load, loadOlder }
}

/** Whether what is `known` has its final height: a frame after it came. What is below it is shown then, and never moves. */
export function useCalm(known: () => boolean): Readonly<Ref<boolean>> {
  const isCalm = ref(false)
  const calm = useTimeoutFn(() => (isCalm.value = true), 60, { immediate: false })
  watch(
    known,
    (now) => {
      isCalm.value = false
      if (now) calm.start()
    },
    { immediate: true }
  )
  return isCalm
}

/** Counts how long a component shows an applicant to somebody, for its next decision: only where the policy says so. */
export function useTimeShown(applicantId: string): void {
  const app = useApp()
  const drafts = useApplicantDrafts()
  const isCounted = computed(
    () =>
      app.state?.managed?.policies.some(
        ({ name, value }) => name === 'ReviewProof' && value === ('documents-and-time' satisfies ReviewProof)
      ) === true
  )
  const [isFocused, visibility] = [useWindowFocus(), useDocumentVisibility()]
  watch(
    [isCounted, () => isFocused.value && visibility.value === 'visible' && app.state?.lock === undefined],
    ([counted, attended]) => (counted ? drafts.attend(applicantId, attended) : drafts.leave(applicantId)),
    { immediate: true, flush: 'sync' }
  )
  onScopeDispose(() => drafts.leave(applicantId))
}
