/** The reasons for decisions, edited in the settings and used in a decision. */
import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { inspect } from './fixtures/axe.ts'
import { ask, expect, test, usePractice } from './fixtures/workspace.ts'
import { ApplicantPage } from './pages/applicants.ts'
import { ReasonList, SettingsPage } from './pages/settings.ts'
import { Shell } from './pages/shell.ts'

const codes = async (page: Page): Promise<string[]> =>
  (await ask(page, 'app.state')).settings.decisionReasons.map(({ code }) => code)

test('reasons are added, renamed, refused, and put in order by keyboard and by dragging', async ({ workspace }) => {
  const page = await workspace.open()
  await usePractice(page)
  const settings = new SettingsPage(page)
  await settings.open()
  const list = new ReasonList(page)
  const before = await codes(page)
  await expect(list.rows).toHaveCount(before.length)

  await list.add('Sanctions hit', ['Decline', 'Escalate'])
  await expect(list.rows).toHaveCount(before.length + 1)
  await expect(list.row('sanctions-hit').getByRole('textbox', { name: /^Name of reason/ })).toHaveValue('Sanctions hit')
  await expect(list.form.getByLabel('New reason')).toBeFocused()

  // Refused with a message; the typed text stays.
  await list.add('', [])
  await expect(list.form).toContainText('Enter a name.')
  await list.add('sanctions HIT', ['Decline'], 'other')
  await expect(list.form).toContainText('There is already a reason called “sanctions HIT”.')
  await list.add('Another', ['Decline'], 'sanctions-hit')
  await expect(list.form).toContainText('The code “sanctions-hit” is already in the list.')
  await expect(list.form.getByLabel('Code', { exact: true })).toBeFocused()
  await inspect(page, 'refused reasons')
  const name = list.row('sanctions-hit').getByRole('textbox', { name: /^Name of reason/ })
  await name.fill('')
  await name.press('Tab')
  await expect(list.row('sanctions-hit')).toContainText('Enter a name.')
  await name.fill('On a sanctions list')
  await name.press('Tab')
  await expect(list.row('sanctions-hit')).not.toContainText('Enter a name.')
  const only = list.row('second-opinion').getByRole('checkbox', { name: 'Escalate' })
  await only.click()
  await expect(list.row('second-opinion')).toContainText('needs at least one decision')
  await expect(only).toBeChecked()

  // By keyboard: the field keeps its row with Alt and an arrow key, a button its focus.
  await list.row('sanctions-hit').getByRole('button', { name: /up$/ }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await codes(page)).indexOf('sanctions-hit')).toBe(before.length - 1)
  await expect(list.row('sanctions-hit').getByRole('button', { name: /up$/ })).toBeFocused()
  await page.keyboard.press('Alt+ArrowUp')
  await expect.poll(async () => (await codes(page)).indexOf('sanctions-hit')).toBe(before.length - 2)
  await expect(list.row('sanctions-hit').getByRole('button', { name: /up$/ })).toBeFocused()
  await list.drag('second-opinion', 'evidence-incomplete')
  const moved = before.filter((code) => code !== 'second-opinion')
  moved.splice(before.indexOf('evidence-incomplete'), 0, 'second-opinion')
  await expect.poll(async () => (await codes(page)).filter((code) => code !== 'sanctions-hit')).toEqual(moved)
})

