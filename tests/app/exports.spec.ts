/** Exports that take a while, in the real window: progress, completion, and the stop button. */
import { readdirSync, readFileSync } from 'node:fs'
import { operationOf } from '#contract/verification/operations.ts'
import { expect, test, usePractice } from './fixtures/workspace.ts'
import { inspect } from './fixtures/axe.ts'
import { savedFile, savesInto } from './fixtures/files.ts'
import { seedHistory } from './fixtures/history.ts'
import { runCheck } from './fixtures/scene.ts'
import { CataloguePage } from './pages/applicants.ts'
import { HistoryPage } from './pages/history.ts'
import { Shell } from './pages/shell.ts'
import { choose } from './pages/fields.ts'
import { TablePage } from './pages/table.ts'

/** Enough that an export cannot finish before a user could stop it. */
const records = 12_000

test('an export shows its progress, leaves nothing behind when stopped, and is complete otherwise', async ({
  workspace,
  dataFolder,
  home
}) => {
  test.setTimeout(180_000)
  test.skip(!workspace.keyring, 'needs a keyring for tests')
  if (workspace.keyring) await seedHistory(dataFolder, workspace.keyring, records)
  const page = await workspace.open()
  await savesInto(workspace.session(), home)
  const before = readdirSync(home).sort()
  const history = new HistoryPage(page)
  await history.open()
  await expect(history.total).toHaveText('12,000 records')
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const dialog = new Shell(page).dialog('Export records')
  await choose(dialog.getByLabel('Format'), 'JSON lines, lossless')
  const start = dialog.getByRole('button', { name: 'Export records' })
  const inProgress = dialog.getByRole('group', { name: 'Export in progress' })

  await start.click()
  await expect(inProgress).toContainText(/[\d,]+ rows of 12,000 written/)
  await expect(inProgress.getByRole('progressbar', { name: 'Rows written' })).toHaveAttribute('value', /^[1-9]/)
  await dialog.getByRole('button', { name: 'Stop export' }).click()
  await expect(dialog.getByText('The export was cancelled.')).toBeVisible()
  await expect(inProgress).toHaveCount(0)
  await inspect(page, 'a stopped export')
  expect(readdirSync(home).sort()).toEqual(before)

  await start.click()
  await expect(dialog.getByRole('region', { name: 'Exported' })).toContainText('12,000 rows', { timeout: 90_000 })
  await expect(dialog.getByText('The export was cancelled.')).toHaveCount(0)
  const lines = readFileSync(await savedFile(home, '.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
  expect(lines.length).toBe(records + 2)
  expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ end: true, rows: records })
  expect(readdirSync(home).filter((name) => name.startsWith('.veridesk'))).toEqual([])
})

test('the message catalogue is exported as its filters leave it, or what is selected in it', async ({
  workspace,
  home
}) => {
  const page = await workspace.open()
  await savesInto(workspace.session(), home)
  const connection = await usePractice(page)
  for (const applicant of ['APP-3', 'PRACTICE-400'])
    await runCheck(page, connection.id, operationOf('get-applicant-details').id, { applicant_id: applicant })
  const catalogue = new CataloguePage(page)
  await catalogue.open()
  await page.getByRole('main').getByRole('button', { name: 'Export', exact: true }).click()
  const dialog = new Shell(page).dialog('Export messages')
  await inspect(page, 'an export of messages')
  await dialog.getByRole('button', { name: 'Export messages' }).click()
  await expect(dialog.getByRole('region', { name: 'Exported' })).toContainText('2 rows')
  await page.keyboard.press('Escape')
  await new TablePage(page).row(1).getByRole('checkbox').click()
  await page.getByRole('button', { name: 'Export selection' }).click()
  await expect(dialog).toContainText('1 selected message.')
  await choose(dialog.getByLabel('Format'), 'JSON lines, lossless')
  await dialog.getByRole('button', { name: 'Export messages' }).click()
  await expect(dialog.getByRole('region', { name: 'Exported' })).toContainText('1 row')
  const lines = readFileSync(await savedFile(home, '.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(lines[0]).toMatchObject({ format: 'veridesk-catalogue', selected: 1 })
  expect(lines[1]).toMatchObject({ operation: 'get-applicant-details', count: 1 })
})
