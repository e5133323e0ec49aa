/**
 * Fields in screen-share mode. A field of one line becomes one for passwords: its text is drawn, read out and copied as
 * little as a password. One of several lines can only be drawn as dots, which styles/base.css does; `isHiddenField` keeps
 * its text from copies. Numbers, dates, settings and connections (`data-public`) hide nothing.
 */

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
}

let observer: MutationObserver | undefined
/** Hides all fields of the window, also those that appear later, or shows all. */
export function hideFields(on: boolean): void {
  document.documentElement.toggleAttribute('data-hides', on)
  observer?.disconnect()
  if (!on) {
    for (const field of document.querySelectorAll<HTMLInputElement>(`[${before}]`)) restore(field)
    return
  }
  const look = (): void => {
    for (const field of document.querySelectorAll<HTMLInputElement>(single))
      if (!field.hasAttribute('data-shown') && field.closest('[data-public]') === null) hide(field)
  }
  look()
  // Before the next frame is drawn.
  observer = new MutationObserver(look)
  observer.observe(document.documentElement, { childList: true, subtree: true })
}
