/** Tables: sorting, columns that are moved, sized and hidden, and what is done with selected rows. */
import { readFileSync } from 'node:fs'
import { operationOf } from '#contract/verification/operations.ts'
import type { SeedCheck } from '../../scripts/seed-data.ts'
import { inspect } from './fixtures/axe.ts'
import { begin, idsCsv, newBatch } from './fixtures/batch.ts'
import { copiedBy } from './fixtures/clipboard.ts'
import { savedFile, savesInto } from './fixtures/files.ts'
import { seedHistory } from './fixtures/history.ts'
import { runCheck } from './fixtures/scene.ts'
import { resizeWindow } from './fixtures/window-size.ts'
import { ask, expect, test as base, usePractice } from './fixtures/workspace.ts'
import { ApplicantsPage, QueuePage } from './pages/applicants.ts'
import { BatchesPage, BatchPage } from './pages/batches.ts'
import { choose, shownDate } from './pages/fields.ts'
import { HistoryPage } from './pages/history.ts'
import { Shell } from './pages/shell.ts'
import { TablePage } from './pages/table.ts'

const many = 1500

/** `made` are the records that exist before the console starts, newest first. */
const test = base.extend<{ made: readonly SeedCheck[] }>({
  made: async ({ workspace, dataFolder }, use) => {
    test.skip(!workspace.keyring, 'needs a keyring for tests')
    await use(workspace.keyring ? await seedHistory(dataFolder, workspace.keyring, many) : [])
  }
})

test('the history is sorted by a heading, both ways, from the first row to the last', async ({ workspace, made }) => {
  test.setTimeout(120_000)
  const page = await workspace.open()
  const history = new HistoryPage(page)
  await history.open()
  const table = new TablePage(page)
  await expect(table.heading('Time')).toHaveAttribute('aria-sort', 'descending')

  const bySubject = (check: SeedCheck | undefined): string =>
    check?.intent.applicantId ?? Object.values(check?.intent.input ?? {})[0]?.replace('https://', '') ?? ''
  const newest = made[0]
  const oldest = made.at(-1)
  await expect(table.cell(1, 'subject').locator('bdi')).toHaveText(bySubject(newest))
  await table.sortBy('Time')
  await expect(table.heading('Time')).toHaveAttribute('aria-sort', 'ascending')
  await expect(table.cell(1, 'subject').locator('bdi')).toHaveText(bySubject(oldest))

  const statuses = made.flatMap(({ ending }) => ending.reply?.status ?? []).sort((a, b) => a - b)
  const heading = table.heading('HTTP')
  await table.sortBy('HTTP')
  await expect(heading).toHaveAttribute('aria-sort', 'ascending')
  await expect(table.heading('Time')).not.toHaveAttribute('aria-sort')
  await expect(table.cell(1, 'status')).toHaveText(String(statuses[0]))
  await table.sortBy('HTTP')
  await expect(table.cell(1, 'status')).toHaveText(String(statuses.at(-1)))
  // By keyboard to the last row: records without a status.
  await table.grid.focus()
  await page.keyboard.press('End')
  await expect(table.row(many)).toBeInViewport()
  await expect(table.cell(many, 'status')).toHaveText('No status')
  await expect(history.total).toHaveText('1,500 records')

  // With a filter, after a reload, and after another page.
  await history.filter('Operation', 'Validate passport')
  const passports = made
    .filter(({ intent }) => intent.operation === 'validate-passport')
    .flatMap(({ ending }) => ending.reply?.status ?? [])
  await expect(table.cell(1, 'status')).toHaveText(String(Math.max(...passports)))
  await page.reload()
  await expect(heading).toHaveAttribute('aria-sort', 'descending')
  await expect(table.cell(1, 'operation')).toHaveText(operationOf('validate-passport').shortTitle)
  await new Shell(page).open('Settings')
  await new Shell(page).open('History')
  await expect(heading).toHaveAttribute('aria-sort', 'descending')
  // A date has a place only in the order of time.
  await history.clearFilters.click()
  const sought = new Date(made[700]?.intent.startedAt ?? 0).toLocaleDateString('sv')
  await history.jumpTo(sought)
  await expect(table.heading('Time')).toHaveAttribute('aria-sort', 'descending')
  await expect(history.rows.filter({ hasText: await shownDate(page, sought) }).first()).toBeInViewport()
})

