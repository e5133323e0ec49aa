/** Checklists by the keyboard alone: edited in the settings, answered with a decision and with a review. */
import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { Checklists } from '#contract/applicants/checklists.ts'
import { inspect } from './fixtures/axe.ts'
import { ask, expect, test, usePractice } from './fixtures/workspace.ts'
import { goTo } from './pages/go.ts'
import { ApplicantPage, QueuePage } from './pages/applicants.ts'
import { SettingsPage } from './pages/settings.ts'
import { Shell } from './pages/shell.ts'

const codes = async (page: Page): Promise<readonly string[]> =>
  (await ask(page, 'app.state')).settings.checklists.decision.map(({ code }) => code)

test('a checklist is edited in the settings', async ({ workspace }) => {
  const page = await workspace.open()
  await usePractice(page)
  await new SettingsPage(page).open()
  const editor = page.getByRole('group', { name: 'Checklist for decisions', exact: true })
  const name = editor.getByLabel('New item')
  await name.focus()
  await page.keyboard.press('Enter')
  await expect(editor).toContainText('Enter a name.')
  await page.keyboard.type('Looked at the person')
  await page.keyboard.press('Enter')
  await expect(editor.getByRole('listitem')).toHaveCount(1)
  await expect(name).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(editor.getByRole('listitem')).toHaveCount(5)
  await editor.getByRole('button', { name: 'Remove “The values match the document”' }).focus()
  await page.keyboard.press('Enter')
  await expect(editor.getByRole('listitem')).toHaveCount(4)
  await expect(editor.getByRole('button', { name: 'Remove “The note says why no eID was used”' })).toBeFocused()
  await page.keyboard.press('Alt+ArrowUp')
  await expect
    .poll(() => codes(page))
    .toEqual(['looked-at-the-person', 'photo-matches', 'why-no-eid', 'document-not-expired'])
  const first = editor.getByRole('listitem').first()
  await first.getByRole('combobox', { name: 'Answer of item 1' }).focus()
  await page.keyboard.press('Enter')
  const option = (text: string) => page.getByRole('option', { name: text, exact: true })
  await expect(option('Yes, no or not applicable')).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(option('Tick')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await ask(page, 'app.state')).settings.checklists.decision[0]?.answer).toBe('tick')
  await editor.getByRole('listitem').last().getByRole('checkbox', { name: 'Required' }).focus()
  await page.keyboard.press('Space')
  await expect.poll(async () => (await ask(page, 'app.state')).settings.checklists.decision[3]?.required).toBe(false)
})

