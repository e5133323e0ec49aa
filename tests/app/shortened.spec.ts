/**
 * Shortened IDs and links: the middle is hidden from view; selection, copies, search and screen readers have the whole
 * text once.
 */
import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import type { OperationId } from '#contract/verification/operations.ts'
import { inspect } from './fixtures/axe.ts'
import { resizeWindow } from './fixtures/window-size.ts'
import { ask, expect, test, useService } from './fixtures/workspace.ts'
import { goTo } from './pages/go.ts'
import { HistoryPage } from './pages/history.ts'

const applicant = `APP-${'0123456789'.repeat(9)}-THE-END`
const link = `https://files.example.com/${'a-folder-with-a-long-name/'.repeat(8)}passport-0042.jpg`

async function checked(
  page: Page,
  connectionId: string,
  operation: OperationId,
  input: Record<string, string>
): Promise<void> {
  await ask(page, 'verification.run', { runId: randomUUID(), connectionId, operation, input })
}
/** What a selection of the element's whole content copies. */
const selected = (element: Locator): Promise<string> =>
  element.evaluate((node) => {
    const selection = getSelection()!
    selection.selectAllChildren(node)
    return selection.toString()
  })
/** Whether the text does not fit, and both of its ends are visible in its box. */
const shows = (element: Locator, whole: string) =>
  element.evaluate((node, text) => {
    const box = node.getBoundingClientRect()
    const range = document.createRange()
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT)
    const edges: DOMRect[] = []
    for (let at = walker.nextNode(); at; at = walker.nextNode()) {
      if (at.textContent === '') continue
      range.selectNodeContents(at)
      edges.push(range.getBoundingClientRect())
    }
    const within = edges.every(({ left, right }) => left >= box.left - 1 && right <= box.right + 1)
    return { whole: node.textContent === text, within, ellipsis: node.querySelector('.dots') !== null }
  }, whole)

test('a shortened id or address is selected, found and read as one text', async ({ workspace, practice }) => {
  const page = await workspace.open()
  const connection = await useService(page, practice)
  await checked(page, connection.id, 'get-applicant-details', { applicant_id: applicant })
  await checked(page, connection.id, 'validate-passport', { id_url: link })
  const history = new HistoryPage(page)
  await history.open()
  const cellOf = (row: number): Locator => history.cell(row, 'subject')
  const address = link.replace('https://', '')
  for (const size of [
    { width: 1440, height: 900 },
    { width: 1024, height: 700 }
  ]) {
    await resizeWindow(page, size)
    for (const [row, text] of [
      [2, applicant],
      [1, address]
    ] as const) {
      const cell = cellOf(row)
      await expect(cell.locator('bdi')).toHaveText(text)
      expect(await selected(cell)).toBe(text)
      await expect(cell).toHaveAccessibleName(text)
      const tree = await cell.ariaSnapshot()
      expect(tree.split(text)).toHaveLength(2)
      await expect.poll(() => shows(cell.locator('bdi'), text)).toEqual({ whole: true, within: true, ellipsis: true })
    }
  }
  await inspect(page, 'shortened texts')

  // By mouse, from the beginning of the text to its end: the text is copied in full, and the row does not open.
  const box = (await cellOf(2).locator('bdi').boundingBox())!
  await page.mouse.move(box.x + 1, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width - 1, box.y + box.height / 2, { steps: 5 })
  await page.mouse.up()
  await expect.poll(() => page.evaluate(() => getSelection()?.toString())).toBe(applicant)
  await expect(history.pane).toHaveCount(0)
  // The visible part of its end can be selected separately. A press inside a selection would drag the text.
  await page.evaluate(() => getSelection()?.removeAllRanges())
  await page.mouse.move(box.x + box.width - 20, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width - 1, box.y + box.height / 2, { steps: 5 })
  await page.mouse.up()
  const part = await page.evaluate(() => getSelection()?.toString() ?? '')
  expect(part.length).toBeGreaterThan(0)
  expect(part.length).toBeLessThan(8)
  expect(applicant.endsWith(part)).toBe(true)
  // Across several rows each text is in one piece.
  await page.evaluate(() => getSelection()?.removeAllRanges())
  const [above, below] = [(await cellOf(1).boundingBox())!, (await cellOf(2).boundingBox())!]
  await page.mouse.move(above.x + 1, above.y + 4)
  await page.mouse.down()
  await page.mouse.move(below.x + below.width - 1, below.y + below.height - 4, { steps: 5 })
  await page.mouse.up()
  const several = await page.evaluate(() => getSelection()?.toString() ?? '')
  expect(several).toContain(address)
  expect(several).toContain(applicant)
  await expect(history.pane).toHaveCount(0)
  // Find in page finds text across the hidden part.
  await page.evaluate(() => getSelection()?.removeAllRanges())
  expect(
    await page.evaluate((text) => (window as unknown as { find(text: string): boolean }).find(text), applicant)
  ).toBe(true)
  await expect.poll(() => page.evaluate(() => getSelection()?.toString())).toBe(applicant)

  // A click without a selection still opens the row.
  await cellOf(2).click()
  await expect(history.pane).toBeVisible()
})

test('in the other lists, and where colours are forced', async ({ workspace, practice }) => {
  const page = await workspace.open()
  const connection = await useService(page, practice)
  await checked(page, connection.id, 'validate-applicant-id-document', { applicant_id: applicant, document_url: link })
  await resizeWindow(page, { width: 1024, height: 700 })
  await page.emulateMedia({ forcedColors: 'active' })
  await goTo(page, '/applicants', 'Applicants')
  const cell = page
    .getByRole('row')
    .filter({ hasText: 'THE-END' })
    .locator('[role="gridcell"][data-column="applicant"]')
  await expect(cell).toHaveAccessibleName(applicant)
  expect(await selected(cell)).toBe(applicant)
  await expect.poll(() => shows(cell.locator('bdi'), applicant)).toMatchObject({ whole: true, within: true })
})
