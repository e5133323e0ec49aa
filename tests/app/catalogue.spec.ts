/**
 * The catalogue of the service's messages: unreviewed ones are offered, interpretations have versions, and decisions
 * record the versions they are based on.
 */
import { operationOf } from '#contract/verification/operations.ts'
import { ask, expect, test, usePractice } from './fixtures/workspace.ts'
import { inspect } from './fixtures/axe.ts'
import { savesInto } from './fixtures/files.ts'
import { packAt } from './fixtures/packs.ts'
import { copiedBy } from './fixtures/clipboard.ts'
import { runCheck } from './fixtures/scene.ts'
import { resizeWindow } from './fixtures/window-size.ts'
import { ApplicantPage, CataloguePage } from './pages/applicants.ts'
import { EvidencePage } from './pages/records.ts'
import { TablePage } from './pages/table.ts'

const lookup = operationOf('get-applicant-details').id

test('unreviewed messages are listed, interpreted in versions, and never presented as the service’s result', async ({
  workspace
}) => {
  const page = await workspace.open()
  const connection = await usePractice(page)
  const catalogue = new CataloguePage(page)
  await catalogue.open()
  await expect(page.getByText('No messages yet')).toBeVisible()
  const id = await runCheck(page, connection.id, lookup, { applicant_id: 'APP-3' })
  const words = (await ask(page, 'history.record', { id })).fullMessage ?? ''
  await expect(catalogue.message(words)).toContainText('Unreviewed')
  await expect(catalogue.unseen).toContainText('1')
  await inspect(page, 'the catalogue')
  await catalogue.read(words, 'Favourable')
  await expect(catalogue.reading(words)).toHaveText('Favourable')
  // What the organisation says is under a heading of its own.
  await expect(catalogue.list.getByRole('columnheader', { name: 'Your interpretation' })).toBeVisible()
  await expect(catalogue.unseen).toContainText('0')
  await catalogue.read(words, 'Unclear')
  await expect(catalogue.reading(words)).toHaveText('Unclear')
  await catalogue.message(words).click()
  await expect(
    catalogue.dialog.getByRole('list', { name: 'Versions, newest first' }).getByRole('listitem')
  ).toHaveCount(2)
  await inspect(page, 'a reading')
  await page.keyboard.press('Escape')
  await new ApplicantPage(page).open('APP-3')
  await expect(new ApplicantPage(page).checks).toContainText('Unclear')
})

