/** Relationships and risk classes of many, with a decline, and beside what is erased or removed. */
import type { Page } from '@playwright/test'
import { ask, expect, test, usePractice, type Workspace } from './fixtures/workspace.ts'
import { runCheck } from './fixtures/scene.ts'
import { ApplicantPage, ApplicantsPage } from './pages/applicants.ts'
import { choose, DateField, shownDate } from './pages/fields.ts'
import { Shell } from './pages/shell.ts'
import { TablePage } from './pages/table.ts'

async function withApplicants(workspace: Workspace, ...ids: readonly string[]): Promise<Page> {
  const page = await workspace.open()
  const connection = await usePractice(page)
  for (const id of ids) await runCheck(page, connection.id, 'get-applicant-details', { applicant_id: id })
  return page
}
const factsOf = (page: Page) => page.getByRole('region', { name: 'Facts' })
const today = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const now = new Date()
    return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
  })

test('several applicants get a relationship and a class in one step, each an event of its own', async ({
  workspace
}) => {
  const page = await withApplicants(workspace, 'APP-1', 'APP-2', 'APP-3')
  await ask(page, 'applicants.rate', { applicantId: 'APP-2', risk: 'high', note: '' })
  const applicants = new ApplicantsPage(page)
  await applicants.open()
  const table = new TablePage(page)
  await table.row(1).getByRole('checkbox').click()
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await expect(table.selected).toHaveText('3 applicants selected')
  await table.selection.getByRole('button', { name: 'Relationship and risk' }).click()
  const dialog = new Shell(page).dialog('Relationship and risk class of 3 applicants')
  const save = dialog.getByRole('button', { name: 'Change 3 applicants' })
  await expect(save).toBeDisabled()
  await choose(dialog.getByRole('combobox', { name: 'Relationship' }), 'Ended')
  await new DateField(dialog, 'Since, or on').set('2020-02-29')
  await choose(dialog.getByRole('combobox', { name: 'Risk class' }), 'High')
  await save.click()
  await expect(new Shell(page).message).toContainText('3 applicants changed')
  const { events } = await ask(page, 'audit.page', { limit: 20, kinds: ['relationship.changed', 'risk.rated'] })
  // APP-2 had the class.
  expect(events.map(({ kind }) => kind).toSorted()).toEqual([
    ...Array.from({ length: 3 }, () => 'relationship.changed'),
    ...Array.from({ length: 3 }, () => 'risk.rated')
  ])
  await new ApplicantPage(page).open('APP-3')
  await expect(factsOf(page)).toContainText(`Ended on ${await shownDate(page, '2020-02-29')}`)
})

test('several applicants get no day that was only half typed', async ({ workspace }) => {
  const page = await withApplicants(workspace, 'APP-1', 'APP-2')
  const applicants = new ApplicantsPage(page)
  await applicants.open()
  const table = new TablePage(page)
  await table.row(1).getByRole('checkbox').click()
  await page.keyboard.press('Shift+ArrowDown')
  await table.selection.getByRole('button', { name: 'Relationship and risk' }).click()
  const dialog = new Shell(page).dialog('Relationship and risk class of 2 applicants')
  const [save, since] = [
    dialog.getByRole('button', { name: 'Change 2 applicants' }),
    new DateField(dialog, 'Since, or on')
  ]
  await choose(dialog.getByRole('combobox', { name: 'Relationship' }), 'Ended')
  await since.part('Year').focus()
  await page.keyboard.press('Backspace')
  await save.click()
  await expect(dialog.getByText('Enter a date.')).toBeVisible()
  await expect(since.first).toBeFocused()
  expect((await ask(page, 'audit.page', { limit: 20, kinds: ['relationship.changed'] })).events).toEqual([])
  await since.set('2020-02-29')
  await save.press('Enter')
  await expect(new Shell(page).message).toContainText('2 applicants changed')
  await new ApplicantPage(page).open('APP-2')
  await expect(factsOf(page)).toContainText(`Ended on ${await shownDate(page, '2020-02-29')}`)
})

