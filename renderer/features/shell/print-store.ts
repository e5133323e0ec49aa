/** Printing a record, an applicant, the queue or the overview: the page is built, the audit trail notes it, and the system prints it. */
import { useEventListener } from '@vueuse/core'
import { defineStore } from 'pinia'
import { nextTick, ref, shallowRef, watch } from 'vue'
import type { RouteLocationNormalizedLoaded, Router } from 'vue-router'
import type { Printed } from '#contract/app/channels.ts'
import { isOperationId } from '#contract/verification/operations.ts'
import { ask } from '../../bridge.ts'
import { whatToDo } from '../../kit/failure-text.ts'
import type { PrintPage } from './print-pages.ts'
import type { PrintSubject } from './printed-page.ts'
import { onRemoval } from '../../kit/removal.ts'
import { isHidden } from '../../kit/screen-share.ts'
import { useApp } from './app-store.ts'
import { useConnections } from '../connections/connections-store.ts'
import { useRun } from '../verify/run-store.ts'
import { words } from './words.ts'

export const usePrint = defineStore('print', () => {
  const app = useApp()
  const connections = useConnections()
  const run = useRun()
  /** What is on paper while the system prints. */
  const sheet = shallowRef<PrintPage & Printed>()
  const busy = ref(false)

  function subjectOf({ name, params }: RouteLocationNormalizedLoaded): PrintSubject | undefined {
    const id = String(params['id'] ?? '')
    if (name === 'history' && id) return { what: 'record', recordId: id }
    if (name === 'applicant') return { what: 'applicant', applicantId: id }
    if (name === 'queue') return { what: 'queue' }
    if (name === 'overview') return { what: 'overview' }
    const operation = String(params['operation'] ?? '')
    const ending = name === 'verify' && isOperationId(operation) ? run.drafts[operation].ending : undefined
    return ending?.kind === 'recorded' ? { what: 'record', recordId: ending.record.id } : undefined
  }

  /** Prints what the current page is about, or something else that it shows. */
  async function print(router: Router, what?: PrintSubject): Promise<void> {
    const route = router.currentRoute.value
    const subject = what ?? subjectOf(route)
    if (busy.value || document.querySelector('dialog[open]')) return
    if (isHidden.value) return app.showToast(words.nothingIsPrintedInScreen, { tone: 'warning' })
    if (!subject)
      return app.showToast(words.nothingToPrintOnThis, {
        tone: 'warning'
      })
    busy.value = true
    // Loaded when something is printed: the first form needs none of it.
    const { printedPage } = await import('./printed-page.ts')
    const page = await printedPage(subject, {
      query: route.query,
      settings: app.settings,
      live: connections.current?.mode === 'live'
    })
    // The event is written first: what happens at the printer, nobody can see from here.
    const noted = page.ok ? await ask('prints.note', { ...subject, rows: page.value.rows.length }) : page
    busy.value = false
    if (!page.ok) return app.showToast(whatToDo(page.failure), { tone: 'warning' })
    if (!noted.ok) return app.showToast(whatToDo(noted.failure), { tone: 'warning' })
    if (isHidden.value) return
    sheet.value = { ...page.value, ...noted.value }
    await nextTick()
    window.print()
  }
  /** Whether the page has something for paper. */
  const canPrint = (router: Router): boolean => subjectOf(router.currentRoute.value) !== undefined
  const clear = (): void => void (sheet.value = undefined)
  useEventListener('afterprint', clear)
  onRemoval('print', clear)
  watch(isHidden, clear, { flush: 'sync' })
  return { sheet, print, canPrint }
})
