/** The window stays usable while a batch runs: measured, at a service that answers in 20 ms. */
import { ask, expect, test, useService } from './fixtures/desk.ts'
import { NewBatchPage } from './pages/batches.ts'
import { HistoryPage } from './pages/history.ts'

// Recording what the window shows would take the time that is measured here.
test.use({ practiceOptions: { latency: 20 }, trace: 'off', screenshot: 'off' })

test('the history’s search answers while a batch of thousands runs', async ({ desk, practice }) => {
  test.setTimeout(120_000)
  const page = await desk.open()
  await useService(page, practice, {}, { lastOperation: 'get-applicant-details' })
  const form = new NewBatchPage(page)
  await form.open()
  await form.paste(['applicant_id', ...Array.from({ length: 5000 }, (_, at) => `00${String(at).padStart(5, '0')}`)].join('\n'))
  await form.atOnce.fill('8')
  const batch = await form.run()
  await expect.poll(() => batch.count('answered')).toBeGreaterThan(100)
  const history = new HistoryPage(page)
  await history.open()
  await history.search.click()
  await expect(history.rows.first()).toBeVisible()
  // From the key to the next frame that shows it, in the page itself: what a person waits for.
  await page.evaluate(() => {
    const seen = { waits: [] as number[] }
    Object.assign(window, { seen })
    document.addEventListener('keydown', (event) => requestAnimationFrame(() => setTimeout(() => seen.waits.push(performance.now() - event.timeStamp))), true)
  })
  const words = '00001applicant verified'
  const worst: number[] = []
  // What a batch does to the window it does each time; what else the machine does, it does not: up to three rounds.
  while (worst.length < 3 && !worst.some((wait) => wait < 100)) {
    await history.search.fill('')
    await page.evaluate(() => ((window as unknown as { seen: { waits: number[] } }).seen.waits = []))
    await page.keyboard.type(words, { delay: 60 })
    const waits = (): Promise<number[]> => page.evaluate(() => (window as unknown as { seen: { waits: number[] } }).seen.waits)
    await expect.poll(async () => (await waits()).length).toBeGreaterThanOrEqual(words.length)
    worst.push(Math.max(...(await waits())))
  }
  const [shown] = await ask(page, 'batches.list', { limit: 1 })
  expect(shown?.state, 'the batch ran all the while').toBe('running')
  console.log(`typing during a batch of ${shown?.rows} rows: worst ${worst.map((wait) => wait.toFixed(0)).join(', ')} ms`)
  expect(Math.min(...worst)).toBeLessThan(100)
  await expect(history.search).toHaveValue('00001applicant verified')
})
