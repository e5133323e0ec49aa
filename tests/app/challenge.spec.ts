/** A decision explained in a letter, challenged, and answered by another decision, by the keyboard alone. */
import { readFileSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { inspect } from './fixtures/axe.ts'
import { savedFile } from './fixtures/files.ts'
import { readPdf } from './fixtures/pdf.ts'
import { ask, expect, test, usePractice } from './fixtures/workspace.ts'
import { ApplicantPage } from './pages/applicants.ts'
import { goTo } from './pages/go.ts'
import { Shell } from './pages/shell.ts'

const canary = 'CANARY'
const applicantId = 'APP-1'

async function walkTo(page: Page, key: string, element: Locator): Promise<void> {
  while (!(await element.evaluate((found) => found === document.activeElement))) await page.keyboard.press(key)
}
async function fromMenu(page: Page, name: string): Promise<Locator> {
  await page.getByRole('button', { name: 'More actions' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await walkTo(page, 'ArrowDown', page.getByRole('menuitem', { name }))
  await page.keyboard.press('Enter')
  return new Shell(page).dialog(name.replace('…', ''))
}

test('a letter explains a decision in wordings, and a challenge brings the case back', async ({ workspace, home }) => {
  // It prints, and reads two dialogs in both themes.
  test.slow()
  const page = await workspace.open()
  const { id: connectionId } = await usePractice(page)
  await ask(page, 'verification.run', {
    runId: randomUUID(),
    connectionId,
    operation: 'get-applicant-details',
    input: { applicant_id: applicantId }
  })
  await ask(page, 'settings.change', {
    decisionReasons: [
      { code: 'canary-told', label: `${canary} label`, decisions: ['decline'] },
      { code: 'canary-secret', label: `${canary} secret`, decisions: ['decline'] }
    ]
  })
  await new ApplicantPage(page).open(applicantId)

  // Without a decision there is nothing to challenge, and nothing to explain.
  let dialog = await fromMenu(page, 'Record challenge')
  await expect(dialog).toContainText('There is no decision about this applicant that could be challenged.')
  await expect(dialog.getByRole('textbox')).toHaveCount(0)
  await page.keyboard.press('Escape')
  dialog = await fromMenu(page, 'Letter of explanation')
  await expect(dialog).toContainText('There is no letter of explanation: no approval or decline stands')
  await expect(dialog.getByRole('button', { name: 'Save as PDF' })).toBeDisabled()
  await page.keyboard.press('Escape')

  const { evidence } = await ask(page, 'applicants.show', { applicantId })
  await ask(page, 'decisions.make', {
    applicantId,
    decision: 'decline',
    reasons: ['canary-told', 'canary-secret'],
    note: `${canary} note`,
    evidence
  })
  await ask(page, 'applicants.rate', { applicantId, risk: 'high', note: `${canary} class` })
  await ask(page, 'holds.place', { applicantId, reason: `${canary} hold` })

  // The organisation says what it tells of a reason.
  await goTo(page, '/administration/settings', 'Settings')
  const wording = page.getByRole('textbox', { name: 'Wording of reason 1 for the applicant' })
  await wording.fill('The photo is not that of the document.')
  await wording.press('Enter')
  await expect
    .poll(async () => (await ask(page, 'app.state')).settings.decisionReasons[0]?.wording)
    .toBe('The photo is not that of the document.')
  await new ApplicantPage(page).open(applicantId)
  dialog = await fromMenu(page, 'Letter of explanation')
  const text = dialog.getByRole('region', { name: 'Text of the letter' })
  await expect(text).toContainText('The photo is not that of the document.')
  await expect(text).toContainText('Declined')
  await expect(text).not.toContainText(canary)
  await inspect(page, 'a letter of explanation')
  await walkTo(page, 'Tab', dialog.getByRole('button', { name: 'Save as PDF' }))
  await page.keyboard.press('Enter')
  // A browser is started to print it.
  await expect(dialog.getByRole('region', { name: 'Letter saved' })).toContainText('.pdf', { timeout: 30_000 })
  await page.keyboard.press('Escape')
  const paper = readPdf(readFileSync(await savedFile(home, '.pdf'))).text
  for (const words of ['Explanation of a decision', applicantId, 'Declined', 'The photo is not that of the document.'])
    expect(paper).toContain(words.replaceAll(' ', ''))
  expect(paper).not.toMatch(/canary|high|risk|hold\b/i)

  dialog = await fromMenu(page, 'Record challenge')
  const field = dialog.getByRole('textbox', { name: 'What the applicant says' })
  await expect(field).toBeFocused()
  await walkTo(page, 'Tab', dialog.getByRole('button', { name: 'Save' }))
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toHaveText('Enter what the applicant says.')
  await expect(field).toBeFocused()
  await page.keyboard.type('That is my photo, ten years ago.')
  await expect(dialog.getByRole('alert')).toHaveCount(0)
  await inspect(page, 'a challenge')
  await walkTo(page, 'Tab', dialog.getByRole('button', { name: 'Save' }))
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText(/^The applicant challenged the decision of/)).toBeVisible()
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await expect(timeline).toContainText('That is my photo, ten years ago.')
  await expect(timeline).toContainText('Outdated: the applicant challenged it')
  await goTo(page, '/queue', 'Queue')
  await expect(page.getByRole('row').filter({ hasText: applicantId })).toContainText('Challenged')
})
