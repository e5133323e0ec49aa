/** Batches in the real window: run, stop, recover after a crash, and save. */
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { parse } from 'csv-parse/sync'
import { bodyDigest } from '#practice/ledger.ts'
import { arrivals, begin, idAt, idsCsv, newBatch, saveInto } from './fixtures/batch.ts'
import { inspect } from './fixtures/axe.ts'
import { expect, test } from './fixtures/workspace.ts'
import { BatchesPage, BatchPage } from './pages/batches.ts'
import { Shell } from './pages/shell.ts'
import { goTo } from './pages/go.ts'

const digestOf = (id: string): string => bodyDigest(JSON.stringify({ applicant_id: id }))
const records = (text: string): Record<string, string>[] => parse(text, { columns: true, bom: true })

/** The side bar's indicator that a batch is running. */
const inProgress = (page: Page) =>
  new Shell(page).navigation.getByRole('link', { name: /^Batches/ }).getByRole('img', { name: 'in progress' })

test.describe('a slow service', () => {
  test.use({ practiceOptions: { latency: 200 } })

  test('a batch pauses, resumes, and is cancelled; no row is sent twice', async ({ workspace, practice }) => {
    test.setTimeout(90_000)
    const page = await begin(workspace, practice)
    const form = await newBatch(page, idsCsv(300))
    const batch = await form.run()
    await expect(batch.state).toHaveText('Running')
    await expect(inProgress(page)).toBeVisible()
    await expect.poll(() => batch.count('answered')).toBeGreaterThan(8)
    await batch.pause.click()
    await expect(batch.state).toHaveText('Paused')
    const atPause = practice.ledger().length
    expect(await batch.count('open')).toBe(0)
    expect(await batch.count('answered')).toBe(atPause)
    await expect(new Shell(page).announced).toContainText('Paused')
    await page.waitForTimeout(400)
    expect(practice.ledger()).toHaveLength(atPause)

    await batch.start.click()
    await expect(batch.state).toHaveText('Running')
    await expect.poll(() => batch.count('answered')).toBeGreaterThan(atPause + 8)
    await batch.cancel.click()
    await batch.confirm('Cancel batch')
    await expect(batch.state).toHaveText('Cancelled')
    const sent = practice.ledger().length
    expect(await batch.count('answered')).toBe(sent)
    expect(await batch.count('cancelled')).toBe(300 - sent)
    expect([...arrivals(practice).values()].every((times) => times === 1)).toBe(true)
    await expect(batch.start).toHaveCount(0)
    await expect(inProgress(page)).toHaveCount(0)
  })

  test.describe('killed', () => {
    test.use({ ownHost: true })

    test(
      'a crash during a batch: finished rows are kept, rows in progress wait for a person, the rest continues',
      { tag: '@electron' },
      async ({ workspace, practice }) => {
        test.skip(process.platform === 'linux' && !workspace.keyring, 'needs a keyring that outlives the crash')
        test.setTimeout(120_000)
        const page = await begin(workspace, practice)
        const form = await newBatch(page, idsCsv(200))
        await form.atOnce.fill('4')
        const batch = await form.run()
        await expect.poll(() => batch.count('answered')).toBeGreaterThan(10)
        workspace.session().process.kill('SIGKILL')
        const reopened = await workspace.again()
        await new BatchesPage(reopened).open()
        await expect(new BatchesPage(reopened).lines).toContainText('Paused')
        await new BatchesPage(reopened).lines.click()
        const next = new BatchPage(reopened)
        await expect(next.state).toHaveText('Paused')
        const unknown = await next.count('unknown')
        expect(unknown).toBeGreaterThan(0)
        expect(unknown).toBeLessThanOrEqual(6)
        const before = arrivals(practice)
        await expect(next.unknown).toContainText(`${unknown} row`)

        // The batch itself does not send the rows that were in progress.
        await next.start.click()
        await expect(next.state).toHaveText('Finished', { timeout: 40_000 })
        expect(await next.count('answered')).toBe(200 - unknown)
        expect(await next.count('unknown')).toBe(unknown)
        expect([...arrivals(practice).values()].every((times) => times === 1)).toBe(true)

        // One is sent again by a person's decision, the others are marked as sent.
        await next.unknown.getByRole('button', { name: 'select them in the table' }).click()
        await expect(next.rowsTotal).toHaveText(`${unknown} row${unknown === 1 ? '' : 's'}`)
        // The filtered rows are requested as they come into view, so wait for the row before selecting it.
        await expect(next.rows.first()).toContainText('Unknown')
        await next.table.focus()
        await reopened.keyboard.press('Space')
        // A row's number is its line in the file, after the headings.
        const line = Number((await next.rows.first().getByRole('gridcell').nth(1).innerText()).replaceAll(',', ''))
        const chosen = digestOf(idAt(line - 1))
        await next.unknown.getByRole('button', { name: 'Send 1 selected row again' }).click()
        await next.confirm('Send it again')
        await expect(next.state).toHaveText('Paused')
        if (unknown > 1) {
          await next.unknown.getByRole('button', { name: /as sent$/ }).click()
          await expect(next.unknown).toHaveCount(0)
        }
        await next.start.click()
        await expect(next.state).toHaveText('Finished')
        expect(await next.count('answered')).toBe(201 - unknown)
        expect(arrivals(practice).get(chosen)).toBe((before.get(chosen) ?? 0) + 1)
        expect(practice.ledger().length).toBeLessThanOrEqual(201)
      }
    )
  })
})

