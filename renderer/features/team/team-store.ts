/** The window's state of the team: that something of it has changed, and which requests for approval wait here. */
import { useIntervalFn, useTimeoutFn } from '@vueuse/core'
import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import { ask } from '../../bridge.ts'
import { onRemoval } from '../../kit/removal.ts'
import type { TeamSummary } from './team-summary.ts'
import { useApp } from '../shell/app-store.ts'
import { useApplicants } from '../applicants/applicants-store.ts'

export const useTeam = defineStore('team', () => {
  const app = useApp()
  const applicants = useApplicants()
  /** Incremented with each change of the exchange, and with everything that arrives. */
  const version = ref(0)
  /** Undefined without a team, and until it is known. */
  const approvals = shallowRef<{ readonly waiting: number; readonly overdue: number }>()
  /** How the exchange goes, as far as it is known. */
  const exchange = shallowRef<TeamSummary>()
  const isJoined = computed(() => approvals.value !== undefined)
  /** Requests for approval that this installation can answer. */
  const waiting = computed(() => approvals.value?.waiting ?? 0)
  /** Those that have waited for too long. */
  const overdue = computed(() => approvals.value?.overdue ?? 0)

  /** Milliseconds before the next count: a large team with many requests may need long for one. */
  const rest = ref(500)
  async function recount(): Promise<void> {
    if (app.history.state !== 'ready') return
    const began = performance.now()
    const answer = await ask('team.approvals', { limit: 0 })
    rest.value = Math.min(30_000, Math.max(500, 10 * (performance.now() - began)))
    const { waiting: open = 0, overdue: late = 0 } = (answer.ok && answer.value) || {}
    approvals.value = answer.ok && answer.value ? { waiting: open, overdue: late } : undefined
    if (approvals.value) await look()
  }
  async function look(): Promise<void> {
    const answer = await ask('team.exchange')
    // Loaded only for who has a team: the frame is drawn without it.
    const { teamSummary } = await import('./team-summary.ts')
    exchange.value = answer.ok && answer.value ? teamSummary(answer.value) : undefined
  }
  // That the database is not reachable any more is not announced.
  useIntervalFn(() => {
    if (isJoined.value) void look()
  }, 10_000)
  // What becomes overdue is no event.
  useIntervalFn(() => {
    if (waiting.value > 0) recountLater()
  }, 300_000)
  const later = useTimeoutFn(() => void recount(), rest, { immediate: false })
  function recountLater(): void {
    if (!later.isPending.value) later.start()
  }
  function changed(): void {
    version.value += 1
    recountLater()
  }
  watch(
    () => app.history.state,
    () => void recount(),
    { immediate: true }
  )
  watch(() => applicants.version, recountLater)
  // What colleagues recorded about an erased applicant is read again, and is gone.
  onRemoval('team', () => {
    approvals.value = undefined
    exchange.value = undefined
    changed()
  })
  return { version, approvals, exchange, isJoined, waiting, overdue, changed }
})
