/** At 900 x 600 all of the side bar is in sight and no page of the records scrolls sideways; at 200 % nothing is lost. */
import type { Page } from '@playwright/test'
import { expect, test, usePractice } from './fixtures/workspace.ts'
import { inspect } from './fixtures/axe.ts'
import { newBatch } from './fixtures/batch.ts'
import { furnish } from './fixtures/scene.ts'
import { stops } from './fixtures/stops.ts'
import { goTo } from './pages/go.ts'
import { Shell } from './pages/shell.ts'

test('the side bar shows all of its entries', async ({ workspace }) => {
  const page = await workspace.open()
  await workspace.session().resize(900, 600)
  await usePractice(page)
  const { navigation, heading } = new Shell(page)
  await expect(heading).toBeVisible()
  const hidden = await navigation.evaluate((bar) => ({
    scrolls: bar.scrollHeight > bar.clientHeight,
    outside: [...bar.querySelectorAll('a')].filter((link) => link.getBoundingClientRect().bottom > innerHeight).map((link) => link.textContent),
    low: [...bar.querySelectorAll('a')].filter((link) => link.getBoundingClientRect().height < 24).map((link) => link.textContent)
  }))
  expect(hidden).toEqual({ scrolls: false, outside: [], low: [] })
})

test('a batch with rows of unknown outcome shows six rows and more at 1024 x 700, and its page does not scroll', async ({ workspace }) => {
  const page = await workspace.open()
  await workspace.session().resize(1024, 700)
  await usePractice(page, { lastOperation: 'get-applicant-details' })
  const form = await newBatch(page, ['applicant_id,branch', 'PRACTICE-cut,2', 'PRACTICE-404,1', ...Array.from({ length: 30 }, (_, at) => `NB-2026-00${5000 + at},3`)].join('\n'))
  const batch = await form.run()
  await expect(batch.state).toHaveText('Finished')
  await expect(batch.unknown).toContainText('1 row with unknown outcome')
  for (const row of [1, 2, 3, 4, 5, 6]) await expect(batch.row(row).getByRole('gridcell').nth(1)).toBeInViewport({ ratio: 0.99 })
  expect(await batch.main.evaluate((main) => main.scrollHeight - main.clientHeight)).toBe(0)
  await inspect(page, 'a batch with a row of unknown outcome')
})

for (const { width, height } of [{ width: 900, height: 600 }, { width: 1024, height: 700 }])
  test(`no view of batches and records scrolls sideways at ${width} x ${height}`, async ({ workspace }) => {
    test.setTimeout(240_000)
    const page = await workspace.open()
    await workspace.session().resize(width, height)
    const scene = await furnish(page, (await usePractice(page)).id)
    for (const stop of stops) {
      await stop.reach(page, scene)
      const wide = await page.evaluate(() => [document.documentElement, ...document.querySelectorAll('main, main *, [role="dialog"], [role="dialog"] *')]
        .filter((element) => {
          const { overflowX } = getComputedStyle(element)
          // A file's columns are others': how many, nobody knows beforehand.
          const foreign = element.closest('.sample, [aria-label="Rows of the batch"]')
          const scrolls = (overflowX === 'auto' || overflowX === 'scroll') && element.scrollWidth > element.clientWidth + 1 && !foreign
          const beside = element.matches('button, a, input, select, textarea') && !foreign && element.getBoundingClientRect().right > innerWidth + 1
          return element.checkVisibility() && (scrolls || beside)
        })
        .map((element) => element.outerHTML.slice(0, 120)))
      expect.soft(wide, stop.name).toEqual([])
      await stop.leave?.(page)
    }
  })

/** What lies beyond the right edge, or is read by scrolling sideways only. Tables may: headings and rows belong together. */
const beyond = (page: Page): Promise<string[]> => page.evaluate(() =>
  [document.documentElement, ...document.querySelectorAll('header, header *, main, main *, [role="dialog"] *')]
    .filter((element) => {
      if (!element.checkVisibility() || element.closest('[role="grid"], .sample, .sr-only')) return false
      const { overflowX } = getComputedStyle(element)
      const scrolls = (overflowX === 'auto' || overflowX === 'scroll') && element.scrollWidth > element.clientWidth + 1
      const { right, width } = element.getBoundingClientRect()
      return scrolls || (width > 1 && right > innerWidth + 1 && element.matches('button, a, input, select, textarea, h1, h2, h3, p, dd, dt, label'))
    })
    .map((element) => element.outerHTML.slice(0, 120)))

// The least window at 200 %, and a window of 600 pixels.
for (const { width, height } of [{ width: 450, height: 300 }, { width: 600, height: 700 }])
  test(`nothing lies beyond the edge of a window of ${width} x ${height}, and lists keep room for some rows`, async ({ workspace }) => {
    test.setTimeout(240_000)
    const page = await workspace.open()
    const scene = await furnish(page, (await usePractice(page)).id)
    const paths = ['verify/get-applicant-details', 'history', 'connections', 'settings', 'about', `history/${scene.photoRecord}`]
    const reached = [...stops, ...paths.map((path) => ({ name: path, reach: (): Promise<void> => goTo(page, `/${path}`), leave: undefined }))]
    await page.setViewportSize({ width, height })
    expect(await page.getByRole('main').evaluate((main) => main.clientWidth / innerWidth), 'the page has most of the width').toBeGreaterThan(0.8)
    await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Data management' }), 'signs have names').toBeVisible()
    for (const stop of reached) {
      await page.setViewportSize({ width: 1000, height: 700 })
      await stop.reach(page, scene)
      await page.setViewportSize({ width, height })
      expect.soft(await beyond(page), stop.name).toEqual([])
      const lists = await page.getByRole('main').getByRole('grid').evaluateAll((grids) => grids.map((grid) => grid.clientHeight))
      for (const room of lists) expect.soft(room, `${stop.name}: room for rows`).toBeGreaterThanOrEqual(190)
      await stop.leave?.(page)
    }
  })
