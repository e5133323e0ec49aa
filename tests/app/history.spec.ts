/** Finding records: search, filters, period, keyboard, thousands of records. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { operationOf, operations } from '#contract/verification/operations.ts'
import { outcomes } from '#contract/verification/outcomes.ts'
import type { SeedCheck } from '../../scripts/seed-data.ts'
import { ask, expect, test as base, usePractice } from './fixtures/workspace.ts'
import { seedHistory } from './fixtures/history.ts'
import { shownDate } from './pages/fields.ts'
import { HistoryPage } from './pages/history.ts'
import { Shell } from './pages/shell.ts'

const many = 3000
const inWords = (count: number): string => `${count.toLocaleString('en-GB')} ${count === 1 ? 'record' : 'records'}`

/** `made` are the records that exist before the console starts, newest first. */
const test = base.extend<{ made: readonly SeedCheck[] }>({
  made: async ({ workspace, dataFolder }, use) => {
    test.skip(!workspace.keyring, 'needs a keyring for tests')
    await use(workspace.keyring ? await seedHistory(dataFolder, workspace.keyring, many) : [])
  }
})

test('each filter matches its count, also in combination', async ({ workspace, made }) => {
  const page = await workspace.open()
  const history = new HistoryPage(page)
  await history.open()
  await expect(history.total).toHaveText(inWords(many))

  for (const operation of operations) {
    const expected = made.filter(({ intent }) => intent.operation === operation.id).length
    expect(await history.countOf('Operation', operation.title)).toBe(expected)
  }
  for (const outcome of outcomes)
    expect(await history.countOf('Outcome', outcome.label)).toBe(
      made.filter(({ ending }) => ending.outcome === outcome.id).length
    )
  for (const name of ['Live', 'Branch office', 'Sandbox', 'Practice'])
    expect(await history.countOf('Connection', name)).toBe(
      made.filter(({ intent }) => intent.connection.name === name).length
    )
  const statuses = new Set(made.flatMap(({ ending }) => ending.reply?.status ?? []))
  for (const status of statuses)
    expect(await history.countOf('Status', String(status))).toBe(
      made.filter(({ ending }) => ending.reply?.status === status).length
    )

  await history.filter('Operation', 'Validate passport')
  let left = made.filter(({ intent }) => intent.operation === 'validate-passport')
  await expect(history.total).toHaveText(inWords(left.length))
  await history.filter('Outcome', 'Answered')
  left = left.filter(({ ending }) => ending.outcome === 'answered')
  await expect(history.total).toHaveText(inWords(left.length))
  await history.filter('Status', '200')
  left = left.filter(({ ending }) => ending.reply?.status === 200)
  await expect(history.total).toHaveText(inWords(left.length))
  await history.filter('Connection', 'Live')
  left = left.filter(({ intent }) => intent.connection.name === 'Live')
  await expect(history.total).toHaveText(inWords(left.length))
  await expect(history.row(1)).toContainText(left[0]?.ending.message ?? 'a message')

  // The address keeps them after a reload and after visiting another page.
  expect(page.url()).toMatch(/operation=validate-passport/)
  expect(page.url()).toMatch(/outcome=answered/)
  expect(page.url()).toMatch(/status=200/)
  await page.reload()
  await expect(history.total).toHaveText(inWords(left.length))
  const shell = new Shell(page)
  await shell.open('Settings')
  await expect(shell.heading).toHaveText('Administration')
  await shell.open('History')
  await expect(history.total).toHaveText(inWords(left.length))
  await history.clearFilters.click()
  await expect(history.total).toHaveText(inWords(many))
})

