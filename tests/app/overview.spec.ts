/** The overview: its numbers are those of the records, and each of them leads to exactly what it counts. */
import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { openWorkbook } from '#kit/workbook/read.ts'
import type { SeedCheck } from '../../scripts/seed-data.ts'
import { filterOf } from '../../renderer/features/history/filters.ts'
import { listOf, narrowedOf } from '../../renderer/features/overview/overview-address.ts'
import { applicantFilterOf } from '../../renderer/features/applicants/applicant-walk.ts'
import { queueFilterOf } from '../../renderer/features/queue/queue-address.ts'
import { inspect } from './fixtures/axe.ts'
import { saveInto } from './fixtures/batch.ts'
import { seedDecisions, type MadeDecision } from './fixtures/decisions.ts'
import { savedFile } from './fixtures/files.ts'
import { seedHistory } from './fixtures/history.ts'
import { readPdf } from './fixtures/pdf.ts'
import { runCheck } from './fixtures/scene.ts'
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
    await goTo(this.page, `/overview/health${query}`, 'Overview')
  }
  card(title: string | RegExp): Locator {
    return this.page.getByRole('main').getByRole('region', { name: title, exact: true })
  }
  /** The button that says the period. */
  get period(): Locator {
    return this.page.getByRole('button', { name: /^Period: / })
  }
  async choose(preset: string): Promise<void> {
    await this.period.click()
    await this.page.getByRole('group', { name: 'Period' }).getByRole('button', { name: preset, exact: true }).click()
  }
}

