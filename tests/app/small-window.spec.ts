/** At 900 x 600 every entry of the side bar is in sight, and no page of the records scrolls sideways. */
import { expect, test, usePractice } from './fixtures/desk.ts'
import { furnish } from './fixtures/scene.ts'
import { stops } from './fixtures/stops.ts'
import { Shell } from './pages/shell.ts'

test('the side bar shows all of its entries', async ({ desk }) => {
  const page = await desk.open()
  await desk.sitting().resize(900, 600)
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

for (const { width, height } of [{ width: 900, height: 600 }, { width: 1024, height: 700 }])
  test(`no view of batches and records scrolls sideways at ${width} x ${height}`, async ({ desk }) => {
    test.setTimeout(240_000)
    const page = await desk.open()
    await desk.sitting().resize(width, height)
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
