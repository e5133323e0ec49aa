/** The overview: its numbers are those of the records, and each of them leads to exactly what it counts. */
import type { Locator, Page } from '@playwright/test'
import type { SeedCheck } from '../../scripts/seed-data.ts'
import { filterOf } from '../../renderer/features/history/filters.ts'
import { inspect } from './fixtures/axe.ts'
import { seedHistory } from './fixtures/history.ts'
import { ask, expect, test as base, usePractice } from './fixtures/workspace.ts'
import { goTo } from './pages/go.ts'
import { HistoryPage } from './pages/history.ts'
import { VerifyPage } from './pages/verify.ts'
import { DateField } from './pages/fields.ts'

const many = 400
const number = (text: string): number => Number(text.replaceAll(',', ''))

/** `made` are the records that exist before the console starts, newest first. */
const test = base.extend<{ made: readonly SeedCheck[] }>({
  made: async ({ workspace, dataFolder }, use) => {
    test.skip(!workspace.keyring, 'needs a keyring for tests')
    await use(workspace.keyring ? await seedHistory(dataFolder, workspace.keyring, many) : [])
  }
})

class OverviewPage {
  readonly records: Locator
  readonly cards: Locator
  private readonly page: Page

  constructor(page: Page) {
    this.page = page
    this.records = page.getByTestId('records')
    this.cards = page.getByTestId('figures').locator('section')
  }
  async open(query = ''): Promise<void> {
    await goTo(this.page, `/overview${query}`, 'Overview')
  }
  card(title: string | RegExp): Locator {
    return this.page.getByRole('main').getByRole('region', { name: title, exact: true })
  }
  preset(name: string): Locator {
    return this.page.getByRole('group', { name: 'Period' }).getByRole('button', { name })
  }
}

/** How many records or queue items a link of the overview leads to. */
async function behind(page: Page, href: string): Promise<number> {
  const [path, search] = href.slice(1).split('?')
  const query = Object.fromEntries(new URLSearchParams(search))
  const filter = filterOf(query)
  if (path === '/history/' || path === '/history') return (await ask(page, 'history.counts', { filter })).total
  expect(path).toBe('/queue')
  const kinds = { kinds: new URLSearchParams(search).getAll('state') as 'open'[] }
  const { from, until } = filter
  return (
    await ask(page, 'queue.list', {
      filter: { ...kinds, ...(from !== undefined && { from }), ...(until !== undefined && { until }) },
      limit: 1,
      visit: crypto.randomUUID()
    })
  ).total
}

interface Linked {
  readonly text: string
  readonly href: string
}
const linksIn = (card: Locator, selector: string): Promise<Linked[]> =>
  card.locator(selector).evaluateAll((links) =>
    links.map((link) => ({
      text: link.getAttribute('aria-label') ?? link.textContent ?? '',
      href: link.getAttribute('href') ?? ''
    }))
  )

test('every mark and every number of a table leads to exactly what it counts', async ({ workspace, made }) => {
  test.setTimeout(180_000)
  const page = await workspace.open()
  const overview = new OverviewPage(page)
  await overview.open('?days=all')
  await expect(overview.records).toHaveText(String(many))
  await expect(page.getByTestId('unresolved')).toHaveText(
    String(made.filter(({ ending }) => ending.outcome === 'unknown').length)
  )

  await expect(overview.card('Unknown outcomes to resolve')).toBeVisible()
  const titles = await overview.cards.locator('h2').allTextContents()
  expect(titles).toEqual([
    'Records per month',
    'Response times per month',
    'Outcomes',
    'HTTP statuses',
    'Operations',
    'Response times by operation',
    'Busiest hours',
    'Failures by connection',
    'Batches',
    'Applicants waiting',
    'Unknown outcomes to resolve'
  ])
  let checked = 0
  for (const title of titles) {
    const card = overview.card(title)
    if (title === 'Batches') {
      await expect(card).toContainText('No batches')
      continue
    }
    const times = title.startsWith('Response times')
    for (const { text, href } of await linksIn(card, '[data-mark]')) {
      // Of the queue, the numbers of each kind of item.
      const found = times
        ? /([\d,]+) answers?$/.exec(text)?.[1]
        : (/: ([\d,]+) record/.exec(text)?.[1] ?? /: ([\d,]+) pending decision$/.exec(text)?.[1])
      if (found === undefined) continue
      expect(await behind(page, href), `${title}: ${text}`).toBe(number(found))
      checked += 1
    }
    await card.getByRole('button', { name: 'Show as table' }).click()
    if (times) continue
    for (const { text, href } of await linksIn(card, 'td a')) {
      expect(await behind(page, href), `${title}, table: ${text}`).toBe(number(text))
      checked += 1
    }
  }
  expect(checked).toBeGreaterThan(100)

  // The tables contain every record once.
  for (const title of ['Records per month', 'Outcomes', 'Operations']) {
    const cells = await overview.card(title).locator('td').allTextContents()
    expect(
      cells.reduce((sum, text) => sum + number(text), 0),
      title
    ).toBe(many)
  }
  const statuses = await overview
    .card('HTTP statuses')
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => [row.querySelector('th')?.textContent, Number(row.querySelector('td')?.textContent)])
    )
  const replies = made.flatMap(({ ending }) => ending.reply?.status ?? [])
  expect(statuses).toEqual(
    [...new Set(replies)]
      .sort((a, b) => a - b)
      .map((status) => [String(status), replies.filter((each) => each === status).length])
  )
})

