/** What core learns of the user's input: copies made with the system's own command, and that somebody works in the window. */
import { ask } from '../../bridge.ts'
import { isHiddenField } from '../../kit/hidden-fields.ts'

/** The text that a copy would take: the selection in a field, otherwise the selection on the page. */
function chosenText(): string {
  const field = document.activeElement
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)
    return field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0)
  return getSelection()?.toString() ?? ''
}

/**
 * Reports text that the user copies, such as with Ctrl+C, so that core can clear it later, and prevents it where a policy
 * does. Listens for the lifetime of the window.
 *
 * @param whyForbidden Why a policy does not allow it. Core refuses it as well; here the text does not leave the page at all.
 * @param refused Called with that reason at each attempt.
 */
export function noteCopies(whyForbidden: () => string | undefined, refused: (why: string) => void): void {
  const note = (event: Event): void => {
    // A hidden field gives its text to nobody, as a password does not.
    if (isHiddenField(document.activeElement)) return event.preventDefault()
    const text = chosenText()
    if (text === '') return
    const why = whyForbidden()
    if (why === undefined) return void ask('app.copied', { text })
    event.preventDefault()
    refused(why)
  }
  for (const kind of ['copy', 'cut']) document.addEventListener(kind, note, { capture: true })
  // Nothing says whether another program took what is dragged out of the window: text leaves it by a copy alone.
  document.addEventListener('dragstart', (event) => event.preventDefault(), { capture: true })
}

/** Minimum milliseconds between two notifications; a user is faster only with a key held down. */
const apart = 100

/** Notifies core of keys, clicks and scrolling while `running()`, for the lifetime of the window. */
export function yieldToUser(running: () => boolean): void {
  let notifiedAt = -Infinity
  const notify = ({ timeStamp }: Event): void => {
    if (timeStamp - notifiedAt < apart || !running()) return
    notifiedAt = timeStamp
    void ask('batches.yieldToUser')
  }
  for (const kind of ['keydown', 'pointerdown', 'wheel'])
    addEventListener(kind, notify, { capture: true, passive: true })
}
