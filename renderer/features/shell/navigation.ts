/** Navigation targets of menus, shortcuts, the palette, and of what the system asks to open. */
import { until } from '@vueuse/core'
import type { RouteLocationRaw, Router } from 'vue-router'
import type { NotifiedPlace } from '#contract/app/opening.ts'
import type { MenuCommand } from '#contract/ipc/ipc.ts'
import { operations } from '#contract/verification/operations.ts'
import { ask } from '../../bridge.ts'
import { commandKey } from '../../kit/keys.ts'
import { whatToDo } from '../../kit/failure-text.ts'
import { focusAgain } from '../lock/coming-back.ts'
import { useApp } from './app-store.ts'
import { useDrafts } from './drafts-store.ts'
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

/** Leads to what the system asked the console to open, until nothing waits. @returns Whether it led somewhere. */
async function takeOpenings(router: Router): Promise<boolean> {
  const app = useApp()
  let led = false
  for (;;) {
    const answer = await ask('app.opening')
    if (!answer.ok) {
      if (answer.failure.code !== 'locked') app.showToast(whatToDo(answer.failure), { tone: 'warning' })
      return led
    }
    const opening = answer.value
    if (!opening) return led
    if (opening.what === 'refused') app.showToast(words.thisLinkWasNotOpened, { tone: 'warning' })
    else {
      led = true
      if (opening.what === 'place') await router.push(addressOf(opening.place))
      else {
        const bytes = Uint8Array.from(atob(opening.base64), (character) => character.charCodeAt(0))
        useDrops().opened = new File([bytes], opening.name)
      }
    }
  }
}

/**
 * Leads back to where the person was before a lock, then to what the system asked the console to open: what was asked for
 * is shown, and “back” leads to where the person was. Each navigation has ended before the next begins: the later one
 * would cancel it.
 */
async function arrive(router: Router): Promise<void> {
  const app = useApp()
  const drafts = useDrafts()
  // The place is among the drafts; without a history there are none.
  const isKnown = () => app.state?.lock === undefined && app.history.state !== 'opening'
  await until(() => isKnown() && (drafts.isRead || app.history.state !== 'ready')).toBe(true)
  await router.isReady()
  // The start leads somewhere by itself, and would take the place of either.
  await until(() => router.currentRoute.value.name).not.toBe('start')
  const { back } = drafts
  if (back) await router.replace(back.path).catch(() => undefined)
  drafts.back = undefined
  const led = await takeOpenings(router)
  if (back && !led) focusAgain(router, back)
}

/** @returns What leads on after unlocking, and whenever the system asks to open something: one after another. */
export function arrivals(router: Router): () => void {
  let last: Promise<unknown> = Promise.resolve()
  return () => void (last = last.then(() => arrive(router)).catch(() => undefined))
}
