/** The relationship with an applicant, in the real window and by the keyboard alone. */
import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { ask, expect, test, usePractice, type Workspace } from './fixtures/workspace.ts'
import { inspect } from './fixtures/axe.ts'
import { ApplicantPage, ApplicantsPage } from './pages/applicants.ts'
import { goTo } from './pages/go.ts'
import { DateField, shownDate } from './pages/fields.ts'
import { SettingsPage } from './pages/settings.ts'
import { Shell } from './pages/shell.ts'

/** The window, with the details of each applicant from the practice connection. */
async function withDetails(workspace: Workspace, applicantIds: readonly string[]): Promise<Page> {
  const page = await workspace.open()
  const { id: connectionId } = await usePractice(page)
  for (const applicantId of applicantIds)
    await ask(page, 'verification.run', {
      runId: randomUUID(),
      connectionId,
      operation: 'get-applicant-details',
      input: { applicant_id: applicantId }
    })
  return page
}

test('a relationship is recorded by keyboard, shown beside the case and on the timeline, and changed there', async ({
  workspace
}) => {
  const page = await withDetails(workspace, ['APP-1'])
  const applicant = new ApplicantPage(page)
  await applicant.open('APP-1')
  const facts = page.getByRole('region', { name: 'Facts' })
  await expect(facts).toBeVisible()
  await expect(facts).not.toContainText('Relationship')
  const menu = page.getByRole('button', { name: 'More actions' })
  await menu.focus()
  await page.keyboard.press('Enter')
  const item = page.getByRole('menuitem', { name: 'Relationship' })
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  while (!(await item.evaluate((element) => element === document.activeElement))) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const dialog = new Shell(page).dialog('Relationship')
  await inspect(page, 'the relationship dialog')
  await expect(dialog.getByRole('radio', { name: 'Active' })).toBeFocused()
  await page.keyboard.press('Tab')
  const since = new DateField(dialog, 'Since, or on')
  await since.set('2199-12-31')
  await dialog.getByRole('button', { name: 'Save' }).focus()
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText('or an earlier day.')
  await since.set('2024-02-29')
  await dialog.getByRole('textbox', { name: 'Note (optional)' }).focus()
  await page.keyboard.type('Signed in the branch')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  const shown = await shownDate(page, '2024-02-29')
  await expect(facts).toContainText(`Active since ${shown}`)
  await expect(applicant.timeline).toContainText(`Relationship: Active since ${shown}`)
  await expect(applicant.timeline).toContainText('Signed in the branch')

  const value = facts.getByRole('button', { name: 'Change relationship: Active' })
  await value.focus()
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('radio', { name: 'Active' })).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(dialog.getByRole('radio', { name: 'Ended' })).toBeChecked()
  // Another state is since another day: today, until a person says otherwise.
  await new DateField(dialog, 'Since, or on').has(
    await page.evaluate(() => {
      const now = new Date()
      return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
    })
  )
  await dialog.getByRole('button', { name: 'Save' }).focus()
  await page.keyboard.press('Enter')
  await expect(facts).toContainText('Ended on')
  const { events } = await ask(page, 'audit.page', { limit: 10, kinds: ['relationship.changed'] })
  expect(events.map(({ words }) => words).toReversed()[0]).toBe('Relationship: active, 2024-02-29.')
  // Everything is on disk.
  const again = await workspace.again()
  await new ApplicantPage(again).open('APP-1')
  await expect(again.getByRole('region', { name: 'Facts' })).toContainText('Ended on')
})

test('a risk class is given by keyboard, and a class with too many months is refused in the settings', async ({
  workspace
}) => {
  const page = await withDetails(workspace, ['APP-1'])
  const applicant = new ApplicantPage(page)
  await applicant.open('APP-1')
  const facts = page.getByRole('region', { name: 'Facts' })
  await expect(facts).toContainText('Not rated')
  await page.getByRole('region', { name: 'Case', exact: true }).focus()
  await page.keyboard.press('g')
  const dialog = new Shell(page).dialog('Risk class')
  await expect(dialog.getByRole('radio', { name: /^Low/ })).toBeFocused()
  await inspect(page, 'the risk dialog')
  // Nothing is chosen for a person.
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText('Choose a risk class.')
  await expect(dialog.getByRole('radio', { name: /^Low/ })).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(dialog.getByRole('radio', { name: /^High/ })).toBeChecked()
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(facts.getByRole('button', { name: 'Change risk class: High' })).toBeVisible()
  await expect(applicant.timeline).toContainText('Risk class: High')

  await new SettingsPage(page).open()
  const low = page.getByRole('group', { name: 'Risk class Low' })
  const months = low.getByRole('spinbutton', { name: 'Months to the review' })
  await months.focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('61')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('group', { name: 'Risk classes' })).toContainText(
    'At most 12 months to the review with enhanced measures, and 60 without.'
  )
  await expect(months).toHaveValue('60')
  await expect(low.getByRole('checkbox', { name: 'Enhanced measures' })).toBeFocused()
  // Enhanced measures bring the review to within a year.
  await page.keyboard.press('Space')
  await expect(months).toHaveValue('12')
  await inspect(page, 'the risk classes')
  expect((await ask(page, 'app.state')).settings.riskClasses[0]).toMatchObject({ months: 12, enhanced: true })
})

