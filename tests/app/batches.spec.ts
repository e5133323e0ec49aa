/** Batches in the real window: run, stop, recover after a crash, and save. */
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { parse } from 'csv-parse/sync'
import { firstOperation, operationOf } from '#contract/verification/operations.ts'
import { bodyDigest } from '#practice/ledger.ts'
import { arrivals, begin, idAt, idsCsv, lookup, newBatch, saveInto } from './fixtures/batch.ts'
import { inspect } from './fixtures/axe.ts'
import { ask, expect, test } from './fixtures/workspace.ts'
import { ApplicantsPage } from './pages/applicants.ts'
import { BatchesPage, BatchPage, NewBatchPage } from './pages/batches.ts'
import { Shell } from './pages/shell.ts'
import { goTo } from './pages/go.ts'

const digestOf = (id: string): string => bodyDigest(JSON.stringify({ applicant_id: id }))
const records = (text: string): Record<string, string>[] => parse(text, { columns: true, bom: true })

/** The side bar's indicator that a batch is running. */
const inProgress = (page: Page) => new Shell(page).navigation.getByRole('link', { name: /^Batches, Running/ })

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
    await batch.confirm('Stop batch')
    await expect(batch.state).toHaveText('Stopped')
    const sent = practice.ledger().length
    await expect.poll(() => batch.count('answered')).toBe(sent)
    await expect.poll(() => batch.count('cancelled')).toBe(300 - sent)
    expect([...arrivals(practice).values()].every((times) => times === 1)).toBe(true)
    await expect(batch.start).toHaveCount(0)
    await expect(inProgress(page)).toHaveCount(0)
  })

  test.describe('killed', () => {
    test.use({ ownHost: true })

    test(
      'a crash during a batch: finished rows are kept, rows in progress wait for a person, the rest continues',
      { tag: '@electron-instead' },
      async ({ workspace, practice }) => {
        test.skip(process.platform === 'linux' && !workspace.keyring, 'needs a keyring that outlives the crash')
        test.setTimeout(120_000)
        const page = await begin(workspace, practice)
        const form = await newBatch(page, idsCsv(200))
        await form.go('Send')
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
        await expect.poll(() => next.count('answered')).toBe(200 - unknown)
        await expect.poll(() => next.count('unknown')).toBe(unknown)
        expect([...arrivals(practice).values()].every((times) => times === 1)).toBe(true)

        // One is sent again by a person's decision, the others are marked as sent.
        if (unknown > 1) await next.unknown.getByRole('button', { name: 'select them in the table' }).click()
        else await next.filter('Unknown')
        await expect(next.rowsTotal).toHaveText(`${unknown} of 200`)
        // The filtered rows are requested as they come into view, so wait for the row before selecting it.
        await expect(next.rows.first()).toContainText('Unknown')
        await next.table.focus()
        await reopened.keyboard.press('Space')
        // A row's number is its line in the file, after the headings.
        const line = Number((await next.rows.first().getByRole('gridcell').nth(1).innerText()).replaceAll(',', ''))
        const chosen = digestOf(idAt(line - 1))
        await next.unknown.getByRole('button', { name: 'Resolve 1 selected row' }).click()
        await next.confirm('Send it again')
        await expect(next.state).toHaveText('Paused')
        if (unknown > 1) {
          await next.unknown.getByRole('button', { name: /^Resolve/ }).click()
          await next.confirm(/as sent$/)
          await expect(next.unknown).toHaveCount(0)
        }
        await next.start.click()
        await expect(next.state).toHaveText('Finished')
        await expect.poll(() => next.count('answered')).toBe(201 - unknown)
        expect(arrivals(practice).get(chosen)).toBe((before.get(chosen) ?? 0) + 1)
        expect(practice.ledger().length).toBeLessThanOrEqual(201)
      }
    )
  })
})

