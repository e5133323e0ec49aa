/** The keys of the work queue. Single letters only, and never while text is entered. */
import { useEventListener } from '@vueuse/core'
import type { Decision } from '#contract/applicants/applicants.ts'
import { isTyping } from '../../kit/shortcuts.ts'

export interface QueueActions {
  move(step: 1 | -1): void
  decide(decision: Decision): void
  setDue(): void
  assign(): void
  /** Opens the applicant that was decided last. */
  reopen(): void
  /** Escape; returns whether there was something to leave. */
  leave(): boolean
}

const decisionKeys: Readonly<Record<string, Decision>> = { a: 'approve', d: 'decline', e: 'escalate' }

export function useQueueKeys(actions: QueueActions): void {
  useEventListener('keydown', (event: KeyboardEvent) => {
    if (
      event.defaultPrevented ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      document.querySelector('dialog[open]')
    )
      return
    const { target } = event
    // Menus have keys of their own.
    if (target instanceof Element && target.closest('.menu')) return
    if (event.key === 'Escape') {
      if (actions.leave()) event.preventDefault()
      return
    }
    if (isTyping(target) || (event.repeat && !/^[jk]$/i.test(event.key))) return
    const key = event.key.toLowerCase()
    const decision = decisionKeys[key]
    if (decision) actions.decide(decision)
    else if (key === 'j') actions.move(1)
    else if (key === 'k') actions.move(-1)
    else if (key === 'u') actions.setDue()
    else if (key === 's') actions.assign()
    else if (key === 'b') actions.reopen()
    else return
    event.preventDefault()
  })
}
