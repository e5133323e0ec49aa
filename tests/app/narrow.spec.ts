/** What must stay readable in a narrow window: names of live connections, messages in tables, controls beside long tags. */
import { randomUUID } from 'node:crypto'
import type { Locator } from '@playwright/test'
import { newBatch } from './fixtures/batch.ts'
import { resizeWindow } from './fixtures/window-size.ts'
import { ask, expect, noKeychain, test, usePractice, useService } from './fixtures/workspace.ts'
import { ApplicantPage } from './pages/applicants.ts'
import { HistoryPage } from './pages/history.ts'
import { Shell } from './pages/shell.ts'
import { VerifyPage } from './pages/verify.ts'

const narrow = { width: 900, height: 600 }
const longName = 'Client Bank of the North, production, Frankfurt and Vienna'

/** Whether the whole text of an element is drawn: neither it nor an element around it cuts it off. */
const isWhole = (element: Locator): Promise<boolean> =>
  element.evaluate((node) => {
    const range = document.createRange()
    range.selectNodeContents(node)
    const text = range.getBoundingClientRect()
    if (text.width === 0 || text.right > innerWidth) return false
    for (let around: Element | null = node; around; around = around.parentElement) {
      const { overflowX } = getComputedStyle(around)
      const { left, right } = around.getBoundingClientRect()
      if (overflowX !== 'visible' && (text.left < left - 1 || text.right > right + 1)) return false
    }
    return true
  })

test('a live connection keeps its whole name, its mark and LIVE at 900 px, beside every status', async ({
  workspace,
  practice
}) => {
  const page = await workspace.open(noKeychain)
  await resizeWindow(page, narrow)
  await useService(page, practice, { name: longName, mode: 'live', mark: 'CBN', colour: 'red' })
  const shell = new Shell(page)
  await expect(shell.stateChips.locator(':scope > *')).toHaveCount(2)
  await new VerifyPage(page).open('get-applicant-details')
  for (const place of [shell.currentConnection, page.getByRole('main')])
    await expect.poll(() => isWhole(place.getByText(longName, { exact: true }))).toBe(true)
  await expect(shell.currentConnection).toBeInViewport({ ratio: 1 })
  await expect.poll(() => isWhole(shell.currentConnection.getByText('CBN', { exact: true }))).toBe(true)
  await expect.poll(() => isWhole(shell.liveMark)).toBe(true)
  await shell.currentConnection.click()
  const item = page.getByRole('menuitemradio', { name: longName })
  await expect.poll(() => isWhole(item.getByText(longName, { exact: true }))).toBe(true)
  await expect.poll(() => isWhole(item.getByText('LIVE', { exact: true }))).toBe(true)
})

test('the history and the rows of a batch show the message at 900 px', async ({ workspace }) => {
  const page = await workspace.open()
  await resizeWindow(page, narrow)
  const connection = await usePractice(page, { lastOperation: 'validate-applicant-documents' })
  await ask(page, 'verification.run', {
    runId: randomUUID(),
    connectionId: connection.id,
    operation: 'get-applicant-details',
    input: { applicant_id: 'APP-1' }
  })
  const history = new HistoryPage(page)
  await history.open()
  const [record] = (await ask(page, 'history.page', { filter: {}, limit: 1 })).records
  const message = record?.message ?? 'no message'
  const cell = history.row(1).getByRole('gridcell', { name: message })
  await expect(cell).toBeInViewport({ ratio: 1 })
  expect((await cell.boundingBox())?.width).toBeGreaterThan(100)
  await expect(history.cell(1, 'subject')).toBeInViewport({ ratio: 1 })

  const form = await newBatch(
    page,
    [
      'applicant_id,photo_document_url,id_document_url',
      'APP-1,https://files.example.com/photo.jpg,https://files.example.com/id.jpg'
    ].join('\n')
  )
  const batch = await form.kept()
  const heading = batch.column('Message')
  await expect(heading).toBeInViewport({ ratio: 1 })
  // The last column stays in place above the others, which scroll beneath it.
  const [shown, held] = [
    await heading.boundingBox(),
    await batch.table.getByRole('columnheader', { name: 'Record' }).boundingBox()
  ]
  expect((shown?.x ?? 0) + (shown?.width ?? 0)).toBeLessThanOrEqual(held?.x ?? 0)
})

test('a tag of 60 characters stays in the column, and its controls on the screen', async ({ workspace }) => {
  const page = await workspace.open()
  const connection = await usePractice(page)
  await ask(page, 'verification.run', {
    runId: randomUUID(),
    connectionId: connection.id,
    operation: 'get-applicant-details',
    input: { applicant_id: 'APP-1' }
  })
  const tag = 'enhanced-due-diligence-after-a-change-of-beneficial-owner-26'
  await ask(page, 'applicants.tag', { applicantId: 'APP-1', tags: [tag, 'vip'] })
  for (const width of [1280, 1024, 900]) {
    await resizeWindow(page, { width, height: 800 })
    const applicant = new ApplicantPage(page)
    await applicant.open('APP-1')
    for (const control of [
      page.getByRole('button', { name: `Remove tag ${tag}` }),
      page.getByRole('combobox', { name: 'New tag' }),
      applicant.due.root
    ]) {
      const { x, width: wide } = (await control.boundingBox())!
      expect(x + wide, `right edge at ${width} px`).toBeLessThanOrEqual(width)
    }
    await expect
      .poll(() => page.getByRole('main').evaluate((main) => main.scrollWidth - main.clientWidth), {
        message: `at ${width} px`
      })
      .toBe(0)
  }
})
