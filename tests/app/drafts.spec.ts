/** Unfinished input survives other pages and a restart, sealed, and goes with an erasure. */
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { operationOf } from '#contract/verification/operations.ts'
import { ask, expect, test, usePractice } from './fixtures/workspace.ts'
import { chooseWith } from './fixtures/files.ts'
import { ApplicantPage, CataloguePage, QueuePage } from './pages/applicants.ts'
import { NewBatchPage } from './pages/batches.ts'
import { choose } from './pages/fields.ts'
import { goTo } from './pages/go.ts'
import { Shell } from './pages/shell.ts'
import { VerifyPage } from './pages/verify.ts'

/** Files of the data folder that contain a text. */
const filesWith = (folder: string, text: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(text))
    .map(({ name }) => name)
/** What was typed last is stored a moment later; a restart waits for it. */
const stored = (page: Page, text: string): Promise<void> =>
  expect.poll(async () => (await ask(page, 'drafts.read')).text ?? '').toContain(text)
const newNote = (page: Page) => page.getByRole('textbox', { name: 'New note' })
const newTag = (page: Page) => page.getByRole('combobox', { name: 'New tag' })

test('forms, a decision, a note and a tag are there again after a restart, sealed, until the applicant is erased', async ({
  workspace,
  dataFolder
}) => {
  test.skip(!workspace.keyring, 'needs a keyring for tests')
  // Three starts of the console.
  test.setTimeout(120_000)
  let page = await workspace.open()
  const connection = await usePractice(page)
  await ask(page, 'verification.run', {
    runId: randomUUID(),
    connectionId: connection.id,
    operation: 'get-applicant-details',
    input: { applicant_id: 'APP-1' }
  })
  await ask(page, 'applicants.relate', { applicantId: 'APP-1', state: 'active', on: '2020-01-31', note: '' })
  await ask(page, 'applicants.rate', { applicantId: 'APP-1', risk: 'high', note: '' })
  await new VerifyPage(page).open('validate-passport')
  await new VerifyPage(page)
    .field('Passport URL')
    .fill('https://files.example.com/draft.jpg?X-Amz-Signature=ab12&X-Amz-Date=20260101T000000Z')
  const applicant = new ApplicantPage(page)
  await applicant.open('APP-1')
  await applicant.choose('Decline')
  await applicant.note.fill('Half a reason')
  await newNote(page).fill('Half a note about Jane')
  await newTag(page).fill('half-a-tag')
  await expect.poll(() => readdirSync(dataFolder)).toContain('drafts.sealed')
  // What was typed last is stored a moment later; a restart waits for it.
  await expect.poll(async () => (await ask(page, 'drafts.read')).text).toContain('half-a-tag')

  page = await workspace.again()
  for (const text of ['Half a note', 'Half a reason', 'half-a-tag', 'draft.jpg'])
    expect(filesWith(dataFolder, text), text).toEqual([])
  const again = new ApplicantPage(page)
  await again.open('APP-1')
  await expect(newNote(page)).toHaveValue('Half a note about Jane')
  await expect(newTag(page)).toHaveValue('half-a-tag')
  await expect(again.choice('Decline')).toHaveAttribute('aria-pressed', 'true')
  await expect(again.note).toHaveValue('Half a reason')
  await again.panel.getByRole('checkbox', { name: 'This is the periodic review' }).check()
  await expect(again.panel.getByRole('radio', { name: 'End the relationship' })).toBeChecked()
  // The signature of a link is never stored, here either.
  await new VerifyPage(page).open('validate-passport')
  await expect(new VerifyPage(page).field('Passport URL')).toHaveValue(/^https:\/\/files\.example\.com\/draft\.jpg\?/)
  await expect(new VerifyPage(page).field('Passport URL')).not.toHaveValue(/ab12/)
  await expect(page.getByText('Paste a new link.')).toBeVisible()

  await ask(page, 'erasure.run', { applicantId: 'APP-1', confirmation: 'APP-1', reason: 'Asked for it.' })
  await expect.poll(() => readdirSync(dataFolder)).not.toContain('drafts.sealed')
  page = await workspace.again()
  expect((await ask(page, 'drafts.read')).text).toBeUndefined()
})

