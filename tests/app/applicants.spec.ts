/** Applicants in the real window: decisions, manual links, links by a batch, notes, and the queue. */
import type { Page } from '@playwright/test'
import { randomUUID } from 'node:crypto'
import { operationOf, type OperationId } from '#contract/verification/operations.ts'
import { ask, expect, test, usePractice } from './fixtures/workspace.ts'
import { inspect } from './fixtures/axe.ts'
import { triggerValue } from './fixtures/inputs.ts'
import { ApplicantPage, ApplicantsPage, CataloguePage, QueuePage } from './pages/applicants.ts'
import { NewBatchPage } from './pages/batches.ts'
import { HistoryPage } from './pages/history.ts'
import { Shell } from './pages/shell.ts'
import { goTo } from './pages/go.ts'
import { choose, shownDate } from './pages/fields.ts'

/** Runs a verification as the form does; returns the record's ID. */
async function check(page: Page, operation: OperationId, input: Record<string, string>): Promise<string> {
  const { settings } = await ask(page, 'app.state')
  const ending = await ask(page, 'verification.run', {
    runId: randomUUID(),
    connectionId: settings.lastConnection,
    operation,
    input,
    repeatAnyway: true
  })
  if (ending.kind !== 'recorded') throw new Error(ending.kind)
  return ending.record.id
}

test('a decision is shown with the answers, and becomes outdated with newer evidence', async ({ workspace }) => {
  const page = await workspace.open()
  await usePractice(page)
  await check(page, 'get-applicant-details', { applicant_id: 'APP-1' })
  const list = new ApplicantsPage(page)
  await list.open()
  await expect(list.row('APP-1')).toContainText('Pending decision')
  await inspect(page, 'the list of applicants')
  await list.search.fill('no such id')
  await expect(list.noMatch).toBeVisible()
  await list.search.fill('app-1')
  await list.row('APP-1').click()

  const applicant = new ApplicantPage(page)
  await expect(applicant.checks).toHaveCount(1)
  await expect(applicant.checks).toContainText('The service’s message:')
  await applicant.choose('Approve')
  await applicant.record.click()
  await expect(applicant.panel).toContainText('Choose at least one reason.')
  await applicant.reason('Documents in order').check()
  await expect(applicant.panel).toContainText('Enter a note')
  await applicant.note.fill('Both images were looked at.')
  await inspect(page, 'a decision in progress')
  await applicant.record.click()
  await expect(applicant.decided).toHaveText('Approved')
  await expect(applicant.timeline).toContainText('Decision: Approved')
  await applicant.addNote('Rang the applicant.')
  await expect(applicant.timeline).toContainText('Rang the applicant.')
  await applicant.addTag('high-risk')
  await expect(page.getByRole('button', { name: 'Remove tag high-risk' })).toBeVisible()

  await check(page, 'get-applicant-details', { applicant_id: 'APP-1' })
  await expect(applicant.panel).toContainText(/New evidence since the decision of .*: 1 answer/)
  await expect(applicant.checks).toHaveCount(2)
  await inspect(page, 'a outdated decision')
  await list.open()
  await expect(list.row('APP-1')).toContainText('Outdated')
  await list.search.fill('high-risk')
  await expect(list.row('APP-1')).toBeVisible()
  // The practice service says who the applicant is.
  const { name = '' } = (await ask(page, 'applicants.list', { limit: 1 })).applicants[0] ?? {}
  await expect(list.row('APP-1')).toContainText(name)
  await list.search.fill(name.toUpperCase())
  await expect(list.row('APP-1')).toBeVisible()
  await expect(list.view('All')).toHaveText('All1')
  await expect(list.view('No details')).toHaveText('No details0')
  expect(await list.counts('State')).toMatchObject({ Outdated: 1, Approved: 0 })
  await list.choose('State', 'Approved')
  await expect(list.noMatch).toBeVisible()
  // Everything is on disk.
  const again = await workspace.again()
  await new ApplicantPage(again).open('APP-1')
  await expect(new ApplicantPage(again).decided).toHaveText('Approved')
})

