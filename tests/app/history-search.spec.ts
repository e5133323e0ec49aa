/** The history's search by keyboard alone: operators, where something was found, and why nothing is listed. */
import { operationOf } from '#contract/verification/operations.ts'
import { ask, expect, test, usePractice } from './fixtures/workspace.ts'
import { inspect } from './fixtures/axe.ts'
import { runCheck } from './fixtures/scene.ts'
import { resizeWindow } from './fixtures/window-size.ts'
import { goTo } from './pages/go.ts'
import { TablePage } from './pages/table.ts'

test('operators narrow the list, hits are marked and explained, and what is not understood is said', async ({
  workspace
}) => {
  const page = await workspace.open()
  const connection = await usePractice(page)
  const details = operationOf('get-applicant-details').id
  for (const applicant_id of ['APP-1', 'PRACTICE-404', 'PRACTICE-422'])
    await runCheck(page, connection.id, details, { applicant_id })
  const { operator } = await ask(page, 'app.state')
  await goTo(page, '/history', 'History')
  const main = page.getByRole('main')
  const table = new TablePage(page)
  const search = main.getByRole('textbox', { name: 'Search IDs, names, answers and notes' })
  const total = main.getByTestId('total')
  const type = async (text: string): Promise<void> => {
    await page.keyboard.press('ControlOrMeta+f')
    await expect(search).toBeFocused()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(text)
  }
  await resizeWindow(page, { width: 1600, height: 900 })
  await expect(total).toHaveText('3 records')
  await expect(table.heading('Found in')).toHaveCount(0)

  await type('status:404 message:"not found"')
  await expect(total).toHaveText('1 record')
  await expect(table.heading('Found in')).toBeVisible()
  await expect(table.cell(1, 'found')).toHaveText('In message: Applicant not found.')
  await expect(table.cell(1, 'found').locator('mark')).toHaveText('not found')
  await expect(table.cell(1, 'message').locator('mark')).toHaveText('not found')
  await expect(table.cell(1, 'reading')).toHaveText('Unreviewed')
  await inspect(page, 'hits of a search and where they are')

  await type(`by:${operator?.account ?? ''} after:2020-01-01 APP-1`)
  await expect(total).toHaveText('1 record')
  await expect(table.cell(1, 'found')).toHaveText('In applicant_id: APP-1')
  await type('before:2020-01-01')
  await expect(total).toHaveText('0 records')

  await type('colour:red')
  await expect(main.getByTestId('no-records')).toContainText(
    'There is no operator “colour:”. The operators are status:'
  )
  await type('status:4')
  await expect(main.getByTestId('no-records')).toContainText('“status:4” is no HTTP status.')
  await type('ab')
  await expect(main.getByTestId('no-records')).toContainText('The search text is too short, so no records are listed.')
  await type('""')
  await expect(total).toHaveText('3 records')

  // Filters with counts, in the address like the others.
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Delete')
  const filter = main.getByRole('button', { name: 'Message filter', exact: true })
  await filter.focus()
  await page.keyboard.press('Enter')
  const choices = page.getByRole('dialog', { name: 'Message filter' })
  await choices.getByRole('checkbox', { name: 'Applicant not found.' }).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Escape')
  await expect(total).toHaveText('1 record')
  await expect(page).toHaveURL(/message=\d+/)
  await expect(main.getByRole('button', { name: 'Interpretation filter', exact: true })).toBeVisible()

  // What the operators are is a key away from the field.
  await main.getByRole('button', { name: 'Operators of the search' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Operators of the search' })).toContainText('before:2026-11-01')
})