test('a decision records the interpretation it is based on, and keeps it when the interpretation changes', async ({
  workspace,
  home
}) => {
  test.setTimeout(60_000)
  const page = await workspace.open()
  await savesInto(workspace.session(), home)
  const connection = await usePractice(page)
  const id = await runCheck(page, connection.id, lookup, { applicant_id: 'APP-5' })
  const { fullMessage: words = '' } = await ask(page, 'history.record', { id })
  const applicant = new ApplicantPage(page)
  await applicant.open('APP-5')
  // Unreviewed messages are shown where the decision is made, before it is made.
  await expect(applicant.panel).toContainText('1 message unreviewed')
  await applicant.panel.getByRole('link', { name: '1 message unreviewed' }).click()
  const catalogue = new CataloguePage(page)
  await expect(catalogue.unseen).toHaveAttribute('aria-pressed', 'true')
  await catalogue.read(words, 'Favourable')
  await expect(page.getByText('All messages reviewed')).toBeVisible()

  await applicant.open('APP-5')
  await expect(applicant.panel).not.toContainText('unreviewed')
  await applicant.choose('Approve')
  await applicant.reason('Documents in order').check()
  await applicant.note.fill('By the reading.')
  await applicant.record.click()
  await expect(applicant.panel).toContainText('1 interpretation: Favourable, version 1.')

  await catalogue.open()
  await catalogue.read(words, 'Unfavourable')
  await applicant.open('APP-5')
  await expect(applicant.checks).toContainText('Unfavourable')
  await expect(applicant.panel).toContainText('1 interpretation: Favourable, version 1.')
  const evidence = new EvidencePage(page)
  const { pack } = await evidence.make('Everything')
  const decision = packAt(pack).events.find(({ kind }) => kind === 'decision.made')
  expect(JSON.stringify(decision?.plain.shown)).toMatch(/"readings",\[\{[^}]*"version":1/)
})

test('messages are a table: sorted by core, with columns to choose, interpreted by keyboard, selected and copied', async ({
  workspace
}) => {
  test.setTimeout(120_000)
  const page = await workspace.open()
  const connection = await usePractice(page)
  for (const applicant_id of ['APP-1', 'APP-2', 'APP-3', 'PRACTICE-404', 'PRACTICE-404', 'PRACTICE-422.0001'])
    await runCheck(page, connection.id, lookup, { applicant_id })
  const catalogue = new CataloguePage(page)
  await catalogue.open()
  const table = new TablePage(page)
  const column = (name: string): Promise<string[]> =>
    catalogue.list.locator(`[role="gridcell"][data-column="${name}"]`).allInnerTexts()
  await expect(table.heading('First seen')).toHaveAttribute('aria-sort', 'descending')
  await expect.poll(() => column('count')).toEqual(['1', '2', '3'])
  await expect(table.heading('The service’s message').getByRole('button'), 'texts are not sorted').toHaveCount(0)
  await table.sortBy('Count')
  await expect(table.heading('Count')).toHaveAttribute('aria-sort', 'descending')
  await expect.poll(() => column('count')).toEqual(['3', '2', '1'])
  await table.heading('HTTP').focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => column('status')).toEqual(['200', '404', '422'])
  await page.keyboard.press('Enter')
  await expect(table.heading('HTTP')).toHaveAttribute('aria-sort', 'descending')
  await expect.poll(() => column('status')).toEqual(['422', '404', '200'])

  // By keyboard: the dialog of the row, and the focus back in the list, on the same row.
  await catalogue.list.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(catalogue.dialog).toBeVisible()
  await catalogue.dialog.getByRole('radio', { name: /^Unfavourable/ }).check()
  await catalogue.dialog.getByRole('button', { name: 'Save interpretation' }).click()
  await expect(catalogue.dialog).toHaveCount(0)
  await expect(table.cell(2, 'reading')).toHaveText('Unfavourable')
  await expect(catalogue.list).toBeFocused()
  await expect(catalogue.list).toHaveAttribute(
    'aria-activedescendant',
    (await table.row(2).getAttribute('id')) ?? 'none'
  )
  await table.sortBy('Your interpretation')
  await expect.poll(() => column('reading')).toEqual(['Unreviewed', 'Unreviewed', 'Unfavourable'])

  await catalogue.list.focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Space')
  await page.keyboard.press('Shift+ArrowUp')
  await expect(table.selected).toHaveText('2 messages selected')
  await inspect(page, 'selected messages')
  const copied = (
    await copiedBy(page, () => table.selection.getByRole('button', { name: 'Copy rows' }).click(), 'Copied: 2 rows')
  )
    .split('\r\n')
    .map((line) => line.split('\t'))
  expect(copied[0]?.slice(0, 5)).toEqual(['The service’s message', 'Operation', 'HTTP', 'Your interpretation', 'Count'])
  expect(copied.slice(1).map((cells) => cells[3])).toEqual(['Unreviewed', 'Unfavourable'])

  const menu = await table.openColumns()
  await menu.getByRole('checkbox', { name: 'Count' }).uncheck()
  await page.keyboard.press('Escape')
  await expect
    .poll(async () => (await ask(page, 'app.state')).settings.tables.catalogue?.shown)
    .toEqual({ count: false })
  for (const size of [
    { width: 1280, height: 800 },
    { width: 900, height: 600 }
  ]) {
    await resizeWindow(page, size)
    expect(await catalogue.list.evaluate((grid) => grid.scrollWidth <= grid.clientWidth), `at ${size.width} px`).toBe(
      true
    )
    for (const name of ['The service’s message', 'HTTP', 'Your interpretation'])
      await expect(table.heading(name), `${name} at ${size.width} px`).toBeInViewport({ ratio: 1 })
  }
})
