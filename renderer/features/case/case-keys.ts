/** The keys of a case: single letters, and Ctrl with the number of an operation, while the focus is in it. */
import { decisions, type Decision } from '#contract/applicants/applicants.ts'
import { operations, type OperationId } from '#contract/verification/operations.ts'
import { digitOf, isComposing } from '../../kit/keys.ts'
import { isTyping, letterIn } from '../../kit/letter-keys.ts'

export interface CaseActions {
  /** Chooses a decision; it is not recorded yet. */
  decide(decision: Decision): void
  record(): void
  setDue(): void
  assign(): void
  tag(): void
  note(): void
  /** Opens the check, at an operation. */
  check(operation?: OperationId): void
  /** Interprets the newest message. */
  interpret(): void
  /** True if the key did something. Documents have more keys while the focus is in them. */
  documents(key: string): boolean
  /** Escape; returns whether there was something to leave. */
  leave(): boolean
}

const decisionKeys = new Map<string, Decision>(decisions.map((decision) => [decision.charAt(0), decision]))
const letters: Readonly<Record<string, (actions: CaseActions) => void>> = {
  u: ({ setDue }) => setDue(),
  s: ({ assign }) => assign(),
  t: ({ tag }) => tag(),
  n: ({ note }) => note(),
  v: ({ check }) => check(),
  i: ({ interpret }) => interpret()
}

function onChord(event: KeyboardEvent, actions: CaseActions): boolean {
  const operation = operations[Number(digitOf(event) ?? 0) - 1]
  if (operation) actions.check(operation.id)
  else if (event.key === 'Enter') actions.record()
  else return false
  return true
}

function onKey(event: KeyboardEvent, place: Element, actions: CaseActions): boolean {
  const key = letterIn(event, place)
  if (key === undefined || event.repeat) return false
  const decision = decisionKeys.get(key)
  if (decision) actions.decide(decision)
  else if (letters[key]) letters[key](actions)
  else return actions.documents(key)
  return true
}

/** Acts on a key that was pressed in a case. Dialogs and menus over it have keys of their own. @param place The case. */
export function caseKeyPressed(event: KeyboardEvent, place: Element | null, actions: CaseActions): void {
  const { target } = event
  if (!place || event.defaultPrevented || isComposing(event) || document.querySelector('dialog[open]')) return
  if (target instanceof Element && target.closest('.menu')) return
  const isChord = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
  const done =
    event.key === 'Escape'
      ? actions.leave()
      : isChord
        ? onChord(event, actions)
        : (!isTyping(target) || event.key === 'Escape') && onKey(event, place, actions)
  if (!done) return
  event.preventDefault()
  event.stopPropagation()
}
