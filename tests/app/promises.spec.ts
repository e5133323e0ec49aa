/** What the guide and the list of shortcuts promise of every view: its search by “/”, and the frame of a live connection. */
import { expect, test, usePractice, useService } from './fixtures/workspace.ts'
import { newBatch } from './fixtures/batch.ts'
import { BatchesPage } from './pages/batches.ts'
import { Shell } from './pages/shell.ts'

test('“/” focuses the search of the view that is shown', async ({ workspace }) => {
  const page = await workspace.open()
  await usePractice(page, { lastOperation: 'get-applicant-details' })
  const form = await newBatch(page, 'applicant_id\nAPP-1\nAPP-2')
  await form.kept()
  const batches = new BatchesPage(page)
  await batches.open()
  await expect(batches.lines).toHaveCount(1)
  await page.keyboard.press('/')
  await expect(batches.search).toBeFocused()
  await page.keyboard.type('nothing')
  await expect(page.getByText('No results')).toBeVisible()
  await batches.search.fill('')
  await expect(batches.lines).toHaveCount(1)
  await expect(batches.search).toBeFocused()
})

test('a live connection is framed in its colour', async ({ workspace, practice }) => {
  const page = await workspace.open()
  await useService(page, practice, { name: 'Production', mode: 'live', colour: 'violet', mark: 'PR' })
  await expect(new Shell(page).liveMark).toBeVisible()
  const [frame, colour] = await page.locator('.shell').evaluate((shell) => {
    const sample = shell.appendChild(document.createElement('i'))
    sample.style.color = 'var(--conn-violet)'
    return [getComputedStyle(shell, '::after').borderTopColor, getComputedStyle(sample).color]
  })
  expect(frame).toBe(colour)
})
