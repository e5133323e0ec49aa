/** Text that a person copies by the system's own way, as with Ctrl+C: the core is told, so that it can be taken back. */
import { ask } from '../bridge.ts'

/** What a copy would take: of a field its chosen part, else the selection of the page. */
function chosenText(): string {
  const field = document.activeElement
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)
    return field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0)
  return getSelection()?.toString() ?? ''
}

/** Watches for as long as the window stands. */
export function noteCopies(): void {
  const note = (): void => {
    const text = chosenText()
    if (text !== '') void ask('app.copied', { text })
  }
  for (const kind of ['copy', 'cut']) document.addEventListener(kind, note, { capture: true })
}
