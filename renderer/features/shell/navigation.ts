/** Navigation targets of menus, shortcuts, the palette, and of what the system asks to open. */
import { until } from '@vueuse/core'
import type { RouteLocationRaw, Router } from 'vue-router'
import type { NotifiedPlace } from '#contract/app/opening.ts'
import type { MenuCommand } from '#contract/ipc/ipc.ts'
import { operations } from '#contract/verification/operations.ts'
import { ask } from '../../bridge.ts'
import { commandKey } from '../../kit/keys.ts'
import { whatToDo } from '../../kit/failure-text.ts'
import { useApp } from './app-store.ts'
import { useDrops } from './drops-store.ts'
import { words } from './words.ts'

interface Openers {
  open: boolean
  shortcuts: boolean
  help: boolean
}

/** Runs a command of the host's menu. */
export function openMenu(
  command: Exclude<MenuCommand, 'print' | 'lock' | 'screen-share'>,
  router: Router,
  palette: Openers
): void {
  if (command === 'command-palette') palette.open = true
  else if (command === 'help') palette.help = !palette.help
  else if (command === 'find') find()
  else void router.push({ name: command })
}

/** As its keys do: each view knows what it searches. */
function find(): void {
  const keys = { key: 'f', code: 'KeyF', ctrlKey: commandKey === 'Ctrl', metaKey: commandKey !== 'Ctrl' }
  const pressed = new KeyboardEvent('keydown', { ...keys, bubbles: true, cancelable: true })
  ;(document.activeElement ?? document.body).dispatchEvent(pressed)
}

/** Opens the operation with this number in the table, from 1. */
export function openOperation(number: number, router: Router): void {
  const operation = operations[number - 1]
  if (operation) void router.push({ name: 'verify', params: { operation: operation.id } })
}

/** The address of a place to which a link or a notification leads. */
function addressOf(place: NotifiedPlace): RouteLocationRaw {
  if (!('id' in place)) return { name: place.page }
  return { name: place.page === 'record' ? 'history' : place.page, params: { id: place.id } }
}

/** Leads to what the system asked the console to open, until nothing waits. While the console is locked nothing is answered, so it waits on. */
export async function takeOpenings(router: Router): Promise<void> {
  const app = useApp()
  await router.isReady()
  // The start leads somewhere by itself, and would take its place.
  await until(() => router.currentRoute.value.name).not.toBe('start')
  for (;;) {
    const answer = await ask('app.opening')
    if (!answer.ok) {
      if (answer.failure.code !== 'locked') app.showToast(whatToDo(answer.failure), { tone: 'warning' })
      return
    }
    const opening = answer.value
    if (!opening) return
    if (opening.what === 'refused') app.showToast(words.thisLinkWasNotOpened, { tone: 'warning' })
    else if (opening.what === 'place') await router.push(addressOf(opening.place))
    else {
      const bytes = Uint8Array.from(atob(opening.base64), (character) => character.charCodeAt(0))
      useDrops().opened = new File([bytes], opening.name)
    }
  }
}
