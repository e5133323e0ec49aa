/** The work queue as people work through it: by keyboard, with filters, saved views, and what happens if something fails. */
import { today } from '#contract/applicants/due-dates.ts'
import type { Page } from '@playwright/test'
import { openEngine } from '#store/engine/opening.ts'
import { historyFolder } from '#wire/sqlite/files.ts'
import { failureTable } from '#contract/failures/table.ts'
import { intentOf } from '../service/history-fixtures.ts'
import { inspect } from './fixtures/axe.ts'
import { smallDisk } from './fixtures/disk.ts'
import { placesOf } from './fixtures/places.ts'
import { resizeWindow } from './fixtures/window-size.ts'
import { historyKey, seedHistory } from './fixtures/history.ts'
import { runCheck } from './fixtures/scene.ts'
import { ask, expect, test, usePractice } from './fixtures/workspace.ts'
import { QueuePage } from './pages/applicants.ts'
import { Shell } from './pages/shell.ts'
import { choose, DateField, shownDate } from './pages/fields.ts'

const day = 86_400_000

/** Presses keys and counts them. */
function keyboard(page: Page): { press(...keys: string[]): Promise<void>; count: number } {
  const counted = {
    count: 0,
    async press(...keys: string[]) {
      for (const key of keys) await page.keyboard.press(key)
      counted.count += keys.length
    }
  }
  return counted
}
async function applicants(page: Page, ids: readonly string[]): Promise<void> {
  const connection = await usePractice(page)
  for (const applicant_id of ids) await runCheck(page, connection.id, 'get-applicant-details', { applicant_id })
}
const stateOf = async (page: Page, applicantId: string) =>
  (await ask(page, 'applicants.show', { applicantId })).decision
const decisionsIn = async (page: Page) =>
  (await ask(page, 'audit.page', { groups: ['decisions'], limit: 200 })).events.filter(
    ({ kind }) => kind === 'decision.made'
  )

test('ten applicants are decided by keyboard alone, and the next one is always open', async ({ workspace }) => {
  test.setTimeout(120_000)
  const page = await workspace.open()
  const ids = Array.from({ length: 10 }, (_, at) => `APP-${String(at + 1).padStart(2, '0')}`)
  await applicants(page, ids)
  const queue = new QueuePage(page)
  await queue.open()
  await expect(queue.rows).toHaveCount(10)
  expect(await queue.subjects()).toEqual(ids)
  const keys = keyboard(page)
  const order = [
    ['a', 'approve', 'documents-in-order'],
    ['d', 'decline', 'reviewed-by-hand'],
    ['e', 'escalate', 'document-not-accepted']
  ] as const
  for (const [at, id] of ids.entries()) {
    const [key, decision, reason] = order[at % 3] ?? order[0]
    await keys.press(key)
    await expect(queue.opened).toHaveText(id)
    const reasons = queue.applicant.panel.getByRole('group', { name: /^Reasons/ }).getByRole('checkbox')
    await expect(reasons.first()).toBeFocused()
    await keys.press('Space', ...Array.from({ length: await reasons.count() }, () => 'Tab'))
    await expect(queue.applicant.note).toBeFocused()
    // These letters are shortcuts elsewhere.
    await keys.press('a', 'd', 'Control+Enter')
    await expect(queue.opened).not.toHaveText(id)
    await expect(queue.heading).toBeFocused()
    expect(await stateOf(page, id), id).toMatchObject({ decision, reasons: [reason], note: 'ad' })
  }
  // The escalated ones still wait, longest first, and the first of them is open.
  await expect(queue.rows).toHaveCount(3)
  expect(await queue.subjects()).toEqual(['APP-03', 'APP-06', 'APP-09'])
  await expect(queue.opened).toHaveText('APP-03')
  // One key for each decision, reason, step and letter.
  expect(keys.count).toBe(4 * (5 + 2) + 3 * (5 + 5) + 3 * (5 + 6))
  const events = await decisionsIn(page)
  expect(events.map(({ applicantId }) => applicantId)).toEqual([...ids].reverse())
  expect(new Set(events.map(({ operator }) => operator)).size).toBe(1)
  expect((await ask(page, 'audit.verify')).intact).toBe(true)
})

