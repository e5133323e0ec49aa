/** At 900 x 600 every entry of the side bar is in sight, and no page of the records scrolls sideways. */
import { expect, test, usePractice } from './fixtures/desk.ts'
import { inspect } from './fixtures/axe.ts'
import { newBatch } from './fixtures/batch.ts'
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

test('a batch with rows of unknown outcome shows six rows and more at 1024 x 700, and its page does not scroll', async ({ desk }) => {
  const page = await desk.open()
  await desk.sitting().resize(1024, 700)
  await usePractice(page, { lastOperation: 'get-applicant-details' })
  const form = await newBatch(page, ['applicant_id,branch', 'PRACTICE-cut,2', 'PRACTICE-404,1', ...Array.from({ length: 30 }, (_, at) => `NB-2026-00${5000 + at},3`)].join('\n'))
  const batch = await form.run()
  await expect(batch.state).toHaveText('Finished')
  await expect(batch.unknown).toContainText('1 row of unknown outcome')
  for (const row of [1, 2, 3, 4, 5, 6]) await expect(batch.row(row).getByRole('gridcell').nth(1)).toBeInViewport({ ratio: 0.99 })
  expect(await batch.main.evaluate((main) => main.scrollHeight - main.clientHeight)).toBe(0)
  await inspect(page, 'a batch with a row of unknown outcome')
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
