/** How this computer names the keys of a shortcut. */

const mac = typeof navigator !== 'undefined' && /mac/i.test(navigator.platform)

/** The key that makes a letter a command. */
export const commandKey = mac ? '⌘' : 'Ctrl'
/** Undoes what the message at the window's foot offers to undo. */
export const undoKeys: readonly string[] = [commandKey, 'Z']
/** The same, as `aria-keyshortcuts` writes it. */
export const undoAriaKeys = mac ? 'Meta+Z' : 'Control+Z'