test('search finds ids, links, messages and raw bodies, and says when nothing matches', async ({ workspace, made }) => {
  const page = await workspace.open()
  const history = new HistoryPage(page)
  await history.open()
  const some = made.find(({ intent }) => intent.applicantId !== undefined)
  const applicant = some?.intent.applicantId ?? ''
  const texts = made.map(
    ({ intent, ending }) =>
      `${Object.values(intent.input).join(' ')} ${ending.message ?? ''} ${ending.reply?.body ?? ''}`
  )
  const link = Object.values(made[0]?.intent.input ?? {}).find((value) => value.startsWith('https')) ?? ''
  const reference = /"reference":"(\w+)"/.exec(made[5]?.ending.reply?.body ?? '')?.[1] ?? 'blurred'
  for (const sought of [
    applicant,
    link.slice(link.lastIndexOf('/') + 1),
    'Document is blurred',
    reference,
    'passport'
  ]) {
    await history.search.fill(sought)
    const expected = texts.filter((text) => text.toLowerCase().includes(sought.toLowerCase())).length
    await expect(history.total).toHaveText(inWords(expected))
  }
  await history.search.fill('ab')
  await expect(page.getByText('The search text is too short, so no records are listed.')).toBeVisible()
  await expect(history.total).toHaveText(inWords(0))
  await history.search.fill('no such text anywhere')
  await expect(history.noMatch).toBeVisible()
  await expect(history.total).toHaveText(inWords(0))
  await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).last().click()
  await expect(history.search).toHaveValue('')
  await expect(history.total).toHaveText(inWords(many))
})

