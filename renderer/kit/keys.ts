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