test('a used and removed reason stays readable, its code cannot be reused, and it can be restored', async ({
  workspace
}) => {
  const page = await workspace.open()
  const connection = await usePractice(page)
  await ask(page, 'verification.run', {
    runId: randomUUID(),
    connectionId: connection.id,
    operation: 'get-applicant-details',
    input: { applicant_id: 'APP-1' }
  })
  const settings = new SettingsPage(page)
  await settings.open()
  const list = new ReasonList(page)
  await list.add('On a sanctions list', ['Decline', 'Escalate'], 'sanctions-hit')
  await expect(list.row('sanctions-hit')).toHaveCount(1)
  const applicant = new ApplicantPage(page)
  await applicant.open('APP-1')
  await applicant.choose('Decline')
  await applicant.reason('On a sanctions list').check()
  await applicant.note.fill('Found twice.')
  await applicant.record.click()
  await expect(applicant.decided).toHaveText('Declined')
  await settings.open()
  await list
    .row('sanctions-hit')
    .getByRole('button', { name: /^Remove/ })
    .click()
  await expect(list.row('sanctions-hit')).toHaveCount(0)
  await expect(list.rows.getByRole('button', { name: /^Remove/ }).and(page.locator(':focus'))).toHaveCount(1)
  await list.add('Something else', ['Approve'], 'sanctions-hit')
  await expect(list.form).toContainText('belongs to the removed reason “On a sanctions list”')
  await applicant.open('APP-1')
  await expect(applicant.panel).toContainText('On a sanctions list')
  await applicant.decideAgain.click()
  await applicant.choose('Decline')
  await expect(applicant.reason('On a sanctions list')).toHaveCount(0)

  await settings.open()
  await list.group.getByText('Removed reasons: 1').click()
  await list.removed.getByRole('button', { name: /^Restore/ }).click()
  await expect(list.row('sanctions-hit')).toHaveCount(1)
  await list
    .row('sanctions-hit')
    .getByRole('button', { name: /^Remove/ })
    .click()
  await new Shell(page).message.getByRole('button', { name: 'Undo' }).click()
  await expect(list.row('sanctions-hit')).toHaveCount(1)
  const { events } = await ask(page, 'audit.page', { limit: 50, groups: ['settings'] })
  expect(
    events.some(
      ({ words }) =>
        words.includes('decisionReasons') && words.includes('On a sanctions list (sanctions-hit: decline, escalate)')
    )
  ).toBe(true)
})

test('what is missing of a decision is said once: by the field that gets the focus, or aloud where it has it', async ({
  workspace
}) => {
  const page = await workspace.open()
  const connection = await usePractice(page)
  await ask(page, 'verification.run', {
    runId: randomUUID(),
    connectionId: connection.id,
    operation: 'get-applicant-details',
    input: { applicant_id: 'APP-1' }
  })
  const applicant = new ApplicantPage(page)
  await applicant.open('APP-1')
  await applicant.choose('Approve')
  await applicant.reason('Documents in order').check()
  await expect(applicant.note).toHaveAccessibleName('Note')
  await expect(applicant.note).toHaveAttribute('aria-required', 'true')
  const { announced } = new Shell(page)
  const said = await announced.textContent()
  const missing = 'Enter a note that explains this decision.'
  await page.keyboard.press('Control+Enter')
  await expect(applicant.note).toBeFocused()
  await expect(applicant.note).toHaveAccessibleDescription(missing)
  expect(await announced.textContent()).toBe(said)
  await page.keyboard.press('Control+Enter')
  await expect(announced).toHaveText(missing)
})

test('a decision needs a note or not, depending on the setting', async ({ workspace }) => {
  const page = await workspace.open()
  const connection = await usePractice(page)
  await ask(page, 'verification.run', {
    runId: randomUUID(),
    connectionId: connection.id,
    operation: 'get-applicant-details',
    input: { applicant_id: 'APP-1' }
  })
  const settings = new SettingsPage(page)
  await settings.open()
  await settings.toggle('Require a note with each decision').click()
  await expect.poll(async () => (await ask(page, 'app.state')).settings.decisionNoteNeeded).toBe(false)
  const applicant = new ApplicantPage(page)
  await applicant.open('APP-1')
  await applicant.choose('Approve')
  await applicant.reason('Documents in order').check()
  await expect(applicant.note).toHaveAccessibleName('Note optional')
  await applicant.record.click()
  await expect(applicant.decided).toHaveText('Approved')
  const { events } = await ask(page, 'audit.page', { limit: 10, groups: ['settings'] })
  expect(events.map(({ words }) => words)).toContain('Setting decisionNoteNeeded changed from “true” to “false”.')
})
