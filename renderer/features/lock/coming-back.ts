/** Back to where a person was when the window was locked: the page with what was open in it, and the control that had the focus. */
import type { Router } from 'vue-router'
import { useApp } from '../shell/app-store.ts'
import type { LeftPlace } from '../shell/drafts-store.ts'
import { words } from './words.ts'

/** Milliseconds to wait for the control to be there again; a case has to be read first. */
const patience = 5000

const shownText = (element: Element): string =>
  (element.getAttribute('aria-label') ?? (element as HTMLInputElement).labels?.[0]?.textContent ?? element.textContent)
    .trim()
    .slice(0, 200)
const alike = (tag: string, text: string): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>(tag)].filter((each) => shownText(each) === text)

/** @param path Of the current page, with its search. */
export function leftPlace(path: string): LeftPlace {
  const element = document.activeElement
  if (!element || element === document.body) return { path }
  const [tag, text] = [element.localName, shownText(element)]
  return { path, focus: [tag, text, alike(tag, text).indexOf(element as HTMLElement)] }
}

/** What is shown, after the page's name: the name of the open case, say. */
function announceBack(): void {
  const page = document.title.split(' – ')[0] ?? ''
  const shown = document.querySelector('main [data-case-name]')?.textContent.trim() ?? ''
  useApp().announce(shown === '' ? words.unlockedPage({ page }) : words.unlockedPageWithCase({ page, shown }))
}

/** Focuses the control again, once it is there, and says where the person is; nothing of it if they have gone on meanwhile. */
export function focusAgain(router: Router, { focus }: LeftPlace): void {
  const page = router.currentRoute.value
  const until = performance.now() + patience
  const look = (): void => {
    if (router.currentRoute.value !== page) return
    const found = focus && alike(focus[0], focus[1])[focus[2]]
    if (found?.checkVisibility()) found.focus()
    if (!focus || document.activeElement === found || performance.now() > until) announceBack()
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}
