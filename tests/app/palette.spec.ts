/** The command palette: what it finds, and where it leads. */
import { randomUUID } from 'node:crypto'
import { ask, expect, test, usePractice } from './fixtures/workspace.ts'
import { newBatch } from './fixtures/batch.ts'
import { settingPlaces } from '../../renderer/features/settings/setting-places.ts'
import { sectionPlaces } from '../../renderer/features/palette/palette-commands.ts'
import { HistoryPage } from './pages/history.ts'
import { DataManagementPage } from './pages/records.ts'
import { Shell } from './pages/shell.ts'

test('the palette finds applicants, records and batches by what they are called', async ({ workspace }) => {
  const page = await workspace.open()
  const connection = await usePractice(page, { lastOperation: 'get-applicant-details' })
  await ask(page, 'verification.run', {
    runId: randomUUID(),
    connectionId: connection.id,
    operation: 'get-applicant-details',
    input: { applicant_id: 'NB-2026-004117' }
  })
  await (await newBatch(page, 'applicant_id\nNB-2026-009999')).kept()
  const shell = new Shell(page)
  const options = shell.palette.getByRole('option')
  await shell.openPalette()
  await page.keyboard.type('NB-2026-004117')
  await expect(options).toHaveCount(2)
  await expect(options.nth(0)).toContainText('Applicants')
  await expect(options.nth(1)).toContainText('Records')
  await page.keyboard.press('Enter')
  await expect(shell.heading).toContainText('NB-2026-004117')
  await shell.openPalette()
  await page.keyboard.type('NB-2026-004117')
  await expect(options).toHaveCount(2)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(new HistoryPage(page).record.sentIn('applicant_id')).toHaveText('NB-2026-004117')
  await shell.openPalette()
  await page.keyboard.type('Pasted rows')
  await expect(options.filter({ hasText: 'Batches' })).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(shell.heading).toHaveText('Pasted rows')
})

test('the palette finds actions, settings and sections by what people type, and leads to their control', async ({
  workspace
}) => {
  const page = await workspace.open()
  await usePractice(page, { theme: 'light' })
  const shell = new Shell(page)
  await shell.paletteGo('dark')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  const data = new DataManagementPage(page)
  for (const [words, place] of [
    ['erase applicant', data.main.getByRole('region', { name: 'Legal hold and erasure' })],
    ['recovery', data.recovery]
  ] as const) {
    await shell.paletteGo(words)
    await expect(place.locator(':focus')).toBeInViewport({ ratio: 1 })
  }
  for (const [label] of settingPlaces) {
    await shell.openPalette()
    await page.keyboard.type(label)
    await shell.palette.getByRole('option', { name: new RegExp(`^${label} Settings`) }).click()
    await expect(page.locator(`[data-setting="${label}"]:focus-within`), label).toBeInViewport({ ratio: 1 })
  }
  for (const [id, label] of sectionPlaces) {
    await shell.openPalette()
    await page.keyboard.type(label)
    await shell.palette.getByRole('option', { name: `${label} Data management`, exact: true }).click()
    await expect(page.locator(`[aria-labelledby="${id}"] :focus`), label).toBeInViewport({ ratio: 1 })
  }
})
