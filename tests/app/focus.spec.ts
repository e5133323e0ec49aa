/** Presses every button of every view and looks where the focus is: never at the page's start. */
import type { Page } from '@playwright/test'
import { expect, test, usePractice } from './fixtures/workspace.ts'
import { furnish } from './fixtures/scene.ts'
import { stops } from './fixtures/stops.ts'

/** Waits until nothing has changed in the window for some frames, and describes the focus if it was lost. */
const lostFocus = (page: Page): Promise<string> =>
  page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        let [quiet, left] = [0, 300]
        const observer = new MutationObserver(() => (quiet = 0))
        observer.observe(document.body, { subtree: true, childList: true, attributes: true })
        const look = (): void => {
          quiet += 1
          left -= 1
          if (quiet < 12 && left > 0) return void requestAnimationFrame(look)
          observer.disconnect()
          const at = document.activeElement
          resolve(
            !at || at === document.body ? 'at the start of the page' : at.matches(':disabled') ? at.outerHTML : ''
          )
        }
        requestAnimationFrame(look)
      })
  )

/** Names of the buttons of a page or a dialog that can be pressed. */
const buttonsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLButtonElement>('main button:enabled')]
      .filter((button) => button.checkVisibility() && !button.closest('dialog, [role="grid"]'))
      .map((button) => `${button.getAttribute('aria-label') ?? ''} ${button.textContent}`.replace(/\s+/g, ' ').trim())
  )

const pressNamed = (page: Page, name: string): Promise<boolean> =>
  page.evaluate((wanted) => {
    const found = [...document.querySelectorAll<HTMLButtonElement>('main button:enabled')].find(
      (button) =>
        `${button.getAttribute('aria-label') ?? ''} ${button.textContent}`.replace(/\s+/g, ' ').trim() === wanted
    )
    found?.focus()
    return found !== undefined
  }, name)

test('after every button of every view the focus is somewhere', async ({ workspace }) => {
  test.setTimeout(600_000)
  const page = await workspace.open()
  const scene = await furnish(page, (await usePractice(page)).id)
  const seen = new Set<string>()
  const faults: string[] = []
  for (const stop of stops) {
    await stop.reach(page, scene)
    if ((await page.getByRole('dialog').count()) > 0) {
      await stop.leave?.(page)
      continue
    }
    let address = page.url()
    for (const name of await buttonsOf(page)) {
      if (seen.has(name)) continue
      seen.add(name)
      if (!(await pressNamed(page, name))) continue
      await page.keyboard.press('Enter')
      const lost = await lostFocus(page)
      if (lost) faults.push(`${stop.name}, “${name}”: ${lost}`)
      for (
        let more = 0;
        more < 3 && (await page.locator('dialog[open], [role="dialog"], [role="menu"], [role="listbox"]').count()) > 0;
        more += 1
      ) {
        await page.keyboard.press('Escape')
        const after = await lostFocus(page)
        if (after) faults.push(`${stop.name}, “${name}”, closed: ${after}`)
        // What is shown only once asks before it goes.
        const leave = page.getByRole('button', { name: 'Leave without a copy' })
        if (await leave.isVisible()) await leave.click()
      }
      if (page.url() !== address) {
        await stop.reach(page, scene)
        address = page.url()
      }
    }
    await stop.leave?.(page).catch(() => undefined)
  }
  expect(faults).toEqual([])
  // Of about twenty-five views.
  expect(seen.size).toBeGreaterThan(60)
})
