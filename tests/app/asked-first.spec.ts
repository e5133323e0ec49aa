/** What a person is asked in the window before a request may be paid for twice. */
import { operationOf } from '#contract/verification/operations.ts'
import { begin, idsCsv, newBatch } from './fixtures/batch.ts'
import { triggerValue } from './fixtures/inputs.ts'
import { expect, test, useService } from './fixtures/workspace.ts'
import { BatchPage } from './pages/batches.ts'
import { VerifyPage } from './pages/verify.ts'

const lookup = operationOf('get-applicant-details')
const id = lookup.fields[0]?.name ?? ''

test('Enter and Resend ask about an unknown outcome before they send again', async ({ workspace, practice }) => {
  const page = await workspace.open()
  await useService(page, practice)
  const verify = new VerifyPage(page)
  await verify.open(lookup.id)
  const input = { [id]: triggerValue({ kind: 'applicant-id' }, 'silent') }
  await verify.run(lookup.id, input)
  await expect(verify.running).toContainText('The request was sent.')
  await page.keyboard.press('Escape')
  await expect(verify.record.outcome('Unknown outcome')).toBeVisible()

  const asked = page.getByRole('dialog', { name: 'The last request may already have been processed' })
  await verify.record.runAgain.click()
  await expect(asked).toContainText('it may be processed and billed twice')
  await expect(asked.getByRole('button', { name: 'Keep unresolved' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(asked).toHaveCount(0)
  await expect(verify.record.outcome('Unknown outcome')).toBeVisible()
  await verify.run(lookup.id, input)
  await expect(asked).toBeVisible()
  expect(practice.ledger()).toHaveLength(1)
  await asked.getByRole('radio', { name: 'Send again anyway' }).check()
  await asked.getByRole('button', { name: 'Send again anyway' }).press('Enter')
  await expect(verify.running).toContainText('The request was sent.')
  await page.keyboard.press('Escape')
  await expect(verify.record.outcome('Unknown outcome')).toBeVisible()
  expect(practice.ledger()).toHaveLength(2)
})

test('a file whose batch is unfinished leads to that batch, and to another one only by choice', async ({
  workspace,
  practice
}) => {
  const page = await begin(workspace, practice)
  await newBatch(page, idsCsv(5))
  const draft = page.getByRole('button', { name: 'Save as draft' })
  await draft.click()
  await expect(new BatchPage(page).state).toHaveText('Draft')
  const first = page.url()

  await newBatch(page, idsCsv(5))
  await draft.click()
  const refused = page.getByRole('group', { name: 'Batch not created' })
  await expect(refused).toContainText('of the same file is unfinished: 5 of its rows wait or are unknown.')
  await refused.getByRole('button', { name: 'Create another draft' }).click()
  await expect(new BatchPage(page).state).toHaveText('Draft')
  expect(page.url()).not.toBe(first)

  await newBatch(page, idsCsv(5))
  await draft.click()
  await refused.getByRole('link', { name: 'Open the unfinished batch' }).click()
  await expect(new BatchPage(page).state).toHaveText('Draft')
  expect(practice.ledger()).toHaveLength(0)
})
