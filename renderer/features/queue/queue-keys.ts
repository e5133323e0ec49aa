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
  /** Does what a letter means in the opened case; returns whether there is one, and it means anything. */
  inCase(letter: string): boolean
  /** Asks for the due date of the active item. */
  setDue(): void
  /** Asks to whom that item is assigned. */
  assign(): void
  /** Asks for tags of everyone who is selected. */
  tag(): void
  /** Interprets the messages of the selection. */
  interpret(): void
  /** Opens the applicant that was decided last. */
  reopen(): void
  /** Escape; returns whether there was something to leave. */
  leave(): boolean
}

const decisionKeys: Readonly<Record<string, Decision>> = { a: 'approve', d: 'decline', e: 'escalate' }

const letters: Readonly<Record<string, (actions: QueueActions) => void>> = {
  j: ({ move }) => move(1),
  k: ({ move }) => move(-1),
  u: ({ setDue }) => setDue(),
  s: ({ assign }) => assign(),
  t: ({ tag }) => tag(),
  i: ({ interpret }) => interpret(),
  b: ({ reopen }) => reopen()
}

/** What can be changed of an item: of everyone who is selected, or in a dialog for the active row. In a case it is the case's. */
export function queueActs(of: {
  readonly ofCase: () => { letter(key: string): boolean } | null
  readonly selection: () => {
    selects(): boolean
    change(what: 'tags' | 'due' | 'assignee'): Promise<void>
    decide(decision: Decision): Promise<void>
    interpret(): Promise<void>
  } | null
  /** Entries are claimed one at a time. */
  readonly claiming: () => boolean
  readonly edit: (what: 'due' | 'assignee') => void
}): Pick<QueueActions, 'inCase' | 'setDue' | 'assign' | 'tag' | 'interpret' | 'decideMany'> {
  const selects = (): boolean => of.selection()?.selects() === true
  return {
    decideMany: (decision) => void of.selection()?.decide(decision),
    inCase: (letter) => of.ofCase()?.letter(letter) === true,
    setDue: () => (selects() ? void of.selection()?.change('due') : of.edit('due')),
    assign: () => (selects() && !of.claiming() ? void of.selection()?.change('assignee') : of.edit('assignee')),
    tag: () => void of.selection()?.change('tags'),
    interpret: () => void of.selection()?.interpret()
  }
}

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
    const act = letters[key]
    // These three lead on; all others are the case's while one is open.
    const leads = key === 'j' || key === 'k' || key === 'b'
    if (decision && event.shiftKey) actions.decideMany(decision)
    else if (decision) actions.decide(decision)
    else if (leads || event.shiftKey || !actions.inCase(key)) {
      if (!act) return
      act(actions)
    }
    event.preventDefault()
  })
}