test('a photo verification without an applicant is linked in Veridesk only, marked as such, and unlinked', async ({
  workspace
}) => {
  const page = await workspace.open()
  await usePractice(page)
  const id = await check(page, 'validate-kyc-photo', { photo_url: 'https://files.example.com/p.jpg' })
  await goTo(page, `/history/${id}`)
  const history = new HistoryPage(page)
  await history.record.root.getByRole('button', { name: 'Link to an applicant' }).click()
  const dialog = new Shell(page).dialog('Link to an applicant')
  await dialog.getByRole('textbox', { name: 'Applicant ID' }).fill('APP-7')
  await expect(dialog).toContainText('New applicant: no record has this ID yet.')
  await inspect(page, 'the link dialog')
  await dialog.getByRole('button', { name: 'Link record' }).click()
  await expect(history.record.root.getByRole('link', { name: 'Open the case' })).toBeVisible()
  // The link is part of the record, not only of the page that created it.
  await page.reload()
  await history.record.root.getByRole('link', { name: 'Open the case' }).click()
  const applicant = new ApplicantPage(page)
  await expect(applicant.checks).toHaveCount(1)
  await expect(applicant.checks.getByText('Veridesk only', { exact: true })).toBeVisible()
  await applicant.checks.getByRole('button', { name: 'Unlink' }).click()
  await expect(applicant.checks).toHaveCount(0)
  await new Shell(page).undo()
  await expect(applicant.checks).toHaveCount(1)
})

test('the queue lists waiting items, overdue first, and the side bar shows their number', async ({ workspace }) => {
  test.setTimeout(60_000)
  const page = await workspace.open()
  await usePractice(page, { totalTimeout: 2 })
  for (const applicant_id of ['APP-1', 'APP-2']) await check(page, 'get-applicant-details', { applicant_id })
  await check(page, 'get-applicant-details', { applicant_id: triggerValue({ kind: 'applicant-id' }, 'silent') })
  const queue = new QueuePage(page)
  await queue.open()
  expect(await queue.counts('State')).toMatchObject({ 'Pending decision': 2, 'Unknown outcome': 1 })
  await expect(queue.badge).toContainText('3')
  await expect(queue.rows).toHaveCount(3)
  await ask(page, 'queue.due', { applicantId: 'APP-2', due: Date.UTC(2026, 0, 5) })
  await expect(queue.rows.first()).toContainText('APP-2')
  await expect(queue.rows.first()).toContainText('d overdue')
  await expect(queue.badge).toContainText('1 overdue')
  await inspect(page, 'the queue')
  await queue.choose('State', 'Unknown outcome')
  await expect(queue.rows).toHaveCount(1)
  await queue.rows.click()
  await new HistoryPage(page).record.resolve('It was processed', 'Asked.')
  await queue.open()
  // Resolved as processed is evidence, so the applicant waits for a decision.
  await expect(queue.rows).toHaveCount(3)
  await expect.poll(() => queue.counts('State')).toMatchObject({ 'Pending decision': 3, 'Unknown outcome': 0 })
})

test('a service error is not evidence: it is on the timeline with its reason, and nowhere else', async ({
  workspace
}) => {
  const page = await workspace.open()
  await usePractice(page)
  const id = triggerValue({ kind: 'applicant-id' }, '500')
  await check(page, 'get-applicant-details', { applicant_id: id })
  const applicant = new ApplicantPage(page)
  await applicant.open(id)
  await expect(applicant.checks).toContainText('Not evidence: the service failed')
  await expect(page.getByText('No evidence yet').first()).toBeVisible()
  await expect(applicant.panel).toContainText('There is no evidence about this applicant yet')
  await inspect(page, 'an applicant without evidence')
  const queue = new QueuePage(page)
  await queue.open()
  await expect(page.getByText('The queue is empty')).toBeVisible()
  const catalogue = new CataloguePage(page)
  await catalogue.open()
  await expect(page.getByText('No messages yet')).toBeVisible()
})