test('the input of dialogs and reasons is there again after a restart, and an address with a secret is not', async ({
  workspace
}) => {
  test.skip(!workspace.keyring, 'needs a keyring for tests')
  test.slow()
  let page = await workspace.open()
  const connection = await usePractice(page)
  const run = (operation: 'get-applicant-details' | 'validate-kyc-photo', input: Record<string, string>) =>
    ask(page, 'verification.run', { runId: randomUUID(), connectionId: connection.id, operation, input })
  await run('get-applicant-details', { applicant_id: 'APP-1' })
  const photo = await run('validate-kyc-photo', { photo_url: 'https://files.example.com/p.jpg' })
  if (photo.kind !== 'recorded') throw new Error(photo.kind)
  const link = () => new Shell(page).dialog('Link to an applicant')
  const openLink = async (): Promise<void> => {
    await goTo(page, `/history/${photo.record.id}`)
    await page.getByRole('button', { name: 'Link to an applicant' }).click()
  }
  const openReading = async (): Promise<void> => {
    await new CataloguePage(page).open()
    await new CataloguePage(page).message('details').click()
  }
  const openAssign = async (): Promise<void> => {
    await goTo(page, '/queue?open=a:APP-1')
    await new QueuePage(page).pane.getByRole('button', { name: /^Assign/ }).click()
  }
  const openConnection = async (): Promise<void> => {
    await goTo(page, '/administration/connections', 'Connections')
    await page.getByRole('button', { name: 'Add connection' }).first().click()
  }
  const openHold = async (): Promise<void> => {
    await goTo(page, '/administration/data-management?applicant=APP-1', 'Data management')
    await page.getByRole('button', { name: 'Place legal hold' }).click()
  }
  await openLink()
  await link().getByRole('textbox', { name: 'Applicant ID' }).fill('APP-77')
  await page.keyboard.press('Escape')
  await openReading()
  await new CataloguePage(page).dialog.getByRole('radio', { name: /^Unclear/ }).check()
  await new CataloguePage(page).dialog.getByRole('textbox').fill('Half a reading')
  await page.keyboard.press('Escape')
  await openAssign()
  await new Shell(page).dialog('Assign').getByRole('combobox').fill('Half a colleague')
  await page.keyboard.press('Escape')
  await openConnection()
  const added = () => new Shell(page).dialog('Add connection')
  await added().getByLabel('Name', { exact: true }).fill('Half Bank')
  await added().getByLabel('Base URL').fill('https://user:hunter2@kyc.example.com')
  await page.keyboard.press('Escape')
  await openHold()
  await new Shell(page).dialog('Place legal hold?').getByRole('textbox', { name: 'Reason' }).fill('Half a hold')
  await page.keyboard.press('Escape')
  await stored(page, 'Half a hold')
  expect((await ask(page, 'drafts.read')).text).not.toContain('hunter2')

  page = await workspace.again()
  await openLink()
  await expect(link().getByRole('textbox', { name: 'Applicant ID' })).toHaveValue('APP-77')
  await page.keyboard.press('Escape')
  await openReading()
  await expect(new CataloguePage(page).dialog.getByRole('textbox')).toHaveValue('Half a reading')
  await expect(new CataloguePage(page).dialog.getByRole('radio', { name: /^Unclear/ })).toBeChecked()
  // Cancelling discards it.
  await new CataloguePage(page).dialog.getByRole('button', { name: 'Cancel' }).click()
  await openReading()
  await expect(new CataloguePage(page).dialog.getByRole('textbox')).toHaveValue('')
  await page.keyboard.press('Escape')
  await openAssign()
  await expect(new Shell(page).dialog('Assign').getByRole('combobox')).toHaveValue('Half a colleague')
  await page.keyboard.press('Escape')
  await openConnection()
  await expect(added().getByLabel('Name', { exact: true })).toHaveValue('Half Bank')
  await expect(added().getByLabel('Base URL')).toHaveValue('')
  await expect(added().getByRole('textbox', { name: 'Mark' })).toHaveValue('HB')
  await page.keyboard.press('Escape')
  await openHold()
  await expect(new Shell(page).dialog('Place legal hold?').getByRole('textbox', { name: 'Reason' })).toHaveValue(
    'Half a hold'
  )
})

