/**
 * One decision about many applicants, while its sample is reviewed: the set, who of the sample was decided and how, and the
 * decision about the others. Core checks all of it again.
 */
import { defineStore } from 'pinia'
import { computed, shallowRef, type ShallowRef } from 'vue'
import type { DecidedSet, Decision, DecisionDraft } from '#contract/applicants/applicants.ts'
import type { DecisionSet, ManyDecided } from '#contract/applicants/decide-many.ts'
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import { ask } from '../../bridge.ts'
import { onRemoval } from '../../kit/removal.ts'
import { useApplicantDrafts } from './applicant-drafts-store.ts'

/** What is to be decided, as the dialog has it. */
export interface ManyOrder extends Pick<DecisionSet, 'applicants' | 'sample' | 'seed'> {
  readonly decision: Decision
  readonly reasons: readonly string[]
  readonly note: string
  /** Per cent. */
  readonly share: number
}
type Running = ManyOrder & { readonly id: string }
/** Applicants of a set that is kept with unfinished input. */
const mostKept = 2000

/** An unfinished review outlives a lock and a restart, as other input does, unless it is too large to be kept. */
const keptReview = (running: ShallowRef<Running | undefined>, reviewed: ShallowRef<ReadonlyMap<string, Decision>>) => ({
  take: () =>
    running.value && running.value.applicants.length <= mostKept
      ? { running: running.value, reviewed: [...reviewed.value] }
      : undefined,
  restore: (found: { readonly running: Running; readonly reviewed: readonly (readonly [string, Decision])[] }) => {
    if (running.value) return
    running.value = found.running
    reviewed.value = new Map(found.reviewed)
  }
})

export const useDecideMany = defineStore('decide-many', () => {
  const drafts = useApplicantDrafts()
  const running = shallowRef<Running>()
  const reviewed = shallowRef<ReadonlyMap<string, Decision>>(new Map())

  const open = computed(() => running.value?.sample.filter((id) => !reviewed.value.has(id)) ?? [])
  /** Decided otherwise than the others are going to be. */
  const otherwise = computed(() =>
    [...reviewed.value].flatMap(([, decision]) => (decision === running.value?.decision ? [] : [decision]))
  )
  /** Those who are not decided yet. */
  const rest = computed(
    () => running.value?.applicants.filter(({ applicantId }) => !reviewed.value.has(applicantId)) ?? []
  )

  /** The form of each sampled applicant begins with what is meant for all. */
  function fill({ applicants, sample, decision, reasons, note }: ManyOrder): void {
    const evidence = new Map(applicants.map((each) => [each.applicantId, each.evidence]))
    for (const id of sample) {
      if (reviewed.value.has(id)) continue
      const seen = evidence.get(id) ?? 0
      Object.assign(drafts.decisionOf(id, seen), { decision, reasons: [...reasons], note, seen })
    }
  }
  function begin(order: ManyOrder): void {
    running.value = { ...order, id: crypto.randomUUID() }
    reviewed.value = new Map()
    fill(order)
  }
  /** Ends the review; what was decided stays, and the others go on waiting. */
  function end(): void {
    const evidence = new Map(running.value?.applicants.map((each) => [each.applicantId, each.evidence]))
    for (const id of open.value) drafts.dropDecision(id, evidence.get(id) ?? 0)
    running.value = undefined
    reviewed.value = new Map()
  }
  const setOf = ({ id, seed, share, applicants }: Running): DecidedSet => ({ id, seed, share, size: applicants.length })
  /** A decision about one of the sample names its set. */
  const within = (draft: DecisionDraft): DecisionDraft =>
    running.value?.sample.includes(draft.applicantId) ? { ...draft, set: setOf(running.value) } : draft
  function noteDecided({ applicantId, decision }: Pick<DecisionDraft, 'applicantId' | 'decision'>): void {
    if (running.value?.sample.includes(applicantId))
      reviewed.value = new Map([...reviewed.value, [applicantId, decision]])
  }

  /** The same decision about all the others. */
  async function decideRest(order = running.value): Promise<Result<ManyDecided, Failure>> {
    if (!order) return { ok: true, value: { decided: 0, proposed: 0, leftOut: [] } }
    const { id, seed, share, applicants, decision, reasons, note } = order
    const answer = await ask('decisions.makeMany', {
      set: { id, seed, share },
      applicants: [...applicants],
      decision,
      reasons: [...reasons],
      note
    })
    if (answer.ok) end()
    return answer
  }
  /** Everyone is reviewed one by one. */
  function reviewAll(): void {
    if (!running.value) return
    running.value = {
      ...running.value,
      share: 100,
      sample: running.value.applicants.map(({ applicantId }) => applicantId)
    }
    fill(running.value)
  }
  /** Another sample of those who are not decided yet, in a set of its own. */
  async function drawAgain(): Promise<Failure | undefined> {
    const before = running.value
    if (!before) return undefined
    const { decision, share, reasons, note } = before
    const answer = await ask('decisions.prepare', {
      applicantIds: rest.value.map(({ applicantId }) => applicantId),
      decision,
      share
    })
    if (!answer.ok) return answer.failure
    const { applicants, sample, seed } = answer.value
    end()
    begin({ applicants, sample, seed, decision, share, reasons, note })
    return undefined
  }

  onRemoval('decide-many', () => {
    running.value = undefined
    reviewed.value = new Map()
  })

  return {
    kept: keptReview(running, reviewed),
    running,
    reviewed,
    open,
    otherwise,
    rest,
    begin,
    end,
    within,
    noteDecided,
    decideRest,
    reviewAll,
    drawAgain
  }
})