/** How many records a link of the overview leads to. */
async function behind(page: Page, href: string): Promise<number> {
  const [path, search] = href.slice(1).split('?')
  expect(path).toMatch(/^\/history\/?$/)
  return (await ask(page, 'history.counts', { filter: filterOf(Object.fromEntries(new URLSearchParams(search))) }))
    .total
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
  await expect(overview.records).toHaveText(`${many} records`)
  await expect(overview.card('Unknown outcomes to resolve')).toBeVisible()
  const titles = await overview.cards.locator('h2').allTextContents()
  expect(titles).toEqual([
    'Records per month',
    'Response times per month',
    'Outcomes',
    'HTTP statuses',
    'Operations',
    'Response times by operation',
    'Failures by connection',
    'Batches',
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
      const found = (times ? /([\d,]+) answers?$/ : /: ([\d,]+) record/).exec(text)?.[1]
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
  expect(checked).toBeGreaterThan(80)

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
  await expect(overview.period).toHaveText('All records')
  await expect(overview.records).toHaveText(`${many} records`)
  // A column of a plot over time.
  const column = overview.card('Records per month').locator('[data-mark]').nth(3)
  const words = (await column.getAttribute('aria-label')) ?? ''
  await column.locator('.whole').click({ position: { x: 3, y: 5 } })
  await expect(history.total).toHaveText(`${/: ([\d,]+) record/.exec(words)?.[1]} records`)
})

test('the period changes by preset and by day, and says if it is invalid or empty', async ({ workspace, made }) => {
  test.setTimeout(120_000)
  const page = await workspace.open()
  const overview = new OverviewPage(page)
  await overview.open()
  await expect(overview.period).toHaveText('This month')
  await overview.choose('Last 30 days')
  await expect(overview.card('Records per day')).toBeVisible()
  const since = (days: number): number =>
    new Date(new Date().setHours(0, 0, 0, 0)).setDate(new Date().getDate() + 1 - days)
  await expect(overview.records).toHaveText(
    `${made.filter(({ intent }) => intent.startedAt >= since(30)).length} records`
  )
  await overview.choose('Last 12 months')
  await expect(overview.card('Records per week')).toBeVisible()
  await expect(overview.records).toHaveText(
    `${made.filter(({ intent }) => intent.startedAt >= since(365)).length} records`
  )
  await overview.choose('Today')
  await expect(page).toHaveURL(/overview\/health\?days=1/)

  const dates = { first: new DateField(page, 'First day'), last: new DateField(page, 'Last day') }
  await overview.period.click()
  await dates.first.set('2001-01-01')
  await dates.last.set('2001-01-02')
  await expect(page.getByText('No records in this period')).toBeVisible()
  await dates.last.set('2000-12-31')
  await expect(page.getByRole('alert')).toContainText('The first day is after the last day')
  await dates.last.set('2001-01-02')
  await page.getByRole('button', { name: 'Show all records' }).click()
  await expect(overview.records).toHaveText(`${many} records`)
})

base('figures of today are of the next day after midnight, as the period says', async ({ workspace }) => {
  const page = await workspace.open()
  await runCheck(page, (await usePractice(page)).id, 'get-applicant-details', { applicant_id: 'APP-1' })
  await page.clock.install()
  const overview = new OverviewPage(page)
  await overview.open('?days=1')
  await expect(overview.records).toHaveText('1 record')
  const period = page.getByRole('heading', { name: 'Overview' }).locator('+ p')
  const before = await period.innerText()
  await page.clock.fastForward(86_400_000)
  await expect(page.getByText('No records in this period')).toBeVisible()
  await expect(period).not.toHaveText(before)
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
  await expect(overview.records).toHaveText('1 record')
  await expect(overview.card('Records per hour')).toBeVisible()
})

test('has no violation as plots and as tables, and fits 900 x 600', async ({ workspace, made }) => {
  test.setTimeout(120_000)
  expect(made).toHaveLength(many)
  const page = await workspace.open()
  await workspace.session().resize(900, 600)
  const overview = new OverviewPage(page)
  await overview.open('?days=all')
  await expect(overview.records).toHaveText(`${many} records`)
  await inspect(page, 'the overview')
  for (const button of await page.getByRole('button', { name: 'Show as table' }).all()) await button.click()
  await inspect(page, 'the overview as tables', ['light'])
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  await expect
    .poll(() => page.getByRole('main').evaluate((main) => main.scrollWidth - main.clientWidth))
    .toBeLessThanOrEqual(0)
})

test.describe('decisions', () => {
  const decided = base.extend<{ decisions: readonly MadeDecision[] }>({
    decisions: async ({ workspace, dataFolder }, use) => {
      test.skip(!workspace.keyring, 'needs a keyring for tests')
      await use(workspace.keyring ? await seedDecisions(dataFolder, workspace.keyring, 12) : [])
    }
  })

  /** How many decisions or items an address of the overview leads to. */
  async function counts(page: Page, href: string): Promise<number> {
    const [path, search] = href.slice(1).split('?')
    const query: Record<string, string | string[]> = {}
    for (const [name, value] of new URLSearchParams(search)) {
      const before = query[name]
      query[name] = before === undefined ? value : [before, value].flat()
    }
    const visit = crypto.randomUUID()
    if (path === '/queue')
      return (await ask(page, 'queue.list', { filter: queueFilterOf(query), limit: 1, visit })).total
    if (path === '/applicants')
      return (await ask(page, 'applicants.matching', { ...applicantFilterOf(query), visit })).ids.length
    expect(path).toBe('/overview/list')
    const of = listOf(query)
    if (!of) throw new Error(href)
    const list = await ask(page, 'overview.list', { of, ...narrowedOf(query), offset: 0, limit: 1, visit })
    return list.kind === 'counted' ? list.total : -1
  }

  decided('every number leads to exactly what it counts, narrowed too', async ({ workspace, decisions }) => {
    decided.setTimeout(120_000)
    const page = await workspace.open()
    await goTo(page, '/overview?days=30', 'Overview')
    await expect(page.getByTestId('decided')).toHaveText(String(decisions.length))
    for (const each of ['approve', 'decline', 'escalate'] as const)
      await expect(page.getByTestId(each)).toHaveText(
        String(decisions.filter(({ decision }) => decision === each).length)
      )
    // Decisions by three people, none of whom had an answer in sight.
    const quality = page.getByRole('region', { name: 'Review quality' })
    await expect(quality).toContainText(`An answer not shown100.0 %`)
    await expect(quality).toContainText(`100.0 % (95 % interval), of ${decisions.length} decisions`)
    for (const query of [
      'days=30',
      'days=30&connection=00000000-0000-4000-8000-000000000002',
      'days=30&reviewer=Mira+Rahn'
    ]) {
      await goTo(page, `/overview?${query}`, 'Overview')
      const figures = page.getByTestId('decisions')
      await expect(figures).toBeVisible()
      if (query.includes('reviewer')) {
        // No times and no shares of one person.
        await expect(page.getByTestId('time-to-decision')).toHaveText('–')
        await expect(figures.getByText('%')).toHaveCount(0)
      } else await expect(page.getByTestId('time-to-decision')).toHaveText(/^\d h/)
      for (const button of await figures.getByRole('button', { name: 'Show as table' }).all()) await button.click()
      let checked = 0
      for (const { text, href } of await linksIn(figures, 'dd a, td a')) {
        const found = /^([\d,]+)( (open|overdue|due today))?$/.exec(text.trim())?.[1]
        if (found === undefined) continue
        expect(await counts(page, href), `${query}: ${text} ${href}`).toBe(number(found))
        checked += 1
      }
      expect(checked, query).toBeGreaterThan(10)
    }
  })

  decided('a day of the plot is opened, and the table shown, by keyboard alone', async ({ workspace, decisions }) => {
    decided.setTimeout(120_000)
    const page = await workspace.open()
    await goTo(page, '/overview?days=30', 'Overview')
    const card = page.getByRole('main').getByRole('region', { name: 'Decisions per day', exact: true })
    await expect(card.getByRole('figure')).toHaveAccessibleDescription(
      new RegExp(`^${decisions.length} decisions\\. Most: `)
    )
    await card.getByRole('button', { name: 'Show as table' }).focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowLeft')
    const yesterday = new Date(new Date().setHours(0, 0, 0, 0)).setDate(new Date().getDate() - 1)
    const made = decisions.filter(
      ({ at }) => at >= yesterday && at < new Date(yesterday).setDate(new Date(yesterday).getDate() + 1)
    )
    const mark = page.locator('[data-mark]:focus')
    await expect(mark).toHaveAccessibleName(new RegExp(`: ${made.length} decisions\\. Approved: `))
    await page.keyboard.press('t')
    await expect(card.getByRole('table')).toBeVisible()
    await expect(card.locator('[data-plot] :focus')).toHaveCount(1)
    await page.keyboard.press('t')
    await expect(mark).toHaveCount(1)
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowLeft')
    await expect(mark).toHaveAccessibleName(new RegExp(`: ${made.length} decisions`))
    await page.keyboard.press('Enter')
    await expect(page.getByTestId('list-total')).toHaveText(`${made.length} decisions`)
    await expect(page.getByRole('row')).toHaveCount(made.length + 1)
    await inspect(page, 'the list behind a figure', ['light'])
    await page.goBack()
    await expect(page.getByTestId('decided')).toBeVisible()
    await inspect(page, 'decisions of a period')
    await expect
      .poll(() => page.getByRole('main').evaluate((main) => main.scrollWidth - main.clientWidth))
      .toBeLessThanOrEqual(0)
    // A period without decisions leads to the nearest one with some.
    await goTo(page, '/overview?first=2001-01-01&last=2001-01-31', 'Overview')
    await expect(page.getByText('No decisions in this period').first()).toBeVisible()
    await page.getByRole('button', { name: /^Show \w+ \d{4}$/ }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByTestId('decided')).not.toHaveText('0')
  })

  decided(
    'the report is saved as both files, and the page printed, by keyboard alone',
    async ({ workspace, decisions, home }) => {
      decided.setTimeout(120_000)
      const page = await workspace.open()
      await saveInto(workspace, home)
      // At the beginning of a month most decisions are of the one before.
      const [{ at } = { at: Number.NaN }] = decisions.slice(decisions.length / 2)
      const month = new Date(at).getMonth()
      await goTo(page, '/overview?days=30', 'Overview')
      await expect(page.getByTestId('decided')).not.toHaveText('0')
      await page.getByRole('button', { name: 'Monthly report' }).focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Monthly report' })
      await expect(dialog.getByRole('combobox', { name: 'Month' })).toBeFocused()
      await inspect(page, 'the dialog of the monthly report', ['light'])
      // This month is the first, the one before is below it.
      const chosen = new Date(at).toLocaleDateString('en', { year: 'numeric', month: 'short' })
      await page.keyboard.press('Enter')
      await expect(page.getByRole('option', { selected: true })).toBeFocused()
      await page.keyboard.press('Home')
      const thisMonth = new Date().toLocaleDateString('en', { year: 'numeric', month: 'short' })
      await expect(page.getByRole('option', { name: thisMonth })).toBeFocused()
      if (chosen !== thisMonth) await page.keyboard.press('ArrowDown')
      await expect(page.getByRole('option', { name: chosen })).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(dialog.getByRole('combobox', { name: 'Month' })).toHaveText(chosen)
      await expect(dialog.getByRole('combobox', { name: 'Month' })).toBeFocused()
      await page.keyboard.press('Tab')
      await expect(dialog.getByRole('radio', { name: 'PDF' })).toBeFocused()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Space')
      await expect(dialog.getByRole('checkbox', { name: /^With the names of reviewers/ })).toBeChecked()
      await dialog.getByRole('button', { name: 'Save report' }).focus()
      await page.keyboard.press('Enter')
      await expect(dialog.getByRole('status')).toContainText('.pdf')
      const made = decisions.filter((each) => new Date(each.at).getMonth() === month)
      const pdf = readPdf(readFileSync(await savedFile(home, '.pdf'))).text
      for (const words of ['Monthlyreport', `Decided${made.length}`, 'JonasBerg']) expect(pdf).toContain(words)
      await dialog.getByRole('radio', { name: 'PDF' }).focus()
      await page.keyboard.press('ArrowRight')
      await dialog.getByRole('button', { name: 'Save report' }).focus()
      await page.keyboard.press('Enter')
      await expect(dialog.getByRole('status')).toContainText('.xlsx')
      const rows: (readonly string[])[] = []
      for await (const { cells } of (await openWorkbook(readFileSync(await savedFile(home, '.xlsx')))).rows(0))
        rows.push(cells)
      expect(rows.find(([label]) => label === 'Decided')?.[1]).toBe(String(made.length))
      await page.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)
      await expect(page.getByRole('button', { name: 'Monthly report' })).toBeFocused()
      await page.evaluate(() => void (window.print = () => undefined))
      await page.keyboard.press('ControlOrMeta+p')
      const sheet = page.getByTestId('print-sheet')
      await expect(sheet).toContainText('Decided')
      await expect(sheet).toContainText('Waiting now')
    }
  )
})
