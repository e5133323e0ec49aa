/** Global shortcuts. Single letters are not shortcuts while a field has the focus. */
import { useEventListener } from '@vueuse/core'
import type { Router } from 'vue-router'
import { operations } from '#contract/verification/operations.ts'
import { commandKey as command, undoKeys } from './keys.ts'
import { openOperation } from '../features/shell/navigation.ts'
import { words } from './words.ts'

export interface Shortcut {
  readonly keys: readonly string[]
  readonly does: string
}

/** The content of the list of shortcuts. */
export const shortcutList: readonly { readonly group: string; readonly keys: readonly Shortcut[] }[] = [
  {
    group: words.everywhere,
    keys: [
      { keys: [command, 'K'], does: words.openTheCommandPalette },
      ...operations.map((operation, index) => ({ keys: [command, String(index + 1)], does: operation.title })),
      { keys: ['/'], does: words.searchTheCurrentViewOr },
      { keys: [command, 'P'], does: words.printTheOpenRecordThe },
      { keys: [command, 'Shift', 'M'], does: words.screenShareModeHidePersonal },
      { keys: ['Alt', 'R'], does: words.inScreenShareModeShow },
      { keys: undoKeys, does: words.undoTheLastChange },
      { keys: [command, 'Shift', 'L'], does: words.lockVeridesk },
      { keys: ['?'], does: words.showThisList }
    ]
  },
  {
    group: words.verification,
    keys: [
      { keys: ['Enter'], does: words.send },
      { keys: ['Esc'], does: words.cancelARunningVerification }
    ]
  },
  {
    group: words.history,
    keys: [
      { keys: ['/'], does: words.searchAlsoCommandF({ command }) },
      { keys: ['↑', '↓'], does: words.previousAndNextRecord },
      { keys: ['Home', 'End'], does: words.newestAndOldestRecord },
      { keys: ['Enter'], does: words.openTheRecord },
      { keys: ['Esc'], does: words.closeTheRecord }
    ]
  },
  {
    group: words.document,
    keys: [
      { keys: ['+', '-'], does: words.zoomInAndOutAlso({ command }) },
      { keys: ['0'], does: words.actualSize },
      { keys: ['F'], does: words.fit },
      { keys: ['R'], does: words.rotate },
      { keys: ['↑', '↓', '←', '→'], does: words.moveTheImage },
      { keys: [words.pageUp, words.pageDown], does: words.previousAndNextPageOf },
      { keys: ['Home', 'End'], does: words.firstAndLastPageOf }
    ]
  },
  {
    group: words.workQueue,
    keys: [
      { keys: ['J', 'K'], does: words.nextAndPreviousItemAlso },
      { keys: ['Enter'], does: words.openTheItem },
      { keys: ['A'], does: words.approve },
      { keys: ['D'], does: words.decline },
      { keys: ['E'], does: words.escalate },
      { keys: [command, 'Enter'], does: words.recordTheDecisionAndOpen },
      { keys: ['B'], does: words.openTheLastDecidedApplicant },
      { keys: ['U'], does: words.dueDate },
      { keys: ['S'], does: words.assign },
      { keys: ['Esc'], does: words.leaveTheFormThenClose }
    ]
  },
  {
    group: words.batch,
    keys: [
      { keys: ['↑', '↓'], does: words.previousAndNextRow },
      { keys: ['Enter'], does: words.openTheRowsRecord },
      { keys: ['Space'], does: words.selectARowWithUnknown }
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
