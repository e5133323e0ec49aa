/** Printing: what is on paper, in both sizes and themes, and the event that each printing leaves. */
import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { ask, expect, test, usePractice } from './fixtures/workspace.ts'
import { readPdf, type ReadPdf } from './fixtures/pdf.ts'
import { goTo } from './pages/go.ts'
import { Shell } from './pages/shell.ts'

test.slow()

const sizes = { A4: [8.27, 11.69], Letter: [8.5, 11] } as const

/** What the system would print now. */
async function paper(page: Page, size: keyof typeof sizes = 'A4'): Promise<ReadPdf> {
  const devTools = await page.context().newCDPSession(page)
  const [paperWidth, paperHeight] = sizes[size]
  const { data } = await devTools.send('Page.printToPDF', { paperWidth, paperHeight, printBackground: true })
  await devTools.detach()
  return readPdf(Buffer.from(data, 'base64'))
}
/** The print dialog belongs to the system and cannot be driven: the page stays as it is handed to it. */
const holdDialog = (page: Page): Promise<void> => page.evaluate(() => void (window.print = () => undefined))
const inOne = (text: string): string => text.normalize('NFKC').replace(/\s+/g, '')
const times = (text: string, part: string): number => text.split(inOne(part)).length - 1
const printed = async (page: Page): Promise<string[]> =>
  (await ask(page, 'audit.page', { limit: 200 })).events
    .filter(({ words }) => words.startsWith('Print'))
    .map(({ words }) => words)

test('a record and an applicant are printed with their mark, mode, person and time, and each printing is an event', async ({
  workspace
}) => {
  const page = await workspace.open()
  const connection = await usePractice(page, { theme: 'dark' })
  const run = (applicant_id: string) =>
    ask(page, 'verification.run', {
      runId: randomUUID(),
      connectionId: connection.id,
      operation: 'get-applicant-details',
      input: { applicant_id },
      repeatAnyway: true
    })
  const ending = await run('APP-1')
  if (ending.kind !== 'recorded') throw new Error(ending.kind)
  await ask(page, 'applicants.note', { applicantId: 'APP-1', text: 'Rang the applicant.' })
  await holdDialog(page)

  // Without the command nothing personal reaches paper.
  await goTo(page, `/history/${ending.record.id}`)
  const refused = await paper(page)
  expect(refused.text).toContain(inOne('so that the audit trail notes what was printed'))
  expect(refused.text).not.toContain('APP-1')
  expect(await printed(page)).toEqual([])

  await page.keyboard.press('ControlOrMeta+p')
  await expect(page.getByTestId('print-sheet')).toBeAttached()
  const record = await paper(page)
  for (const words of [
    'PERSONAL DATA',
    'SANDBOX',
    'Printed by',
    'Applicant details retrieved successfully.',
    'APP-1',
    '"date_of_birth"',
    'Page 1 of'
  ])
    expect(record.text).toContain(inOne(words))
  expect(record.text).not.toContain(inOne('Queue'))
  expect(await printed(page)).toEqual(['Print (record) with 10 entries.'])
  // The sheet is gone with the printing, so that it is not printed again without an event.
  await expect(page.getByTestId('print-sheet')).toHaveCount(0)

  for (let n = 0; n < 40; n += 1)
    await ask(page, 'applicants.note', { applicantId: 'APP-1', text: `Note ${n}: ${'a long text '.repeat(12)}` })
  await goTo(page, '/applicants/APP-1', /APP-1/)
  for (const size of ['A4', 'Letter'] as const) {
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('combobox', { name: /^Go to/ }).fill('print')
    await page.getByRole('option', { name: /^Print/ }).click()
    await expect(page.getByTestId('print-sheet')).toBeAttached()
    const applicant = await paper(page, size)
    expect(applicant.pages).toBeGreaterThan(1)
    for (const words of [
      'Applicant APP-1',
      'Newest details: message',
      'Rang the applicant.',
      'Note 39:',
      'all of them'
    ])
      expect(applicant.text).toContain(inOne(words))
    // The head and the column headings are on every page.
    expect(times(applicant.text, 'PERSONAL DATA')).toBe(applicant.pages)
    expect(times(applicant.text, 'By or connection')).toBe(applicant.pages)
    expect(applicant.text).toContain(inOne(`Page ${applicant.pages} of ${applicant.pages}`))
  }
  expect(await printed(page)).toHaveLength(3)
})

test('the queue is printed whole, with the rows that are not on the screen', async ({ workspace }) => {
  const page = await workspace.open()
  const connection = await usePractice(page)
  for (let n = 0; n < 60; n += 1)
    await ask(page, 'verification.run', {
      runId: randomUUID(),
      connectionId: connection.id,
      operation: 'get-applicant-details',
      input: { applicant_id: `QUEUED-${100 + n}` }
    })
  await holdDialog(page)
  await goTo(page, '/queue', 'Queue')
  await page.keyboard.press('ControlOrMeta+p')
  await expect(page.getByTestId('print-sheet')).toBeAttached()
  const queue = await paper(page)
  expect(queue.text).toContain(inOne('60 items, all of them.'))
  for (let n = 0; n < 60; n += 1) expect(queue.text).toContain(`QUEUED-${100 + n}`)
  expect(times(queue.text, 'Assignee and tags')).toBe(queue.pages)
  expect(await printed(page)).toEqual(['Print (queue) with 60 entries.'])
  // A page without personal data says what can be printed.
  await goTo(page, '/administration/settings', 'Settings')
  await page.keyboard.press('ControlOrMeta+p')
  await expect(new Shell(page).page.getByTestId('toast')).toContainText('Nothing to print on this page.')
})
