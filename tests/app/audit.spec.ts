/** The audit trail as its readers see it: secrets and views in it, and a history that was rolled back. */
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { historyFolder } from '#wire/sqlite/files.ts'
import { openScene } from '../service/support/trail-scene.ts'
import { inspect } from './fixtures/axe.ts'
import { savedFile, savesInto } from './fixtures/files.ts'
import { ask, expect, test, usePractice, useService } from './fixtures/workspace.ts'
import { historyKey } from './fixtures/history.ts'
import { runCheck } from './fixtures/scene.ts'
import { ApplicantPage } from './pages/applicants.ts'
import { goTo } from './pages/go.ts'
import { HistoryPage } from './pages/history.ts'
import { AuditPage } from './pages/records.ts'
import { Shell } from './pages/shell.ts'
import { choose } from './pages/fields.ts'
import { TablePage } from './pages/table.ts'

test('changes of credentials and settings and views of personal data are events, and none holds a secret', async ({
  workspace,
  practice
}) => {
  const page = await workspace.open()
  const connection = await useService(page, practice)
  const id = await runCheck(page, connection.id, 'get-applicant-details', { applicant_id: 'APP-1' })
  await ask(page, 'settings.change', { totalTimeout: 17 })
  await new ApplicantPage(page).open('APP-1')
  await expect(new ApplicantPage(page).checks).toHaveCount(1)
  await ask(page, 'history.record', { id })
  const audit = new AuditPage(page)
  await audit.open()
  for (const [group, words] of [
    ['Connections', /credential|x-api-secret/i],
    ['Settings', /17/],
    ['Views of personal data', /applicant/i]
  ] as const) {
    await choose(audit.about, group)
    await expect(audit.list.getByRole('row').filter({ hasText: words }).first()).toBeVisible()
    if (group === 'Settings')
      await expect(audit.row(1).getByRole('link', { name: 'Response timeout' })).toHaveAttribute('href', /\/settings$/)
    for (const secret of Object.values(practice.credentials)) await expect(audit.list).not.toContainText(secret)
  }
  await choose(audit.about, 'All categories')
  const views = audit.list.getByRole('row').filter({ hasText: 'Details of an applicant opened.' })
  await expect(audit.list.getByRole('row').nth(3)).toBeVisible()
  await expect(views).toHaveCount(0)
  await expect(page.getByRole('main').getByRole('columnheader')).toHaveText([/^Time/, 'What', 'About', 'Who'])
  // How many there are is said where they are switched on.
  const { events } = await ask(page, 'audit.page', { limit: 200, groups: ['views'] })
  await expect(audit.views).toHaveAccessibleDescription(/^\d+$/)
  expect(Number(await page.getByRole('main').getByTestId('views').innerText())).toBeLessThanOrEqual(events.length)
  await audit.views.click()
  await expect(views.first()).toBeVisible()
  // By keyboard only: down the list, open an event, close it, and return to the same place.
  await audit.list.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: /^Event \d+/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(audit.list).toBeFocused()
  await expect(new Shell(page).heading).toHaveText('Audit trail')
})

test('each copy to the clipboard is an event, by a button, from the page and from a field, and what was copied is in none', async ({
  workspace,
  practice
}) => {
  const page = await workspace.open()
  const connection = await useService(page, practice)
  const id = await runCheck(page, connection.id, 'get-applicant-details', { applicant_id: 'APP-COPIED' })
  const copies = async (): Promise<string[]> =>
    (await ask(page, 'audit.page', { limit: 200, kinds: ['text.copied'] })).events.map(({ words }) => words)
  const history = new HistoryPage(page)
  await goTo(page, `/history/${id}`)
  await history.record.copyBody.click()
  await expect.poll(copies).toHaveLength(1)
  await history.record.open('Request')
  await history.record.root
    .getByText('APP-COPIED')
    .first()
    .evaluate((shown) => getSelection()?.selectAllChildren(shown))
  await page.keyboard.press('ControlOrMeta+c')
  await expect.poll(copies).toHaveLength(2)
  // Text that is dragged into another program would be copied without an event.
  const box = await history.record.root.getByText('APP-COPIED').first().boundingBox()
  if (!box) throw new Error('nothing is drawn')
  const dragged = page.evaluate(
    () =>
      new Promise<boolean>((resolve) =>
        addEventListener('dragstart', (event) => resolve(event.defaultPrevented), { once: true })
      )
  )
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 40, y + 40, { steps: 5 })
  expect(await dragged).toBe(true)
  await page.mouse.up()
  await goTo(page, '/verify/get-applicant-details')
  const field = page.getByRole('textbox', { name: /Applicant ID/ })
  await field.fill('APP-COPIED')
  for (const [key, count] of [
    ['c', 3],
    ['x', 4]
  ] as const) {
    await field.selectText()
    await page.keyboard.press(`ControlOrMeta+${key}`)
    await expect.poll(copies).toHaveLength(count)
  }
  expect((await copies()).slice(0, 2)).toEqual(
    Array.from({ length: 2 }, () => 'Text of 10 characters copied to the clipboard.')
  )
  expect(JSON.stringify((await ask(page, 'audit.page', { limit: 200, kinds: ['text.copied'] })).events)).not.toContain(
    'APP-COPIED'
  )
})

