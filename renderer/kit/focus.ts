/** Where the focus goes when what had it is gone: never to the page's start. */
import { useEventListener, useMutationObserver } from '@vueuse/core'

const focusable =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex]:not([tabindex="-1"])'
const isUsable = (element: HTMLElement): boolean =>
  element.isConnected && !element.matches(':disabled') && element.checkVisibility()
const controlsIn = (place: Element): HTMLElement[] => [...place.querySelectorAll<HTMLElement>(focusable)]

/** Focuses an element that the Tab key does not reach, such as a heading or a section. */
function focusPlace(place: HTMLElement): void {
  if (!place.hasAttribute('tabindex')) {
    place.tabIndex = -1
    place.addEventListener('blur', () => place.removeAttribute('tabindex'), { once: true })
  }
  place.focus({ preventScroll: true })
}

/** What had the focus, and where it was. */
interface Held {
  readonly element: HTMLElement
  /** From its parent to the body. */
  readonly around: readonly HTMLElement[]
  /** Its number among the controls of each of these. */
  readonly places: readonly number[]
}

function holding(element: HTMLElement): Held {
  const around: HTMLElement[] = []
  for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) around.push(at)
  return { element, around, places: around.slice(0, 6).map((place) => controlsIn(place).indexOf(element)) }
}

/**
 * Focuses the best neighbour of an element that is gone or disabled: the control that is at its place now in the closest part of the page
 * that is left, or the heading of the page; the section itself while an element is only disabled, until it can be used again.
 */
function focusAfter({ element, around, places }: Held): void {
  const left = around.findIndex((place) => place.isConnected && place.checkVisibility())
  const closest = around[left]
  if (!closest) return
  if (element.isConnected)
    return focusPlace(closest.closest<HTMLElement>('form, section, [role="group"], dialog, main') ?? closest)
  for (let at = left; at < around.length; at += 1) {
    const place = around[at] as HTMLElement
    const controls = place.id === 'main' ? [] : controlsIn(place)
    const here = Math.max(places[at] ?? 0, 0)
    const next = controls.slice(here).find(isUsable) ?? controls.slice(0, here).findLast(isUsable)
    if (next) return next.focus({ preventScroll: true })
    const heading = [...place.querySelectorAll<HTMLElement>('h1, h2, h3')].find(isUsable)
    if (heading) return focusPlace(heading)
  }
}

/** Keeps the focus of the window, whatever a view removes or disables. Views that know better move it themselves, and first. */
export function keepFocus(): void {
  let held: Held | undefined
  /** Disabled while it had the focus, which is at the section around it. */
  let waiting: { readonly element: HTMLElement; readonly at: Element | null } | undefined
  let frame: number | undefined

  useEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return
    if (waiting?.at !== target) waiting = undefined
    held = target === document.body || target.matches('main, h1, h2') ? undefined : holding(target)
  })
  // A person clicks beside everything: that is where the focus is wanted.
  useEventListener(
    'pointerdown',
    ({ target }) => {
      if (!(target instanceof Element) || !target.closest(`${focusable}, label, [tabindex]`)) held = waiting = undefined
    },
    { capture: true }
  )
  const look = (): void => {
    frame = undefined
    const now = document.activeElement
    if (waiting && isUsable(waiting.element)) {
      if (now === waiting.at || now === document.body) waiting.element.focus({ preventScroll: true })
      waiting = undefined
      return
    }
    const lost = now === document.body || now === null || now.matches(':disabled')
    if (!held || !lost) return
    const { element } = held
    // Disabled for a moment.
    if (isUsable(element)) return element.focus({ preventScroll: true })
    focusAfter(held)
    if (element.isConnected) waiting = { element, at: document.activeElement }
  }
  useMutationObserver(
    () => document.body,
    () => {
      // Two frames: a view, a dialog or a navigation that moves the focus itself has done it by then.
      if (held || waiting) frame ??= requestAnimationFrame(() => requestAnimationFrame(look))
    },
    { childList: true, subtree: true, attributeFilter: ['disabled', 'hidden', 'inert'] }
  )
}

/** The parts of the window that F6 goes through, in their order on the page. */
const regions = 'header.strip, nav.side, main, main [data-region], aside.help'

/** Moves the focus to the next part of the window, or to the previous one. */
export function nextRegion(backwards: boolean): void {
  const all = [...document.querySelectorAll<HTMLElement>(regions)].filter((each) => each.checkVisibility())
  const here = all.findLastIndex((each) => each.contains(document.activeElement))
  const next = all.at(here === -1 ? 0 : (here + (backwards ? -1 : 1)) % all.length)
  if (!next) return
  const control = next.matches('main') ? undefined : controlsIn(next).find(isUsable)
  if (control) control.focus()
  else focusPlace(next)
}
