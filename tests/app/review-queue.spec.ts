/** Periodic reviews in the real window: they wait in the queue from some days before, and go when they are recorded. */
import { randomUUID } from 'node:crypto'
import { ask, expect, test, usePractice } from './fixtures/workspace.ts'
import { goTo } from './pages/go.ts'

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
})
