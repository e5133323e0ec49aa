/** The keys of a case: single letters, and Ctrl with the number of an operation, while the focus is in it. */
import { operations } from '#contract/verification/operations.ts'
import { digitOf, isComposing } from '../../kit/keys.ts'
import { isTyping, letterIn } from '../../kit/letter-keys.ts'
import { caseCommands, type CaseActions } from './case-commands.ts'

const letters: ReadonlyMap<string, (actions: CaseActions) => void> = new Map(
  // The documents take theirs with all their others.
  caseCommands.flatMap(({ id, letter, act }) =>
    letter === undefined || id === 'documents' ? [] : [[letter.toLowerCase(), act] as const]
  )
)

function onChord(event: KeyboardEvent, actions: CaseActions): boolean {
  const operation = operations[Number(digitOf(event) ?? 0) - 1]
  if (operation) actions.check(operation.id)
  else if (event.key === 'Enter') actions.record()
  else return false
  return true
}

/** Does what a letter means in a case; returns whether it means anything. */
export function caseLetter(key: string, actions: CaseActions): boolean {
  const act = letters.get(key)
  if (!act) return actions.documents(key)
  act(actions)
  return true
}

function onKey(event: KeyboardEvent, place: Element, actions: CaseActions): boolean {
  const key = letterIn(event, place)
  return key !== undefined && !event.repeat && caseLetter(key, actions)
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
