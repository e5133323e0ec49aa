/** What the tour shows, and where that is. */
import { words } from './words.ts'

export interface TourStep {
  readonly title: string
  /** With the keys that it names; `Command` is the platform's. */
  readonly text: string
  /** The part of the window that it explains, which is marked by a ring. */
  readonly target: string
  /** Shown in an open case instead of the queue. */
  readonly inCase?: true
}

export const tourSteps: readonly TourStep[] = [
  {
    title: words.queueFirst,
    text: words.whatWaitsForAPerson,
    target: '[data-tour="queue"]'
  },
  {
    title: words.documentsFirst,
    text: words.compareThePhoto,
    target: '[data-tour="documents"]',
    inCase: true
  },
  {
    title: words.valuesCompared,
    text: words.theDetailsAsReceived,
    target: '[data-tour="values"]',
    inCase: true
  },
  {
    title: words.decideByKeys,
    text: words.approveDeclineOrEscalate,
    target: '[data-tour="decide"]',
    inCase: true
  },
  {
    title: words.decideMany,
    text: words.selectTheEasyOnes,
    target: '[data-tour="rows"] [role="row"]'
  },
  { title: words.proveItLater, text: words.everyStepIsInTheAuditTrail, target: 'nav.side a[href$="/evidence"]' }
]