test('a mark is reached by keyboard, opens the history with its filters, and going back returns to the period', async ({
  workspace,
  made
}) => {
  test.setTimeout(120_000)
  const page = await workspace.open()
  const overview = new OverviewPage(page)
  const history = new HistoryPage(page)
  await overview.open('?days=all')
  const card = overview.card('HTTP statuses')
  await card.getByRole('button', { name: 'Show as table' }).focus()
  await page.keyboard.press('Tab')
  const marks = card.locator('[data-mark]')
  await expect(marks.nth(0)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(marks.nth(1)).toBeFocused()
  await page.keyboard.press('Home')
  await expect(marks.nth(0)).toHaveAccessibleName(/^200: /)
  await page.keyboard.press('Enter')
  const answered = made.filter(({ ending }) => ending.reply?.status === 200).length
  await expect(history.total).toHaveText(`${answered} records`)
  await page.goBack()
  await expect(overview.preset('All records')).toHaveAttribute('aria-pressed', 'true')
  await expect(overview.records).toHaveText(String(many))
  // A column of a plot over time.
  const column = overview.card('Records per month').locator('[data-mark]').nth(3)
  const words = (await column.getAttribute('aria-label')) ?? ''
  await column.locator('.whole').click({ position: { x: 3, y: 5 } })
  await expect(history.total).toHaveText(`${/: ([\d,]+) record/.exec(words)?.[1]} records`)
  // An age of the work queue.
  await page.goBack()
  const age = overview.card('Applicants waiting').locator('[data-mark]').last()
  await expect(age).toHaveAccessibleName(/^More than 30 days\. Pending decision: [\d,]+$/)
  const waiting = /: ([\d,]+)$/.exec((await age.getAttribute('aria-label')) ?? '')?.[1]
  await age.click()
  await expect(page.getByTestId('queue-since')).toContainText('Waiting since before')
  await expect(page.getByTestId('queue-total')).toHaveText(`${waiting} items`)
})

test('the period changes by preset and by day, and says if it is invalid or empty', async ({ workspace, made }) => {
  test.setTimeout(120_000)
  const page = await workspace.open()
  const overview = new OverviewPage(page)
  await overview.open()
  await expect(overview.preset('Last 30 days')).toHaveAttribute('aria-pressed', 'true')
  await expect(overview.card('Records per day')).toBeVisible()
  const since = (days: number): number =>
    new Date(new Date().setHours(0, 0, 0, 0)).setDate(new Date().getDate() + 1 - days)
  await expect(overview.records).toHaveText(String(made.filter(({ intent }) => intent.startedAt >= since(30)).length))
  await overview.preset('Last 12 months').click()
  await expect(overview.card('Records per week')).toBeVisible()
  await expect(overview.records).toHaveText(String(made.filter(({ intent }) => intent.startedAt >= since(365)).length))
  await overview.preset('Today').click()
  await expect(page).toHaveURL(/overview\?days=1/)

  const dates = { first: new DateField(page, 'First day'), last: new DateField(page, 'Last day') }
  await dates.first.set('2001-01-01')
  await dates.last.set('2001-01-02')
  await expect(page.getByText('No records in this period')).toBeVisible()
  await dates.last.set('2000-12-31')
  await expect(page.getByRole('alert')).toContainText('The first day is after the last day')
  await dates.last.set('2001-01-02')
  await page.getByRole('button', { name: 'Show all records' }).click()
  await expect(overview.records).toHaveText(String(many))
})

test('an empty history says so, and the first record appears', async ({ workspace }) => {
  const page = await workspace.open()
  await usePractice(page)
  const overview = new OverviewPage(page)
  await overview.open()
  await expect(page.getByText('No records yet')).toBeVisible()
  await inspect(page, 'an empty overview')
  const verify = new VerifyPage(page)
  await verify.open('get-applicant-details')
  await verify.run('get-applicant-details', { applicant_id: 'APP-1' })
  await expect(verify.record.status).toHaveText('200')
  await overview.open('?days=1')
  await expect(overview.records).toHaveText('1')
  await expect(overview.card('Records per hour')).toBeVisible()
})

test('has no violation as plots and as tables, and fits 900 x 600', async ({ workspace, made }) => {
  test.setTimeout(120_000)
  expect(made).toHaveLength(many)
  const page = await workspace.open()
  await workspace.session().resize(900, 600)
  const overview = new OverviewPage(page)
  await overview.open('?days=all')
  await expect(overview.records).toHaveText(String(many))
  await inspect(page, 'the overview')
  for (const button of await page.getByRole('button', { name: 'Show as table' }).all()) await button.click()
  await inspect(page, 'the overview as tables', ['light'])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  expect(await page.getByRole('main').evaluate((main) => main.scrollWidth - main.clientWidth)).toBeLessThanOrEqual(0)
})