test('columns are moved, sized and hidden by keyboard, by dragging and by the menu, and stay so after a restart', async ({
  workspace,
  made
}) => {
  test.setTimeout(120_000)
  expect(made.length).toBe(many)
  const page = await workspace.open()
  const history = new HistoryPage(page)
  await history.open()
  const table = new TablePage(page)
  const names = ['Time', 'Connection', 'Operation', 'Subject', 'Outcome', 'HTTP', 'Message', 'Duration']
  await expect(table.headings).toHaveText(names)

  // One stop of the Tab key; arrow keys move between headings.
  await table.heading('Time').focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('End')
  await expect(table.heading('Duration')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(table.heading('Duration')).toHaveAttribute('aria-sort', 'descending')
  await page.keyboard.press('ControlOrMeta+Shift+ArrowLeft')
  await expect(table.heading('Duration')).toBeFocused()
  await expect(table.headings).toHaveText([
    'Time',
    'Connection',
    'Operation',
    'Subject',
    'Outcome',
    'HTTP',
    'Duration',
    'Message'
  ])
  const width = async (name: string): Promise<number> => (await table.heading(name).boundingBox())?.width ?? 0
  const before = await width('Duration')
  await page.keyboard.press('Shift+ArrowRight')
  await expect.poll(() => width('Duration')).toBe(before + 16)

  // By dragging: a heading to another place, an edge to another width; Escape leaves everything as it was.
  const outcome = await table.heading('Outcome').boundingBox()
  const connection = await table.heading('Connection').boundingBox()
  if (!outcome || !connection) throw new Error('no headings')
  const drag = async (): Promise<void> => {
    await page.mouse.move(outcome.x + 12, outcome.y + 14)
    await page.mouse.down()
    await page.mouse.move(connection.x + 40, connection.y + 14, { steps: 4 })
    await page.mouse.move(connection.x + 4, connection.y + 14)
  }
  await drag()
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await expect(table.headings.nth(1)).toHaveText('Connection')
  await drag()
  await page.mouse.up()
  await expect(table.headings).toHaveText([
    'Time',
    'Outcome',
    'Connection',
    'Operation',
    'Subject',
    'HTTP',
    'Duration',
    'Message'
  ])
  await expect(table.heading('Duration'), 'a drag is no click').toHaveAttribute('aria-sort', 'descending')
  const edge = await table.heading('Operation').locator('.edge').boundingBox()
  const narrow = await width('Operation')
  await page.mouse.move((edge?.x ?? 0) + 4, (edge?.y ?? 0) + 14)
  await page.mouse.down()
  await page.mouse.move((edge?.x ?? 0) + 44, (edge?.y ?? 0) + 14, { steps: 4 })
  await page.mouse.up()
  await expect.poll(() => width('Operation')).toBe(narrow + 40)

  // The menu does the same without dragging.
  const menu = await table.openColumns()
  await menu.getByRole('checkbox', { name: 'Connection' }).uncheck()
  await menu.getByRole('button', { name: 'Move HTTP left' }).click()
  await menu.getByRole('button', { name: 'Make HTTP wider' }).click()
  const last = ['Time', 'Outcome', 'Operation', 'HTTP', 'Subject', 'Duration', 'Message', 'Interpretation']
  await expect(table.headings).toHaveText(last)
  await inspect(page, 'the menu of columns')
  await page.keyboard.press('Escape')
  await expect
    .poll(async () => (await ask(page, 'app.state')).settings.tables.history?.shown)
    .toEqual({ connection: false })

  const again = await workspace.again()
  const later = new TablePage(again)
  await new HistoryPage(again).open()
  await expect(later.headings).toHaveText(last)
  await expect.poll(async () => (await later.heading('Operation').boundingBox())?.width).toBe(narrow + 40)
  const reset = await later.openColumns()
  await reset.getByRole('button', { name: 'Reset columns' }).click()
  await expect(later.headings).toHaveText(names)
  await expect.poll(async () => (await ask(again, 'app.state')).settings.tables).toEqual({})
})

test('at 900 px, what does not fit is left out, named in the menu, and shown on demand', async ({
  workspace,
  made
}) => {
  test.setTimeout(120_000)
  expect(made.length).toBe(many)
  const page = await workspace.open()
  await ask(page, 'settings.change', { sideBar: 'words' })
  await resizeWindow(page, { width: 900, height: 600 })
  await new HistoryPage(page).open()
  const table = new TablePage(page)
  await expect(table.heading('Duration')).toHaveCount(0)
  await expect(table.heading('Message')).toBeInViewport({ ratio: 1 })
  const fits = (): Promise<boolean> => table.grid.evaluate((grid) => grid.scrollWidth <= grid.clientWidth)
  expect(await fits()).toBe(true)
  await resizeWindow(page, { width: 1024, height: 700 })
  await expect(table.heading('Message')).toBeInViewport({ ratio: 1 })
  expect(await fits()).toBe(true)
  await resizeWindow(page, { width: 900, height: 600 })
  await expect(table.heading('Duration')).toHaveCount(0)
  const menu = await table.openColumns()
  await expect(menu.getByRole('checkbox', { name: 'Duration' })).not.toBeChecked()
  await menu.getByRole('checkbox', { name: 'Duration' }).check()
  await page.keyboard.press('Escape')
  await table.heading('Duration').scrollIntoViewIfNeeded()
  await expect(table.cell(1, 'duration')).toBeInViewport()
})

test('rows are selected by mouse and keyboard, copied as a table and exported', async ({ workspace, made, home }) => {
  test.setTimeout(240_000)
  const page = await workspace.open()
  await savesInto(workspace.session(), home)
  const history = new HistoryPage(page)
  await history.open()
  const table = new TablePage(page)
  await table.row(2).click({ modifiers: ['ControlOrMeta'] })
  await expect(table.selected).toHaveText('1 record selected')
  await expect(history.pane, 'selecting does not open').toHaveCount(0)
  await table.row(5).click({ modifiers: ['Shift'] })
  await expect(table.selected).toHaveText('4 records selected')
  for (const [row, is] of [
    [1, false],
    [2, true],
    [5, true],
    [6, false]
  ] as const)
    await expect(table.row(row)).toHaveAttribute('aria-selected', String(is))
  await table.row(3).getByRole('checkbox').click()
  await expect(table.selected).toHaveText('3 records selected')
  await expect(table.row(3).getByRole('checkbox')).not.toBeChecked()
  await expect(table.row(4).getByRole('checkbox')).toBeChecked()
  await table.row(3).getByRole('checkbox').click()
  await expect(table.row(3).getByRole('checkbox')).toBeChecked()
  await table.row(3).getByRole('checkbox').click()
  await expect(table.selected).toHaveText('3 records selected')

  // A copy is a table whose cells no spreadsheet executes.
  const text = await copiedBy(
    page,
    () => table.selection.getByRole('button', { name: 'Copy rows' }).click(),
    'Copied: 3 rows'
  )
  const lines = text.split('\r\n').map((line) => line.split('\t'))
  expect(lines.map((cells) => cells.length)).toEqual([8, 8, 8, 8])
  expect(lines[0]).toEqual(['Time', 'Connection', 'Operation', 'Subject', 'Outcome', 'HTTP', 'Message', 'Duration'])
  expect(lines.slice(1).map((cells) => cells[0])).toEqual(
    [2, 4, 5].map((row) => new Date(made[row - 1]?.intent.startedAt ?? 0).toISOString())
  )

  await table.selection.getByRole('button', { name: 'Export selection' }).click()
  const dialog = new Shell(page).dialog('Export records')
  await expect(dialog).toContainText('3 selected records')
  await choose(dialog.getByLabel('Format'), 'JSON lines, lossless')
  await dialog.getByRole('button', { name: 'Export records' }).click()
  await expect(dialog.getByRole('region', { name: 'Exported' })).toContainText('3 rows')
  const exported = readFileSync(await savedFile(home, '.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1, -1)
    .map((line) => (JSON.parse(line) as { seq: number }).seq)
  expect(exported).toEqual([many - 4, many - 3, many - 1])
  await page.keyboard.press('Escape')

  // By keyboard: Space, Shift with the arrows, everything that is loaded, the whole result, and nothing.
  await table.grid.focus()
  await page.keyboard.press('Escape')
  await expect(table.selection).toHaveCount(0)
  await page.keyboard.press('Home')
  await page.keyboard.press('Space')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await expect(table.selected).toHaveText('3 records selected')
  await page.keyboard.press('ControlOrMeta+a')
  await expect(table.selected).toHaveText(/^[1-9]\d{2,3}|1,000 records selected$/)
  await inspect(page, 'selected rows')
  await table.selection.getByRole('button', { name: 'Select all 1,500' }).click()
  await expect(table.selected).toHaveText('1,500 records selected')
  await expect(table.selection.getByRole('button', { name: 'Copy rows' })).toHaveCount(0)
  await table.selection.getByRole('button', { name: 'Export selection' }).click()
  await expect(dialog).toContainText('1,500 records, as the search and the filters leave them.')
  await page.keyboard.press('Escape')
  await history.filter('Outcome', 'Answered')
  await expect(table.selection, 'another result has another selection').toHaveCount(0)
})

test('batches are sorted, chosen, copied and opened, and one that runs counts up without moving anything', async ({
  workspace,
  practice
}) => {
  test.setTimeout(240_000)
  const page = await begin(workspace, practice)
  await (await newBatch(page, idsCsv(3))).run()
  await expect(new BatchPage(page).state).toHaveText('Finished')
  await (
    await newBatch(
      page,
      idsCsv(5, (row) => `DRAFT-${row}`)
    )
  ).kept()
  const slow = await newBatch(
    page,
    idsCsv(400, (row) => `SLOW-${row}`)
  )
  await slow.go('Send')
  await slow.name.fill('Slow one')
  await slow.pace.fill('300')
  await slow.run()

  const batches = new BatchesPage(page)
  await batches.open()
  const table = new TablePage(page)
  await expect(table.heading('Created')).toHaveAttribute('aria-sort', 'descending')
  const rows = (): Promise<string[]> => table.grid.locator('[role="gridcell"][data-column="rows"]').allInnerTexts()
  await expect.poll(rows).toEqual(['400', '5', '3'])
  await expect(table.cell(1, 'name')).toHaveText('Slow one')
  await expect(table.cell(1, 'state')).toHaveText('Running')
  await expect(table.cell(2, 'state')).toHaveText('Draft')
  await expect(table.cell(3, 'answered')).toHaveText('3')

  // Its figures grow; no cell and no heading moves.
  const places = (): Promise<string[]> =>
    table.grid
      .locator('[role="gridcell"], [role="columnheader"]')
      .evaluateAll((cells) => cells.map((cell) => JSON.stringify(cell.getBoundingClientRect())))
  const answered = async (): Promise<number> => Number(await table.cell(1, 'answered').innerText())
  const [before, first] = [await places(), await answered()]
  await expect.poll(answered).toBeGreaterThan(first + 8)
  expect(await places()).toEqual(before)
  await expect(table.row(1).getByRole('progressbar', { name: 'Progress of Slow one' })).toHaveAttribute(
    'aria-valuetext',
    /of 400 rows done/
  )
  await inspect(page, 'the table of batches')

  // Sorted by core, by mouse and keyboard.
  await table.sortBy('Rows')
  await expect(table.heading('Rows')).toHaveAttribute('aria-sort', 'descending')
  await table.sortBy('Rows')
  await expect.poll(rows).toEqual(['3', '5', '400'])
  await table.heading('State').focus()
  await page.keyboard.press('Enter')
  await expect(table.heading('State')).toHaveAttribute('aria-sort', 'ascending')
  await expect.poll(rows).toEqual(['5', '400', '3'])
  await expect(
    table.heading('Progress').getByRole('button'),
    'a list by progress would be out of order at once'
  ).toHaveCount(0)

  // Columns are kept in the settings.
  const menu = await table.openColumns()
  await menu.getByRole('checkbox', { name: 'Unknown' }).uncheck()
  await page.keyboard.press('Escape')
  await expect(table.heading('Unknown')).toHaveCount(0)
  await expect
    .poll(async () => (await ask(page, 'app.state')).settings.tables.batches?.shown)
    .toEqual({ unknown: false })

  // Selected, copied and opened by keyboard.
  await table.grid.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await expect(table.selected).toHaveText('2 batches selected')
  const copied = (
    await copiedBy(page, () => table.selection.getByRole('button', { name: 'Copy rows' }).click(), 'Copied: 2 rows')
  )
    .split('\r\n')
    .map((line) => line.split('\t'))
  expect(copied[0]?.slice(0, 5)).toEqual(['Name', 'State', 'Progress', 'Rows', 'Answered'])
  expect(copied.slice(1).map((cells) => cells.slice(1, 5))).toEqual([
    ['Draft', '0 %', '5', '0'],
    ['Finished', '100 %', '3', '3']
  ])
  await table.grid.focus()
  await page.keyboard.press('Enter')
  await expect(new BatchPage(page).state).toHaveText('Finished')
  await page.goBack()

  for (const size of [
    { width: 1280, height: 800 },
    { width: 900, height: 600 }
  ]) {
    await resizeWindow(page, size)
    await expect(table.row(1)).toBeVisible()
    await expect
      .poll(() => table.grid.evaluate((grid) => grid.scrollWidth <= grid.clientWidth), {
        message: `at ${size.width} px`
      })
      .toBe(true)
    for (const name of ['Name', 'State', 'Progress', 'Created'])
      await expect(table.heading(name), `${name} at ${size.width} px`).toBeInViewport({ ratio: 1 })
  }
})

test('two selected records are compared side by side, the differences first', async ({ workspace }) => {
  test.setTimeout(120_000)
  const page = await workspace.open()
  const connection = await usePractice(page)
  const ids: string[] = []
  for (const applicant_id of ['APP-1', 'PRACTICE-404', 'APP-2'])
    ids.push(await runCheck(page, connection.id, 'get-applicant-details', { applicant_id }))
  await new HistoryPage(page).open()
  const table = new TablePage(page)
  await table.row(1).getByRole('checkbox').click()
  await expect(table.selection.getByRole('button', { name: 'Compare' })).toHaveCount(0)
  await table.row(2).getByRole('checkbox').click()
  await table.selection.getByRole('button', { name: 'Compare' }).click()
  const dialog = new Shell(page).dialog('Compare records')
  const facts = dialog.getByRole('group', { name: 'Facts of both records' })
  // The older record is first, whichever was selected first.
  await expect(facts.getByRole('columnheader').nth(1)).toContainText('record 2')
  await expect(
    facts
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name: /^HTTP status/ }) })
      .getByRole('cell')
  ).toHaveText(['404', '200'])
  await expect(
    facts
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name: /^Applicant ID/ }) })
      .getByRole('cell')
  ).toHaveText(['PRACTICE-404', 'APP-2'])
  const differs = await facts
    .getByRole('row')
    .evaluateAll((rows) => rows.slice(1).map((row) => row.hasAttribute('data-differs')))
  expect(differs).toContain(true)
  expect(differs).toContain(false)
  expect(differs, 'the differences are first').toEqual([...differs].sort((a, b) => Number(b) - Number(a)))
  await expect(dialog.getByRole('list', { name: 'Differences' }).getByRole('listitem').first()).toBeVisible()
  await inspect(page, 'two records that are compared')
  for (const size of [
    { width: 900, height: 600 },
    { width: 600, height: 700 }
  ]) {
    await resizeWindow(page, size)
    await expect
      .poll(() => dialog.evaluate((element) => element.scrollWidth <= element.clientWidth), {
        message: `at ${size.width} px`
      })
      .toBe(true)
  }
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  // Both were shown, and both are noted.
  const { events } = await ask(page, 'audit.page', { limit: 50, kinds: ['view.opened'] })
  expect(events.flatMap(({ recordId }) => recordId ?? []).sort()).toEqual(ids.slice(1).sort())
})

