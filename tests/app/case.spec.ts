/** A case in the queue: what is in sight without scrolling, its keys, and what screen-share mode leaves of it. */
import type { OperationId } from '#contract/verification/operations.ts'
import type { Page } from '@playwright/test'
import { imageLink } from '#core/sample/examples.ts'
import { inspect } from './fixtures/axe.ts'
import { runCheck } from './fixtures/scene.ts'
import { resizeWindow } from './fixtures/window-size.ts'
import { ask, expect, test, usePractice } from './fixtures/workspace.ts'
import { QueuePage } from './pages/applicants.ts'
import { goTo } from './pages/go.ts'

const id = 'SAMPLE-0020'

/** An applicant as the sample data has them, whose documents open at once. */
async function furnished(page: Page): Promise<QueuePage> {
  const connection = await usePractice(page)
  const { name, baseUrl, mode, colour, mark } = connection
  await ask(page, 'connections.save', {
    ...{ id: connection.id, name, baseUrl, mode, colour, mark },
    documents: { openAutomatically: true, privateAddresses: true }
  })
  const operation: OperationId = 'validate-applicant-documents'
  const link = (field: string): string => imageLink(baseUrl, operation, field, 'pass', id)
  await runCheck(page, connection.id, 'get-applicant-details', { applicant_id: id })
  await runCheck(page, connection.id, operation, {
    applicant_id: id,
    photo_document_url: link('photo_document_url'),
    id_document_url: link('id_document_url')
  })
  return new QueuePage(page)
}

test('at 1024 x 700, a document, the first value, the three decisions and the button that records are in sight', async ({
  workspace
}) => {
  const page = await workspace.open()
  const queue = await furnished(page)
  await resizeWindow(page, { width: 1024, height: 700 })
  await goTo(page, `/queue?open=a:${id}`)
  await expect(page.getByTestId('document').first()).toBeInViewport({ ratio: 0.9 })
  await expect(queue.pane.getByTestId('value').first()).toBeInViewport({ ratio: 0.9 })
  for (const decision of ['Approve', 'Decline', 'Escalate'] as const)
    await expect(queue.applicant.choice(decision)).toBeInViewport({ ratio: 1 })
  await expect(queue.applicant.record).toBeInViewport({ ratio: 1 })
  await inspect(page, 'a case at 1024 pixels')
  // Nothing is chosen yet: the button says so, and leads there.
  await queue.applicant.record.click()
  await expect(queue.applicant.panel).toContainText('Choose a decision first.')
  await expect(queue.applicant.choice('Approve')).toBeFocused()
})

