/**
 * Reports to core text that the user copies with the system's own command, such as Ctrl+C, so core can clear it later.
 */
import { ask } from '../bridge.ts'

/** The text that a copy would take: the selection in a field, otherwise the selection on the page. */
function chosenText(): string {
  const field = document.activeElement
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)
    return field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0)
  return getSelection()?.toString() ?? ''
}

/** Listens for the lifetime of the window. */
export function noteCopies(): void {
  const note = (): void => {
    const text = chosenText()
    if (text !== '') void ask('app.copied', { text })
  }
  for (const kind of ['copy', 'cut']) document.addEventListener(kind, note, { capture: true })
}
