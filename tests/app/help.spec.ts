/** The help beside a page, by keyboard alone: it pushes, says what is about the page, and is searched. */
import { inspect } from './fixtures/axe.ts'
import { runCheck } from './fixtures/scene.ts'
import { resizeWindow } from './fixtures/window-size.ts'
import { expect, test, usePractice } from './fixtures/workspace.ts'
import { goTo } from './pages/go.ts'
import { Shell } from './pages/shell.ts'

test('help opens beside the page, finds paragraphs, and gives the focus back', async ({ workspace }) => {
  const page = await workspace.open()
  const connection = await usePractice(page)
  await runCheck(page, connection.id, 'get-applicant-details', { applicant_id: 'APP-1' })
  await goTo(page, '/queue', 'Queue')
  const { help, main, shortcuts } = new Shell(page)
  await page.getByRole('banner').getByRole('button', { name: 'Help' }).focus()
  await page.keyboard.press('Enter')
  await expect(help.getByRole('searchbox')).toBeFocused()
  await expect(help.getByRole('button', { name: 'The queue' })).toHaveAttribute('aria-expanded', 'true')
  await expect(help).toContainText('Interpret the newest message')
  // It covers nothing of the page.
  const [box, beside] = [await main.boundingBox(), await help.boundingBox()]
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual((beside?.x ?? 0) + 1)
  expect(Math.round(beside?.width ?? 0)).toBe(376)
  await inspect(page, 'the help')
  await page.keyboard.type('recovery key')
  await expect(help.getByRole('button', { name: 'Data management' })).toBeVisible()
  await help.getByRole('searchbox').fill('documnts')
  await expect(help.getByRole('status')).toContainText('Nothing found for “documnts”')
  await expect(help.locator('h4')).toHaveCount(3)
  await expect(help.locator('h4').first()).toHaveText('Documents')
  await help.getByRole('searchbox').fill('')
  await help.getByRole('button', { name: 'All keys' }).press('Enter')
  await expect(shortcuts).toBeVisible()
  await page.keyboard.press('Escape')
  await goTo(page, '/catalogue', 'Catalogue')
  await expect(help.getByRole('button', { name: 'Interpretation and decision' })).toBeVisible()
  // A term opens its paragraph, also one that is not about the page, and the focus goes there.
  await resizeWindow(page, { width: 1900, height: 900 })
  await goTo(page, '/history', 'History')
  await main.getByRole('columnheader', { name: 'Interpretation' }).focus()
  await page.keyboard.press('Enter')
  const paragraph = help.getByRole('button', { name: 'Interpretation and decision' })
  await expect(paragraph).toBeFocused()
  await expect(paragraph).toHaveAttribute('aria-expanded', 'true')
  await expect(help.getByText('An interpretation', { exact: true })).toBeInViewport()
  await resizeWindow(page, { width: 900, height: 600 })
  await expect(main).toBeHidden()
  await help.getByRole('searchbox').focus()
  await page.keyboard.press('Escape')
  await expect(help).toHaveCount(0)
  await expect(main).toBeVisible()
})
