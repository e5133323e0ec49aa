/** An applicant's page: the summary of the newest answers, verifications run in place, and interpretations at a message. */
import type { Locator, Page } from '@playwright/test'
import { randomUUID } from 'node:crypto'
import { answeredByFile, evidenceWorkspace } from '../service/evidence-workspace.ts'
import type { OperationId } from '#contract/verification/operations.ts'
import { ask, expect, test, usePractice } from './fixtures/workspace.ts'
import { inspect } from './fixtures/axe.ts'
import { chooseWith, savedFile, savesInto } from './fixtures/files.ts'
import { triggerValue } from './fixtures/inputs.ts'
import { ApplicantPage, CataloguePage } from './pages/applicants.ts'
import { goTo } from './pages/go.ts'
import { RecordPart } from './pages/record.ts'
import { EvidencePage } from './pages/records.ts'

async function check(page: Page, operation: OperationId, input: Record<string, string>): Promise<string> {
  const { settings } = await ask(page, 'app.state')
  const ending = await ask(page, 'verification.run', {
    runId: randomUUID(),
    connectionId: settings.lastConnection,
    operation,
    input,
    repeatAnyway: true
  })
  if (ending.kind !== 'recorded') throw new Error(ending.kind)
  return ending.record.id
}
// Each test sends several requests and inspects the page in both themes.
test.slow()

const values = (page: Page): Locator => page.getByRole('region', { name: 'Values', exact: true })
const valueOf = (page: Page, name: string): Locator => values(page).locator(`[data-field="${name}"]`)
/** In the place of the decision. */
const panel = (page: Page): Locator => page.getByRole('region', { name: 'Check', exact: true })
const form = (page: Page): Locator => panel(page).getByRole('form')
const field = (page: Page, label: string): Locator => form(page).getByRole('textbox', { name: label, exact: true })
const operation = (page: Page, label: string): Locator =>
  panel(page)
    .getByRole('group', { name: 'Operation' })
    .getByRole('button', { name: new RegExp(`^${label} ?(Not|[A-Z\\d])`) })
const result = (page: Page): Locator => panel(page).getByRole('region', { name: 'Result', exact: true })
const openCheck = (page: Page): Promise<void> => page.getByRole('main').getByRole('button', { name: 'Check' }).click()

test('the values are those of the newest answer, compared with what earlier answers said', async ({ workspace }) => {
  const page = await workspace.open()
  await usePractice(page)
  const id = triggerValue({ kind: 'applicant-id' }, 'changes.7')
  await check(page, 'get-applicant-details', { applicant_id: id })
  const newest = await check(page, 'get-applicant-details', { applicant_id: id })
  await check(page, 'validate-applicant-id-document', {
    applicant_id: id,
    document_url: 'https://files.example.com/card.jpg'
  })
  const applicant = new ApplicantPage(page)
  await applicant.open(id)
  // Differences come first.
  await expect(values(page).getByTestId('value').first()).toContainText('differs')
  await expect(valueOf(page, 'attempt')).toHaveText(/^Attempt2Attempt differs1, /)
  await expect(applicant.panel.getByRole('list', { name: 'Before you decide' })).toContainText(/differ/)
  // The message is with the answers, and a value that only an earlier answer has is not passed off as current.
  await expect(valueOf(page, 'message')).toHaveCount(0)
  await expect(applicant.checks.filter({ hasText: 'Applicant verification failed' })).toContainText(
    'Changed since the previous answer'
  )
  // A value that the answer names and leaves empty.
  await expect(valueOf(page, 'reviewer')).toContainText(/Not in details.*No value, /)
  await expect(values(page)).not.toContainText('null')
  await inspect(page, 'the values of an applicant')
  await values(page).getByRole('heading').getByRole('link').click()
  await expect(page).toHaveURL(new RegExp(newest))
})

test('what is open before a decision leads to the outcome that nobody has resolved', async ({ workspace }) => {
  const page = await workspace.open()
  await usePractice(page)
  await check(page, 'validate-applicant-id-document', {
    applicant_id: 'APP-1',
    document_url: 'https://files.example.com/trigger/reset/card.jpg'
  })
  const applicant = new ApplicantPage(page)
  await applicant.open('APP-1')
  await expect(page.getByRole('button', { name: /resolve/i })).toHaveText('1 unknown outcome is not resolved')
  await applicant.panel.getByRole('button', { name: '1 unknown outcome is not resolved' }).click()
  await expect(applicant.checks.getByRole('link', { name: 'Resolve' })).toBeFocused()
})

