/** Retention: records past it are permanently erased, from view, from the search and from the backups. */
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { ConnectionStatus } from '#contract/connections/connection.ts'
import { inspect } from './fixtures/axe.ts'
import { ask, expect, test, usePractice, type Workspace } from './fixtures/workspace.ts'
import { recordOld, type OldCheck } from './fixtures/history.ts'
import { runCheck } from './fixtures/scene.ts'
import { ApplicantPage, ApplicantsPage, CataloguePage } from './pages/applicants.ts'
import { HistoryPage } from './pages/history.ts'
import { AuditPage, DataManagementPage } from './pages/records.ts'
import { Shell } from './pages/shell.ts'
import { goTo } from './pages/go.ts'
import { TablePage } from './pages/table.ts'
import { choose, DateField, shownDate } from './pages/fields.ts'
import { isoDue, today } from '#contract/applicants/due-dates.ts'

const lookUp = (applicant_id: string, daysAgo: number, message: string): OldCheck => ({
  operation: 'get-applicant-details',
  input: { applicant_id },
  daysAgo,
  message
})
const photo = (name: string, daysAgo: number): OldCheck => ({
  operation: 'validate-kyc-photo',
  input: { photo_url: `https://files.example.com/${name}.jpg` },
  daysAgo,
  message: 'Face detected'
})

const dayIn = (days: number): string => isoDue(today(Date.now()) + days * 86_400_000)

const past: readonly OldCheck[] = [
  lookUp('GONE-1', 400, 'Quillon Zarrabeitia is known.'),
  lookUp('GONE-1', 390, 'Applicant found'),
  lookUp('GONE-2', 380, 'Applicant found'),
  photo('portrait-gone', 370),
  lookUp('HELD-1', 360, 'Applicant found'),
  // Linked to the applicant under the hold: kept like theirs.
  photo('portrait-held', 355),
  lookUp('BACK-1', 350, 'Applicant found'),
  lookUp('YOUNG-1', 20, 'Applicant found')
]
/** Data that only the erased ones had: their IDs, a name that the service returned, a link. */
const personal = ['GONE-1', 'GONE-2', 'Zarrabeitia', 'portrait-gone']
const staying = ['BACK-1', 'HELD-1', 'YOUNG-1']

/** A practice connection with these old verifications, in a console that was opened again. */
async function withPast(
  workspace: Workspace,
  dataFolder: string,
  checks: readonly OldCheck[]
): Promise<{ page: Page; connection: ConnectionStatus }> {
  if (!workspace.keyring) throw new Error('no keyring')
  // The daily scheduled backup has tests of its own.
  const connection = await usePractice(await workspace.open(), { backupHours: 0 })
  await workspace.close()
  await recordOld(dataFolder, workspace.keyring, connection, checks)
  return { page: await workspace.open(), connection }
}
async function recordIdOf(page: Page, search: string): Promise<string> {
  const { records } = await ask(page, 'history.page', { filter: { search }, limit: 1 })
  return records[0]?.id ?? ''
}
async function setDays(page: Page, connection: ConnectionStatus, days: number): Promise<void> {
  const field = new DataManagementPage(page).main.getByRole('textbox', { name: connection.name })
  await field.fill(String(days))
  await field.press('Tab')
  await expect
    .poll(async () => (await ask(page, 'app.state')).settings.retentionDays)
    .toEqual({ [connection.id]: days })
}

