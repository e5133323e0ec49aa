/** Where links, buttons and results lead: to the place that they are about, in view and with the focus. */
import { randomUUID } from 'node:crypto'
import { ask, expect, test, usePractice, useService } from './fixtures/workspace.ts'
import { newBatch } from './fixtures/batch.ts'
import { resizeWindow } from './fixtures/window-size.ts'
import { ApplicantPage } from './pages/applicants.ts'
import { DataManagementPage } from './pages/records.ts'
import { VerifyPage } from './pages/verify.ts'
import { choose } from './pages/fields.ts'

const small = { width: 900, height: 600 }

test('the link to legal hold and erasure leads to its field with the applicant, and a preview of deletions comes into view', async ({
  workspace
}) => {
  const page = await workspace.open()
  await resizeWindow(page, small)
  const connection = await usePractice(page)
  await ask(page, 'verification.run', {
    runId: randomUUID(),
    connectionId: connection.id,
    operation: 'get-applicant-details',
    input: { applicant_id: 'APP-1' }
  })
  for (let n = 1; n <= 12; n += 1)
    await ask(page, 'connections.save', {
      name: `Sandbox ${n}`,
      mode: 'sandbox',
      colour: 'teal',
      mark: `S${n}`,
      baseUrl: 'https://kyc.example.com'
    })
  const applicant = new ApplicantPage(page)
  await applicant.open('APP-1')
  await applicant.more('Legal hold or erasure')
  const data = new DataManagementPage(page)
  await expect(data.applicantId).toBeFocused()
  await expect(data.applicantId).toHaveValue('APP-1')
  await expect(data.applicantId).toBeInViewport({ ratio: 1 })

  await data.dryRun.click()
  await expect(data.plan).toContainText('Nothing would be erased now.')
  await expect(data.plan).toBeInViewport({ ratio: 1 })
  await expect(data.plan).toBeFocused()
})

test('a required column that is not mapped is one sentence, at the step of its columns', async ({ workspace }) => {
  const page = await workspace.open()
  await usePractice(page, { lastOperation: 'get-applicant-details' })
  const form = await newBatch(
    page,
    ['customer,remark', ...Array.from({ length: 40 }, (_, at) => `NB-${at},x`)].join('\n')
  )
  // No further than the columns, whatever step is asked for.
  const notice = form.main.getByText('No column is mapped to “Applicant ID”.')
  await form.steps.getByRole('button', { name: 'Send' }).click()
  await expect(form.step('Columns')).toBeFocused()
  await expect(notice).toBeVisible()
  await expect(form.column('Applicant ID')).toBeInViewport({ ratio: 1 })
  await expect(form.column('Applicant ID')).toHaveAttribute('aria-invalid', 'true')
  await choose(form.column('Applicant ID'), '1: customer')
  await expect(notice).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(form.step('Rows')).toBeFocused()
  await expect(form.figure('valid')).toHaveText('40')
  await expect(form.figure('invalid')).toHaveText('0')
})

test('with the practice service, a form is filled with its examples and Enter sends them', async ({
  workspace,
  practice
}) => {
  const page = await workspace.open()
  await usePractice(page)
  const verify = new VerifyPage(page)
  await verify.open('validate-applicant-documents')
  await page.getByRole('button', { name: 'Fill with examples' }).click()
  await expect(verify.send).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(verify.record.status).toHaveText('200')
  // Examples on a live connection would be billed.
  await useService(page, practice, { mode: 'live' })
  await verify.open('validate-passport')
  await expect(verify.send).toBeVisible()
  await expect(page.getByRole('button', { name: 'Fill with examples' })).toHaveCount(0)
})