test('results come back in the file’s own columns, and rows are sent again as a new batch, by why', async ({
  workspace,
  practice,
  home
}) => {
  const page = await begin(workspace, practice)
  await saveInto(workspace, home)
  const ids = ['=0001', 'PRACTICE-404', 'PRACTICE-markup', 'PRACTICE-html', '00005']
  const form = await newBatch(page, ['note,applicant_id', ...ids.map((id, at) => `n${at},${id}`), 'empty,'].join('\n'))
  await form.go('Send')
  await form.name.fill('Five and a fault')
  const batch = await form.run()
  await expect(batch.state).toHaveText('Finished')
  await expect.poll(() => batch.count('invalid-response')).toBe(1)

  const path = await batch.saveFile(/^Save 6 results/)
  const saved = records(await readFile(path, 'utf8'))
  expect(saved.map((row) => row['note'])).toEqual(['n0', 'n1', 'n2', 'n3', 'n4', 'empty'])
  expect(saved.map((row) => row['outcome'])).toEqual([
    'Answered',
    'Answered',
    'Answered',
    'Invalid response',
    'Answered',
    'Invalid'
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
  expect(records(await readFile(await batch.saveFile(/^Save 2 unsuccessful rows/), 'utf8'))).toHaveLength(2)
  await batch.save.click()
  await expect(page.getByRole('menuitem', { name: /^No unknown rows/ })).toBeDisabled()
  await page.keyboard.press('Escape')
  await batch.again.click()
  await expect(page.getByRole('menuitem')).toHaveText([
    'Send 1 row with an invalid response again',
    'Send 1 row answered 4xx again'
  ])
  await page.keyboard.press('Escape')
  // The table has the file's columns under their headings, sent columns first.
  await expect(batch.table.getByRole('columnheader')).toHaveText([
    'Selected',
    'Line',
    'applicant_id, Sent as Applicant ID',
    'State',
    'Message',
    'Interpretation',
    'HTTP',
    'Decision',
    'note',
    'Attempts',
    'Record'
  ])
  await expect(batch.row(3).getByRole('gridcell').nth(2)).toHaveText('PRACTICE-404')
  await expect(batch.row(3).getByRole('gridcell').nth(8)).toHaveText('n1')

  await batch.runAgain('Send 1 row answered 4xx again')
  await expect(batch.state).toHaveText('Draft')
  await expect(batch.rowsTotal).toHaveText('1 row')
  await expect(batch.rows.first()).toContainText('PRACTICE-404')
  const before = practice.ledger().length
  await batch.start.click()
  await expect(batch.state).toHaveText('Finished')
  expect(practice.ledger()).toHaveLength(before + 1)
  await batch.main.getByRole('link', { name: 'Rows of an earlier batch' }).click()
  await expect(new Shell(page).heading).toHaveText('Five and a fault')

  const list = new BatchesPage(page)
  await list.open()
  await expect(list.lines).toHaveCount(2)
  await list.search.fill('nothing like that')
  await expect(list.lines).toHaveCount(0)
  await list.search.fill('five')
  await expect(list.lines.first()).toContainText('Five and a fault')
})

test('messages of the answers filter the rows, counts add up, and the same lead to the queue', async ({
  workspace,
  practice
}) => {
  const page = await begin(workspace, practice)
  const ids = ['A-1', 'PRACTICE-404', 'A-2', 'PRACTICE-html', 'A-1', 'PRACTICE-500']
  const form = await newBatch(page, ['applicant_id,ref', ...ids.map((id, at) => `${id},R${at}`), ',R9'].join('\n'))
  const batch = await form.run()
  await expect(batch.state).toHaveText('Finished')
  const states = ['answered', 'invalid-response', 'invalid', 'duplicate'] as const
  const counts = await Promise.all(states.map((state) => batch.count(state)))
  expect(counts).toEqual([4, 1, 1, 1])
  await expect(batch.rowsTotal).toHaveText('7 rows')

  const messages = await batch.messages()
  await expect(messages).toHaveCount(3)
  const numbers = await messages.getByTestId('message-count').allInnerTexts()
  expect(numbers.reduce((sum, text) => sum + Number(text), 0)).toBe(4)
  // By keyboard alone.
  await messages.first().getByRole('checkbox').focus()
  await page.keyboard.press('Space')
  await expect(batch.rowsTotal).toHaveText('2 of 7')
  await expect(batch.rows).toHaveCount(2)
  await expect(batch.row(2)).toContainText('A-1')
  await expect(batch.row(4)).toContainText('Pending decision')
  const lines = () => batch.table.locator('[role="gridcell"][aria-colindex="2"]').allInnerTexts()
  await batch.table.getByRole('columnheader', { name: 'Line' }).getByRole('button').click()
  await expect.poll(lines).toEqual(['4', '2'])
  await batch.main.getByRole('textbox', { name: 'Search rows' }).fill('r2')
  await expect(batch.rowsTotal).toHaveText('1 of 7')
  await batch.main.getByRole('textbox', { name: 'Search rows' }).fill('')
  await expect(batch.rowsTotal).toHaveText('2 of 7')
  // The same applicants are decided together; the one who occurs twice in the file once.
  await batch.main.getByRole('button', { name: 'Decide these 2' }).click()
  await expect(page.getByRole('dialog', { name: /^Decide \d+ applicants?$/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await batch.main.getByRole('link', { name: 'Open these 2 in the queue' }).click()
  await expect(page.getByRole('grid', { name: /queue/i }).locator('.row')).toHaveCount(2)
  await expect(page.getByTestId('queue-batch')).toHaveCount(0)
  // One of them is decided: what the queue does not show is said, and shown elsewhere.
  const { evidence } = await ask(page, 'applicants.show', { applicantId: 'A-1' })
  await ask(page, 'decisions.make', {
    ...{ applicantId: 'A-1', decision: 'approve' as const, reasons: ['documents-in-order'], note: 'seen', evidence }
  })
  await expect(page.getByRole('grid', { name: /queue/i }).locator('.row')).toHaveCount(1)
  await expect(page.getByTestId('queue-batch')).toContainText('1 of 2 is decided already and not in the queue.')
  await page.getByRole('link', { name: 'Show them in Applicants' }).click()
  const people = new ApplicantsPage(page)
  await expect(people.list.locator('.row')).toHaveCount(1)
  await expect(people.row('A-1')).toBeVisible()
  await page.getByRole('button', { name: 'Of one batch: remove this filter' }).click()
  await expect(people.list.locator('.row')).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Of one batch: remove this filter' })).toHaveCount(0)
})

test('a live connection’s name must be typed each time', async ({ workspace, practice }) => {
  const page = await begin(workspace, practice, { name: 'Production', mode: 'live', colour: 'red', mark: 'PROD' })
  const form = await newBatch(page, idsCsv(4))
  await form.go('Send')
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
  await next.go('Send')
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
  await expect(stopped.state).toHaveText('Stopped')
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
  await again.go('Rows')
  await expect(again.figure('recently-answered')).toHaveText('3')
  await again.go('Send')
  await expect(again.estimate).toHaveText(/^2 requests will be sent/)
  await again.main.getByRole('checkbox', { name: 'Recently answered rows' }).uncheck()
  await expect(again.estimate).toHaveText(/^5 requests will be sent/)
  await again.main.getByRole('checkbox', { name: 'Recently answered rows' }).check()
  await again.run()
  await expect(batch.state).toHaveText('Finished')
  await expect.poll(() => batch.count('recently-answered')).toBe(3)
  expect(practice.ledger()).toHaveLength(sent + 2)
})

test('the operation of new rows is the last one, also if the settings arrive after the page', async ({ workspace }) => {
  const page = await workspace.open()
  // What is shown because nothing was chosen yet is no choice.
  await goTo(page, `/verify/${firstOperation}`, operationOf(firstOperation).title)
  const form = new NewBatchPage(page)
  await form.open()
  await expect(form.operation).toHaveText(operationOf(firstOperation).title)
  expect((await ask(page, 'app.state')).settings.lastOperation).toBe('')
  await ask(page, 'settings.change', { lastOperation: lookup.id })
  await expect(form.operation).toHaveText(lookup.title)
  await form.paste(idsCsv(2))
  await form.go('Rows')
  await expect(form.figure('valid')).toHaveText('2')
})

test('Continue reads rows that were typed', async ({ workspace, practice }) => {
  await begin(workspace, practice)
  const form = new NewBatchPage(workspace.session().page)
  await form.open()
  await form.rows.fill(idsCsv(2))
  await form.rows.press('ControlOrMeta+Enter')
  await expect(form.step('Columns')).toBeVisible()
})

test('a double click on Continue goes one step, and starts nothing', async ({ workspace, practice }) => {
  const page = await begin(workspace, practice)
  const form = await newBatch(page, idsCsv(3))
  await form.go('Rows')
  const place = await form.main.getByRole('button', { name: /^Continue with 3 rows/ }).boundingBox()
  const { x = 0, y = 0, width = 0, height = 0 } = place ?? {}
  await page.mouse.click(x + width / 2, y + height / 2)
  await expect(form.start).toBeEnabled()
  // The pointer is where it was, on the button that starts the batch.
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
  expect(await ask(page, 'batches.list', { limit: 1 })).toEqual([])
  await form.start.click()
  await expect(new BatchPage(page).state).toHaveText('Finished')
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
  for (const step of ['File', 'Columns', 'Rows', 'Send'] as const) {
    await form.go(step)
    if (step === 'Rows') await expect(form.figure('invalid')).toHaveText('1')
    await inspect(page, `a new batch, ${step}`)
    await expect.poll(() => page.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth)).toBe(0)
  }
  const batch = await form.run()
  await expect(batch.state).toHaveText('Finished')
  await inspect(page, 'a finished batch')
  await list.open()
  await inspect(page, 'the list')
  for (const path of ['/batches', '/batches/new']) {
    await goTo(page, path)
    await expect.poll(() => page.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth)).toBe(0)
  }
})