test('a column of a batch links its photos to applicants, marked as linked in Veridesk only', async ({ workspace }) => {
  const page = await workspace.open()
  await usePractice(page, { lastOperation: 'validate-kyc-photo' })
  const form = new NewBatchPage(page)
  await form.open()
  await choose(form.operation, operationOf('validate-kyc-photo').title)
  await form.paste('photo_url,customer no\nhttps://files.example.com/1.jpg,0042\nhttps://files.example.com/2.jpg,0043')
  await form.go('Columns')
  await choose(form.column('Applicant'), '2: customer no')
  const batch = await form.run()
  await expect(batch.state).toHaveText('Finished')
  const applicant = new ApplicantPage(page)
  await applicant.open('0042')
  await expect(applicant.checks).toHaveCount(1)
  await expect(applicant.checks.getByText('Veridesk only', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Show 1 document' })).toBeVisible()
  // A link from the file cannot be removed manually: it is part of the batch.
  await expect(applicant.checks.getByRole('button', { name: 'Unlink' })).toHaveCount(0)
})

test('the timeline shows what changed since the previous answer', async ({ workspace }) => {
  const page = await workspace.open()
  await usePractice(page)
  const look = (document_url: string): Promise<string> =>
    check(page, 'validate-applicant-id-document', { applicant_id: 'APP-9', document_url })
  await look('https://files.example.com/card.jpg')
  await look('https://files.example.com/card.jpg')
  await look('https://files.example.com/trigger/fail/card.jpg')
  const applicant = new ApplicantPage(page)
  await applicant.open('APP-9')
  await expect(applicant.checks).toHaveCount(3)
  await expect(applicant.checks.nth(0)).toContainText(
    'Changed since the previous answer: Different document, Different message'
  )
  await expect(applicant.checks.nth(1)).toContainText('Same answer as before')
  await expect(applicant.checks.nth(2)).not.toContainText('previous answer')
})

test('evidence that arrives during a decision is reviewed before the decision is recorded', async ({ workspace }) => {
  const page = await workspace.open()
  await usePractice(page)
  await check(page, 'get-applicant-details', { applicant_id: 'APP-6' })
  const applicant = new ApplicantPage(page)
  await applicant.open('APP-6')
  await applicant.choose('Decline')
  await applicant.reason('Suspected fraud').check()
  await applicant.note.fill('Two cards with one number.')
  await check(page, 'get-applicant-details', { applicant_id: 'APP-6' })
  await expect(applicant.checks).toHaveCount(2)
  await expect(applicant.panel).toContainText('New evidence has arrived since you started.')
  await applicant.record.click()
  await expect(applicant.panel.getByRole('button', { name: 'I have reviewed it' })).toBeFocused()
  await inspect(page, 'newer evidence under a decision')
  await applicant.panel.getByRole('button', { name: 'I have reviewed it' }).click()
  await applicant.record.click()
  await expect(applicant.decided).toHaveText('Declined')
  await expect(applicant.panel).toContainText('Based on 2 records')
  await expect(applicant.decideAgain).toBeFocused()
})

test('a typed due date is recorded once, as entered', async ({ workspace }) => {
  const page = await workspace.open()
  await usePractice(page)
  await check(page, 'get-applicant-details', { applicant_id: 'APP-8' })
  const applicant = new ApplicantPage(page)
  await applicant.open('APP-8')
  await applicant.due.first.focus()
  // Day and month are equal, so the order in which this system asks for them does not matter.
  await page.keyboard.type('010120')
  // An update that arrives in the meantime does not overwrite it.
  await ask(page, 'applicants.note', { applicantId: 'APP-8', text: 'Arrived meanwhile' })
  await expect(applicant.entries.filter({ hasText: 'Arrived meanwhile' })).toHaveCount(1)
  await page.keyboard.type('31')
  await page.keyboard.press('Enter')
  await expect(applicant.entries.filter({ hasText: `Due ${await shownDate(page, '2031-01-01')}` })).toHaveCount(1)
  await expect(applicant.entries.filter({ hasText: /Due / })).toHaveCount(1)
})

test('an invalid due date is dropped when the field is left, and the field shows the current one', async ({
  workspace
}) => {
  const page = await workspace.open()
  await usePractice(page)
  await check(page, 'get-applicant-details', { applicant_id: 'APP-7' })
  const applicant = new ApplicantPage(page)
  await applicant.open('APP-7')
  const setElsewhere = (year: number) => ask(page, 'queue.due', { applicantId: 'APP-7', due: Date.UTC(year, 0, 1) })
  const leave = () => page.getByRole('textbox', { name: 'New note' }).focus()
  await applicant.due.first.focus()
  await page.keyboard.type('0101')
  await expect(applicant.due.part('Day')).toHaveText(/^0?1$/)
  await leave()
  await expect(page.getByTestId('announcer')).toContainText('The date is incomplete.')
  await expect(applicant.due.part('Day')).toHaveText('dd')
  await setElsewhere(2031)
  await applicant.due.has('2031-01-01')
  await expect(applicant.due.part('Year')).toHaveText('2031')
  // An implausible year is refused like an incomplete date.
  await applicant.due.first.focus()
  await page.keyboard.type('01010020')
  await leave()
  await applicant.due.has('2031-01-01')
  await expect(applicant.due.part('Year')).toHaveText('2031')
  await setElsewhere(2032)
  await applicant.due.has('2032-01-01')
  await expect(applicant.entries.filter({ hasText: /Due / })).toHaveCount(2)
})

test('a long message without a break stays in its column, and the decision next to it stays usable', async ({
  workspace
}) => {
  const page = await workspace.open()
  await workspace.session().resize(1024, 700)
  await usePractice(page)
  await check(page, 'get-applicant-details', { applicant_id: 'PRACTICE-long' })
  const applicant = new ApplicantPage(page)
  await applicant.open('PRACTICE-long')
  await expect(applicant.checks).toContainText('aaaaaaaa')
  await expect.poll(() => page.getByRole('main').evaluate((main) => main.scrollWidth - main.clientWidth)).toBe(0)
  const box = async (place: typeof applicant.checks): Promise<{ x: number; width: number }> =>
    (await place.boundingBox()) ?? { x: 0, width: 0 }
  const [told, panel] = [await box(applicant.checks.first()), await box(applicant.panel)]
  expect(told.x + told.width, 'the message ends before the decision begins').toBeLessThanOrEqual(panel.x)
})

test('changing a decision and cancelling never lose the focus', async ({ workspace }) => {
  const page = await workspace.open()
  await usePractice(page)
  await check(page, 'get-applicant-details', { applicant_id: 'APP-7' })
  const applicant = new ApplicantPage(page)
  await applicant.open('APP-7')
  await applicant.choose('Approve')
  await applicant.record.press('Enter')
  await expect(applicant.reason('Documents in order'), 'the first fault is where the keyboard goes').toBeFocused()
  await applicant.reason('Documents in order').check()
  await applicant.record.press('Enter')
  await expect(applicant.note).toBeFocused()
  await applicant.note.fill('In order.')
  await applicant.record.click()
  await expect(applicant.decideAgain).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(applicant.choice('Approve')).toBeFocused()
  await page.keyboard.press('Space')
  await applicant.panel.getByRole('button', { name: 'Cancel' }).press('Enter')
  await expect(applicant.decideAgain).toBeFocused()
})

test('text typed for a decision and a note is kept while the user is on other pages, for this applicant only', async ({
  workspace
}) => {
  test.setTimeout(60_000)
  const page = await workspace.open()
  await usePractice(page)
  for (const applicant_id of ['APP-1', 'APP-2']) await check(page, 'get-applicant-details', { applicant_id })
  const url = 'https://files.example.com/passport.jpg'
  await check(page, 'validate-passport', { id_url: url })
  const applicant = new ApplicantPage(page)
  const newNote = page.getByRole('textbox', { name: 'New note' })
  await applicant.open('APP-1')
  await applicant.choose('Approve')
  await applicant.reason('Documents in order').check()
  await applicant.note.fill('Half a reason')
  await newNote.fill('Half a note')

  await applicant.panel.getByRole('link', { name: '1 message unreviewed' }).click()
  const catalogue = new CataloguePage(page)
  const filter = page.getByRole('group', { name: 'Filter by applicant' })
  await expect(filter).toContainText('APP-1')
  await expect(catalogue.unseen).toHaveAttribute('aria-pressed', 'true')
  await expect(catalogue.unseen).toContainText('1')
  await expect(catalogue.rows).toHaveCount(1)
  await inspect(page, 'the catalogue of one applicant')
  await filter.getByRole('button', { name: 'Remove filter' }).click()
  await expect(filter).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1, name: 'Catalogue' })).toBeFocused()
  await expect(catalogue.rows).toHaveCount(2)
  await page.goBack()

  await applicant.open('APP-2')
  await expect(newNote).toHaveValue('')
  await expect(applicant.note).toHaveCount(0)
  await applicant.open('APP-1')
  await expect(applicant.note).toHaveValue('Half a reason')
  await expect(applicant.reason('Documents in order')).toBeChecked()
  await expect(newNote).toHaveValue('Half a note')
  // The evidence at the time when they began: newer evidence is reported before the decision.
  await check(page, 'get-applicant-details', { applicant_id: 'APP-1' })
  await expect(applicant.panel.getByRole('group', { name: 'Newer evidence' })).toBeVisible()
  await applicant.open('APP-2')
  await applicant.open('APP-1')
  await applicant.panel.getByRole('button', { name: 'I have reviewed it' }).click()
  await applicant.record.click()
  await page.getByRole('button', { name: 'Add note' }).click()
  await expect(applicant.entries.filter({ hasText: 'Half a note' })).toHaveCount(1)
  await applicant.open('APP-2')
  await applicant.open('APP-1')
  await expect(applicant.record).toHaveCount(0)
  await expect(newNote).toHaveValue('')
  await applicant.decideAgain.click()
  await applicant.choose('Approve')
  await expect(applicant.note).toHaveValue('')
})