test('a due date that is only half typed is not recorded as none', async ({ workspace }) => {
  const page = await workspace.open()
  await applicants(page, ['APP-01'])
  const queue = new QueuePage(page)
  await queue.open()
  await page.keyboard.press('e')
  const { panel, note } = queue.applicant
  await panel.getByRole('checkbox').first().check()
  await note.fill('Ask for a passport')
  const due = new DateField(panel.getByRole('form', { name: 'Decide' }), 'Due date (optional)')
  await due.part('Day').focus()
  await page.keyboard.type('12')
  await note.focus()
  await page.keyboard.press('Control+Enter')
  await expect(due.first).toBeFocused()
  await expect(due.parts).toHaveAccessibleDescription('Enter a whole date, or none.')
  expect(await stateOf(page, 'APP-01')).toBeUndefined()
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => stateOf(page, 'APP-01')).toMatchObject({ decision: 'escalate' })
})

test('search, filters with counts and orders narrow the list, and a view keeps them without the search', async ({
  workspace
}) => {
  test.setTimeout(90_000)
  const page = await workspace.open()
  await applicants(page, ['APP-1', 'APP-2', 'APP-3'])
  const connection = (await ask(page, 'connections.list'))[0]
  await runCheck(page, connection?.id ?? '', 'validate-applicant-id-document', {
    applicant_id: 'APP-4',
    document_url: 'https://files.example.com/trigger/fail/card.jpg'
  })
  await ask(page, 'applicants.tag', { applicantId: 'APP-1', tags: ['branch-2'] })
  await ask(page, 'applicants.tag', { applicantId: 'APP-3', tags: ['branch-2', 'renewal'] })
  await ask(page, 'queue.due', { applicantId: 'APP-3', due: today(Date.now()) - 2 * day })
  await ask(page, 'queue.due', { applicantId: 'APP-2', due: today(Date.now()) + 3 * day })
  await ask(page, 'queue.assign', { applicantId: 'APP-2', assignee: 'B. Mensah' })
  const queue = new QueuePage(page)
  await queue.open()
  await expect(queue.rows).toHaveCount(4)
  await expect(queue.total).toHaveText('4 items, 3 mine or unassigned, 1 overdue')
  await expect(queue.row('APP-4')).toContainText('failed')
  expect(await queue.subjects()).toEqual(['APP-3', 'APP-2', 'APP-1', 'APP-4'])
  await inspect(page, 'the queue')

  // Nothing moves when a value is chosen, side by side or folded.
  const labels = ['State', 'Interpretation', 'Message', 'Batch', 'Assignee', 'Due', 'Tag', 'Operation']
  const places = () => placesOf([queue.grid, queue.search, ...labels.map(queue.filter)])
  for (const width of [1280, 900]) {
    await resizeWindow(page, { width, height: 800 })
    if (width === 900) await page.getByRole('button', { name: 'Filters', exact: true }).click()
    const before = await places()
    await queue.choose('State', 'Pending decision')
    await queue.choose('Assignee', 'Unassigned')
    await queue.choose('Interpretation', 'Unreviewed')
    await expect(queue.rows).toHaveCount(3)
    await expect.poll(places).toEqual(before)
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect(queue.rows).toHaveCount(4)
    await expect(page.getByRole('button', { name: 'Clear filters' })).toBeFocused()
    if (width === 900) await page.getByRole('button', { name: 'Filters', exact: true }).click()
  }
  await resizeWindow(page, { width: 1280, height: 800 })

  // Each count is what the filter leaves.
  for (const label of ['State', 'Interpretation', 'Message', 'Due', 'Tag', 'Operation', 'Assignee'])
    for (const [value, count] of Object.entries(await queue.counts(label)).filter(([, number]) => number > 0)) {
      await queue.choose(label, value)
      await expect(queue.rows, `${label}: ${value}`).toHaveCount(count)
      await queue.choose(label, value)
      await expect(queue.rows).toHaveCount(4)
    }
  expect(await queue.counts('Due')).toEqual({ 'Overdue': 1, 'Today': 0, 'Later': 1, 'No due date': 2 })
  expect(await queue.counts('Assignee')).toEqual({ 'Unassigned': 3, 'B. Mensah': 1 })

  // Where the list has no headings, an order is chosen beside the filters.
  await resizeWindow(page, { width: 900, height: 700 })
  await page.getByRole('button', { name: 'Filters', exact: true }).click()
  for (const [label, ids] of [
    ['Latest due date first', ['APP-2', 'APP-3', 'APP-1', 'APP-4']],
    ['Longest waiting first', ['APP-1', 'APP-2', 'APP-3', 'APP-4']],
    ['Shortest waiting first', ['APP-4', 'APP-3', 'APP-2', 'APP-1']],
    ['Latest verification first', ['APP-4', 'APP-3', 'APP-2', 'APP-1']],
    ['Earliest verification first', ['APP-1', 'APP-2', 'APP-3', 'APP-4']],
    ['Applicant, Z to A', ['APP-4', 'APP-3', 'APP-2', 'APP-1']],
    ['Applicant, A to Z', ['APP-1', 'APP-2', 'APP-3', 'APP-4']]
  ] as const) {
    await choose(queue.order, label)
    await expect.poll(queue.subjects, label).toEqual(ids)
  }
  await resizeWindow(page, { width: 1440, height: 900 })
  const heading = queue.grid.getByRole('columnheader', { name: 'Applicant ID' })
  await expect(heading).toHaveAttribute('aria-sort', 'ascending')
  await heading.getByRole('button').click()
  await expect(heading).toHaveAttribute('aria-sort', 'descending')
  await expect.poll(queue.subjects).toEqual(['APP-4', 'APP-3', 'APP-2', 'APP-1'])

  await queue.choose('Tag', 'branch-2')
  await page.keyboard.press('/')
  await expect(queue.search).toBeFocused()
  await page.keyboard.type('app-3')
  await expect(queue.rows).toHaveCount(1)
  await page.getByRole('button', { name: 'Save or remove views' }).click()
  const views = page.getByRole('dialog', { name: 'Views' })
  await expect(views).toContainText('The search text is not saved')
  await views.getByRole('textbox').fill('Branch 2')
  await inspect(page, 'a view of the queue', ['light'])
  await views.getByRole('button', { name: 'Save' }).click()
  await expect(new Shell(page).message).toContainText('View “Branch 2” saved')
  const { settings } = await ask(page, 'app.state')
  expect(settings.queueViews).toEqual([
    { name: 'Branch 2', filter: { tags: ['branch-2'] }, order: { by: 'applicant', reversed: true } }
  ])
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(queue.rows).toHaveCount(4)
  await expect(queue.search).toHaveValue('')
  await queue.grid.getByRole('columnheader', { name: 'Due' }).getByRole('button').click()
  const again = await workspace.again()
  const later = new QueuePage(again)
  await later.open()
  await expect(later.rows).toHaveCount(4)
  await again.getByRole('button', { name: 'Branch 2 2', exact: true }).click()
  await expect.poll(later.subjects).toEqual(['APP-3', 'APP-1'])
  await later.search.fill('nothing of it')
  await expect(later.noMatch).toBeVisible()
  await again.getByRole('button', { name: 'Clear filters' }).first().click()
  await later.row('APP-4').click()
  await expect(later.pane.getByRole('button', { name: 'Show 1 document' })).toBeVisible()
})

