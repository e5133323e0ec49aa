/** Every view and main state in Electron; the preview looks at the same ones more closely (accessibility, full views, still). */
import type { Page } from '@playwright/test'
import { expect, test, usePractice } from './fixtures/workspace.ts'
import { everywhere } from './fixtures/everywhere.ts'
import { furnish } from './fixtures/scene.ts'
import { stops } from './fixtures/stops.ts'
import { Shell } from './pages/shell.ts'

/** Errors and console messages of the page. */
function complaints(page: Page): string[] {
  const heard: string[] = []
  page.on('pageerror', ({ message }) => heard.push(message))
  page.on('console', (message) => void (['error', 'warning'].includes(message.type()) && heard.push(message.text())))
  return heard
}

test('every view is shown, from the first start on', { tag: '@electron-only' }, async ({ workspace, practice }) => {
  test.setTimeout(90_000)
  const page = await workspace.open()
  const heard = complaints(page)
  await everywhere(
    page,
    async (what) => {
      await expect(new Shell(page).heading.first(), what).toBeVisible()
      expect(heard, what).toEqual([])
    },
    practice
  )
})

test('every view of the records is shown, with data', { tag: '@electron-only' }, async ({ workspace }) => {
  test.setTimeout(120_000)
  const page = await workspace.open()
  const heard = complaints(page)
  const scene = await furnish(page, (await usePractice(page)).id)
  for (const stop of stops) {
    await stop.reach(page, scene)
    await expect(page.getByRole('main').locator('[aria-busy="true"]'), stop.name).toHaveCount(0)
    expect(heard, stop.name).toEqual([])
    await stop.leave?.(page)
  }
})
