/** Verifying the audit trail: it continues, and its result stays, while the user is on other pages. */
import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { AuditVerdict } from '#contract/evidence/audit.ts'
import type { Failure } from '#contract/failures/failures.ts'
import { auditBreakText } from '#contract/failures/filling.ts'
import { sentencesOf } from '../../kit/failure-text.ts'
import { ask } from '../../bridge.ts'
import { generation, onRemoval } from '../../kit/removal.ts'
import { count } from '../../kit/text.ts'
import { useApp } from '../shell/app-store.ts'
import { words } from './words.ts'

export const useAudit = defineStore('audit', () => {
  const app = useApp()
  const running = ref(false)
  const progress = shallowRef<{ readonly verified: number; readonly total: number }>()
  const verdict = shallowRef<AuditVerdict & { readonly verifiedAt: number }>()
  const failure = shallowRef<Failure>()

  async function verify(): Promise<void> {
    if (running.value) return
    running.value = true
    progress.value = undefined
    verdict.value = undefined
    failure.value = undefined
    const mine = generation.value
    const answer = await ask('audit.verify')
    if (mine !== generation.value) return
    running.value = false
    if (!answer.ok) {
      failure.value = answer.failure
      app.announce(sentencesOf(answer.failure).what)
      return
    }
    verdict.value = { ...answer.value, verifiedAt: Date.now() }
    app.announce(
      answer.value.intact
        ? words.auditTrailIntactEventsEvents({ events: count(answer.value.events) })
        : words.auditTrailBrokenAuditbreaktext({ auditBreakText: auditBreakText(answer.value) })
    )
  }

  // The result applies to the chain before the removal.
  onRemoval('audit', () => {
    running.value = false
    progress.value = undefined
    verdict.value = undefined
    failure.value = undefined
  })

  return { running, progress, verdict, failure, verify }
})