test('results come back in the file’s own columns, and failed rows run again as a new batch', async ({
  workspace,
  practice,
  home
}) => {
  const page = await begin(workspace, practice)
  await saveInto(workspace, home)
  const ids = ['=0001', 'PRACTICE-404', 'PRACTICE-markup', 'PRACTICE-html', '00005']
  const form = await newBatch(page, ['note,applicant_id', ...ids.map((id, at) => `n${at},${id}`), 'empty,'].join('\n'))
  await form.name.fill('Five and a fault')
  const batch = await form.run()
  await expect(batch.state).toHaveText('Finished')
  expect(await batch.count('unreadable')).toBe(1)

  const path = await batch.saveFile(/^Save 6 results/)
  const saved = records(await readFile(path, 'utf8'))
  expect(saved.map((row) => row['note'])).toEqual(['n0', 'n1', 'n2', 'n3', 'n4', 'empty'])
  expect(saved.map((row) => row['outcome'])).toEqual([
    'answered',
    'answered',
    'answered',
    'unreadable',
    'answered',
    'invalid'
  ])
  expect(saved.map((row) => row['status'])).toEqual(['200', '404', '200', '200', '200', ''])
  // Leading zeros are kept, and a spreadsheet runs nothing in the saved file.
  expect(saved[4]?.['applicant_id']).toBe('00005')
  expect(saved[0]?.['applicant_id']).toBe("'=0001")
  const lossless = (await readFile(await batch.saveFile(/^Save 6 rows with their responses/), 'utf8'))
    .trim()
    .split('\n')
  // The first line describes the batch itself.
  expect(lossless).toHaveLength(7)
  expect(lossless[1]).toContain('=0001')
  expect(records(await readFile(await batch.saveFile(/^Save 1 invalid row/), 'utf8'))).toHaveLength(1)
  // Each button shows the number of rows that it saves.
  expect(records(await readFile(await batch.saveFile(/^Save 2 failed rows/), 'utf8'))).toHaveLength(2)
  await batch.save.click()
  await expect(page.getByRole('menuitem', { name: /^No unknown rows/ })).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(batch.again).toHaveText('Run 2 failed rows again')
  // The table has the file's columns under their headings, sent columns first.
  await expect(batch.table.getByRole('columnheader')).toHaveText([
    'Selected',
    'Line',
    'Outcome',
    'HTTP',
    'applicant_id, Sent as Applicant ID',
    'Message or error',
    'note',
    'Attempts',
    'Record'
  ])
  await expect(batch.row(3).getByRole('gridcell').nth(4)).toHaveText('PRACTICE-404')
  await expect(batch.row(3).getByRole('gridcell').nth(6)).toHaveText('n1')

  await batch.again.click()
  await expect(batch.state).toHaveText('Draft')
  await expect(batch.rowsTotal).toHaveText('2 rows')
  await expect(batch.rows.first()).toContainText('PRACTICE-404')
  const before = practice.ledger().length
  await batch.start.click()
  await expect(batch.state).toHaveText('Finished')
  expect(practice.ledger()).toHaveLength(before + 2)
  await batch.main.getByRole('link', { name: 'Failed rows of an earlier batch' }).click()
  await expect(new Shell(page).heading).toHaveText('Five and a fault')

  const list = new BatchesPage(page)
  await list.open()
  await expect(list.lines).toHaveCount(2)
  await list.search.fill('nothing like that')
  await expect(list.lines).toHaveCount(0)
  await list.search.fill('five')
  await expect(list.lines.first()).toContainText('Five and a fault')
})

