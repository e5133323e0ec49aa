/** The command palette: what it finds, and where it leads. */
import { randomUUID } from 'node:crypto'
import { ask, expect, test, usePractice } from './fixtures/workspace.ts'
import { newBatch } from './fixtures/batch.ts'
import { settingPlaces } from '../../renderer/features/settings/setting-places.ts'
import { sectionPlaces } from '../../renderer/features/palette/palette-commands.ts'
import { copiedBy } from './fixtures/clipboard.ts'
import { runCheck } from './fixtures/scene.ts'
import { goTo } from './pages/go.ts'
import { linkTo } from '#contract/app/link-to.ts'
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

test(
  'what is typed and pressed before the list of the palette has loaded is not lost',
  { tag: '@preview-only' },
  async ({ workspace }) => {
    const page = await workspace.open()
    await usePractice(page)
    const list = Promise.withResolvers<undefined>()
    await page.route(/PaletteList/, async (route) => {
      await list.promise
      await route.continue()
    })
    await page.reload()
    const shell = new Shell(page)
    await shell.heading.first().waitFor()
    await shell.openPalette()
    await page.keyboard.type('catal')
    await page.keyboard.press('Enter')
    await page.keyboard.type('ogue')
    await expect(shell.palette.getByRole('combobox'), 'Enter is for what was typed before it').toHaveValue('catal')
    await expect(shell.palette.getByRole('option')).toHaveCount(0)
    list.resolve(undefined)
    await expect(shell.heading).toHaveText('Catalogue')
    await expect(shell.palette).toHaveCount(0)
  }
)

test('the palette finds actions, settings and sections by what people type, and leads to their control', async ({
  workspace
}) => {
  // Some forty places, one after another.
  test.setTimeout(120_000)
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
    await shell.palette.getByRole('combobox').fill(label)
    await shell.palette.getByRole('option', { name: new RegExp(`^${label} Administration, Settings`) }).click()
    // A list of reasons can be higher than the window.
    await expect(page.locator(`[data-setting="${label}"] :focus`), label).toBeInViewport({ ratio: 1 })
  }
  for (const [id, label] of sectionPlaces) {
    await shell.openPalette()
    await shell.palette.getByRole('combobox').fill(label)
    await shell.palette
      .getByRole('option', { name: `${label} Administration, Data management Settings`, exact: true })
      .click()
    await expect(page.locator(`[aria-labelledby="${id}"] :focus`), label).toBeInViewport({ ratio: 1 })
  }
})

test('in a case the palette does what applies to it, leaves it with Backspace, and names nobody while data is hidden', async ({
  workspace
}) => {
  const page = await workspace.open()
  const connection = await usePractice(page)
  await runCheck(page, connection.id, 'get-applicant-details', { applicant_id: 'SAMPLE-0020' })
  await goTo(page, '/queue?open=a:SAMPLE-0020')
  const shell = new Shell(page)
  const field = shell.palette.getByRole('combobox')
  const group = (name: string) => shell.palette.getByRole('group', { name, exact: true }).getByRole('option')
  await expect(page.getByRole('button', { name: 'Approve, key A' })).toBeVisible()
  await shell.openPalette()
  await expect(group('This case').first()).toContainText('Approve')
  await page.keyboard.type('ap')
  await expect(group('This case').first()).toHaveAttribute('aria-selected', 'true')
  await expect(group('This case').nth(1)).toContainText('Ask for approval')
  await expect(group('This case')).toContainText([/Get applicant details.*Sends 1 request to/])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Approve, key A' })).toHaveAttribute('aria-pressed', 'true')

  // What was open before is offered first; without the context nothing else is.
  await goTo(page, '/overview', 'Overview')
  await shell.openPalette()
  await expect(group('This case')).toHaveCount(0)
  await page.keyboard.type('approve')
  await expect(shell.palette.getByTestId('palette-why')).toContainText('“Approve” does not apply here. Open a case')
  await field.fill('')
  await expect(group('Recent').first()).toContainText('Applicant, opened')
  await page.keyboard.press('Enter')
  await expect(shell.heading).toContainText('SAMPLE-0020')
  await shell.openPalette()
  await page.keyboard.press('Backspace')
  await expect(group('This case')).toHaveCount(0)
  await page.keyboard.press('Escape')

  await shell.openPalette()
  await page.keyboard.type('copy link')
  await expect(group('This case')).toHaveCount(1)
  expect(await copiedBy(page, () => page.keyboard.press('Enter'), 'Copied: Link')).toBe(
    linkTo({ page: 'applicant', id: 'SAMPLE-0020' })
  )

  await page.keyboard.press('ControlOrMeta+Shift+M')
  await expect(page.getByText('Personal data hidden').first()).toBeVisible()
  await shell.openPalette()
  await expect(shell.palette).toContainText('This case: Person A')
  await expect(group('Recent').first()).toBeVisible()
  await expect(shell.palette).not.toContainText('SAMPLE-0020')
  await expect(field).toBeFocused()
})

test('a record and a batch have a link in their menus', async ({ workspace }) => {
  const page = await workspace.open()
  const connection = await usePractice(page, { lastOperation: 'get-applicant-details' })
  const record = await runCheck(page, connection.id, 'get-applicant-details', { applicant_id: 'SAMPLE-0020' })
  const batch = await newBatch(page, 'applicant_id\nNB-2026-009999')
  await batch.kept()
  await page.getByRole('button', { name: 'More actions' }).click()
  const [made] = await ask(page, 'batches.list', { limit: 1 })
  expect(await copiedBy(page, () => page.getByRole('menuitem', { name: 'Copy link' }).click(), 'Copied: Link')).toBe(
    linkTo({ page: 'batch', id: made?.id ?? '' })
  )
  await goTo(page, `/history/${record}`)
  await page.getByTestId('record').getByRole('button', { name: 'More actions' }).click()
  expect(await copiedBy(page, () => page.getByRole('menuitem', { name: 'Copy link' }).click(), 'Copied: Link')).toBe(
    linkTo({ page: 'record', id: record })
  )
})
