/** The support file from the window, saved where the host saves files. */
import { readFileSync } from 'node:fs'
import type { SupportBundle } from '#contract/app/support.ts'
import { expect, test } from './fixtures/workspace.ts'
import { goTo } from './pages/go.ts'

test('help saves a support file and says where', async ({ workspace }) => {
  const page = await workspace.open()
  await goTo(page, '/about', 'About')
  await page.getByRole('button', { name: 'Save support file' }).press('Enter')
  const toast = page.getByTestId('toast')
  await expect(toast).toContainText('Support file saved as')
  const path = /saved as (\S+\.json)/.exec((await toast.textContent()) ?? '')?.[1] ?? ''
  expect((JSON.parse(readFileSync(path, 'utf8')) as SupportBundle).format).toBe('veridesk-support')
})