/** Presses a key as soon as another case is shown, before the applicant can have arrived. */
const onceOpened = (page: Page, key: string): Promise<void> =>
  page.evaluate((letter) => {
    const idShown = (): string => document.querySelector('[data-testid="case-id"]')?.textContent ?? ''
    const before = idShown()
    const observer = new MutationObserver(() => {
      if (idShown() === before) return
      observer.disconnect()
      document.activeElement?.dispatchEvent(
        new KeyboardEvent('keydown', { key: letter, bubbles: true, cancelable: true })
      )
    })
    observer.observe(document.body, { subtree: true, childList: true, characterData: true })
  }, key)

test('a key that is pressed while a case still loads acts once it has arrived', async ({ workspace }) => {
  const page = await workspace.open()
  await applicants(page, ['APP-1', 'APP-2'])
  const queue = new QueuePage(page)
  await queue.open()
  await expect(queue.rows).toHaveCount(2)
  await queue.grid.focus()
  await page.keyboard.press('Enter')
  await expect(queue.opened).toHaveText('APP-1')
  await expect(queue.applicant.checks).toHaveCount(1)
  const reasons = queue.applicant.panel.getByRole('group', { name: /^Reasons/ }).getByRole('checkbox')
  for (const [letter, step, focused] of [
    ['u', 'j', new DateField(queue.pane, 'Due date').first],
    ['a', 'k', reasons.first()]
  ] as const) {
    await queue.grid.focus()
    await onceOpened(page, letter)
    await page.keyboard.press(step)
    await expect(focused, letter).toBeFocused()
  }
  // A check stands in the place of the decision, and goes.
  await page.keyboard.press('Escape')
  await page.keyboard.press('v')
  await expect(reasons).toHaveCount(0)
  await page.keyboard.press('a')
  await expect(reasons.first()).toBeFocused()
})