/** All nine verifications are still counted; of four only the fact that they took place is left. */
async function expectGone(page: Page, gone: string): Promise<void> {
  const history = new HistoryPage(page)
  await history.open()
  await expect(history.total).toHaveText('9 records')
  await expect(history.rows).toHaveCount(9)
  await expect(history.rows.filter({ hasText: 'Personal data permanently erased.' })).toHaveCount(4)
  for (const words of personal) await expect(history.list).not.toContainText(words)
  for (const words of personal) {
    await history.search.fill(words)
    await expect(history.noMatch, words).toBeVisible()
  }
  for (const words of [...staying, 'portrait-held']) {
    await history.search.fill(words)
    await expect(history.total, words).toHaveText(words === 'BACK-1' ? '2 records' : '1 record')
  }
  await goTo(page, `/history/${gone}`)
  await expect(history.pane).toContainText('The personal data of this record was permanently erased')
  // Nothing that needs it is offered, and nothing is shown as if it had been empty.
  await expect(history.record.sent).toHaveCount(0)
  await expect(history.record.raw).toHaveCount(0)
  for (const offered of [history.record.runAgain, history.record.copyBody, history.record.copyCurl])
    await expect(offered).toHaveCount(0)
  await expect(history.record.facts).toBeVisible()
  for (const words of personal) await expect(history.pane).not.toContainText(words)

  const list = new ApplicantsPage(page)
  await list.open()
  await expect(list.list.getByRole('row')).toHaveCount(1 + staying.length)
  for (const id of staying) await expect(list.row(id)).toBeVisible()
  const applicant = new ApplicantPage(page)
  for (const id of ['GONE-1', 'GONE-2']) {
    await goTo(page, `/applicants/${id}`)
    await expect(page.getByRole('main')).toContainText('No applicant with this ID.')
    await expect(applicant.entries).toHaveCount(0)
  }
  await applicant.open('HELD-1')
  await expect(applicant.checks).toHaveCount(2)
  await expect(page.getByRole('button', { name: 'Show 1 document', exact: true })).toBeVisible()
  const catalogue = new CataloguePage(page)
  await catalogue.open()
  await expect(catalogue.message('Applicant found')).toHaveCount(1)
  await expect(catalogue.list).not.toContainText('Zarrabeitia')

  const audit = new AuditPage(page)
  await audit.open()
  await audit.verify.click()
  await expect(audit.result).toContainText('Audit trail intact')
  await expect(audit.result).toContainText(/The data of \d+ events? was erased, and the events themselves are verified/)
}

test('data past retention is erased after a typed confirmation, held data stays, and it is gone after a restart and from a backup', async ({
  workspace,
  dataFolder,
  folder
}) => {
  test.skip(!workspace.keyring, 'needs a keyring for tests')
  test.setTimeout(120_000)
  const { page, connection } = await withPast(workspace, dataFolder, past)
  await ask(page, 'practice.start')
  await runCheck(page, connection.id, 'get-applicant-details', { applicant_id: 'BACK-1' })
  await ask(page, 'applicants.link', { recordId: await recordIdOf(page, 'portrait-held'), applicantId: 'HELD-1' })
  const gone = await recordIdOf(page, 'GONE-2')
  const dataManagement = new DataManagementPage(page)
  await dataManagement.open()
  await dataManagement.applicantId.fill('HELD-1')
  await dataManagement.button('Place legal hold').click()
  await dataManagement.dialog('Place legal hold?').getByLabel('Reason').fill('Court order')
  await dataManagement.dialog('Place legal hold?').getByRole('button', { name: 'Place hold' }).click()
  await expect(dataManagement.holds).toHaveCount(1)
  await dataManagement.makeBackup.click()
  await expect(dataManagement.backups).toHaveCount(1)
  // A copy of it is where no erasure reaches.
  const elsewhere = join(folder, 'elsewhere')
  cpSync(join(dataFolder, 'backups'), elsewhere, { recursive: true })

  await setDays(page, connection, 365)
  await dataManagement.dryRun.click()
  await expect(dataManagement.plan).toContainText('4 records would be erased. 3 subjects are affected.')
  await expect(dataManagement.planned).toHaveCount(3)
  await setDays(page, connection, 90)
  // Other days: the list for the old ones is no longer offered.
  await expect(dataManagement.plan).toHaveCount(0)
  await dataManagement.dryRun.click()
  await expect(dataManagement.plan).toContainText(
    '4 records would be erased. 3 subjects are affected. 2 more are under a legal hold. Nothing was changed.'
  )
  await expect(dataManagement.planned).toHaveText([
    /GONE-1\s*2 records/,
    /GONE-2\s*1 record/,
    /No applicant\s*1 record/,
    /HELD-1\s*1 record.*Held$/,
    /No applicant\s*1 record.*Held$/
  ])

  await dataManagement.eraseNow.click()
  const dialog = dataManagement.dialog('Erase records past retention?')
  const confirm = dialog.getByRole('button', { name: 'Permanently erase' })
  await dialog.getByLabel(/Type erase/).fill('erase')
  await confirm.click()
  await expect(dialog.getByLabel('Reason')).toHaveAccessibleDescription('Enter a reason.')
  await dialog.getByLabel('Reason').fill('Ninety days are over')
  await dialog.getByLabel(/Type erase/).fill('erased')
  await expect(confirm, 'another word').toBeDisabled()
  await inspect(page, 'the run of a retention')
  await page.keyboard.press('Escape')
  expect(await ask(page, 'retention.plan')).toMatchObject({ subjects: 3, records: 4 })
  expect(await ask(page, 'erasure.receipts')).toEqual([])

  await dataManagement.eraseNow.click()
  await dialog.getByLabel('Reason').fill('Ninety days are over')
  await dialog.getByLabel(/Type erase/).fill('erase')
  await confirm.click()
  await expect(new Shell(page).message).toContainText('Erased. The receipt is listed below.')
  for (const words of personal)
    expect(await page.evaluate(() => document.documentElement.innerHTML), words).not.toContain(words)
  await expect(dataManagement.receipts).toHaveCount(1)
  await expect(dataManagement.receipts).toContainText(/4 records erased by retention; event \d+\. Erased by .+\./)
  await expect(dataManagement.plan).toContainText('Nothing would be erased now. 2 records are under a legal hold.')
  await expect(dataManagement.eraseNow).toHaveCount(0)
  expect(await ask(page, 'erasure.receipts')).toMatchObject([
    { cause: 'retention', records: 4, backupsRewritten: 1, copiesNotReached: [] }
  ])
  const event = Number(/event (\d+)/.exec(await dataManagement.receipts.innerText())?.[1])
  await inspect(page, 'after the run of a retention')
  await expectGone(page, gone)
  const audit = new AuditPage(page)
  await choose(audit.about, 'Holds and erasure')
  await expect(audit.row(1)).toContainText('Erased data removed from 1 backup or copy.')
  await expect(audit.row(2)).toContainText('Personal data erased by retention: 4 records.')
  await audit.row(2).click()
  await expect(audit.event(event)).toBeVisible()

  await workspace.close()
  rmSync(join(dataFolder, 'backups'), { recursive: true })
  cpSync(elsewhere, join(dataFolder, 'backups'), { recursive: true })
  const again = await workspace.open()
  await expectGone(again, gone)
  const kept = new DataManagementPage(again)
  await kept.open()
  await expect(kept.receipts).toHaveCount(1)
  await expect(kept.holds).toContainText('Court order')
  // The backup from elsewhere still contains the keys, and brings nobody back.
  await kept.backups.getByRole('button', { name: /^Restore/ }).click()
  await kept
    .dialog('Restore this backup?')
    .getByLabel(/Type restore/)
    .fill('restore')
  await kept.dialog('Restore this backup?').getByRole('button', { name: 'Restore' }).click()
  await expect(new Shell(again).message).toContainText('Restored.')
  await expectGone(again, gone)
})

