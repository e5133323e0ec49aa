/** Keys of one character, which act only where they belong and can be switched off (WCAG 2.1.4). */
import { ref } from 'vue'
import { isComposing, pressedKey } from './keys.ts'

/** The setting. */
export const letterKeysOn = ref(true)

/** Whether keys pressed on this element are text input. */
export function isTyping(target: EventTarget | null): boolean {
  // In lists of choices letters find a choice.
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      /^(INPUT|TEXTAREA)$/.test(target.tagName) ||
      target.closest('[role="combobox"], [role="listbox"], .date-field') !== null)
  )
}

/**
 * The character that a key means within a place; undefined if it means none there: the focus is elsewhere or in a field, a modifier is held, or the keys are
 * switched off. @param place Such as a list or a case; the page's content if absent.
 */
export function letterIn(
  event: KeyboardEvent,
  place: Element | null | undefined = document.getElementById('main')
): string | undefined {
  const { target } = event
  if (!letterKeysOn.value || event.defaultPrevented || isComposing(event)) return undefined
  if (event.ctrlKey || event.metaKey || event.altKey || !(target instanceof Element)) return undefined
  // Menus have keys of their own.
  if (!place?.contains(target) || isTyping(target) || target.closest('.menu')) return undefined
  const key = pressedKey(event)
  return [...key].length === 1 ? key : undefined
}