test('details are requested in the case, and the answer appears below the form, in the answers and in the values', async ({
  workspace
}) => {
  const page = await workspace.open()
  await usePractice(page)
  await check(page, 'validate-applicant-id-document', {
    applicant_id: 'APP-3',
    document_url: 'https://files.example.com/card.jpg'
  })
  const applicant = new ApplicantPage(page)
  await applicant.open('APP-3')
  await expect(values(page)).toContainText('No answer with the applicant’s details yet.')
  await values(page).getByRole('button', { name: 'Get applicant details' }).click()
  await expect(field(page, 'Applicant ID')).toHaveValue('APP-3')
  await expect(field(page, 'Applicant ID')).toHaveAttribute('readonly')
  await expect(form(page).getByRole('button', { name: 'Send', exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(new RecordPart(result(page)).message).toContainText('Applicant details retrieved successfully.')
  await expect(applicant.checks).toHaveCount(2)
  await expect(valueOf(page, 'date_of_birth')).toContainText(/^Date of birth\d{4}-/)
  await inspect(page, 'an answer on the page of an applicant')
  // The spend guard holds a repetition back until the user decides.
  await form(page).getByRole('button', { name: 'Send', exact: true }).click()
  await expect(result(page)).toContainText('Nothing was sent now')
  await expect(applicant.checks).toHaveCount(2)
  await result(page).getByRole('button', { name: 'Send anyway' }).click()
  await expect(applicant.checks).toHaveCount(3)
})

test('a form is filled with the last links, and a passport is linked in Veridesk only from the first moment', async ({
  workspace
}) => {
  const page = await workspace.open()
  await usePractice(page)
  const links = {
    photo_document_url: 'https://files.example.com/p.jpg',
    id_document_url: 'https://files.example.com/i.jpg?X-Amz-Signature=ab12&X-Amz-Date=20260101T000000Z'
  }
  await check(page, 'validate-applicant-documents', { applicant_id: 'APP-4', ...links })
  const applicant = new ApplicantPage(page)
  await applicant.open('APP-4')
  await openCheck(page)
  await operation(page, 'Photo and ID').click()
  await expect(field(page, 'Photo URL')).toHaveValue(links.photo_document_url)
  await expect(field(page, 'ID document URL')).not.toHaveValue(/ab12/)
  await expect(form(page)).toContainText('Paste a new link.')
  // A pasted request of someone else cannot change whose page it is.
  await field(page, 'Photo URL').evaluate((input) => {
    const data = new DataTransfer()
    data.setData('text/plain', '{"applicant_id":"APP-9","photo_document_url":"https://files.example.com/other.jpg"}')
    input.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  })
  await expect(field(page, 'Photo URL')).toHaveValue('https://files.example.com/other.jpg')
  await expect(field(page, 'Applicant ID')).toHaveValue('APP-4')

  await operation(page, 'Passport').click()
  await expect(panel(page)).toContainText('linked to this applicant in Veridesk only')
  await field(page, 'Passport URL').fill('https://files.example.com/passport.jpg')
  await page.keyboard.press('Enter')
  await expect(applicant.checks).toHaveCount(2)
  await expect(applicant.checks.first()).toContainText('Passport')
  await expect(applicant.checks.first().getByText('Veridesk only', { exact: true })).toBeVisible()
  await expect(result(page)).toContainText('Passport validated successfully.')
  await expect(new RecordPart(result(page)).sent).not.toContainText('APP-4')

  // Input that was not sent is there again when the page is opened.
  await operation(page, 'KYC photo').click()
  await field(page, 'Photo URL').fill('https://files.example.com/half.jpg')
  await result(page).waitFor({ state: 'detached' })
  await goTo(page, '/applicants', 'Applicants')
  await applicant.open('APP-4')
  await openCheck(page)
  await expect(operation(page, 'KYC photo')).toHaveAttribute('aria-expanded', 'true')
  await expect(field(page, 'Photo URL')).toHaveValue('https://files.example.com/half.jpg')
})

test('a message is interpreted at its entry and at the answer, with the other records that it concerns', async ({
  workspace
}) => {
  const page = await workspace.open()
  await usePractice(page)
  for (const applicant_id of ['APP-5', 'APP-6']) await check(page, 'get-applicant-details', { applicant_id })
  const applicant = new ApplicantPage(page)
  await applicant.open('APP-5')
  await applicant.checks.getByRole('button', { name: 'Add interpretation: Unreviewed' }).click()
  const { dialog } = new CataloguePage(page)
  await expect(dialog.getByTestId('impact')).toContainText(
    '1 other record has this message and will show the new interpretation.'
  )
  await inspect(page, 'the interpretation at an entry of the timeline')
  await dialog.getByRole('radio', { name: /^Favourable/ }).check()
  await dialog.getByRole('button', { name: 'Save interpretation' }).click()
  await expect(applicant.checks).toContainText('Favourable')
  await expect(page).toHaveURL(/applicants\/APP-5/)
  await applicant.open('APP-6')
  await expect(applicant.checks).toContainText('Favourable')

  await openCheck(page)
  await operation(page, 'Applicant details').click()
  await form(page).getByRole('button', { name: 'Send', exact: true }).click()
  await result(page).getByRole('button', { name: 'Send anyway' }).click()
  const change = result(page).getByRole('button', { name: 'Change interpretation' })
  await change.click()
  await expect(dialog.getByTestId('impact')).toContainText('2 other records have this message')
  await dialog.getByRole('radio', { name: /^Unclear/ }).check()
  await dialog.getByRole('button', { name: 'Save interpretation' }).click()
  await expect(change).toBeFocused()
  await expect(applicant.checks.first()).toContainText('Unclear')
})

test('four-eyes approval is asked for, handed over and answered by a second person, in the words of the page', async ({
  workspace,
  home,
  folder
}) => {
  test.skip(!workspace.keyring, 'needs a keyring for tests')
  const page = await workspace.open()
  await savesInto(workspace.session(), home)
  await usePractice(page)
  await check(page, 'get-applicant-details', { applicant_id: 'APP-8' })
  const applicant = new ApplicantPage(page)
  await applicant.open('APP-8')
  const approval = page.getByRole('region', { name: 'Four-eyes approval' })
  await expect(approval, 'nothing was asked for').toHaveCount(0)
  const { evidence: newest } = await ask(page, 'applicants.show', { applicantId: 'APP-8', visit: randomUUID() })
  const draft = {
    applicantId: 'APP-8',
    decision: 'approve' as const,
    reasons: ['documents-in-order'],
    note: 'Seen.',
    evidence: newest
  }
  await ask(page, 'decisions.make', draft)
  const evidence = new EvidencePage(page)
  await evidence.ask('Same face?')
  // What the second person needs: the file, and the fingerprint by another way.
  await expect(approval.getByRole('group', { name: 'Waiting for a second person' })).toContainText('Asked on')
  await expect(approval).toContainText('Same face?')
  await expect(approval.getByTestId('own-fingerprint')).toHaveText(/^[0-9a-f]{4} /i)
  await inspect(page, 'an approval that was asked for')

  const approver = await evidenceWorkspace(folder, 'an.approver')
  const signed = await answeredByFile(approver, folder, await savedFile(home, '.veridesk-case')).finally(() =>
    approver.store.close()
  )
  await evidence.open()
  await chooseWith(workspace.session(), signed, () => evidence.takeBack.press('Enter'))
  await expect(approval.getByRole('listitem')).toContainText(/an\.approver countersigned/)
  await expect(approval.getByRole('listitem')).toContainText('Seen and agreed')
  await expect(approval.getByRole('button', { name: 'Ask again' })).toBeVisible()
  await inspect(page, 'an approved applicant')
})

test('two answers are compared side by side, chosen by keyboard', async ({ workspace }) => {
  const page = await workspace.open()
  await usePractice(page)
  const look = (document_url: string): Promise<string> =>
    check(page, 'validate-applicant-id-document', { applicant_id: 'APP-8', document_url })
  const oldest = await look('https://files.example.com/card.jpg')
  const applicant = new ApplicantPage(page)
  await applicant.open('APP-8')
  await expect(applicant.checks).toHaveCount(1)
  const compare = applicant.checks.getByRole('button', { name: 'Compare', exact: true })
  await expect(compare, 'there is nothing to compare with').toHaveCount(0)
  await look('https://files.example.com/other.jpg')
  const newest = await look('https://files.example.com/trigger/fail/card.jpg')
  await expect(compare).toHaveCount(3)

  // Taken back, then chosen again.
  await compare.nth(2).focus()
  await page.keyboard.press('Enter')
  const selected = applicant.checks.nth(2).getByRole('button', { name: 'Selected to compare' })
  await expect(selected).toBeFocused()
  await expect(selected).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('Enter')
  await expect(compare).toHaveCount(3)
  await page.keyboard.press('Enter')
  await inspect(page, 'a record that is selected to compare')
  const other = applicant.checks.nth(0).getByRole('button', { name: 'Compare with selected' })
  await other.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Compare records' })
  const facts = dialog.getByRole('group', { name: 'Facts of both records' })
  await expect(facts.getByRole('columnheader').nth(1)).toContainText('record 1')
  await expect(facts.getByRole('columnheader').nth(2)).toContainText('record 3')
  await expect(
    facts
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name: /^Document URL/ }) })
      .getByRole('cell')
      .nth(1)
  ).toContainText('trigger/fail/card.jpg')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(compare).toHaveCount(3)
  await expect(compare.nth(0)).toBeFocused()
  // Both were shown, and both are noted.
  const { events } = await ask(page, 'audit.page', { limit: 50, kinds: ['view.opened'] })
  expect(events.flatMap(({ recordId }) => recordId ?? []).sort()).toEqual([oldest, newest].sort())
})
