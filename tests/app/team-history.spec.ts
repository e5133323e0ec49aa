/** Verifications of colleagues in the history: found by applicant ID and by colleague, and opened to read. */
import { inspect } from './fixtures/axe.ts'
import { test } from './fixtures/team.ts'
import { expect, usePractice } from './fixtures/workspace.ts'
import { goTo } from './pages/go.ts'

test('the history has the checks of colleagues, to read', async ({ workspace, team }) => {
  const page = await workspace.open()
  await usePractice(page)
  const exchange = await team.exchange(await team.found(page))
  await exchange.check('APP-7', 'Photo and ID match')
  await exchange.check('CASE-8', 'The photo does not match')
  await exchange.settle()

  await goTo(page, '/history', 'History')
  await page.getByRole('radio', { name: 'Colleagues' }).check()
  const checks = page.getByRole('list', { name: 'Verifications of colleagues, newest first' }).getByRole('listitem')
  await expect(checks).toHaveCount(2, { timeout: 30_000 })
  await expect(checks.first()).toContainText('Ben Okoro')
  await page.getByLabel('Applicant ID, or its beginning').fill('CASE')
  await expect(checks).toHaveCount(1)
  await expect(checks).toContainText('CASE-8')
  await inspect(page, 'checks of colleagues')
  await checks.getByRole('button').click()
  const panel = page.getByRole('region', { name: 'Verification of a colleague' })
  await expect(panel.getByRole('region', { name: 'Request' })).toContainText('CASE-8')
  await expect(panel.getByRole('region', { name: 'Response' })).toContainText('The photo does not match')
  await expect(panel.getByRole('button', { name: /resend|resolve|link/i })).toHaveCount(0)
  await inspect(page, 'a check of a colleague')
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)
  await expect(checks.getByRole('button')).toBeFocused()
  await page.getByLabel('Applicant ID, or its beginning').fill('nobody')
  await expect(page.getByText('Nothing matches.')).toBeVisible()
  // The own history is as it was.
  await page.getByRole('radio', { name: 'This installation' }).check()
  await expect(page.getByTestId('total')).toHaveText('0 records')
})