test('a decline records that the relationship was refused, and an approval does not offer it', async ({
  workspace
}) => {
  const page = await withApplicants(workspace, 'APP-1')
  const applicant = new ApplicantPage(page)
  await applicant.open('APP-1')
  const form = page.getByRole('form', { name: 'Decide' })
  const refused = form.getByRole('checkbox', { name: 'Relationship refused today' })
  await form.getByRole('button', { name: /^Approve/ }).click()
  await expect(form.getByRole('checkbox', { name: 'Documents in order' })).toBeVisible()
  await expect(refused).toHaveCount(0)
  await form.getByRole('button', { name: /^Decline/ }).click()
  await form.getByRole('checkbox', { name: 'Suspected fraud' }).check()
  await form.getByRole('textbox', { name: /^Note/ }).fill('Looked at by hand')
  await expect(refused).not.toBeChecked()
  await refused.check()
  await page.getByRole('button', { name: /^Record decision/ }).click()
  await expect(factsOf(page)).toContainText(`Refused on ${await shownDate(page, await today(page))}`)
  await expect(applicant.timeline).toContainText('Relationship: Refused on')
  // Once it was refused, it is not offered again.
  await page.getByRole('button', { name: 'Change decision' }).click()
  await form.getByRole('button', { name: /^Decline/ }).click()
  await expect(form.getByRole('checkbox', { name: 'Suspected fraud' })).toBeVisible()
  await expect(refused).toHaveCount(0)
})

test('whoever was declined without saying so can still be recorded as refused beside the case', async ({
  workspace
}) => {
  const page = await withApplicants(workspace, 'APP-1')
  const { evidence } = await ask(page, 'applicants.show', { applicantId: 'APP-1' })
  await ask(page, 'decisions.make', {
    applicantId: 'APP-1',
    decision: 'decline',
    reasons: ['suspected-fraud'],
    note: 'Looked at by hand',
    evidence
  })
  await new ApplicantPage(page).open('APP-1')
  await factsOf(page).getByRole('button', { name: 'Record as refused…' }).press('Enter')
  const dialog = new Shell(page).dialog('Relationship')
  await expect(dialog.getByRole('radio', { name: 'Refused' })).toBeChecked()
  await dialog.getByRole('button', { name: 'Save', exact: true }).press('Enter')
  await expect(factsOf(page)).toContainText(`Refused on ${await shownDate(page, await today(page))}`)
  await expect(factsOf(page).getByRole('button', { name: 'Record as refused…' })).toHaveCount(0)
})

for (const [title, typed] of [
  ['Relationship', 'Signed by Quillon'],
  ['Risk class', 'Known to Quillon']
] as const)
  test(`an erasure closes the dialog “${title}” and takes what was typed there`, async ({ workspace }) => {
    const page = await withApplicants(workspace, 'APP-1', 'APP-2')
    const applicant = new ApplicantPage(page)
    await applicant.open('APP-1')
    await expect(factsOf(page)).toContainText('Not rated')
    if (title === 'Relationship') {
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: title, exact: true }).click()
    } else
      await factsOf(page)
        .getByRole('button', { name: /^Change risk class/ })
        .click()
    const dialog = new Shell(page).dialog(title)
    await dialog.getByRole('textbox', { name: 'Note (optional)' }).fill(typed)
    await ask(page, 'erasure.run', { applicantId: 'APP-1', confirmation: 'APP-1', reason: 'asked for' })
    await expect(page.getByRole('main')).toContainText('APP-2')
    await expect(page.getByRole('main')).not.toContainText('APP-1')
    await expect(dialog).toHaveCount(0)
    expect(await page.evaluate(() => document.documentElement.innerHTML)).not.toContain(typed)
    const again = await workspace.again()
    await new ApplicantPage(again).open('APP-2')
    await expect(factsOf(again)).toContainText('Not rated')
    expect(JSON.stringify(await ask(again, 'drafts.read'))).not.toContain(typed)
  })

test('a class that is no longer among the settings is shown by its code, and another one can be given', async ({
  workspace
}) => {
  const page = await withApplicants(workspace, 'APP-1')
  await ask(page, 'applicants.rate', { applicantId: 'APP-1', risk: 'high', note: '' })
  const { settings } = await ask(page, 'app.state')
  await ask(page, 'settings.change', { riskClasses: settings.riskClasses.filter(({ code }) => code !== 'high') })
  await new ApplicantPage(page).open('APP-1')
  const value = factsOf(page).getByRole('button', { name: 'Change risk class: high' })
  await value.click()
  const dialog = new Shell(page).dialog('Risk class')
  await expect(dialog.getByRole('radio')).toHaveCount(2)
  await expect(dialog.getByRole('radio', { checked: true })).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toContainText('The settings have no risk class “high”.')
  await dialog.getByRole('radio', { name: /^Medium/ }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(factsOf(page).getByRole('button', { name: 'Change risk class: Medium' })).toBeVisible()
})
