/** In small windows: at 900 x 600 the whole side bar is in sight, at 1024 x 700 a batch shows its rows. Every view at every size: `full-views.spec.ts`. */
import { expect, test, usePractice } from './fixtures/workspace.ts'
import { inspect } from './fixtures/axe.ts'
import { newBatch } from './fixtures/batch.ts'
import { Shell } from './pages/shell.ts'

test('the side bar shows all of its entries', async ({ workspace }) => {
  const page = await workspace.open()
  await workspace.session().resize(900, 600)
  await usePractice(page)
  const { navigation, heading } = new Shell(page)
  await expect(heading).toBeVisible()
  const hidden = (): Promise<object> =>
    navigation.evaluate((bar) => ({
      scrolls: [bar, ...bar.querySelectorAll('div')].some((each) => each.scrollHeight > each.clientHeight + 1),
      outside: [...bar.querySelectorAll('a, button')]
        .filter((link) => link.getBoundingClientRect().bottom > innerHeight)
        .map((link) => link.textContent),
      low: [...bar.querySelectorAll('a, button')]
        .filter((link) => link.checkVisibility() && link.getBoundingClientRect().height < 24)
        .map((link) => link.textContent)
    }))
  // The new size may be drawn a frame later.
  await expect.poll(hidden).toEqual({ scrolls: false, outside: [], low: [] })
})

test('a batch with rows of unknown outcome shows six rows and more at 1024 x 700, and its page does not scroll', async ({
  workspace
}) => {
  const page = await workspace.open()
  await workspace.session().resize(1024, 700)
  await usePractice(page, { lastOperation: 'get-applicant-details' })
  const form = await newBatch(
    page,
    [
      'applicant_id,branch',
      'PRACTICE-cut,2',
      'PRACTICE-404,1',
      ...Array.from({ length: 30 }, (_, at) => `NB-2026-00${5000 + at},3`)
    ].join('\n')
  )
  const batch = await form.run()
  await expect(batch.state).toHaveText('Finished')
  await expect(batch.unknown).toContainText('1 row has an unknown outcome')
  for (const row of [2, 3, 4, 5, 6, 7])
    await expect(batch.row(row).getByRole('gridcell').nth(1)).toBeInViewport({ ratio: 0.99 })
  await expect.poll(() => batch.main.evaluate((main) => main.scrollHeight - main.clientHeight)).toBe(0)
  await inspect(page, 'a batch with a row of unknown outcome')
})
