/** What a search finds is marked in the lists, and a search that cannot be answered says so instead of showing all. */
import { ask, expect, test, usePractice } from './fixtures/workspace.ts'
import { runCheck } from './fixtures/scene.ts'
import { goTo } from './pages/go.ts'
import { HistoryPage } from './pages/history.ts'
import { Shell } from './pages/shell.ts'

const operation = 'get-applicant-details'

test('history, applicants and palette find what people see, and mark it', async ({ workspace }) => {
  const page = await workspace.open()
  const connection = await usePractice(page, { lastOperation: operation })
  for (const applicant_id of ['MU\u0308LLER-王伟-1', 'NB-2026-004117'])
    await runCheck(page, connection.id, operation, { applicant_id })
  const history = new HistoryPage(page)
  await history.open()
  const marked = page.locator('.table-row mark')
  for (const [typed, hit] of [
    ['muller', 'MU\u0308LLER'],
    ['Müller', 'MU\u0308LLER'],
    ['mueller-王', 'MU\u0308LLER-王'],
    ['王伟', '王伟']
  ] as const) {
    await history.search.fill(typed)
    await expect(history.total).toHaveText('1 record')
    await expect(marked.first()).toHaveText(hit)
  }
  await page.emulateMedia({ forcedColors: 'active' })
  const [inside, around] = await marked
    .first()
    .evaluate((mark) => [mark, document.body].map((each) => getComputedStyle(each).backgroundColor))
  expect(inside).not.toBe(around)
  await page.emulateMedia({ forcedColors: null })
  // Too short, only a mark, and two letters that no ID consists of: never everything.
  for (const typed of ['x', '\u0301\u0301\u0301', 'nb']) {
    await history.search.fill(typed)
    await expect(page.getByText('The search text is too short, so no records are listed.')).toBeVisible()
    await expect(history.total).toHaveText('0 records')
  }

  await goTo(page, '/applicants', 'Applicants')
  const search = page.getByRole('main').getByRole('textbox', { name: 'Search IDs, names, dates of birth, tags' })
  await search.fill('mueller')
  await expect(marked).toHaveText(['MU\u0308LLER'])
  await search.fill('\u0301')
  await expect(page.getByText('No applicants match this search and these filters.')).toBeVisible()

  const shell = new Shell(page)
  await shell.openPalette()
  await page.keyboard.type('MULLER')
  await expect(shell.palette.getByRole('option').first().locator('mark')).toHaveText('MU\u0308LLER')
})

test('a search of signs shows no rows and a sentence, in every list', async ({ workspace }) => {
  const page = await workspace.open()
  const connection = await usePractice(page, { lastOperation: operation })
  await runCheck(page, connection.id, operation, { applicant_id: 'NB-2026-004117' })
  const { checkId } = await ask(page, 'batches.checkText', {
    name: 'rows',
    text: 'applicant_id\nNB-1\n',
    reading: { operations: [operation] }
  })
  const order = { name: 'Rows', atOnce: 1, pace: 0, skipDuplicates: true, skipRecent: false }
  await ask(page, 'batches.create', { checkId, connectionId: connection.id, ...order })
  for (const path of ['/history', '/applicants', '/queue', '/batches', '/catalogue', '/audit']) {
    await goTo(page, path)
    const main = page.getByRole('main')
    const cells = main.getByRole('grid').getByRole('gridcell')
    await expect(cells.first()).toBeVisible()
    const search = main.getByRole('textbox', { name: /^Search/ }).first()
    for (const signs of ['%', '***', '\u0301']) {
      await search.fill(signs)
      await expect(main.getByText(/^(No results|The search text is too short)/).first()).toBeVisible()
      await expect(cells).toHaveCount(0)
    }
    await search.fill('')
    await expect(cells.first()).toBeVisible()
  }
})

test('an applicant whose ID looks like another one says so, and before an erasure the other is offered', async ({
  workspace
}) => {
  const [composed, decomposed] = ['JOS\u00c9-7', 'JOSE\u0301-7']
  const page = await workspace.open()
  const connection = await usePractice(page, { lastOperation: operation })
  for (const applicant_id of [composed, decomposed]) await runCheck(page, connection.id, operation, { applicant_id })
  await goTo(page, `/applicants/${encodeURIComponent(composed)}`)
  const alike = page.getByRole('region', { name: 'Applicants that look alike' })
  await expect(alike).toContainText('"JOS\\u{00c9}-7"')
  await expect(alike).toContainText('"JOSE\\u{0301}-7"')
  await alike.getByRole('link').click()
  await expect(alike.getByRole('link')).toHaveText(composed)

  const check = await ask(page, 'batches.checkText', {
    name: 'rows',
    text: `applicant_id\n${composed}\nnew-1\nNEW-1\n`,
    reading: { operations: [operation] }
  })
  expect(check.lookAlikes.rows).toBe(2)

  await goTo(page, `/administration/data-management?applicant=${encodeURIComponent(composed)}`)
  await page.getByRole('button', { name: 'Erase', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('region', { name: 'Applicants that look alike' })).toBeVisible()
  const typed = dialog.getByRole('textbox', { name: /to confirm/ })
  await dialog.getByRole('button', { name: 'Preview this one instead' }).click()
  await expect(dialog.getByText('"JOS\\u{00c9}-7"')).toBeVisible()
  // A keyboard composes an accent in its own way.
  await typed.fill(composed)
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('asked for by letter')
  await dialog.getByRole('button', { name: 'Permanently erase' }).click()
  await expect(dialog).toBeHidden()
  await expect
    .poll(async () => (await ask(page, 'applicants.list', { limit: 10 })).applicants.map(({ id }) => id))
    .toEqual([composed])
})
