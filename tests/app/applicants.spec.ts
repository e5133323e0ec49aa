/** Applicants through the real window: decided, linked by hand and by a batch, noted; the queue. */
import type { Page } from '@playwright/test'
import { randomUUID } from 'node:crypto'
import type { OperationId } from '#contract/operations.ts'
import { ask, expect, test, usePractice } from './fixtures/desk.ts'
import { inspect } from './fixtures/axe.ts'
import { triggerValue } from './fixtures/inputs.ts'
import { ApplicantPage, ApplicantsPage, QueuePage } from './pages/applicants.ts'
import { NewBatchPage } from './pages/batches.ts'
import { HistoryPage } from './pages/history.ts'
import { Shell } from './pages/shell.ts'
import { goTo } from './pages/go.ts'

/** Runs a check as the form does; answers the record's id. */
async function check(page: Page, operation: OperationId, input: Record<string, string>): Promise<string> {
  const { settings } = await ask(page, 'app.state')
  const ending = await ask(page, 'verification.run', { runId: randomUUID(), connectionId: settings.lastConnection, operation, input, repeatAnyway: true })
  if (ending.kind !== 'recorded') throw new Error(ending.kind)
  return ending.record.id
}

test('a decision stands beside the answers, and goes stale with newer evidence', async ({ desk }) => {
  const page = await desk.open()
  await usePractice(page)
  await check(page, 'get-applicant-details', { applicant_id: 'APP-1' })
  const list = new ApplicantsPage(page)
  await list.open()
  await expect(list.row('APP-1')).toContainText('No decision')
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
  await expect(applicant.panel).toContainText('A note is needed')
  await applicant.reason('Documents in order').check()
  await applicant.note.fill('Both images were looked at.')
  await inspect(page, 'a decision under way')
  await applicant.record.click()
  await expect(applicant.decided).toHaveText('Approved')
  await expect(applicant.timeline).toContainText('Your organisation’s decision: approved')
  await applicant.addNote('Rang the applicant.')
  await expect(applicant.timeline).toContainText('Rang the applicant.')
  await applicant.addTag('high-risk')
  await expect(page.getByRole('button', { name: 'Take the tag high-risk off' })).toBeVisible()

  await check(page, 'get-applicant-details', { applicant_id: 'APP-1' })
  await expect(applicant.panel).toContainText('Stale: newer evidence has arrived')
  await expect(applicant.checks).toHaveCount(2)
  await inspect(page, 'a stale decision')
  await list.open()
  await expect(list.row('APP-1')).toContainText('Stale decision')
  await expect(list.row('APP-1')).toContainText('high-risk')
  await list.decision.selectOption({ label: 'Approved' })
  await expect(list.noMatch).toBeVisible()
  // It is all on disk.
  const again = await desk.again()
  await new ApplicantPage(again).open('APP-1')
  await expect(new ApplicantPage(again).decided).toHaveText('Approved')
})

test('a photo check that named nobody is linked here, marked local, and unlinked', async ({ desk }) => {
  const page = await desk.open()
  await usePractice(page)
  const id = await check(page, 'validate-kyc-photo', { photo_url: 'https://files.example.com/p.jpg' })
  await goTo(page, `/history/${id}`)
  const history = new HistoryPage(page)
  await history.record.root.getByRole('button', { name: 'Link to an applicant (local)' }).click()
  const dialog = new Shell(page).dialog('Link to an applicant')
  await dialog.getByRole('textbox', { name: 'Applicant ID' }).fill('APP-7')
  await expect(dialog).toContainText('New here: no check names this id yet.')
  await inspect(page, 'the link dialog')
  await dialog.getByRole('button', { name: 'Link locally' }).click()
  await expect(history.record.root.getByRole('link', { name: 'Open applicant' })).toBeVisible()
  // The record knows it, not only the page that linked it.
  await page.reload()
  await history.record.root.getByRole('link', { name: 'Open applicant' }).click()
  const applicant = new ApplicantPage(page)
  await expect(applicant.checks).toHaveCount(1)
  await expect(applicant.checks.getByText('local', { exact: true })).toBeVisible()
  await applicant.checks.getByRole('button', { name: 'Unlink' }).click()
  await expect(applicant.checks).toHaveCount(0)
  await new Shell(page).undo()
  await expect(applicant.checks).toHaveCount(1)
})