test('each visit of a page is one view, however often it is drawn anew or scrolled', async ({
  workspace,
  practice
}) => {
  const page = await workspace.open()
  const connection = await useService(page, practice)
  const check = (): Promise<string> => runCheck(page, connection.id, 'get-applicant-details', { applicant_id: 'APP-1' })
  const first = await check()
  const applicant = new ApplicantPage(page)
  await applicant.open('APP-1')
  await expect(applicant.checks).toHaveCount(1)
  await check()
  await expect(applicant.checks).toHaveCount(2)
  const history = new HistoryPage(page)
  await history.open()
  await expect(history.total).toHaveText('2 records')
  await check()
  await expect(history.total).toHaveText('3 records')
  await history.row(3).click()
  await expect(history.record.root).toBeVisible()
  await applicant.open('APP-1')
  await expect(applicant.checks).toHaveCount(3)
  const { events } = await ask(page, 'audit.page', { limit: 200, groups: ['views'] })
  const views = events.map(({ words, recordId }) => [words, recordId]).reverse()
  expect(views).toEqual([
    ['Details of an applicant opened.', undefined],
    ['History opened.', undefined],
    ['Details of a record opened.', first],
    ['Details of an applicant opened.', undefined],
    ['Audit trail opened.', undefined]
  ])
})

test('an event that was changed in the file is named by its number at the next start', async ({
  workspace,
  dataFolder
}) => {
  test.skip(!workspace.keyring, 'needs a keyring for tests')
  test.setTimeout(120_000)
  const page = await workspace.open()
  const connection = await usePractice(page)
  for (const applicant_id of ['APP-1', 'APP-2', 'APP-3'])
    await runCheck(page, connection.id, 'get-applicant-details', { applicant_id })
  const { events } = await ask(page, 'audit.page', { limit: 200, groups: ['verifications'] })
  const place = events[3]?.seq ?? 0
  await workspace.close()
  if (!workspace.keyring) return
  const scene = openScene(historyFolder(dataFolder), await historyKey(workspace.keyring, dataFolder))
  // Someone with the keys sets the time of one event back by an hour.
  expect(scene.history.prepare('UPDATE event SET at = at - 3600000 WHERE seq = ?').run(place).changes).toBe(1)
  scene.history.close()
  scene.subjects.close()

  const again = await workspace.open()
  const audit = new AuditPage(again)
  await audit.open()
  await expect(new Shell(again).main).toContainText(`its audit trail is broken at event ${place}.`)
  await expect(new Shell(again).main).toContainText('Nothing was deleted')
  await expect(audit.verify).toBeDisabled()
  await again.getByRole('link', { name: 'Open the history page' }).click()
  await expect(new Shell(again).heading).toHaveText('History')
})

