/**
 * The catalogue of the service's messages: unreviewed ones are offered, interpretations have versions, and decisions
 * record the versions they are based on.
 */
import { operationOf } from '#contract/verification/operations.ts'
import { openEngine } from '#store/engine/opening.ts'
import { historyFolder } from '#wire/sqlite/files.ts'
import { seedWith } from '../../scripts/seed.ts'
import { answer, intentOf } from '../service/history-fixtures.ts'
import { historyKey } from './fixtures/history.ts'
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
  await expect(catalogue.list.getByRole('columnheader', { name: 'Interpretation' })).toBeVisible()
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
  await expect(page.getByText('1 message has an interpretation.')).toBeVisible()

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
  await expect(table.heading('Last seen')).toHaveAttribute('aria-sort', 'descending')
  await expect.poll(() => column('count')).toEqual(['1', '2', '3'])
  await expect(table.heading('Message').getByRole('button'), 'texts are not sorted').toHaveCount(0)
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
  await table.sortBy('Interpretation')
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
  expect(copied[0]?.slice(0, 5)).toEqual(['Message', 'Operations', 'HTTP', 'Interpretation', 'Count'])
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
    await expect
      .poll(() => catalogue.list.evaluate((grid) => grid.scrollWidth <= grid.clientWidth), {
        message: `at ${size.width} px`
      })
      .toBe(true)
    for (const name of ['Message', 'Interpretation'])
      await expect(table.heading(name), `${name} at ${size.width} px`).toBeInViewport({ ratio: 1 })
  }
})

/** One text of two operations, which 21 applicants who wait were answered with, and two others. */
const told = test.extend<{ seeded: void }>({
  seeded: [
    async ({ workspace, dataFolder }, use) => {
      test.skip(!workspace.keyring, 'needs a keyring for tests')
      const masterKey = workspace.keyring ? await historyKey(workspace.keyring, dataFolder) : ''
      const opened = openEngine({ folder: historyFolder(dataFolder), masterKey, now: Date.now() })
      if (!opened.ok) throw new Error(opened.failure.code)
      const { engine } = opened.value
      seedWith(
        engine,
        Array.from({ length: 24 }, (_, at) => ({
          intent: intentOf({
            applicant: `APP-${at + 1}`,
            operation: at < 12 ? 'validate-applicant-documents' : 'get-applicant-details',
            startedAt: Date.now() - 86_400_000 + at
          }),
          ending: at < 21 ? answer('No face was found.', at < 12 ? 422 : 200) : answer(at < 23 ? 'Expired' : 'Blurred')
        }))
      )
      engine.close()
      await use()
    },
    { auto: true }
  ]
})

told(
  'messages are interpreted by keyboard alone: one text for all its operations, taken back, explained',
  async ({ workspace }) => {
    const page = await workspace.open()
    const catalogue = new CataloguePage(page)
    await catalogue.open()
    const table = new TablePage(page)
    const isActive = async (position: number): Promise<void> =>
      expect(catalogue.list).toHaveAttribute(
        'aria-activedescendant',
        (await table.row(position).getAttribute('id')) ?? 'none'
      )
    await expect(page.getByTestId('catalogue-total')).toHaveText('3 messages, 3 unreviewed')
    await expect(table.row(3)).toHaveAccessibleName('No face was found. Unreviewed. 21 times, 2 operations.')
    await expect(table.cell(3, 'status')).toHaveText('422, 200')

    await catalogue.list.focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('2')
    await expect(table.cell(1, 'reading')).toHaveText('Unfavourable')
    await isActive(2)
    await page.keyboard.press('ControlOrMeta+z')
    await expect(table.cell(1, 'reading')).toHaveText('Unreviewed')
    await expect(page.getByTestId('toast')).toContainText('The interpretation was taken back.')

    await page.keyboard.press('Space')
    await page.keyboard.press('Shift+ArrowUp')
    await expect(page.getByTestId('concerned')).toHaveText('3 records, 3 waiting applicants')
    await inspect(page, 'selected messages and their keys')
    await page.keyboard.press('3')
    await expect(table.cell(1, 'reading')).toHaveText('Unclear')
    await expect(table.cell(2, 'reading')).toHaveText('Unclear')
    await expect(table.selection).toHaveCount(0)

    // Many waiting applicants: asked about, and nothing changes until it is confirmed.
    const many = page.getByRole('dialog', { name: 'Interpret 1 message' })
    await page.keyboard.press('End')
    await page.keyboard.press('2')
    await expect(many.getByTestId('waiting')).toHaveText('21 waiting applicants show it. No decision changes.')
    await expect(many.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(many).toHaveCount(0)
    await expect(table.cell(3, 'reading')).toHaveText('Unreviewed')
    await expect(catalogue.list).toBeFocused()
    await page.keyboard.press('2')
    await expect(many.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(table.cell(3, 'reading')).toHaveText('Unfavourable')
    await expect(page.getByTestId('catalogue-total')).toHaveText('3 messages')

    // Its operations differ: each has a row of its own.
    await expect(catalogue.list).toBeFocused()
    await page.keyboard.press('ArrowRight')
    await expect(catalogue.rows).toHaveCount(5)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('1')
    await expect(table.cell(4, 'reading')).toHaveText('Favourable')
    await expect(table.cell(5, 'reading')).toHaveText('Unfavourable')
    await expect(table.cell(3, 'reading')).toHaveText('FavourableDiffers')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowLeft')
    await expect(catalogue.rows).toHaveCount(3)

    // With an explanation, and on to the next.
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    await expect(catalogue.dialog.getByRole('radio', { name: /^Unclear/ })).toBeFocused()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Asked the provider.')
    for (let each = 0; each < 3; each += 1) await page.keyboard.press('Tab')
    await expect(catalogue.dialog.getByRole('button', { name: 'Save and next' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(catalogue.dialog.getByText('Expired')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(table.cell(1, 'reading')).toHaveText('Unfavourable')
    await isActive(2)

    const views = (name: string) => catalogue.views.getByRole('button', { name, exact: true })
    await views('Favourable 1').click()
    await expect(catalogue.rows).toHaveCount(1)
    await views('Unreviewed 0').click()
    await expect(page.getByText('All 3 messages have an interpretation.')).toBeVisible()
    await views('All 3').click()
    await page.getByRole('switch', { name: 'Merge equal texts' }).click()
    await expect(catalogue.rows).toHaveCount(4)
  }
)
