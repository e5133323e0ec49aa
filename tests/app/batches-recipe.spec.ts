/** A batch of a recipe in the window, by keyboard: what is sent, what it costs, and what came of each operation. */
import { begin } from './fixtures/batch.ts'
import { expect, test } from './fixtures/workspace.ts'
import { NewBatchPage } from './pages/batches.ts'

const link = (trigger: string, name: string): string => `https://files.example.com/trigger/${trigger}/${name}.png`

test('a recipe is chosen, its requests are counted, and messages and rows show each operation', async ({
  workspace,
  practice
}) => {
  const page = await begin(workspace, practice)
  const form = new NewBatchPage(page)
  await form.open()
  const choice = form.main.getByRole('combobox', { name: 'Operation or recipe' })
  await choice.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: 'Recipe: Passport, photo and details' }).press('Enter')
  await expect(choice).toContainText('Recipe: Passport, photo and details')
  await form.paste(
    [
      'applicant,photo,passport',
      ...[1, 2, 3].map(
        (row) => `R-${row},${link(row === 2 ? 'cut' : 'pass', `photo${row}`)},${link('pass', `passport${row}`)}`
      )
    ].join('\n') + `\n,${link('pass', 'photo4')},`
  )
  await page.keyboard.press('Control+Enter')
  await form.step('Columns').waitFor()
  await expect(form.column('Passport URL')).toContainText('passport')
  await page.keyboard.press('Control+Enter')
  await form.step('Rows').waitFor()
  await page.keyboard.press('Control+Enter')
  await form.step('Send').waitFor()
  await expect(form.estimate).toContainText('At most 9 requests will be sent to')
  await expect(form.estimate).toContainText('It stops at its first unknown outcome')
  await page.keyboard.press('Control+Enter')

  const main = page.getByRole('main')
  await expect(main.getByText('Applicant details, KYC photo, Passport').first()).toBeVisible()
  // Two rows with three answers; of the third the photo is unknown, and the passport was not sent.
  await expect.poll(() => practice.ledger().length).toBe(8)
  const line = main.getByRole('row').filter({ hasText: 'R-2' })
  await expect(line.getByRole('gridcell', { name: 'Unknown' })).toHaveCount(2)
  await expect(line.getByRole('gridcell', { name: 'Not sent' })).toHaveCount(1)
  const messages = main.getByRole('list', { name: 'Messages: Passport' })
  await expect(messages.getByTestId('message-count')).toHaveText('2')
  const invalid = main.getByRole('row').filter({ hasText: 'Invalid' })
  await expect(invalid).toContainText('Enter the applicant’s ID.')
  await messages.getByRole('checkbox').press('Space')
  await expect(main.getByTestId('rows-total')).toHaveText('2 of 4')
  await messages.getByRole('checkbox').press('Space')

  // The filter counts the rows that it leaves.
  await main.getByRole('button', { name: 'Interpretation filter' }).press('Enter')
  const unreviewed = page.getByRole('checkbox', { name: /^Unreviewed/ })
  await expect(unreviewed).toHaveAccessibleName('Unreviewed 3')
  await unreviewed.press('Space')
  await page.keyboard.press('Escape')
  await expect(main.getByTestId('rows-total')).toHaveText('3 of 4')
  await main.getByRole('button', { name: 'KYC photo', exact: true }).press('Enter')
  await expect(main.getByRole('columnheader', { name: 'KYC photo' })).toHaveAttribute('aria-sort', 'ascending')
  await expect(main.getByRole('row').nth(3)).toContainText('R-2')

  // Each record is reached, and the grid has the focus again afterwards.
  await main.getByRole('grid', { name: 'Rows of the batch' }).focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  const records = page.getByRole('dialog')
  await expect(records.getByRole('listitem')).toHaveCount(3)
  await expect(records.getByRole('link')).toHaveCount(2)
  await expect(records.getByRole('link', { name: 'Record of Applicant details' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(main.getByRole('grid', { name: 'Rows of the batch' })).toBeFocused()
  await page.keyboard.press('Enter')
  await records.getByRole('link', { name: 'Record of KYC photo' }).press('Enter')
  await expect(page).toHaveURL(/history/)
  await expect(page.getByRole('main')).toContainText('KYC photo')
  expect(practice.ledger()).toHaveLength(8)
})