test('a live connection’s name must be typed each time', async ({ workspace, practice }) => {
  const page = await begin(workspace, practice, { name: 'Production', mode: 'live', colour: 'red', mark: 'PROD' })
  const form = await newBatch(page, idsCsv(4))
  await expect(form.estimate).toContainText('4 requests will be sent to Production')
  await expect(form.start).toBeDisabled()
  await form.confirmation.fill('production')
  await expect(form.start).toBeDisabled()
  await form.keep.click()
  const batch = new BatchPage(page)
  await expect(batch.state).toHaveText('Draft')
  expect(practice.ledger()).toEqual([])
  await batch.start.click()
  const go = page.getByRole('dialog').getByRole('button', { name: 'Start on LIVE' })
  await expect(go).toBeDisabled()
  await page.getByRole('dialog').getByRole('textbox').fill('Productio')
  await expect(go).toBeDisabled()
  await batch.confirm('Start on LIVE', 'Production')
  await expect(batch.state).toHaveText('Finished')
  expect(practice.ledger()).toHaveLength(4)

  // From the new batch's own page, with the name typed there.
  const next = await newBatch(
    page,
    idsCsv(3, (row) => `L-${row}`)
  )
  await next.confirmation.fill('Production')
  await expect((await next.run()).state).toHaveText('Finished')
  expect(practice.ledger()).toHaveLength(7)
})

test('the breaker stops a batch with its reason, and recently answered rows are skipped', async ({
  workspace,
  practice
}) => {
  const page = await begin(workspace, practice)
  const bad = await newBatch(
    page,
    idsCsv(40, (row) => `PRACTICE-500.${row}`)
  )
  const stopped = await bad.run()
  await expect(stopped.state).toHaveText('Stopped automatically')
  await expect(stopped.reason).toContainText('errors in a row')
  await expect(stopped.reason).toContainText('Impact')
  expect(practice.ledger().length).toBeLessThan(20)
  await expect(stopped.start).toHaveText(/Resume/)

  await (await newBatch(page, idsCsv(3))).run()
  const batch = new BatchPage(page)
  await expect(batch.state).toHaveText('Finished')
  const sent = practice.ledger().length
  const again = await newBatch(page, idsCsv(5))
  // Counted before anything is created: three of these were answered a moment ago.
  await expect(again.figure('recently-answered')).toHaveText('3')
  await expect(again.estimate).toHaveText(/^2 requests will be sent/)
  await again.main.getByRole('checkbox', { name: 'Recently answered rows' }).uncheck()
  await expect(again.estimate).toHaveText(/^5 requests will be sent/)
  await again.main.getByRole('checkbox', { name: 'Recently answered rows' }).check()
  await again.run()
  await expect(batch.state).toHaveText('Finished')
  expect(await batch.count('recently-answered')).toBe(3)
  expect(practice.ledger()).toHaveLength(sent + 2)
})

test('the pages of batches meet WCAG 2.2 AA in both themes, and fit a small window', async ({
  workspace,
  practice
}) => {
  test.setTimeout(90_000)
  const page = await begin(workspace, practice)
  await workspace.session().resize(900, 600)
  const list = new BatchesPage(page)
  await list.open()
  await expect(list.templates).toHaveCount(6)
  await inspect(page, 'no batches')
  const form = await newBatch(page, `${idsCsv(20)}\n,without an id\nPRACTICE-html,x`)
  await expect(form.figure('invalid')).toHaveText('1')
  await inspect(page, 'a new batch')
  const batch = await form.run()
  await expect(batch.state).toHaveText('Finished')
  await inspect(page, 'a finished batch')
  await list.open()
  await inspect(page, 'the list')
  for (const path of ['/batches', '/batches/new']) {
    await goTo(page, path)
    expect(await page.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth)).toBe(0)
  }
})
