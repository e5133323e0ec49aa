/** Global shortcuts. Single letters are not shortcuts while a field has the focus. */
import { useEventListener } from '@vueuse/core'
import type { Router } from 'vue-router'
import { operations } from '#contract/verification/operations.ts'
import { commandKey as command, undoKeys } from './keys.ts'
import { openOperation } from '../features/shell/navigation.ts'

export interface Shortcut {
  readonly keys: readonly string[]
  readonly does: string
}

/** The content of the list of shortcuts. */
export const shortcutList: readonly { readonly group: string; readonly keys: readonly Shortcut[] }[] = [
  {
    group: 'Everywhere',
    keys: [
      { keys: [command, 'K'], does: 'Open the command palette' },
      ...operations.map((operation, index) => ({ keys: [command, String(index + 1)], does: operation.title })),
      { keys: ['/'], does: 'Search the current view, or the history if it has no search' },
      { keys: [command, 'P'], does: 'Print the open record, the applicant or the work queue' },
      { keys: [command, 'Shift', 'M'], does: 'Screen-share mode: hide personal data, or show it again' },
      { keys: ['Alt', 'R'], does: 'In screen-share mode, show what has the focus; again for the next value of a row' },
      { keys: undoKeys, does: 'Undo the last change' },
      { keys: [command, 'Shift', 'L'], does: 'Lock Veridesk' },
      { keys: ['?'], does: 'Show this list' }
    ]
  },
  {
    group: 'Verification',
    keys: [
      { keys: ['Enter'], does: 'Send' },
      { keys: ['Esc'], does: 'Cancel a running verification' }
    ]
  },
  {
    group: 'History',
    keys: [
      { keys: ['/'], does: 'Search (also ' + command + ' F)' },
      { keys: ['↑', '↓'], does: 'Previous and next record' },
      { keys: ['Home', 'End'], does: 'Newest and oldest record' },
      { keys: ['Enter'], does: 'Open the record' },
      { keys: ['Esc'], does: 'Close the record' }
    ]
  },
  {
    group: 'Document',
    keys: [
      { keys: ['+', '-'], does: 'Zoom in and out (also ' + command + ' wheel)' },
      { keys: ['0'], does: 'Actual size' },
      { keys: ['F'], does: 'Fit' },
      { keys: ['R'], does: 'Rotate' },
      { keys: ['↑', '↓', '←', '→'], does: 'Move the image' },
      { keys: ['Page Up', 'Page Down'], does: 'Previous and next page of a PDF' },
      { keys: ['Home', 'End'], does: 'First and last page of a PDF' }
    ]
  },
  {
    group: 'Work queue',
    keys: [
      { keys: ['J', 'K'], does: 'Next and previous item (also ↓ ↑)' },
      { keys: ['Enter'], does: 'Open the item' },
      { keys: ['A'], does: 'Approve' },
      { keys: ['D'], does: 'Decline' },
      { keys: ['E'], does: 'Escalate' },
      { keys: [command, 'Enter'], does: 'Record the decision and open the next item' },
      { keys: ['B'], does: 'Open the last decided applicant again' },
      { keys: ['U'], does: 'Due date' },
      { keys: ['S'], does: 'Assign' },
      { keys: ['Esc'], does: 'Leave the form, then close the item' }
    ]
  },
  {
    group: 'Batch',
    keys: [
      { keys: ['↑', '↓'], does: 'Previous and next row' },
      { keys: ['Enter'], does: 'Open the row’s record' },
      { keys: ['Space'], does: 'Select a row with unknown outcome' }
    ]
  }
]

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

/** `undo` returns whether there was anything to undo. While the window is locked there are none. */
export function useShortcuts(
  router: Router,
  palette: { open: boolean; shortcuts: boolean },
  undo: () => boolean,
  locked: () => boolean
): void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.altKey || locked()) return
    const chord = event.ctrlKey || event.metaKey
    if (chord && event.key.toLowerCase() === 'k') {
      event.preventDefault()
      palette.open = !palette.open
    } else if (document.querySelector('dialog[open]')) {
      return
    } else if (chord && /^[1-9]$/.test(event.key)) {
      event.preventDefault()
      openOperation(Number(event.key), router)
    } else if (chord && !event.shiftKey && event.key.toLowerCase() === 'z' && !isTyping(event.target)) {
      if (undo()) event.preventDefault()
    } else if (!chord && event.key === '?' && !isTyping(event.target)) {
      event.preventDefault()
      palette.shortcuts = true
    } else if (!chord && event.key === '/' && !isTyping(event.target) && router.currentRoute.value.name !== 'history') {
      event.preventDefault()
      void router.push({ name: 'history', query: { focus: 'search' } })
    }
  }
  useEventListener('keydown', onKey)
}