test('the keys move, open and edit on demand, and never while text is entered', async ({ workspace }) => {
  test.setTimeout(90_000)
  const page = await workspace.open()
  await applicants(page, ['APP-1', 'APP-2', 'APP-3'])
  const queue = new QueuePage(page)
  const shell = new Shell(page)
  await queue.open()
  await expect(queue.rows).toHaveCount(3)
  await expect(queue.grid.locator('input:not([type="checkbox"])'), 'no field in the rows').toHaveCount(0)
  await page.keyboard.press('j')
  await expect(queue.grid).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('k')
  await page.keyboard.press('Enter')
  await expect(queue.opened).toHaveText('APP-2')
  await expect(queue.applicant.checks).toHaveCount(1)
  await expect(queue.row('APP-2')).toHaveAttribute('aria-current', 'true')
  await inspect(page, 'an applicant beside the queue')
  // The list leads, and the applicant follows.
  await page.keyboard.press('j')
  await expect(queue.opened).toHaveText('APP-3')
  await page.keyboard.press('ArrowUp')
  await expect(queue.opened).toHaveText('APP-2')

  // In the case, a due date is set where it is shown.
  await page.keyboard.press('u')
  const date = new DateField(queue.pane, 'Due date')
  await expect(date.first).toBeFocused()
  await date.set('2031-01-01')
  await page.keyboard.press('Enter')
  await expect(queue.pane.getByText('Saved')).toBeVisible()
  const shown = await shownDate(page, '2031-01-01')
  await expect(queue.row('APP-2')).toContainText(shown)
  // It sorts first now, and is still the open one.
  await expect.poll(queue.subjects).toEqual(['APP-2', 'APP-1', 'APP-3'])
  await expect(queue.row('APP-2')).toHaveAttribute('aria-current', 'true')
  await inspect(page, 'a due date', ['light'])
  // Of a row that is not open, in a dialog.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(queue.pane).toHaveCount(0)
  await page.keyboard.press('u')
  const due = shell.dialog('Due date')
  const other = new DateField(due, 'Due date of APP-2')
  await expect(other.first).toBeFocused()
  await due.getByRole('button', { name: 'Remove date' }).click()
  await expect(queue.row('APP-2')).not.toContainText(shown)
  await queue.row('APP-2').click()
  await expect(queue.opened).toHaveText('APP-2')

  await queue.pane.getByRole('button', { name: 'Assign' }).click()
  const assign = shell.dialog('Assign')
  // Each of these letters is a shortcut elsewhere.
  await page.keyboard.type('Jade Sub')
  await inspect(page, 'an assignment', ['light'])
  await page.keyboard.press('Enter')
  await expect(assign).toHaveCount(0)
  await expect(queue.pane).toContainText('Jade Sub')
  await expect(queue.opened).toHaveText('APP-2')
  expect((await ask(page, 'queue.list', { limit: 5, filter: { assignees: ['Jade Sub'] } })).total).toBe(1)

  await page.keyboard.press('/')
  await page.keyboard.type('jade')
  await expect(queue.search).toHaveValue('jade')
  await expect(queue.rows).toHaveCount(0)
  await expect(queue.applicant.panel.getByRole('button', { pressed: true })).toHaveCount(0)
  await queue.search.fill('')
  await expect(queue.rows).toHaveCount(3)
  await page.keyboard.press('?')
  await expect(queue.search).toHaveValue('?')
  await expect(queue.rows).toHaveCount(0)
  // Escape leaves the form also while there is no list to go to.
  await queue.applicant.choice('Approve').focus()
  await page.keyboard.press('Escape')
  await expect(queue.heading).toBeFocused()
  await queue.search.fill('')
  await expect(queue.rows).toHaveCount(3)
  await queue.pane.getByRole('group', { name: 'Contents of the case' }).focus()
  await page.keyboard.press('?')
  await expect(shell.dialog('Keyboard shortcuts').getByRole('region', { name: 'Queue' })).toContainText('Decline')
  await page.keyboard.press('d')
  await page.keyboard.press('Escape')
  await expect(queue.applicant.panel.getByRole('button', { pressed: true }), 'not behind a dialog').toHaveCount(0)
  // Escape leaves the form first, and keeps what was entered.
  await page.keyboard.press('d')
  await page.keyboard.press('Space')
  await page.keyboard.press('Escape')
  await expect(queue.heading).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(queue.pane).toHaveCount(0)
  await expect(queue.grid).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(queue.applicant.reason('Reviewed by hand')).toBeChecked()
})

