/** Reads what is printed from core, and builds its page. */
import type { LocationQuery } from 'vue-router'
import { maxTimelinePage } from '#contract/applicants/applicants.ts'
import type { Failure } from '#contract/failures/failures.ts'
import { maxQueuePage, type QueueItem } from '#contract/applicants/queue.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { Settings } from '#contract/settings/settings.ts'
import { ask } from '../../bridge.ts'
import { summaryRows } from '#contract/applicants/comparison.ts'
import { applicantPage, queuePage, recordPage, type PrintPage } from './print-pages.ts'
import { overviewPage } from '../overview/overview-print.ts'
import { queueFilterOf, queueOrderOf } from '../queue/queue-address.ts'

/** Rows of the queue on paper at most: it can be longer, and the page says so. */
const maxPrinted = 2000

export type PrintSubject =
  | { readonly what: 'record'; readonly recordId: string }
  | { readonly what: 'applicant'; readonly applicantId: string }
  | { readonly what: 'queue' }
  | { readonly what: 'overview' }

export interface PrintState {
  /** Of the address: the queue's filter and order, or the overview's period. */
  readonly query: LocationQuery
  readonly settings: Settings
  /** Whether the current connection is live. */
  readonly live: boolean
}

async function applicant(applicantId: string, settings: Settings): Promise<Result<PrintPage, Failure>> {
  const visit = crypto.randomUUID()
  const [shown, timeline, answers] = await Promise.all([
    ask('applicants.show', { applicantId, visit }),
    ask('applicants.timeline', { applicantId, limit: maxTimelinePage, visit }),
    ask('applicants.answers', { applicantId, visit })
  ])
  if (!shown.ok) return shown
  if (!timeline.ok) return timeline
  if (!answers.ok) return answers
  return ok(
    applicantPage(
      shown.value,
      summaryRows(answers.value.details),
      timeline.value.entries,
      timeline.value.older,
      settings
    )
  )
}

/** The rows of a virtual list are not all on the screen: they are read for the paper. */
async function queue({ query, live }: PrintState): Promise<Result<PrintPage, Failure>> {
  const [filter, order, visit] = [queueFilterOf(query), queueOrderOf(query), crypto.randomUUID()]
  const items: QueueItem[] = []
  for (;;) {
    const page = await ask('queue.list', { filter, order, limit: maxQueuePage, offset: items.length, visit })
    if (!page.ok) return page
    items.push(...page.value.items)
    const { total } = page.value
    if (items.length >= Math.min(total, maxPrinted) || page.value.items.length === 0)
      return ok(queuePage(items.slice(0, maxPrinted), total, Object.keys(filter).length > 0, live ? 'LIVE' : 'SANDBOX'))
  }
}

/** The page of a record, an applicant or the queue as filtered. Failures: those of the requests. */
export async function printedPage(subject: PrintSubject, state: PrintState): Promise<Result<PrintPage, Failure>> {
  if (subject.what === 'queue') return queue(state)
  if (subject.what === 'overview') return overviewPage(state.query, state.live ? 'LIVE' : 'SANDBOX')
  if (subject.what === 'applicant') return applicant(subject.applicantId, state.settings)
  const record = await ask('history.record', { id: subject.recordId })
  return record.ok ? ok(recordPage(record.value)) : record
}