test('at 400 per cent a case is one column of four parts, and the side bar a menu', async ({ workspace }) => {
  const page = await workspace.open()
  const queue = await furnished(page)
  await resizeWindow(page, { width: 320, height: 640 })
  await goTo(page, `/queue?open=a:${id}`)
  const parts = page.getByRole('navigation', { name: 'Parts of the case' })
  await expect(parts.getByRole('button')).toHaveText(['Documents', 'Values', 'Answers', 'Decide'])
  for (const part of ['Values', 'Answers', 'Documents']) {
    await parts.getByRole('button', { name: part, exact: true }).click()
    // A decision is in sight from everywhere.
    for (const decision of ['Approve', 'Decline', 'Escalate'])
      await expect(page.getByRole('button', { name: decision, exact: true })).toBeInViewport({ ratio: 1 })
    const beyond = await page.evaluate(() =>
      [...document.querySelectorAll('*')]
        .filter((each) => each.checkVisibility() && /auto|scroll/.test(getComputedStyle(each).overflowX))
        .filter((each) => each.scrollWidth > each.clientWidth + 1)
        .map((each) => each.outerHTML.slice(0, 100))
    )
    expect(beyond, part).toEqual([])
  }
  await inspect(page, 'a case at 320 pixels')
  await page.getByRole('button', { name: 'Decline', exact: true }).click()
  await expect(queue.applicant.choice('Decline')).toHaveAttribute('aria-pressed', 'true')
  await expect(queue.applicant.record).toBeInViewport({ ratio: 1 })

  const menu = page.getByRole('button', { name: 'Menu', exact: true })
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await expect(navigation).toBeHidden()
  await menu.press('Enter')
  await expect(navigation.getByRole('link', { name: /^Queue/ })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(menu).toBeFocused()
  await menu.press('Enter')
  await navigation.getByRole('link', { name: 'History' }).click()
  await expect(navigation).toBeHidden()
})

test('the borders of a case are moved by keyboard and pointer, kept, and reset', async ({ workspace }) => {
  const page = await workspace.open()
  const queue = await furnished(page)
  await resizeWindow(page, { width: 1440, height: 900 })
  await goTo(page, `/queue?open=a:${id}`)
  const rail = page.getByRole('complementary', { name: 'Decision and notes' })
  const documents = queue.pane.getByRole('region', { name: 'Documents', exact: true })
  const width = async (of: typeof rail): Promise<number> => Math.round((await of.boundingBox())?.width ?? 0)
  const height = async (of: typeof rail): Promise<number> => Math.round((await of.boundingBox())?.height ?? 0)
  await expect(documents.getByTestId('document').first()).toBeVisible()
  const before = await width(rail)
  const border = page.getByRole('separator', { name: 'Width of the decision' })
  await border.press('ArrowLeft')
  await expect.poll(() => width(rail)).toBe(before + 16)
  await expect(border).toHaveAttribute('aria-valuenow', String(before + 16))
  // It is kept for this width, and no other.
  await resizeWindow(page, { width: 1024, height: 700 })
  await expect.poll(() => width(rail)).toBeLessThan(before + 16)
  await resizeWindow(page, { width: 1440, height: 900 })
  await expect.poll(() => width(rail)).toBe(before + 16)
  await expect.poll(async () => Object.keys((await ask(page, 'app.state')).settings.paneSizes)).toEqual(['rail L'])
  await border.press('Enter')
  await expect.poll(() => width(rail)).toBe(before)

  const tall = await height(documents)
  const lower = page.getByRole('separator', { name: 'Height of the documents' })
  const { x, y } = (await lower.boundingBox())!
  await page.mouse.move(x + 50, y + 6)
  await page.mouse.down()
  await page.mouse.move(x + 50, y + 66, { steps: 3 })
  await page.mouse.up()
  await expect.poll(() => height(documents)).toBe(tall + 60)
  await lower.dblclick()
  await expect.poll(() => height(documents)).toBe(tall)

  const list = page.getByRole('separator', { name: 'Width of the list' })
  await list.press('End')
  await expect(list).toHaveAttribute('aria-valuenow', '640')
  await inspect(page, 'a case with moved borders')
  await list.press('Enter')
  await expect.poll(async () => (await ask(page, 'app.state')).settings.paneSizes).toEqual({})
})

test('a link leads past everything to the decision', async ({ workspace }) => {
  const page = await workspace.open()
  const queue = await furnished(page)
  await goTo(page, `/queue?open=a:${id}`)
  await expect(queue.applicant.choice('Approve')).toBeVisible()
  await page.getByRole('link', { name: 'Skip to decision' }).press('Enter')
  await expect(queue.applicant.choice('Approve')).toBeFocused()
  await goTo(page, '/overview')
  await expect(page.getByRole('link', { name: 'Skip to decision' })).toHaveCount(0)
})

test('the keys of a case reach its documents, the check and the notes, and lead back', async ({ workspace }) => {
  const page = await workspace.open()
  const queue = await furnished(page)
  await goTo(page, `/queue?open=a:${id}`)
  const documents = queue.pane.getByRole('region', { name: 'Documents', exact: true })
  await expect(documents.getByTestId('document').first()).toBeVisible()
  await queue.heading.focus()
  const beside = documents.getByRole('button', { name: 'Side by side' })
  const before = await beside.getAttribute('aria-pressed')
  await page.keyboard.press('x')
  await expect(beside).not.toHaveAttribute('aria-pressed', before ?? '')
  await page.keyboard.press('w')
  await expect(documents.getByRole('button', { name: /full width/i })).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('Escape')
  await expect(documents.getByRole('button', { name: /full width/i })).toHaveAttribute('aria-pressed', 'false')
  // In the image now: it is turned and made larger.
  const image = documents.getByTestId('document').first()
  const upright = await image.evaluate((found) => found.style.transform)
  await page.keyboard.press('r')
  await expect.poll(() => image.evaluate((found) => found.style.transform)).not.toBe(upright)
  await page.keyboard.press('v')
  const check = queue.pane.getByRole('region', { name: 'Check', exact: true })
  await expect(check).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(check).toHaveCount(0)
  await expect(queue.heading).toBeFocused()
  await page.keyboard.press('ControlOrMeta+3')
  await expect(check.getByRole('form')).toBeVisible()
  await page.keyboard.press('Escape')
  // From the list beside it as well; and the page itself does not scroll beside its panes.
  await page.getByRole('grid', { name: /^Queue/ }).focus()
  await page.keyboard.press('v')
  await expect(check).toBeVisible()
  await expect.poll(() => page.locator('#main').evaluate((main) => main.scrollHeight - main.clientHeight)).toBe(0)
  await page.keyboard.press('Escape')
  await page.keyboard.press('n')
  await expect(queue.pane.getByRole('textbox', { name: 'New note' })).toBeFocused()
  await page.keyboard.press('Escape')
  await page.keyboard.press('i')
  await expect(page.getByRole('dialog', { name: 'Interpretation' })).toBeVisible()
})