test('a mistake is corrected by a second decision, and both stay in the audit trail', async ({ workspace }) => {
  const page = await workspace.open()
  await applicants(page, ['APP-1', 'APP-2'])
  const queue = new QueuePage(page)
  await queue.open()
  await expect(queue.rows).toHaveCount(2)
  await page.keyboard.press('b')
  await expect(new Shell(page).message).toContainText('Nothing has been decided')
  await page.keyboard.press('a')
  await queue.applicant.reason('Documents in order').check()
  await queue.applicant.note.fill('In order.')
  await page.keyboard.press('Control+Enter')
  await expect(queue.opened).toHaveText('APP-2')
  await page.keyboard.press('b')
  await expect(queue.opened).toHaveText('APP-1')
  await expect(queue.applicant.decided).toHaveText('Approved')
  await page.keyboard.press('d')
  await queue.applicant.reason('Suspected fraud').check()
  await queue.applicant.note.fill('The wrong key.')
  await page.keyboard.press('Control+Enter')
  await expect(queue.opened, 'and on with the next').toHaveText('APP-2')
  expect(await stateOf(page, 'APP-1')).toMatchObject({ decision: 'decline', note: 'The wrong key.' })
  expect((await decisionsIn(page)).map(({ words }) => words)).toEqual([
    'Declined, based on 1 record.',
    'Approved, based on 1 record.'
  ])
})

