/** Global shortcuts. */
import { useEventListener } from '@vueuse/core'
import type { Router } from 'vue-router'
import { operations } from '#contract/verification/operations.ts'
import { backKeys, commandKey as command, digitOf, isBack, isComposing, pressedKey, undoKeys } from './keys.ts'
import { nextRegion } from './focus.ts'
import { isTyping, letterIn } from './letter-keys.ts'
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
      { keys: [command, 'N'], does: words.newVerification },
      { keys: ['F1'], does: words.openOrCloseHelp },
      { keys: ['F6'], does: words.nextRegionOfTheWindow },
      { keys: backKeys, does: words.back },
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
    group: words.queue,
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

/** `undo` returns whether there was anything to undo. While the window is locked there are none. */
export function useShortcuts(
  router: Router,
  palette: { open: boolean; shortcuts: boolean },
  undo: () => boolean,
  locked: () => boolean
): void {
  const onChord = (event: KeyboardEvent): void => {
    const digit = digitOf(event)
    if (digit !== undefined && digit !== '0') {
      event.preventDefault()
      openOperation(Number(digit), router)
    } else if (!event.shiftKey && pressedKey(event) === 'z' && !isTyping(event.target) && undo()) event.preventDefault()
  }
  const onLetter = (event: KeyboardEvent): void => {
    if (letterIn(event) === '?') {
      event.preventDefault()
      palette.shortcuts = true
    } else if (letterIn(event) === '/' && router.currentRoute.value.name !== 'history') {
      event.preventDefault()
      void router.push({ name: 'history', query: { focus: 'search' } })
    }
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || isComposing(event) || locked()) return
    if (event.key === 'F6' && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault()
      return nextRegion(event.shiftKey)
    }
    if (isBack(event)) {
      event.preventDefault()
      return router.back()
    }
    if (event.altKey) return
    const chord = event.ctrlKey || event.metaKey
    if (chord && pressedKey(event) === 'k') {
      event.preventDefault()
      palette.open = !palette.open
    } else if (!document.querySelector('dialog[open]')) {
      if (chord) onChord(event)
      else onLetter(event)
    }
  }
  useEventListener('keydown', onKey)
}
