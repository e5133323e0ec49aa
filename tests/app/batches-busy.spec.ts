/** The window stays usable while a batch of 100,000 rows runs: measured in the window itself. */
import { ask, expect, test, useService } from './fixtures/desk.ts'
import { statistics, typed, watchTyping, words } from './fixtures/felt.ts'
import { watchMachine } from './fixtures/machine.ts'
import { BatchPage, NewBatchPage } from './pages/batches.ts'
import { HistoryPage } from './pages/history.ts'

// Recording what the window shows would take the time that is measured here.
test.use({ alone: true, practiceOptions: { latency: 20 }, trace: 'off', screenshot: 'off' })

const rows = 100_000
/** Milliseconds from a key to what it shows. */
const most = 100
/** Milliseconds between two keys: ninety words a minute. */
const pause = 120
/** Ids, words of every answer, and what is nowhere. */
const searches = ['0000123', 'verified', '0000456', 'applicant', 'nowhere', '0001789']
/** Letters from which a text is searched for; shorter ones are an applicant's whole id, looked up after a pause. */
const shortest = 3

test('the history’s search answers while a batch of 100,000 rows runs', async ({ desk, practice }) => {
  test.setTimeout(180_000)
  const watch = await watchMachine()
  const page = await desk.open()
  await useService(page, practice, {}, { lastOperation: 'get-applicant-details' })
  const form = new NewBatchPage(page)
  await form.open()
  await form.paste(['applicant_id', ...Array.from({ length: rows }, (_, at) => `0${String(at).padStart(6, '0')}`)].join('\n'))
  await form.atOnce.fill('8')
  await form.start.click()
  const batch = new BatchPage(page)
  await batch.state.waitFor({ timeout: 90_000 })
  await expect.poll(() => batch.count('answered'), { timeout: 60_000 }).toBeGreaterThan(500)

  const history = new HistoryPage(page)
  await history.open()
  await history.search.click()
  await expect(history.rows.first()).toBeVisible()
  await watchTyping(history.search, history.list)
  const character: number[] = []
  const answer: number[] = []
  for (const search of searches) {
    await history.search.fill('')
    await expect(history.list).toHaveAttribute('data-search', '')
    const waits = await typed(page, search, pause)
    character.push(...waits.character)
    answer.push(...waits.answer.slice(shortest - 1))
  }
  const [shown] = await ask(page, 'batches.list', { limit: 1 })
  expect(shown?.state, 'the batch ran all the while').toBe('running')
  expect(shown?.counts.waiting, 'the batch is as large as it was meant to be').toBeGreaterThan(rows / 2)
  // What was measured was the answer: every row in sight holds what was typed.
  await expect(history.rows.first()).toContainText('1789')
  await ask(page, 'batches.cancel', { id: shown?.id ?? '' })
  await expect.poll(async () => (await ask(page, 'batches.list', { limit: 1 }))[0]?.state).toBe('cancelled')

  const machine = await watch()
  console.log(`${words('key to painted character', character)}; ${words('key to painted list', answer)}; ${machine.words}`)
  if (!machine.quiet) console.log('Others were at work on this machine: medians are held to their bound, the slowest keys are not.')
  expect(answer.length).toBeGreaterThanOrEqual(20)
  for (const [what, waits] of Object.entries({ character, answer })) {
    const { median, p95 } = statistics(waits)
    expect(median, `${what}, median`).toBeLessThan(machine.bound(most))
    if (machine.quiet) expect(p95, `${what}, p95`).toBeLessThan(machine.bound(most))
  }
})