test('an outdated list erases nothing, and the current one is shown', async ({ workspace, dataFolder }) => {
  test.skip(!workspace.keyring, 'needs a keyring for tests')
  const { page, connection } = await withPast(workspace, dataFolder, [
    lookUp('GONE-1', 400, 'Applicant found'),
    lookUp('GONE-2', 390, 'Applicant found')
  ])
  const dataManagement = new DataManagementPage(page)
  await dataManagement.open()
  // Pressed at once: the press itself ends the input.
  await dataManagement.main.getByRole('textbox', { name: connection.name }).fill('90')
  await dataManagement.dryRun.click()
  await expect(dataManagement.plan).toContainText('2 records would be erased. 2 subjects are affected.')
  // Placed after the list was created, as by another user of this console.
  await ask(page, 'holds.place', { applicantId: 'GONE-2', reason: 'Court order' })
  await dataManagement.eraseNow.click()
  const dialog = dataManagement.dialog('Erase records past retention?')
  await dialog.getByLabel('Reason').fill('Ninety days are over')
  await dialog.getByLabel(/Type erase/).fill('erase')
  await dialog.getByRole('button', { name: 'Permanently erase' }).click()
  await expect(dataManagement.failure).toBeVisible()
  await expect(dataManagement.plan).toContainText(
    '1 record would be erased. 1 subject is affected. 1 more is under a legal hold.'
  )
  await expect(dataManagement.receipts).toHaveCount(0)
  await inspect(page, 'a run that was refused')
  const applicants = new ApplicantsPage(page)
  await applicants.open()
  for (const id of ['GONE-1', 'GONE-2']) await expect(applicants.row(id)).toBeVisible()
})

