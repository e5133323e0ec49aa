/** The window stays usable while a large batch runs: the history's search responds to every letter typed. */
import { ask, expect, test, useService } from './fixtures/workspace.ts'
import { BatchPage, NewBatchPage } from './pages/batches.ts'
import { HistoryPage } from './pages/history.ts'

test.use({ practiceOptions: { latency: 20 } })

const rows = 20_000
/** IDs, words in every answer, and a word without matches. */
const searches = ['0000123', 'verified', '0000456', 'applicant', 'nowhere', '0001789']

test(`the history’s search answers while a batch of ${rows.toLocaleString('en')} rows runs`, async ({
  workspace,
  practice
}) => {
  test.setTimeout(120_000)
  const page = await workspace.open()
  await useService(page, practice, {}, { lastOperation: 'get-applicant-details' })
  const form = new NewBatchPage(page)
  await form.open()
  await form.paste(
    ['applicant_id', ...Array.from({ length: rows }, (_, at) => `0${String(at).padStart(6, '0')}`)].join('\n')
  )
  await form.go('Send')
  await form.atOnce.fill('8')
  await form.start.click()
  const batch = new BatchPage(page)
  await batch.state.waitFor({ timeout: 60_000 })
  // The last search is for an answered row.
  await expect.poll(() => batch.count('answered'), { timeout: 60_000 }).toBeGreaterThan(1_800)

  const history = new HistoryPage(page)
  await history.open()
  await history.search.click()
  await expect(history.rows.first()).toBeVisible()
  for (const search of searches) {
    await history.search.fill('')
    await expect(history.list).toHaveAttribute('data-search', '')
    await page.keyboard.type(search, { delay: 20 })
    // The list reports which search its rows match; if there are none, a sentence is shown instead.
    await expect(page.locator(`[data-search="${search}"]`).or(history.noMatch).first()).toBeVisible()
    await expect(history.search).toHaveValue(search)
  }
  const [shown] = await ask(page, 'batches.list', { limit: 1 })
  expect(shown?.state, 'the batch ran all the while').toBe('running')
  expect(shown?.counts.waiting, 'the batch is as large as it was meant to be').toBeGreaterThan(0)
  // Every visible row contains the search text.
  await expect(history.rows.first()).toContainText('1789')
  await ask(page, 'batches.cancel', { id: shown?.id ?? '' })
  await expect.poll(async () => (await ask(page, 'batches.list', { limit: 1 }))[0]?.state).toBe('cancelled')
})
