/**
 * Fields in screen-share mode. A field of one line becomes one for passwords: its text is drawn, read out and copied as
 * little as a password. One of several lines is drawn as dots by styles/base.css while somebody types in it, `isHiddenField`
 * keeps its text from copies, and otherwise hidden-areas.ts replaces it. Numbers, dates, settings and connections (`data-public`) hide nothing.
 */
import { replaceAreas, watchAreas } from './hidden-areas.ts'

const single = 'input:is([type="text"], [type="search"], [type="url"], :not([type])):not([inputmode="numeric"])'
/** The type that a hidden field had. */
const before = 'data-type'

function hide(field: HTMLInputElement): void {
  field.setAttribute(before, field.getAttribute('type') ?? '')
  field.type = 'password'
}
function restore(field: HTMLInputElement): void {
  const type = field.getAttribute(before)
  if (type) field.type = type
  else field.removeAttribute('type')
  field.removeAttribute(before)
}

/** Whether its text is hidden now. */
export const isHiddenField = (element: Element | null): element is HTMLInputElement | HTMLTextAreaElement =>
  element !== null &&
  (element.hasAttribute(before) ||
    (element.matches(':root[data-hides] textarea:not([data-shown])') && element.closest('[data-public]') === null))

/** Shows the text of a hidden field, until `hideAgain`. */
export function showField(field: HTMLElement): void {
  if (field instanceof HTMLInputElement) restore(field)
  field.setAttribute('data-shown', '')
}
export function hideAgain(field: Element): void {
  if (!field.hasAttribute('data-shown')) return
  field.removeAttribute('data-shown')
  if (field instanceof HTMLInputElement && document.documentElement.hasAttribute('data-hides')) hide(field)
  else replaceAreas()
}

let observer: MutationObserver | undefined
let isWatching = false
/** Hides all fields of the window, also those that appear later, or shows all. */
export function hideFields(on: boolean): void {
  if (!isWatching) watchAreas()
  isWatching = true
  document.documentElement.toggleAttribute('data-hides', on)
  observer?.disconnect()
  if (!on) {
    for (const field of document.querySelectorAll<HTMLInputElement>(`[${before}]`)) restore(field)
    replaceAreas()
    return
  }
  const look = (): void => {
    for (const field of document.querySelectorAll<HTMLInputElement>(single))
      if (!field.hasAttribute('data-shown') && field.closest('[data-public]') === null) hide(field)
    replaceAreas()
  }
  look()
  // Before the next frame is drawn.
  observer = new MutationObserver(look)
  observer.observe(document.documentElement, { childList: true, subtree: true })
}
