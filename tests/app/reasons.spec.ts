/** The reasons for decisions, edited in the settings and used in a decision. */
import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { inspect } from './fixtures/axe.ts'
import { ask, expect, test, usePractice } from './fixtures/desk.ts'
import { ApplicantPage } from './pages/applicants.ts'
import { ReasonList, SettingsPage } from './pages/settings.ts'
import { Shell } from './pages/shell.ts'

const codes = async (page: Page): Promise<string[]> => (await ask(page, 'app.state')).settings.decisionReasons.map(({ code }) => code)

test('reasons are added, renamed, refused, ordered by keyboard and by dragging, and removed; decisions stay readable', async ({ desk }) => {
  const page = await desk.open()
  const connection = await usePractice(page)
  await ask(page, 'verification.run', { runId: randomUUID(), connectionId: connection.id, operation: 'get-applicant-details', input: { applicant_id: 'APP-1' } })
  const settings = new SettingsPage(page)
  await settings.open()
  const list = new ReasonList(page)
  const before = await codes(page)
  await expect(list.rows).toHaveCount(before.length)

  await list.add('Sanctions hit', ['Decline', 'Escalate'])
  await expect(list.rows).toHaveCount(before.length + 1)
  await expect(list.row('sanctions-hit').getByRole('textbox')).toHaveValue('Sanctions hit')
  await expect(list.form.getByLabel('New reason')).toBeFocused()

  // Refused in words; what was typed stays.
  await list.add('', [])
  await expect(list.form).toContainText('A reason needs a name.')
  await list.add('sanctions HIT', ['Decline'], 'other')
  await expect(list.form).toContainText('Another reason is already called “sanctions HIT”.')
  await list.add('Another', ['Decline'], 'sanctions-hit')
  await expect(list.form).toContainText('The code “sanctions-hit” stands in the list already.')
  await expect(list.form.getByLabel('Its code')).toBeFocused()
  await inspect(page, 'refused reasons')
  const name = list.row('sanctions-hit').getByRole('textbox')
  await name.fill('')
  await name.press('Tab')
  await expect(list.row('sanctions-hit')).toContainText('A reason needs a name.')
  await name.fill('On a sanctions list')
  await name.press('Tab')
  await expect(list.row('sanctions-hit')).not.toContainText('needs a name')
  const only = list.row('second-opinion').getByRole('checkbox', { name: 'Escalate' })
  await only.click()
  await expect(list.row('second-opinion')).toContainText('for one decision at least')
  await expect(only).toBeChecked()

  // By keyboard: the field keeps its row with Alt and an arrow, a button its focus.
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

  // Used in a decision, then removed: the decision keeps its words, and the code no other meaning.
  const applicant = new ApplicantPage(page)
  await applicant.open('APP-1')
  await applicant.choose('Decline')
  await applicant.reason('On a sanctions list').check()
  await applicant.note.fill('Found twice.')
  await applicant.record.click()
  await expect(applicant.decided).toHaveText('Declined')
  await settings.open()
  await list.row('sanctions-hit').getByRole('button', { name: /^Remove/ }).click()
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
  await list.removed.getByRole('button', { name: /^Put/ }).click()
  await expect(list.row('sanctions-hit')).toHaveCount(1)
  await list.row('sanctions-hit').getByRole('button', { name: /^Remove/ }).click()
  await new Shell(page).message.getByRole('button', { name: 'Undo' }).click()
  await expect(list.row('sanctions-hit')).toHaveCount(1)
  const { events } = await ask(page, 'audit.page', { limit: 50, groups: ['settings'] })
  expect(events.some(({ words }) => words.includes('decisionReasons') && words.includes('On a sanctions list (sanctions-hit: decline, escalate)'))).toBe(true)
})

test('a note is needed with a decision, or not, as the setting says', async ({ desk }) => {
  const page = await desk.open()
  const connection = await usePractice(page)
  await ask(page, 'verification.run', { runId: randomUUID(), connectionId: connection.id, operation: 'get-applicant-details', input: { applicant_id: 'APP-1' } })
  const settings = new SettingsPage(page)
  await settings.open()
  await page.getByRole('group', { name: 'Note with a decision' }).getByRole('radio', { name: 'Optional' }).check({ force: true })
  await expect.poll(async () => (await ask(page, 'app.state')).settings.decisionNoteNeeded).toBe(false)
  const applicant = new ApplicantPage(page)
  await applicant.open('APP-1')
  await applicant.choose('Approve')
  await applicant.reason('Documents in order').check()
  await expect(applicant.note).toHaveAccessibleName('Note (optional)')
  await applicant.record.click()
  await expect(applicant.decided).toHaveText('Approved')
  const { events } = await ask(page, 'audit.page', { limit: 10, groups: ['settings'] })
  expect(events.map(({ words }) => words)).toContain('Setting decisionNoteNeeded changed from “true” to “false”.')
})