test('tags and due dates of several applicants are changed in one step, in their list and in the queue', async ({
  workspace
}) => {
  test.setTimeout(180_000)
  const page = await workspace.open()
  const connection = await usePractice(page)
  for (const applicant_id of ['APP-1', 'APP-2', 'APP-3'])
    await runCheck(page, connection.id, 'get-applicant-details', { applicant_id })
  const applicants = new ApplicantsPage(page)
  await applicants.open()
  // Wide enough for the column of tags.
  await resizeWindow(page, { width: 2560, height: 1440 })
  const table = new TablePage(page)
  const ids = (): Promise<string[]> =>
    table.grid
      .locator('[role="gridcell"][data-column="applicant"] [data-whole]')
      .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('data-whole') ?? ''))
  await expect.poll(ids).toEqual(['APP-3', 'APP-2', 'APP-1'])
  await table.sortBy('Applicant ID')
  await expect(table.heading('Applicant ID')).toHaveAttribute('aria-sort', 'ascending')
  await expect.poll(ids).toEqual(['APP-1', 'APP-2', 'APP-3'])
  await table.row(1).getByRole('checkbox').click()
  await page.keyboard.press('Shift+ArrowDown')
  await expect(table.selected).toHaveText('2 applicants selected')
  await inspect(page, 'selected applicants')
  await table.selection.getByRole('button', { name: 'Tags' }).click()
  const dialog = new Shell(page).dialog('Tags of 2 applicants')
  await expect(dialog.getByRole('button', { name: 'Change 2 applicants' })).toBeDisabled()
  await dialog.getByLabel('Add tag').fill('second look')
  await inspect(page, 'the change of several applicants')
  await dialog.getByRole('button', { name: 'Change 2 applicants' }).click()
  await expect(new Shell(page).message).toContainText('2 applicants changed')
  await expect(table.cell(1, 'tags')).toHaveText('second look')
  await ask(page, 'applicants.changeMany', {
    applicantIds: ['APP-1', 'APP-2'],
    due: Date.UTC(2031, 0, 1)
  })
  const date = await shownDate(page, '2031-01-01')
  await expect(table.cell(2, 'due')).toContainText(date)
  await expect(table.cell(3, 'tags')).toHaveText('')
  await table.sortBy('Due')
  await expect.poll(async () => (await ids()).at(-1)).toBe('APP-3')

  const queue = new QueuePage(page)
  await queue.open()
  await queue.grid.focus()
  // All that match, also to copy them; then the same rows one by one.
  await page.keyboard.press('ControlOrMeta+a')
  await expect(table.selected).toHaveText('3 selected')
  const copy = async (): Promise<void> => {
    await table.selection.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Copy rows' }).click()
  }
  const lines = ['Applicant ID', 'APP-1', 'APP-2', 'APP-3']
  const copied = await copiedBy(page, copy, 'Copied: 3 rows')
  expect(copied.split('\r\n').map((line) => line.split('\t')[1])).toEqual(lines)
  await queue.grid.focus()
  await page.keyboard.press('Escape')
  await expect(table.selection).toHaveCount(0)
  await page.keyboard.press('Home')
  await page.keyboard.press('Space')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await expect(table.selected).toHaveText('3 selected')
  await inspect(page, 'selected items of the queue')
  await table.selection.getByRole('button', { name: 'Tags' }).click()
  const all = new Shell(page).dialog('Tags of 3 applicants')
  await all.getByLabel('Remove tag').fill('second look')
  await all.getByRole('button', { name: 'Change 3 applicants' }).click()
  await expect(new Shell(page).message).toContainText('2 applicants changed. 1 already so')
  await expect(table.selection).toHaveCount(0)
  await queue.grid.focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('s')
  const assigning = new Shell(page).dialog('Assign 3 applicants')
  await expect(assigning.getByLabel('Assignee')).toBeFocused()
  await page.keyboard.type('B. Mensah')
  await assigning.getByLabel('Change all 3 applicants that match').check()
  await page.keyboard.press('Enter')
  await expect(new Shell(page).message).toContainText('3 applicants changed')
  await expect(queue.rows.filter({ hasText: 'B. Mensah' })).toHaveCount(3)
  await queue.grid.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('Space')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('u')
  const dated = new Shell(page).dialog('Due date of 2 applicants')
  await dated.getByLabel('Remove the due date').check()
  await dated.getByRole('button', { name: 'Change 2 applicants' }).click()
  await expect(new Shell(page).message).toContainText('2 applicants changed')
  await expect(queue.rows.filter({ hasText: date })).toHaveCount(0)
  // Each applicant has events of its own.
  const { events } = await ask(page, 'audit.page', { limit: 100, kinds: ['tags.changed', 'due.changed'] })
  expect(events.map(({ kind, applicantId }) => `${kind} ${applicantId}`).sort()).toEqual([
    'due.changed APP-1',
    'due.changed APP-1',
    'due.changed APP-2',
    'due.changed APP-2',
    'tags.changed APP-1',
    'tags.changed APP-1',
    'tags.changed APP-2',
    'tags.changed APP-2'
  ])
})