const dayOf = (at: number): string => {
  const date = new Date(at)
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`
}

test('a period narrows to whole local days, and a jump leads to a date', async ({ workspace, made }) => {
  const page = await workspace.open()
  const history = new HistoryPage(page)
  await history.open()
  const midnight = new Date(new Date().setHours(0, 0, 0, 0))
  const since = (days: number): number =>
    new Date(midnight.getFullYear(), midnight.getMonth(), midnight.getDate() - days).getTime()
  for (const [preset, days] of [
    ['Last 30 days', 29],
    ['Last 12 months', 364]
  ] as const) {
    await history.period(preset)
    await expect(history.total).toHaveText(inWords(made.filter(({ intent }) => intent.startedAt >= since(days)).length))
  }
  await history.clearFilters.click()
  await expect(history.total).toHaveText(inWords(many))
  const thisYear = new Date(midnight.getFullYear(), 0, 1).getTime()
  await history.typeFrom(`0101${midnight.getFullYear()}`)
  await expect(history.total).toHaveText(inWords(made.filter(({ intent }) => intent.startedAt >= thisYear).length))
  await page.keyboard.press('Escape')
  await history.clearFilters.click()
  await expect(history.total).toHaveText(inWords(many))
  const sought = made[1800]?.intent.startedAt ?? 0
  await history.jumpTo(dayOf(sought))
  // The newest record of that day is at the top, and nothing is hidden.
  const position = made.findIndex(({ intent }) => dayOf(intent.startedAt) <= dayOf(sought)) + 1
  await expect(history.row(position)).toBeInViewport()
  await expect(history.row(position)).toContainText(await shownDate(page, dayOf(sought)))
  await expect(history.total).toHaveText(inWords(many))
})

test('a view is saved under a name, without the search text, and available after a restart', async ({
  workspace,
  made,
  dataFolder
}) => {
  const page = await workspace.open()
  const history = new HistoryPage(page)
  await history.open()
  await history.filter('Operation', 'Validate passport')
  await history.filter('Outcome', 'Answered')
  await history.period('Last 12 months')
  await history.search.fill('secret words')
  await expect(history.noMatch).toBeVisible()
  await history.keepView('Passports of the year')
  expect(readFileSync(join(dataFolder, 'settings.json'), 'utf8')).not.toContain('secret words')

  const again = await workspace.again()
  const yearAgo = new Date().setHours(0, 0, 0, 0) - 364 * 86_400_000
  const left = made.filter(
    ({ intent, ending }) =>
      intent.operation === 'validate-passport' && ending.outcome === 'answered' && intent.startedAt >= yearAgo
  ).length
  const found = new HistoryPage(again)
  await found.open()
  await expect(found.total).toHaveText(inWords(many))
  // By keyboard only: the focus goes to the first view.
  await again.getByRole('button', { name: 'Views', exact: true }).press('Enter')
  await again.keyboard.press('Enter')
  await expect(found.total).toHaveText(inWords(left))
  await expect(again.getByRole('button', { name: 'Views: Passports of the year' })).toBeVisible()
  await expect(found.search).toHaveValue('')
  await found.clearFilters.click()
  await expect(found.total).toHaveText(inWords(many))
  // The palette lists it, too.
  await again.keyboard.press('Control+k')
  await again.keyboard.type('passports of the')
  await again.keyboard.press('Enter')
  await expect(found.total).toHaveText(inWords(left))

  const views = await found.openViews()
  await views.getByRole('button', { name: 'Remove the view Passports of the year' }).click()
  await expect(views).toContainText('No saved views yet')
  await again.keyboard.press('Escape')
  await again.getByRole('button', { name: 'Undo' }).click()
  await expect(again.getByRole('button', { name: 'Views: Passports of the year' })).toBeVisible()
})

test('the whole list can be traversed by keyboard, from the newest record to the oldest', async ({
  workspace,
  made
}) => {
  const page = await workspace.open()
  await ask(page, 'settings.change', { firstRunDone: true })
  const history = new HistoryPage(page)
  await expect(new Shell(page).heading).toBeVisible()
  await page.keyboard.press('/')
  await expect(history.search).toBeFocused()
  await history.list.focus()
  await page.keyboard.press('End')
  await expect(history.row(many)).toBeVisible()
  const oldest = made.at(-1)
  await expect(history.row(many)).toContainText(operationOf(oldest?.intent.operation ?? 'validate-passport').shortTitle)
  await page.keyboard.press('Home')
  await expect(history.row(1)).toBeVisible()
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('PageDown')
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const second = made[1]
  const [first] = operationOf(second?.intent.operation ?? 'validate-passport').fields
  await expect(history.record.sentIn(first?.name ?? '')).toHaveText(second?.intent.input[first?.name ?? ''] ?? '')
  await page.keyboard.press('Escape')
  await expect(history.pane).toHaveCount(0)
  await expect(history.list).toBeFocused()
  await page.keyboard.press('ControlOrMeta+f')
  await expect(history.search).toBeFocused()
})

test('scrolling brings every page, and no row is shown twice', async ({ workspace, made }) => {
  const page = await workspace.open()
  const history = new HistoryPage(page)
  await history.open()
  await history.filter('Outcome', 'Invalid response')
  await history.filter('Outcome', 'Answered')
  const left = made.filter(({ ending }) => ending.outcome === 'invalid-response' || ending.outcome === 'answered')
  await expect(history.total).toHaveText(inWords(left.length))
  await history.list.focus()
  // A filtered list grows page by page: its end is reached by going to the end of the loaded part.
  await expect
    .poll(
      async () => {
        await page.keyboard.press('End')
        return history.row(left.length).count()
      },
      { timeout: 20_000, intervals: [50] }
    )
    .toBe(1)
  await expect(history.row(left.length)).toContainText(await shownDate(page, dayOf(left.at(-1)?.intent.startedAt ?? 0)))
  const seen = await history.rows.evaluateAll((rows) => rows.map((row) => row.id))
  expect(new Set(seen).size).toBe(seen.length)

  // The grid refers to its active row only while that row exists.
  await expect(history.list).toHaveAttribute('aria-activedescendant', /^row-/)
  await history.list.evaluate((list) => void (list.scrollTop = 0))
  await expect(history.row(1)).toBeVisible()
  await expect(history.list).not.toHaveAttribute('aria-activedescendant')
})

test('an empty history says so and leads to the first verification', async ({ workspace }) => {
  const page = await workspace.open()
  await usePractice(page)
  const history = new HistoryPage(page)
  await history.open()
  await expect(history.empty).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Run a verification' }).click()
  await expect(new Shell(page).heading).toHaveText('Check an applicant')
})
