/** The choice of documents in the dialog of a pack: only where there are copies, with their size, and only with everything. */
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifierProgram } from '../../scripts/verifier.ts'
import { card } from '../service/support/document-files.ts'
import { serveDocuments, type DocumentServer } from '../service/support/document-server.ts'
import { inspect } from './fixtures/axe.ts'
import { savedFile } from './fixtures/files.ts'
import { ask, expect, test, usePractice } from './fixtures/workspace.ts'
import { ApplicantPage } from './pages/applicants.ts'
import { Shell } from './pages/shell.ts'

let server: DocumentServer
test.beforeAll(async () => void (server = await serveDocuments()))
test.afterAll(() => server.close())

test('a pack is saved with its documents as one ZIP file, which the verifier opens', async ({ workspace, home }) => {
  test.setTimeout(120_000)
  const page = await workspace.open()
  const { id, name, baseUrl, mode, colour, mark } = await usePractice(page)
  await ask(page, 'connections.save', { id, name, baseUrl, mode, colour, mark, copies: 'possible' })
  const run = { connectionId: id, operation: 'validate-applicant-id-document' } as const
  const input = { applicant_id: 'APP-1', document_url: server.at(card, 'card.jpg') }
  await ask(page, 'verification.run', { runId: randomUUID(), ...run, input })
  await ask(page, 'verification.run', {
    runId: randomUUID(),
    connectionId: id,
    operation: 'get-applicant-details',
    input: { applicant_id: 'APP-2' }
  })

  const dialog = new Shell(page).dialog('Evidence pack')
  const choice = dialog.getByRole('checkbox', { name: /^Include documents/ })
  await new ApplicantPage(page).open('APP-2')
  await new ApplicantPage(page).more('Evidence pack')
  await expect(dialog.getByRole('checkbox', { name: 'Include PDF' })).toBeVisible()
  await expect(choice).toHaveCount(0)
  await page.keyboard.press('Escape')

  await new ApplicantPage(page).open('APP-1')
  await new ApplicantPage(page).more('Evidence pack')
  await expect(choice).toHaveAccessibleName(
    /1 document, .*B\. The pack, its PDF and the documents are saved in one ZIP/
  )
  await expect(choice).not.toBeChecked()
  await dialog.getByRole('radio', { name: 'No personal data' }).check()
  await expect(choice).toBeDisabled()
  await dialog.getByRole('radio', { name: 'Everything' }).check()
  await choice.focus()
  await page.keyboard.press('Space')
  await expect(choice).toBeChecked()
  await inspect(page, 'the choice of documents')
  await dialog.getByRole('button', { name: 'Create pack' }).click()
  const saved = dialog.getByRole('region', { name: 'Saved' })
  await expect(saved).toContainText('.zip', { timeout: 30_000 })
  const verifier = join(home, 'verify.mjs')
  writeFileSync(verifier, verifierProgram())
  const found = spawnSync(process.execPath, [verifier, await savedFile(home, '.zip')], { env: {}, encoding: 'utf8' })
  expect(found.status).toBe(3)
  expect(found.stdout).toContain('is the file in the ZIP file')
})
