/** Names of shortcut keys on this computer. */

const mac = typeof navigator !== 'undefined' && /mac/i.test(navigator.platform)

/** The modifier key for shortcuts. */
export const commandKey = mac ? '⌘' : 'Ctrl'
/** The shortcut for the undo that a toast offers. */
export const undoKeys: readonly string[] = [commandKey, 'Z']
/** The same shortcut in the syntax of `aria-keyshortcuts`. */
export const undoAriaKeys = mac ? 'Meta+Z' : 'Control+Z'
/** The modifier key in the same syntax. */
export const ariaCommandKey = mac ? 'Meta' : 'Control'

/** Whether the key belongs to an input method, which is composing a character: 229 is what browsers send without `isComposing`. */
export const isComposing = (event: KeyboardEvent): boolean => event.isComposing || event.keyCode === 229

/**
 * The key in lower case. A letter of a layout without Latin letters counts by its position, as in the native menu: there is no
 * other way to press K with Cyrillic, Greek, Hebrew or Arabic.
 */
export function pressedKey({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string {
  const position = /^Key([A-Z])$/.exec(code)?.[1]
  return position !== undefined && /^\P{Script=Latin}+$/u.test(key) && /\p{L}/u.test(key)
    ? position.toLowerCase()
    : key.toLowerCase()
}

/** The digit of a key by its position, where the layout has another sign there (AZERTY), or on the numeric pad. */
export const digitOf = ({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string | undefined =>
  /^\d$/.test(key) ? key : /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1]

/** The keys that lead back. */
export const backKeys: readonly string[] = mac ? ['⌘', '['] : ['Alt', '←']
/** Whether these keys were pressed. In a field on macOS, Alt and an arrow move by words, so there it is another pair. */
export const isBack = ({ key, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean =>
  !shiftKey && !ctrlKey && (mac ? metaKey && !altKey && key === '[' : altKey && !metaKey && key === 'ArrowLeft')
