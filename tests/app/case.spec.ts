/** A case in the queue: what is in sight without scrolling, its keys, and what screen-share mode leaves of it. */
import type { OperationId } from '#contract/verification/operations.ts'
import type { Page } from '@playwright/test'
import { imageLink } from '#core/sample/examples.ts'
import { inspect } from './fixtures/axe.ts'
import { runCheck } from './fixtures/scene.ts'
import { resizeWindow } from './fixtures/window-size.ts'
import { ask, expect, test, usePractice } from './fixtures/workspace.ts'
import { QueuePage } from './pages/applicants.ts'
import { goTo } from './pages/go.ts'

const id = 'SAMPLE-0020'

/** An applicant as the sample data has them, whose documents open at once. */
async function furnished(page: Page): Promise<QueuePage> {
  const connection = await usePractice(page)
  const { name, baseUrl, mode, colour, mark } = connection
  await ask(page, 'connections.save', {
    ...{ id: connection.id, name, baseUrl, mode, colour, mark },
    documents: { openAutomatically: true, privateAddresses: true }
  })
  const operation: OperationId = 'validate-applicant-documents'
  const link = (field: string): string => imageLink(baseUrl, operation, field, 'pass', id)
  await runCheck(page, connection.id, 'get-applicant-details', { applicant_id: id })
  await runCheck(page, connection.id, operation, {
    applicant_id: id,
    photo_document_url: link('photo_document_url'),
    id_document_url: link('id_document_url')
  })
  return new QueuePage(page)
}

test('at 1024 x 700, a document, the first value, the three decisions and the button that records are in sight', async ({
  workspace
}) => {
  const page = await workspace.open()
  const queue = await furnished(page)
  await resizeWindow(page, { width: 1024, height: 700 })
  await goTo(page, `/queue?open=a:${id}`)
  await expect(page.getByTestId('document').first()).toBeInViewport({ ratio: 0.9 })
  await expect(queue.pane.getByTestId('value').first()).toBeInViewport({ ratio: 0.9 })
  for (const decision of ['Approve', 'Decline', 'Escalate'] as const)
    await expect(queue.applicant.choice(decision)).toBeInViewport({ ratio: 1 })
  await expect(queue.applicant.record).toBeInViewport({ ratio: 1 })
  await inspect(page, 'a case at 1024 pixels')
  // Nothing is chosen yet: the button says so, and leads there.
  await queue.applicant.record.click()
  await expect(queue.applicant.panel).toContainText('Choose a decision first.')
  await expect(queue.applicant.choice('Approve')).toBeFocused()
})

test('the keys of a case reach its documents, the check and the notes, and lead back', async ({ workspace }) => {
  const page = await workspace.open()
  const queue = await furnished(page)
  await goTo(page, `/queue?open=a:${id}`)
  const documents = queue.pane.getByRole('region', { name: 'Documents', exact: true })
  await expect(documents.getByTestId('document').first()).toBeVisible()
  await queue.heading.focus()
  const beside = documents.getByRole('button', { name: 'Side by side' })
  const before = await beside.getAttribute('aria-pressed')
  await page.keyboard.press('x')
  await expect(beside).not.toHaveAttribute('aria-pressed', before ?? '')
  await page.keyboard.press('w')
  await expect(documents.getByRole('button', { name: /full width/i })).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('Escape')
  await expect(documents.getByRole('button', { name: /full width/i })).toHaveAttribute('aria-pressed', 'false')
  // In the image now: it is turned and made larger.
  const image = documents.getByTestId('document').first()
  const upright = await image.evaluate((found) => found.style.transform)
  await page.keyboard.press('r')
  await expect.poll(() => image.evaluate((found) => found.style.transform)).not.toBe(upright)
  await page.keyboard.press('v')
  const check = queue.pane.getByRole('region', { name: 'Check', exact: true })
  await expect(check).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(check).toHaveCount(0)
  await expect(queue.heading).toBeFocused()
  await page.keyboard.press('ControlOrMeta+3')
  await expect(check.getByRole('form')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('n')
  await expect(queue.pane.getByRole('textbox', { name: 'New note' })).toBeFocused()
  await page.keyboard.press('Escape')
  await page.keyboard.press('i')
  await expect(page.getByRole('dialog', { name: 'Interpretation' })).toBeVisible()
})
