/** Unfinished input survives other pages and a restart, sealed, and goes with an erasure. */
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { ask, expect, test, usePractice } from './fixtures/workspace.ts'
import { ApplicantPage } from './pages/applicants.ts'
import { VerifyPage } from './pages/verify.ts'

/** Files of the data folder that contain a text. */
const filesWith = (folder: string, text: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(text)).map(({ name }) => name)
const newNote = (page: Page) => page.getByRole('textbox', { name: 'New note' })
const newTag = (page: Page) => page.getByRole('textbox', { name: 'New tag' })

test('forms, a decision, a note and a tag are there again after a restart, sealed, until the applicant is erased', async ({ workspace, dataFolder }) => {
  test.skip(!workspace.keyring, 'needs a keyring for tests')
  let page = await workspace.open()
  const connection = await usePractice(page)
  await ask(page, 'verification.run', { runId: randomUUID(), connectionId: connection.id, operation: 'get-applicant-details', input: { applicant_id: 'APP-1' } })
  await new VerifyPage(page).open('validate-passport')
  await new VerifyPage(page).field('Passport URL').fill('https://files.example.com/draft.jpg?X-Amz-Signature=ab12&X-Amz-Date=20260101T000000Z')
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
  for (const text of ['Half a note', 'Half a reason', 'half-a-tag', 'draft.jpg']) expect(filesWith(dataFolder, text), text).toEqual([])
  const again = new ApplicantPage(page)
  await again.open('APP-1')
  await expect(newNote(page)).toHaveValue('Half a note about Jane')
  await expect(newTag(page)).toHaveValue('half-a-tag')
  await expect(again.panel.getByRole('radio', { name: 'Decline' })).toBeChecked()
  await expect(again.note).toHaveValue('Half a reason')
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