test('retention counts from the end of a relationship, and a legal hold has a last day', async ({ workspace }) => {
  const page = await workspace.open()
  const connection = await usePractice(page)
  for (const id of ['ENDED-1', 'ACTIVE-1', 'NONE-1'])
    await runCheck(page, connection.id, 'get-applicant-details', { applicant_id: id })
  await ask(page, 'applicants.relate', { applicantId: 'ENDED-1', state: 'ended', on: '2015-02-01', note: '' })
  await ask(page, 'applicants.relate', { applicantId: 'ACTIVE-1', state: 'active', on: '2015-02-01', note: '' })
  const dataManagement = new DataManagementPage(page)
  await dataManagement.open()
  await dataManagement.main.getByText('End of relationship', { exact: true }).click()
  const years = dataManagement.main.getByRole('textbox', { name: 'Keep applicants for' })
  await expect(years).toHaveValue('5')
  await dataManagement.dryRun.click()
  await expect(dataManagement.plan).toContainText('1 record would be erased. 1 subject is affected.')
  await expect(dataManagement.plan).toContainText('No relationship is recorded for 1 applicant, who is never due.')
  await expect(dataManagement.planned).toHaveText([new RegExp(`ENDED-1\\s*1 record.*Ended on`)])
  await inspect(page, 'retention by the relationship')
  await years.fill('50')
  await years.press('Tab')
  await expect(dataManagement.plan, 'by other rules').toHaveCount(0)

  await dataManagement.applicantId.fill('ACTIVE-1')
  await dataManagement.button('Place legal hold').click()
  const dialog = dataManagement.dialog('Place legal hold?')
  const [place, lastDay] = [
    dialog.getByRole('button', { name: 'Place hold' }),
    new DateField(dialog, 'Last day (optional)')
  ]
  // What is missing has the focus, and a day that was half typed is not taken for none.
  await place.click()
  await expect(dialog.getByLabel('Reason')).toBeFocused()
  await expect(dialog.getByLabel('Reason')).toHaveAccessibleDescription('Enter a reason.')
  await page.keyboard.type('Court order')
  await lastDay.part('Day').focus()
  await page.keyboard.type('12')
  await place.click()
  await expect(lastDay.first).toBeFocused()
  await expect(lastDay.parts).toHaveAccessibleDescription('Enter a whole date, or none.')
  await inspect(page, 'a legal hold with a day that is half typed')
  expect(await ask(page, 'holds.list', { visit: crypto.randomUUID() })).toEqual([])
  await lastDay.set('2020-02-29')
  await place.click()
  await expect(lastDay.parts).toHaveAccessibleDescription(`Enter ${await shownDate(page, dayIn(0))} or a later day.`)
  await lastDay.set(dayIn(30))
  await expect(lastDay.parts).toHaveAccessibleDescription('')
  await dialog.getByLabel('Reference of the order').fill('7 C 12/26')
  await inspect(page, 'a legal hold with a last day')
  await place.click()
  await expect(dataManagement.holds).toContainText('7 C 12/26')
  await expect(dataManagement.holds).toContainText(`Until ${await shownDate(page, dayIn(30))}`)
  // An authority extends its order.
  await dataManagement.holds.getByRole('button', { name: 'Change the legal hold of ACTIVE-1' }).press('Enter')
  const change = dataManagement.dialog('Change legal hold?')
  await expect(change.getByLabel('Reason')).toHaveValue('Court order')
  await new DateField(change, 'Last day (optional)').set(dayIn(90))
  await change.getByLabel('Reference of the order').fill('7 C 99/26')
  await inspect(page, 'a legal hold that is changed')
  await change.getByRole('button', { name: 'Change hold' }).press('Enter')
  await expect(dataManagement.holds).toContainText(`Until ${await shownDate(page, dayIn(90))}`)
  await expect(dataManagement.holds).toContainText('7 C 99/26')
  await expect(dataManagement.holds).toHaveCount(1)
  // Whom nothing is recorded of is named, to be completed.
  await goTo(page, '/overview', 'Overview')
  await page.getByRole('region', { name: 'Retention' }).getByRole('link', { name: '1 applicant' }).press('Enter')
  await expect(new TablePage(page).grid.getByRole('row')).toHaveCount(2)
  await expect(new ApplicantsPage(page).row('NONE-1')).toBeVisible()
})
