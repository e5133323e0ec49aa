/** Check an applicant in the window, by keyboard: one sending for several operations, and what a stop leaves. */
import { operationOf } from '#contract/verification/operations.ts'
import { runCheck } from './fixtures/scene.ts'
import { ask, expect, test, useService } from './fixtures/workspace.ts'
import { QueuePage } from './pages/applicants.ts'
import { goTo } from './pages/go.ts'

const link = (trigger: string, name: string): string => `https://files.example.com/trigger/${trigger}/${name}.png`

test('a recipe with one unknown part stops and names what was not sent; the question is asked before it is sent again', async ({
  workspace,
  practice
}) => {
  const page = await workspace.open()
  await useService(page, practice)
  await goTo(page, '/verify/applicant', 'Check an applicant')
  const main = page.getByRole('main')
  await main.getByRole('combobox', { name: 'Recipe' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: 'Passport, photo and details' }).press('Enter')
  const boxes = main.getByRole('group', { name: 'Operations, sent in this order' }).getByRole('checkbox')
  await expect(boxes.first()).toBeChecked()
  await main.getByRole('textbox', { name: 'Applicant ID' }).fill('CHECK-1')
  await main.getByRole('textbox', { name: 'Photo URL' }).fill(link('cut', 'photo'))
  await main.getByRole('textbox', { name: 'Passport URL' }).fill(link('pass', 'passport'))
  await expect(main.getByTestId('cost')).toContainText('3 billable requests')
  await page.keyboard.press('Enter')
  const lines = main.getByRole('list', { name: 'Answers, in the order sent' }).locator('> li')
  await expect(lines).toHaveCount(3)
  await expect(main.getByTestId('not-sent')).toHaveText('1 not sent: stopped after an unknown outcome.')
  await expect(lines.nth(1).getByTestId('next-step').getByRole('heading', { name: 'Unknown outcome' })).toBeVisible()
  await expect(lines.filter({ hasText: 'Not sent: stopped after an unknown outcome.' })).toHaveCount(1)
  expect(practice.ledger()).toHaveLength(2)

  // The same again: what was answered is used, and the unknown part asks first.
  await main.getByRole('textbox', { name: 'Passport URL' }).press('Enter')
  const asked = page.getByRole('dialog', { name: 'The last request may already have been processed' })
  await expect(asked.getByRole('button', { name: 'Keep unresolved' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(asked).toHaveCount(0)
  await expect(main.getByTestId('not-sent')).toHaveText('1 not sent: stopped after a question that you have to answer.')
  expect(practice.ledger()).toHaveLength(2)
  const { records } = await ask(page, 'history.page', { filter: {}, limit: 10 })
  expect(records).toHaveLength(2)
})

test('answers that are there already are used, recipes are saved and renamed, and Open the case leads there', async ({
  workspace,
  practice
}) => {
  const page = await workspace.open()
  await useService(page, practice)
  await goTo(page, '/verify/applicant', 'Check an applicant')
  const main = page.getByRole('main')
  const recipe = main.getByRole('combobox', { name: 'Recipe' })
  await main.getByRole('textbox', { name: 'Applicant ID' }).fill('CHECK-2')
  await main.getByRole('textbox', { name: 'Photo URL' }).fill(link('pass', 'photo'))
  await main.getByRole('textbox', { name: 'ID document URL' }).fill(link('unclear', 'id'))
  await page.keyboard.press('Enter')
  const lines = main.getByRole('list', { name: 'Answers, in the order sent' }).locator('> li')
  await expect(main.getByRole('status').filter({ hasText: 'answered' })).toHaveText('2 of 2 answered')
  await expect(lines.last()).toContainText('Unreviewed')
  await main.getByRole('checkbox', { name: operationOf('validate-kyc-photo').shortTitle }).check()
  await expect(main.getByTestId('cost')).toContainText('1 billable request')
  await expect(recipe).toHaveText('Own choice')
  await main.getByRole('button', { name: 'Save as a recipe' }).press('Enter')
  await page.keyboard.type('Mine')
  await page.keyboard.press('Enter')
  await expect(recipe).toHaveText('Mine')
  await main.getByRole('textbox', { name: 'Photo URL' }).press('Enter')
  await expect(lines).toHaveCount(3)
  await expect(main.getByRole('status').filter({ hasText: 'answered' })).toHaveText('3 of 3 answered')
  expect(practice.ledger()).toHaveLength(3)
  await main.getByRole('button', { name: 'Open the case' }).press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('CHECK-2')
})

test('several operations are sent from a case, filled from the last requests, and Escape cancels what is in progress first', async ({
  workspace,
  practice
}) => {
  const page = await workspace.open()
  const { id: connectionId } = await useService(page, practice)
  const photo = link('pass', 'photo')
  await runCheck(page, connectionId, 'validate-applicant-documents', {
    applicant_id: 'CHECK-3',
    photo_document_url: photo,
    id_document_url: link('pass', 'id')
  })
  await goTo(page, '/queue?open=a:CHECK-3')
  const { pane, applicant } = new QueuePage(page)
  await applicant.choice('Approve').press('Enter')
  await applicant.note.fill('Half a note.')
  await page.keyboard.press('Escape')
  await page.keyboard.press('v')
  const check = pane.getByRole('region', { name: 'Check', exact: true })
  await check.getByRole('radio', { name: 'One operation' }).focus()
  await page.keyboard.press('ArrowRight')
  const form = check.getByRole('form', { name: 'Check an applicant' })
  await expect(form.getByRole('textbox', { name: 'Applicant ID' })).toHaveValue('CHECK-3')
  await expect(form.getByRole('textbox', { name: 'Applicant ID' })).not.toBeEditable()
  await expect(form.getByRole('textbox', { name: 'Photo URL' })).toHaveValue(photo)
  // The answer of before is used; what is new is sent.
  await form.getByRole('checkbox', { name: operationOf('validate-kyc-photo').shortTitle }).focus()
  await page.keyboard.press('Space')
  await expect(form.getByTestId('cost')).toContainText('2 billable requests')
  await form.getByRole('textbox', { name: 'Photo URL' }).press('Enter')
  const lines = check.getByRole('list', { name: 'Answers, in the order sent' }).locator('> li')
  await expect(check.getByRole('status').filter({ hasText: 'answered' })).toHaveText('3 of 3 answered')
  expect(practice.ledger()).toHaveLength(3)
  await expect(lines.last()).toBeInViewport()

  await form.getByRole('textbox', { name: 'Photo URL' }).fill(link('slow-30', 'photo'))
  await page.keyboard.press('Enter')
  await expect(lines.filter({ hasText: 'Sending' })).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(check.getByText('The rest is cancelled. What is in progress ends.')).toBeVisible()
  // It is there again for who comes back, and the decision that was begun as well.
  await goTo(page, '/applicants')
  await goTo(page, '/queue?open=a:CHECK-3')
  await expect(applicant.note).toHaveValue('Half a note.')
  await page.keyboard.press('v')
  await expect(check.getByText('The rest is cancelled. What is in progress ends.')).toBeVisible()
})