test('files restored to their state of an hour ago are refused at the start, by the anchor in the keychain', async ({
  workspace,
  dataFolder,
  folder
}) => {
  test.skip(!workspace.keyring, 'needs a keyring for tests')
  test.setTimeout(120_000)
  const page = await workspace.open()
  const connection = await usePractice(page)
  await runCheck(page, connection.id, 'get-applicant-details', { applicant_id: 'APP-1' })
  await workspace.close()
  const kept = join(folder, 'as-it-was')
  cpSync(historyFolder(dataFolder), kept, { recursive: true })
  const second = await workspace.open()
  await ask(second, 'practice.start')
  await runCheck(second, connection.id, 'get-applicant-details', { applicant_id: 'APP-2' })
  const audit = new AuditPage(second)
  await audit.open()
  await audit.verify.click()
  await expect(audit.result).toContainText('Audit trail intact')
  await expect(audit.result).toContainText('Anchored in the keychain')
  await workspace.close()
  rmSync(historyFolder(dataFolder), { recursive: true })
  cpSync(kept, historyFolder(dataFolder), { recursive: true })

  const again = await workspace.open()
  const rolledBack = new AuditPage(again)
  await rolledBack.open()
  await expect(new Shell(again).main).toContainText(/at least \d+ of its last events are missing/)
  await expect(rolledBack.verify).toBeDisabled()
  await inspect(again, 'a history that was rolled back')
})

test('events are searched, filtered, listed oldest first, and exported as they are filtered', async ({
  workspace,
  practice,
  home
}) => {
  test.setTimeout(120_000)
  const page = await workspace.open()
  await savesInto(workspace.session(), home)
  const connection = await useService(page, practice)
  const record = await runCheck(page, connection.id, 'get-applicant-details', { applicant_id: 'APP-1' })
  await ask(page, 'settings.change', { totalTimeout: 17 })
  const audit = new AuditPage(page)
  await audit.open()
  const main = page.getByRole('main')
  const about = main.getByRole('textbox', { name: 'Applicant, record, batch or connection' })
  const search = main.getByRole('textbox', { name: 'Search events' })

  // What is typed stays when the page is drawn anew meanwhile.
  const count = main.getByTestId('events')
  const before = (await count.textContent()) ?? ''
  await about.fill('APP-1')
  await runCheck(page, connection.id, 'get-applicant-details', { applicant_id: 'APP-2' })
  await expect(count).not.toHaveText(before)
  await expect(about).toHaveValue('APP-1')
  await about.press('Enter')
  await expect
    .poll(audit.words)
    .toEqual([expect.stringContaining('Verification ended'), expect.stringContaining('started on')])
  await about.fill(record)
  await about.press('Enter')
  await expect
    .poll(audit.words)
    .toEqual([expect.stringContaining('Verification ended'), expect.stringContaining('started on')])
  await about.fill('')
  await about.press('Enter')
  await search.fill('SETTING totaltimeout')
  await expect.poll(audit.words).toEqual([expect.stringContaining('17')])
  await search.fill('no such words')
  await expect(main.getByText('No events match this search and these filters.')).toBeVisible()
  await inspect(page, 'a search of the audit trail without results', ['light'])
  await main.getByRole('button', { name: 'Show all events' }).click()
  await choose(audit.about, 'Verifications')
  await expect.poll(async () => (await audit.words()).length).toBe(4)
  const newest = await audit.words()

  const table = new TablePage(page)
  await table.sortBy('Time')
  await expect(table.heading('Time')).toHaveAttribute('aria-sort', 'ascending')
  await expect.poll(audit.words).toEqual(newest.toReversed())

  await main.getByRole('button', { name: 'Export', exact: true }).click()
  const dialog = new Shell(page).dialog('Export events')
  await choose(dialog.getByLabel('Format'), 'JSON lines, lossless')
  await dialog.getByRole('button', { name: 'Export events' }).click()
  await expect(dialog.getByRole('region', { name: 'Exported' })).toContainText('4 rows')
  const lines = readFileSync(await savedFile(home, '.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { kind?: string; words?: string })
  expect(lines.slice(1, -1).map(({ words }) => words)).toEqual(newest.toReversed())
  await page.keyboard.press('Escape')
  await main.getByRole('button', { name: 'Clear filters' }).click()
  await search.fill('export (audit trail')
  await expect
    .poll(audit.words, 'the export is an event itself')
    .toEqual(['Export (audit trail, jsonl) with 4 entries saved.'])
  // What was searched for is in no event.
  await audit.views.click()
  await search.fill('searched')
  await expect.poll(async () => [...new Set(await audit.words())]).toEqual(['Audit trail searched.'])
})