test('a decision that cannot be written keeps the row and the draft', async ({ workspace, dataFolder }) => {
  test.setTimeout(90_000)
  test.skip(!workspace.keyring, 'needs a keyring for tests')
  if (!workspace.keyring) return
  await seedHistory(dataFolder, workspace.keyring, 40)
  const files = historyFolder(dataFolder)
  const opened = openEngine({
    folder: files,
    masterKey: await historyKey(workspace.keyring, dataFolder),
    now: Date.now()
  })
  if (!opened.ok) throw new Error(opened.failure.code)
  // A verification left open by a crash must be updated at the next start, which a full disk prevents.
  opened.value.engine.commit([(writer) => writer.begin(intentOf({ applicant: 'APP-LEFT-OPEN' }))])
  opened.value.engine.close()
  const disk = smallDisk(files)
  test.skip(disk === undefined, 'mounting a small disk needs root')
  try {
    const page = await workspace.open()
    await usePractice(page)
    const queue = new QueuePage(page)
    await queue.open()
    await expect(page.getByTestId('read-only')).toBeVisible()
    await expect(queue.rows.first()).toContainText('APP-')
    const before = await queue.subjects()
    const first = before[0] ?? ''
    await page.keyboard.press('a')
    await expect(queue.opened).toHaveText(first)
    await queue.applicant.reason('Documents in order').check()
    await queue.applicant.note.fill('Seen.')
    await page.keyboard.press('Control+Enter')
    await expect(queue.applicant.panel).toContainText(failureTable['history-read-only'].what)
    await expect(queue.opened).toHaveText(first)
    await expect(queue.applicant.note).toHaveValue('Seen.')
    await inspect(page, 'a decision that failed', ['dark'])
    expect(await queue.subjects()).toEqual(before)
    disk?.free()
    await page.getByTestId('read-only').getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByTestId('read-only')).toHaveCount(0)
    await expect(queue.applicant.note).toHaveValue('Seen.')
    await queue.applicant.note.press('Control+Enter')
    await expect(queue.opened).not.toHaveText(first)
    expect(await stateOf(page, first)).toMatchObject({ decision: 'approve', note: 'Seen.' })
    await workspace.close()
  } finally {
    disk?.remove()
  }
})

test('an applicant that is erased while open leaves the list and closes', async ({ workspace }) => {
  const page = await workspace.open()
  await applicants(page, ['APP-1', 'APP-GONE'])
  const queue = new QueuePage(page)
  await queue.open()
  await queue.search.fill('gone')
  await expect(queue.rows).toHaveCount(1)
  await queue.rows.click()
  await expect(queue.opened).toHaveText('APP-GONE')
  await ask(page, 'erasure.run', {
    applicantId: 'APP-GONE',
    confirmation: 'APP-GONE',
    reason: 'Asked for by the person'
  })
  await expect(queue.pane).toHaveCount(0)
  await expect(queue.rows).toHaveCount(1)
  expect(await queue.subjects()).toEqual(['APP-1'])
  expect(page.url()).not.toContain('GONE')
  await expect(page.getByRole('heading', { level: 1, name: 'Queue' })).toBeFocused()
})

test('in a narrow window the applicant replaces the list, and Escape leads back', async ({ workspace }) => {
  const page = await workspace.open()
  await workspace.session().resize(900, 700)
  await applicants(page, ['APP-1', 'APP-2'])
  const queue = new QueuePage(page)
  await queue.open()
  await expect(queue.rows).toHaveCount(2)
  await inspect(page, 'the queue at 900 pixels', ['light'])
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(queue.grid).toBeHidden()
  await expect(queue.heading).toBeFocused()
  await inspect(page, 'an applicant at 900 pixels', ['light'])
  await expect.poll(() => page.getByRole('main').evaluate((main) => main.scrollWidth - main.clientWidth)).toBe(0)
  await page.keyboard.press('k')
  await expect(queue.opened).toHaveText('APP-1')
  await expect(queue.heading).toBeFocused()
  await page.keyboard.press('e')
  await expect(queue.applicant.reason('Document not accepted')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(queue.heading).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(queue.grid).toBeFocused()
  await page.keyboard.press('Enter')
  await queue.pane.getByRole('button', { name: 'Back to the queue' }).click()
  await expect(queue.grid).toBeFocused()
})