test('an expiry brings the review forward and a recorded review starts the period again, by keyboard', async ({
  workspace
}) => {
  const page = await withDetails(workspace, ['APP-1'])
  await ask(page, 'applicants.rate', { applicantId: 'APP-1', risk: 'high', note: '' })
  await ask(page, 'applicants.relate', { applicantId: 'APP-1', state: 'active', on: '2024-02-29', note: '' })
  const applicant = new ApplicantPage(page)
  await applicant.open('APP-1')
  const facts = page.getByRole('region', { name: 'Facts' })
  // 29 February and 12 months.
  await expect(facts).toContainText(`Review overdue since ${await shownDate(page, '2025-02-28')}`)
  const fromMenu = async (name: string): Promise<void> => {
    await page.getByRole('button', { name: 'More actions' }).focus()
    await page.keyboard.press('Enter')
    const item = page.getByRole('menuitem', { name })
    await expect(page.getByRole('menuitem').first()).toBeFocused()
    while (!(await item.evaluate((element) => element === document.activeElement)))
      await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
  }
  await fromMenu('Document expiry')
  const expiry = new Shell(page).dialog('Document expiry')
  await expect(expiry.getByRole('textbox', { name: 'Document' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(expiry.getByRole('textbox', { name: 'Document' })).toHaveAccessibleDescription(
    'Enter the document and the date on which it expires.'
  )
  await page.keyboard.type('Passport')
  await new DateField(expiry, 'Expires on').set('2025-01-15')
  await inspect(page, 'the expiry dialog')
  await page.keyboard.press('Enter')
  await expect(expiry).toHaveCount(0)
  await expect(facts).toContainText(`Review overdue since ${await shownDate(page, '2025-01-15')}`)
  await expect(applicant.timeline).toContainText('Passport expires')

  await fromMenu('Record review')
  const review = new Shell(page).dialog('Record review')
  await expect(review.getByRole('radio', { name: 'Unchanged' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(review).toContainText('Choose an outcome.')
  await page.keyboard.press('ArrowDown')
  await expect(review.getByRole('radio', { name: 'Updated' })).toBeChecked()
  await inspect(page, 'the review dialog')
  await page.keyboard.press('Enter')
  await expect(review).toHaveCount(0)
  await expect(applicant.timeline).toContainText('Review: Updated')
  await expect(facts).not.toContainText('overdue')
  const shown = await ask(page, 'applicants.show', { applicantId: 'APP-1' })
  expect(shown.review?.cause).toBe('period')
  // Without a class nothing is scheduled, and an ended relationship is not reviewed.
  await ask(page, 'applicants.relate', { applicantId: 'APP-1', state: 'ended', on: '2026-01-01', note: '' })
  expect((await ask(page, 'applicants.show', { applicantId: 'APP-1' })).review).toBeUndefined()
})

test('applicants are filtered and sorted by relationship, risk and by when their review is due', async ({
  workspace
}) => {
  const page = await withDetails(workspace, ['APP-LATE', 'APP-LATER', 'APP-NEW'])
  for (const [id, day] of [
    ['APP-LATE', '2020-01-31'],
    ['APP-LATER', '2021-06-30']
  ] as const) {
    await ask(page, 'applicants.rate', { applicantId: id, risk: 'high', note: '' })
    await ask(page, 'applicants.relate', { applicantId: id, state: 'active', on: day, note: '' })
  }
  const applicants = new ApplicantsPage(page)
  await applicants.open()
  await expect(applicants.row('APP-LATE')).toContainText(await shownDate(page, '2021-01-31'))
  await expect(applicants.row('APP-LATE')).toContainText('High')
  await expect(applicants.row('APP-NEW')).toContainText('Not rated')
  await expect(applicants.view('Review overdue')).toContainText('2')
  expect(await applicants.counts('Next review')).toMatchObject({ 'Overdue': 2, 'Not rated': 1 })
  expect(await applicants.counts('Relationship')).toMatchObject({ 'Active': 2, 'Ended': 0, 'Not recorded': 1 })
  expect(await applicants.counts('Risk')).toMatchObject({ 'High': 2, 'Not rated': 1 })
  await applicants.view('Review overdue').click()
  await expect(applicants.row('APP-NEW')).toHaveCount(0)
  await expect(applicants.row('APP-LATER')).toBeVisible()
  await page.getByRole('columnheader', { name: 'Next review' }).getByRole('button').click()
  const rows = page.getByRole('grid').getByRole('row').filter({ hasText: 'APP-' })
  await expect(rows).toHaveText([/APP-LATE(?!R)/, /APP-LATER/])
  await inspect(page, 'applicants by their next review')
  await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).click()
  await applicants.choose('Relationship', 'Not recorded')
  await expect(rows).toHaveText([/APP-NEW/])
  // An address leads to the list behind a number.
  await goTo(page, '/history', 'History')
  await goTo(page, '/applicants?review=unrated', 'Applicants')
  await expect(rows).toHaveText([/APP-NEW/])
})