test('the queue holds what waits, overdue first, and is counted in the side bar', async ({ desk }) => {
  test.setTimeout(60_000)
  const page = await desk.open()
  await usePractice(page, { totalTimeout: 2 })
  for (const applicant_id of ['APP-1', 'APP-2']) await check(page, 'get-applicant-details', { applicant_id })
  await check(page, 'get-applicant-details', { applicant_id: triggerValue({ kind: 'applicant-id' }, 'silent') })
  const queue = new QueuePage(page)
  await queue.open()
  await expect(queue.kind('Undecided')).toContainText('3')
  await expect(queue.kind('To settle')).toContainText('1')
  await expect(queue.badge).toContainText('4')
  await queue.item('APP-1').getByLabel('Due date of APP-1').fill('2026-01-05')
  await expect(queue.list.getByRole('listitem').first()).toContainText('Overdue since 2026-01-05')
  await expect(queue.badge).toContainText('1 overdue')
  await inspect(page, 'the queue')
  await queue.kind('To settle').click()
  await expect(queue.list.getByRole('listitem')).toHaveCount(1)
  await queue.list.getByRole('link').click()
  await new HistoryPage(page).record.settle('It was processed', 'Asked.')
  await queue.open()
  await expect(queue.kind('To settle')).toContainText('0')
})

test('a column of a batch links its photos to applicants, marked local', async ({ desk }) => {
  const page = await desk.open()
  await usePractice(page, { lastOperation: 'validate-kyc-photo' })
  const form = new NewBatchPage(page)
  await form.open()
  await form.operation.selectOption('validate-kyc-photo')
  await form.paste('photo_url,customer no\nhttps://files.example.com/1.jpg,0042\nhttps://files.example.com/2.jpg,0043')
  await form.column('Applicant').selectOption({ label: '2: customer no' })
  const batch = await form.run()
  await expect(batch.state).toHaveText('Finished')
  const applicant = new ApplicantPage(page)
  await applicant.open('0042')
  await expect(applicant.checks).toHaveCount(1)
  await expect(applicant.checks.getByText('local', { exact: true })).toBeVisible()
  await expect(applicant.checks.getByRole('definition')).toContainText('files.example.com/1.jpg')
  // What the file linked is not unlinked by hand: it stands in the batch.
  await expect(applicant.checks.getByRole('button', { name: 'Unlink' })).toHaveCount(0)
})

test('the timeline tells what is new since the answer before', async ({ desk }) => {
  const page = await desk.open()
  await usePractice(page)
  const look = (document_url: string): Promise<string> => check(page, 'validate-applicant-id-document', { applicant_id: 'APP-9', document_url })
  await look('https://files.example.com/card.jpg')
  await look('https://files.example.com/card.jpg')
  await look('https://files.example.com/trigger/fail/card.jpg')
  const applicant = new ApplicantPage(page)
  await applicant.open('APP-9')
  await expect(applicant.checks).toHaveCount(3)
  await expect(applicant.checks.nth(0)).toContainText('Since the answer before: another document, another message')
  await expect(applicant.checks.nth(1)).toContainText('The same answer as before')
  await expect(applicant.checks.nth(2)).not.toContainText('answer before')
})

test('evidence that arrives while a decision is made is looked at before it is recorded', async ({ desk }) => {
  const page = await desk.open()
  await usePractice(page)
  await check(page, 'get-applicant-details', { applicant_id: 'APP-6' })
  const applicant = new ApplicantPage(page)
  await applicant.open('APP-6')
  await applicant.choose('Decline')
  await applicant.reason('Suspected fraud').check()
  await applicant.note.fill('Two cards with one number.')
  await check(page, 'get-applicant-details', { applicant_id: 'APP-6' })
  await expect(applicant.checks).toHaveCount(2)
  await expect(applicant.panel).toContainText('Newer evidence has arrived since you began.')
  await expect(applicant.record).toBeDisabled()
  await inspect(page, 'newer evidence under a decision')
  await applicant.panel.getByRole('button', { name: 'I have looked at it' }).click()
  await applicant.record.click()
  await expect(applicant.decided).toHaveText('Declined')
  await expect(applicant.panel).toContainText('on 2 checks')
  await expect(applicant.decideAgain).toBeFocused()
})

test('a due date that is typed is recorded once, as it stands', async ({ desk }) => {
  const page = await desk.open()
  await usePractice(page)
  await check(page, 'get-applicant-details', { applicant_id: 'APP-8' })
  const applicant = new ApplicantPage(page)
  await applicant.open('APP-8')
  await applicant.due.focus()
  // Day and month are the same, so that the order in which this system asks for them does not matter.
  await page.keyboard.type('010120')
  // What arrives meanwhile undoes nothing of it.
  await ask(page, 'applicants.note', { applicantId: 'APP-8', text: 'Arrived meanwhile' })
  await expect(applicant.entries.filter({ hasText: 'Arrived meanwhile' })).toHaveCount(1)
  await page.keyboard.type('31')
  await page.keyboard.press('Enter')
  await expect(applicant.entries.filter({ hasText: 'Due 2031-01-01' })).toHaveCount(1)
  await expect(applicant.entries.filter({ hasText: /Due / })).toHaveCount(1)
})
