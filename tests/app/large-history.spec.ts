/**
 * A large history in the window: an applicant with 1,000 verifications opens, and verifying 100,000 events shows its
 * progress.
 */
import { busyApplicant, busyChecks } from '../../scripts/seed-data.ts'
import { expect, useService } from './fixtures/workspace.ts'
import { events, test } from './fixtures/large.ts'
import { ApplicantPage, ApplicantsPage } from './pages/applicants.ts'
import { AuditPage } from './pages/records.ts'

// One worker creates the history for both.
test.describe.configure({ mode: 'default' })

test('an applicant with 1,000 verifications opens on the newest, with the total count', async ({
  workspace,
  practice,
  largeHistory: _
}) => {
  test.setTimeout(90_000)
  const page = await workspace.open()
  // The daily backup starts half a minute after startup; it has tests of its own.
  await useService(page, practice, {}, { backupHours: 0 })
  const applicants = new ApplicantsPage(page)
  await applicants.open()
  await applicants.search.fill(busyApplicant)
  await expect(applicants.list.getByRole('row')).toHaveCount(2)
  await applicants.row(busyApplicant).click()
  await expect(
    page
      .getByRole('list', { name: /^Timeline/ })
      .locator('> li')
      .nth(19)
  ).toBeVisible()
  const applicant = new ApplicantPage(page)
  await expect(page.getByText(`of ${busyChecks.toLocaleString('en')} records`)).toBeVisible()
  const values = page.getByRole('region', { name: 'Values', exact: true })
  await expect(values.getByRole('heading', { name: /^Values/ })).toBeInViewport()
  // Many answers do not push the rest away: a few rows of values, and a few answers.
  await expect(values.getByTestId('value').first()).toBeInViewport()
  await expect.poll(() => values.getByTestId('value').count()).toBeLessThanOrEqual(8)
  await expect.poll(() => applicant.checks.count()).toBeLessThanOrEqual(8)
  await expect(applicant.checks.first()).toBeVisible()
})

test('100,000 events are verified, with a progress bar', async ({ workspace, practice, largeHistory: _ }) => {
  test.setTimeout(90_000)
  const page = await workspace.open()
  await useService(page, practice, {}, { backupHours: 0 })
  const audit = new AuditPage(page)
  await audit.open()
  await expect(audit.events).toContainText('event')
  expect(Number(/[\d,]+/.exec(await audit.events.innerText())?.[0].replaceAll(',', ''))).toBeGreaterThan(events)
  await page.evaluate(() => {
    const seen: number[] = []
    Object.assign(window, { seen })
    new MutationObserver(() => {
      const bar = document.querySelector<HTMLProgressElement>('progress[aria-label="Events verified"]')
      // Without a value it shows only that something is in progress.
      if (bar && bar.position >= 0 && bar.value !== seen.at(-1)) seen.push(bar.value)
    }).observe(document.body, { subtree: true, childList: true, attributes: true })
  })
  await audit.verify.click()
  await expect(audit.result).toContainText('Audit trail intact', { timeout: 30_000 })
  const shown = await page.evaluate(() => (window as unknown as { seen: number[] }).seen)
  expect(shown.length, 'the bar stood at several places').toBeGreaterThanOrEqual(5)
  expect(shown, 'the bar only ever goes on').toEqual([...shown].sort((a, b) => a - b))
  expect(shown[0], 'it did not begin at its end').toBeLessThan(50)
})
