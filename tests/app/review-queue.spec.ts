/** Periodic reviews in the real window: they wait in the queue from some days before, and go when they are recorded. */
import { randomUUID } from 'node:crypto'
import { ask, expect, test, usePractice } from './fixtures/workspace.ts'
import { inspect } from './fixtures/axe.ts'
import { ApplicantPage } from './pages/applicants.ts'
import { goTo } from './pages/go.ts'
import { Shell } from './pages/shell.ts'

test('a review waits in the queue with a state of its own, and goes when it is recorded', async ({ workspace }) => {
  const page = await workspace.open()
  await usePractice(page)
  const { settings } = await ask(page, 'app.state')
  await ask(page, 'verification.run', {
    runId: randomUUID(),
    connectionId: settings.lastConnection,
    operation: 'get-applicant-details',
    input: { applicant_id: 'APP-1' }
  })
  const { evidence } = await ask(page, 'applicants.show', { applicantId: 'APP-1' })
  await ask(page, 'decisions.make', {
    applicantId: 'APP-1',
    decision: 'approve',
    reasons: ['documents-in-order'],
    note: 'Seen',
    evidence
  })
  await ask(page, 'applicants.relate', { applicantId: 'APP-1', state: 'active', on: '2020-01-31', note: '' })
  await goTo(page, '/queue', 'Queue')
  await expect(page.getByText('The queue is empty')).toBeVisible()
  await ask(page, 'applicants.rate', { applicantId: 'APP-1', risk: 'high', note: '' })
  const row = page.getByRole('row').filter({ hasText: 'APP-1' })
  await expect(row).toContainText('Review due')
  await expect(row).toHaveAccessibleName(/Review due\. .*Overdue since/)
  await expect(row).toContainText('overdue')
  await ask(page, 'applicants.review', { applicantId: 'APP-1', outcome: 'unchanged', note: '' })
  await expect(page.getByText('The queue is empty')).toBeVisible()
  // It had been due long before, and the overview says so.
  await goTo(page, '/overview')
  await expect(page.getByTestId('on-time')).toHaveText('0 of 1')
})

test('a decision is the periodic review, by keyboard alone, and the next one shows what changed since', async ({
  workspace
}) => {
  const page = await workspace.open()
  const { id: connectionId } = await usePractice(page)
  const details = () =>
    ask(page, 'verification.run', {
      runId: randomUUID(),
      connectionId,
      operation: 'get-applicant-details',
      input: { applicant_id: 'APP-1' },
      repeatAnyway: true
    })
  await details()
  await ask(page, 'applicants.relate', { applicantId: 'APP-1', state: 'active', on: '2020-01-31', note: '' })
  const applicant = new ApplicantPage(page)
  await applicant.open('APP-1')
  await applicant.choose('Approve')
  const isReview = applicant.panel.getByRole('checkbox', { name: 'This is the periodic review' })
  await expect(applicant.note).toBeVisible()
  await expect(isReview).toHaveCount(0)
  await ask(page, 'applicants.rate', { applicantId: 'APP-1', risk: 'high', note: '' })
  await applicant.note.fill('Looked at all of it again')
  await isReview.press('Space')
  const outcomes = applicant.panel.getByRole('radiogroup', { name: 'Outcome of the review' })
  await expect(outcomes.getByRole('radio', { name: 'Unchanged' })).toBeChecked()
  // What nobody has chosen follows the decision.
  await applicant.choose('Escalate')
  await expect(isReview).toHaveCount(0)
  await applicant.choose('Decline')
  await expect(outcomes.getByRole('radio', { name: 'End the relationship' })).toBeChecked()
  await applicant.choose('Approve')
  await expect(outcomes.getByRole('radio', { name: 'Unchanged' })).toBeChecked()
  await applicant.reason('Documents in order').press('Space')
  await inspect(page, 'a decision that is a review')
  await isReview.focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Control+Enter')
  await expect(applicant.decided).toHaveText('Approved')
  await expect(applicant.timeline).toContainText('Review: Updated')

  const dialog = new Shell(page).dialog('Record review')
  const review = async (): Promise<void> => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Record review' }).click()
  }
  await review()
  await expect(dialog).toContainText('No details were answered since the last review of')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await details()
  await review()
  await expect(dialog).toContainText('No value has changed since the last review of')
  await inspect(page, 'a review without changes')
})
