/** Printing a record, an applicant or the queue: the page is built, the audit trail notes it, and the system prints it. */
import { useEventListener } from '@vueuse/core'
import { defineStore } from 'pinia'
import { nextTick, ref, shallowRef } from 'vue'
import type { RouteLocationNormalizedLoaded, Router } from 'vue-router'
import { maxPrinted, type Printed } from '#contract/channels/app.ts'
import { maxTimelinePage } from '#contract/applicants.ts'
import type { Failure } from '#contract/failures.ts'
import { isOperationId } from '#contract/operations.ts'
import { maxQueuePage, type QueueItem } from '#contract/queue.ts'
import { ok, type Result } from '#contract/result.ts'
import { ask } from '../bridge.ts'
import { summaryRows } from '../lib/applicant-summary.ts'
import { whatToDo } from '../lib/failure-text.ts'
import { applicantPage, queuePage, recordPage, type PrintPage } from '../lib/print-pages.ts'
import { queueFilterOf, queueOrderOf } from '../lib/queue-address.ts'
import { onRemoval } from '../lib/removal.ts'
import { useApp } from './app.ts'
import { useConnections } from './connections.ts'
import { useRun } from './run.ts'

type Subject = { readonly what: 'record'; readonly recordId: string } | { readonly what: 'applicant'; readonly applicantId: string } | { readonly what: 'queue' }

export const usePrint = defineStore('print', () => {
  const app = useApp()
  const connections = useConnections()
  const run = useRun()
  /** What is on paper while the system prints. */
  const sheet = shallowRef<PrintPage & Printed>()
  const busy = ref(false)

  function subjectOf({ name, params }: RouteLocationNormalizedLoaded): Subject | undefined {
    const id = String(params['id'] ?? '')
    if (name === 'history' && id) return { what: 'record', recordId: id }
    if (name === 'applicant') return { what: 'applicant', applicantId: id }
    if (name === 'queue') return { what: 'queue' }
    const operation = String(params['operation'] ?? '')
    const ending = name === 'verify' && isOperationId(operation) ? run.drafts[operation].ending : undefined
    return ending?.kind === 'recorded' ? { what: 'record', recordId: ending.record.id } : undefined
  }

  async function applicant(applicantId: string): Promise<Result<PrintPage, Failure>> {
    const visit = crypto.randomUUID()
    const [shown, timeline, answers] = await Promise.all([
      ask('applicants.show', { applicantId, visit }),
      ask('applicants.timeline', { applicantId, limit: maxTimelinePage, visit }),
      ask('applicants.answers', { applicantId, visit })
    ])
    if (!shown.ok) return shown
    if (!timeline.ok) return timeline
    if (!answers.ok) return answers
    return ok(applicantPage(shown.value, summaryRows(answers.value.details), timeline.value.entries, timeline.value.older, app.settings))
  }
  /** The rows of a virtual list are not all on the screen: they are read for the paper. */
  async function queue({ query }: RouteLocationNormalizedLoaded): Promise<Result<PrintPage, Failure>> {
    const [filter, order, visit] = [queueFilterOf(query), queueOrderOf(query), crypto.randomUUID()]
    const items: QueueItem[] = []
    for (;;) {
      const page = await ask('queue.list', { filter, order, limit: maxQueuePage, offset: items.length, visit })
      if (!page.ok) return page
      items.push(...page.value.items)
      const { total } = page.value
      if (items.length >= Math.min(total, maxPrinted) || page.value.items.length === 0)
        return ok(queuePage(items.slice(0, maxPrinted), total, Object.keys(filter).length > 0, connections.current?.mode === 'live' ? 'LIVE' : 'SANDBOX'))
    }
  }
  async function pageOf(subject: Subject, route: RouteLocationNormalizedLoaded): Promise<Result<PrintPage, Failure>> {
    if (subject.what === 'queue') return queue(route)
    if (subject.what === 'applicant') return applicant(subject.applicantId)
    const record = await ask('history.record', { id: subject.recordId })
    return record.ok ? ok(recordPage(record.value)) : record
  }

  /** Prints what the current page is about. */
  async function print(router: Router): Promise<void> {
    const route = router.currentRoute.value
    const subject = subjectOf(route)
    if (busy.value || document.querySelector('dialog[open]')) return
    if (!subject) return app.showToast('Nothing to print on this page. Open a record, an applicant or the work queue.', { tone: 'warning' })
    busy.value = true
    const page = await pageOf(subject, route)
    // The event is written first: what happens at the printer, nobody can see from here.
    const noted = page.ok ? await ask('prints.note', { ...subject, rows: page.value.rows.length }) : page
    busy.value = false
    if (!page.ok) return app.showToast(whatToDo(page.failure), { tone: 'warning' })
    if (!noted.ok) return app.showToast(whatToDo(noted.failure), { tone: 'warning' })
    sheet.value = { ...page.value, ...noted.value }
    await nextTick()
    window.print()
  }
  const clear = (): void => void (sheet.value = undefined)
  useEventListener('afterprint', clear)
  onRemoval('print', clear)
  return { sheet, print }
})
