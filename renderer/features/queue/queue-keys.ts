/** The keys of the work queue: single letters, which act while the focus is in its list or in the opened case. */
import { useEventListener } from '@vueuse/core'
import type { Decision } from '#contract/applicants/applicants.ts'
import { letterIn } from '../../kit/letter-keys.ts'

export interface QueueActions {
  /** Opens the next or the previous item. */
  move(step: 1 | -1): void
  /** Chooses a decision about the opened case; it is not recorded yet. */
  decide(decision: Decision): void
  /** Asks for a decision about everyone who is selected. */
  decideMany(decision: Decision): void
  /** Asks for the due date of the opened or active item. */
  setDue(): void
  /** Asks to whom that item is assigned. */
  assign(): void
  /** Opens the applicant that was decided last. */
  reopen(): void
  /** Escape; returns whether there was something to leave. */
  leave(): boolean
}

const decisionKeys: Readonly<Record<string, Decision>> = { a: 'approve', d: 'decline', e: 'escalate' }

/** @param place The list with the opened case. */
export function useQueueKeys(actions: QueueActions, place: () => Element | null): void {
  useEventListener('keydown', (event: KeyboardEvent) => {
    if (event.defaultPrevented || document.querySelector('dialog[open]')) return
    const { target } = event
    if (event.key === 'Escape') {
      if (!(target instanceof Element && target.closest('.menu')) && actions.leave()) event.preventDefault()
      return
    }
    const key = letterIn(event, place())
    if (key === undefined || (event.repeat && key !== 'j' && key !== 'k')) return
    const decision = decisionKeys[key]
    if (decision && event.shiftKey) actions.decideMany(decision)
    else if (decision) actions.decide(decision)
    else if (key === 'j') actions.move(1)
    else if (key === 'k') actions.move(-1)
    else if (key === 'u') actions.setDue()
    else if (key === 's') actions.assign()
    else if (key === 'b') actions.reopen()
    else return
    event.preventDefault()
  })
}