test('a due date that was not saved is there again on the page and after a restart, and only a person saves it', async ({
  workspace
}) => {
  test.skip(!workspace.keyring, 'needs a keyring for tests')
  test.slow()
  let page = await workspace.open()
  const connection = await usePractice(page)
  await ask(page, 'verification.run', {
    runId: randomUUID(),
    connectionId: connection.id,
    operation: 'get-applicant-details',
    input: { applicant_id: 'APP-1' }
  })
  const due = async (): Promise<number | undefined> =>
    (await ask(page, 'applicants.show', { applicantId: 'APP-1' })).due
  const form = () => page.getByRole('region', { name: 'Facts' })
  /** Enters a day and leaves the page in the same moment, before it is saved. */
  const enter = async (day: string): Promise<void> => {
    await new ApplicantPage(page).open('APP-1')
    await new ApplicantPage(page).due.first.evaluate((part, text) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', text)
      part.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      window.location.hash = '#/overview'
    }, day)
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  }
  await enter('2031-03-08')
  expect(await due()).toBeUndefined()
  await new ApplicantPage(page).open('APP-1')
  await new ApplicantPage(page).due.has('2031-03-08')
  await expect(form()).toContainText('Not saved yet')
  await stored(page, '2031-03-08')

  page = await workspace.again()
  await new ApplicantPage(page).open('APP-1')
  await new ApplicantPage(page).due.has('2031-03-08')
  // Passing the field changes nothing.
  await new ApplicantPage(page).due.first.focus()
  await form().getByRole('button', { name: 'Save', exact: true }).focus()
  expect(await due()).toBeUndefined()
  await form().getByRole('button', { name: 'Save', exact: true }).click()
  await expect(form()).not.toContainText('Not saved yet')
  await expect.poll(due).toBe(Date.UTC(2031, 2, 8))
  await expect.poll(async () => (await ask(page, 'drafts.read')).text ?? '').not.toContain('2031-03-08')

  await enter('2032-02-29')
  await new ApplicantPage(page).open('APP-1')
  await new ApplicantPage(page).due.has('2032-02-29')
  await form().getByRole('button', { name: 'Discard' }).click()
  await new ApplicantPage(page).due.has('2031-03-08')
  await expect(form()).not.toContainText('Not saved yet')
})

test('a new batch has its file, columns and name again after a restart, unless the file has changed', async ({
  workspace,
  home
}) => {
  test.skip(!workspace.keyring, 'needs a keyring for tests')
  test.slow()
  const path = join(home, 'intake.csv')
  const rows = 'who,other\nAPP-1,APP-9\nAPP-2,APP-8\n'
  writeFileSync(path, rows)
  let page = await workspace.open()
  await usePractice(page)
  let form = new NewBatchPage(page)
  await form.open()
  await choose(form.operation, operationOf('get-applicant-details').title)
  await chooseWith(workspace.session(), path, () => form.choose.click())
  await expect(form.fileName).toHaveText('intake.csv')
  await form.go('Columns')
  await choose(form.column('Applicant ID'), '2: other')
  await form.go('Send')
  await form.name.fill('Half a batch')
  await form.pace.fill('30')
  await stored(page, 'Half a batch')
  await stored(page, '"applicant_id":1')
  // The window is never told where the file is.
  expect((await ask(page, 'drafts.read')).text).not.toContain(home)

  page = await workspace.again()
  form = new NewBatchPage(page)
  await form.open()
  await expect(form.fileName).toHaveText('intake.csv')
  // At the step where it was left.
  await expect(form.name).toHaveValue('Half a batch')
  await expect(form.pace).toHaveValue('30')
  await form.go('Columns')
  await expect(form.column('Applicant ID')).toHaveText('2: other')
  await stored(page, '"step":"columns"')

  writeFileSync(path, rows.replace('APP-8', 'APP-7'))
  page = await workspace.again()
  form = new NewBatchPage(page)
  await form.open()
  await expect(form.fault).toContainText('The file intake.csv has changed since it was validated.')
  await expect(page.getByRole('group', { name: 'Unfinished batch' })).toContainText('must be chosen again')
  // The same rows again, from another place: they are read as before, under the name that was entered.
  writeFileSync(path, rows)
  await chooseWith(workspace.session(), path, () => form.choose.click())
  await expect(form.column('Applicant ID')).toHaveText('2: other')
  await form.go('Send')
  await expect(form.name).toHaveValue('Half a batch')
})