test('a checklist is answered before a decision and with a review', async ({ workspace }) => {
  const page = await workspace.open()
  const { id: connectionId } = await usePractice(page, { decisionNoteNeeded: false })
  const item = { required: true, answer: 'yes-no' as const, decisions: ['approve' as const] }
  const checklists: Checklists = {
    decision: [
      { ...item, code: 'looked', label: 'Looked at the person', answer: 'tick' },
      { ...item, code: 'photo-matches', label: 'The photo matches the document' },
      { ...item, code: 'why-no-eid', label: 'The note says why no eID was used' },
      { ...item, code: 'remark', label: 'Remarkable', required: false }
    ],
    review: [{ code: 'values-right', label: 'The values are still right', required: true, answer: 'tick' }]
  }
  await ask(page, 'settings.change', { checklists })
  const input = { applicant_id: 'APP-1' }
  await ask(page, 'verification.run', { runId: randomUUID(), connectionId, operation: 'get-applicant-details', input })

  const applicant = new ApplicantPage(page)
  await applicant.open('APP-1')
  await applicant.choice('Approve').focus()
  await page.keyboard.press('Enter')
  const checklist = applicant.panel.getByRole('group', { name: 'Checklist', exact: true })
  await page.keyboard.press('Control+Enter')
  const looked = checklist.getByRole('checkbox', { name: /^Looked at the person/ })
  await expect(looked).toBeFocused()
  await expect(looked).toHaveAccessibleDescription('Tick this item once it is done.')
  await expect(applicant.panel).toContainText('Answer the required items of the checklist.')
  await inspect(page, 'a decision without answers')
  await page.keyboard.press('Space')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  const photo = checklist.getByRole('group', { name: /^The photo matches/ })
  await expect(photo.getByRole('radio', { name: 'No', exact: true })).toBeChecked()
  // What is answered outlives another page.
  await goTo(page, '/catalogue', 'Catalogue')
  await applicant.open('APP-1')
  await expect(looked).toBeChecked()
  await expect(photo.getByRole('radio', { name: 'No', exact: true })).toBeChecked()
  await applicant.reason('Documents in order').focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Control+Enter')
  const eid = checklist.getByRole('group', { name: /^The note says/ })
  await expect(eid.getByRole('radio', { name: 'Yes' })).toBeFocused()
  await expect(eid).toHaveAccessibleDescription('Choose an answer.')
  await page.keyboard.press('ArrowLeft')
  await expect(eid.getByRole('radio', { name: 'Not applicable' })).toBeChecked()
  await page.keyboard.press('Control+Enter')
  await expect(applicant.decided).toHaveText('Approved')
  const decided = applicant.timeline.locator('[data-kind="decision"]')
  await expect(decided.getByRole('definition')).toHaveText(['Yes', 'No', 'Not applicable', 'Not answered'])

  await page.getByRole('button', { name: 'More actions' }).focus()
  await page.keyboard.press('Enter')
  const entry = page.getByRole('menuitem', { name: 'Record review' })
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  while (!(await entry.evaluate((element) => element === document.activeElement)))
    await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const dialog = new Shell(page).dialog('Record review')
  await dialog.getByRole('radio', { name: 'Unchanged' }).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  const right = dialog.getByRole('checkbox', { name: /^The values are still right/ })
  await expect(right).toBeFocused()
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(applicant.timeline.locator('[data-kind="review"]')).toContainText('The values are still right')
  const { events } = await ask(page, 'audit.page', { limit: 10, kinds: ['checklist.noted'] })
  expect(events.map(({ words }) => words)).toEqual([
    'Checklist of 1 item for reviews answered for the first time.',
    'Checklist of 4 items for decisions answered for the first time.'
  ])
})

test('a key that begins a decision leads to a checklist of questions', async ({ workspace }) => {
  const page = await workspace.open()
  const { id: connectionId } = await usePractice(page)
  const item = { code: 'photo-matches', label: 'The photo matches the document', required: true }
  const decision: Checklists['decision'] = [{ ...item, answer: 'yes-no', decisions: ['approve'] }]
  await ask(page, 'settings.change', { checklists: { decision, review: [] } })
  const input = { applicant_id: 'APP-1' }
  await ask(page, 'verification.run', { runId: randomUUID(), connectionId, operation: 'get-applicant-details', input })
  const applicant = new ApplicantPage(page)
  await applicant.open('APP-1')
  await page.keyboard.press('a')
  const checklist = applicant.panel.getByRole('group', { name: 'Checklist', exact: true })
  await expect(checklist.getByRole('radio', { name: 'Yes' })).toBeFocused()
})

test('many are decided one by one where a required item is answered for each', async ({ workspace }) => {
  const page = await workspace.open()
  const { id: connectionId } = await usePractice(page)
  const item = { code: 'looked', label: 'Looked at the person', required: true, answer: 'tick' as const }
  await ask(page, 'settings.change', { checklists: { decision: [{ ...item, decisions: ['decline'] }], review: [] } })
  for (const applicant_id of ['APP-1', 'APP-2'])
    await ask(page, 'verification.run', {
      runId: randomUUID(),
      connectionId,
      operation: 'get-applicant-details',
      input: { applicant_id }
    })
  const queue = new QueuePage(page)
  await queue.open()
  await expect(queue.rows.first()).toBeVisible()
  await queue.grid.focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Shift+D')
  const dialog = page.getByRole('dialog', { name: 'Decide 2 applicants' })
  await expect(dialog.getByRole('radio', { name: 'Decline' })).toBeChecked()
  await expect(dialog).toContainText('They are answered for each applicant, so all are decided one by one.')
  const sample = dialog.getByRole('group', { name: 'Review a sample first' }).getByRole('radio')
  await expect(sample).toHaveCount(1)
  await expect(sample).toBeChecked()
  await expect(dialog.getByRole('button', { name: /one by one$/ })).toBeEnabled()
  await page.keyboard.press('ArrowRight')
  await expect(dialog.getByRole('radio', { name: 'Escalate' })).toBeChecked()
  await expect(sample).toHaveCount(3)
  await expect(sample.first()).toBeChecked()
})
