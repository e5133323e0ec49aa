/** Widths of columns: IDs are whole while any other column has space to spare. */
import type { Page } from '@playwright/test'
import { newBatch } from './fixtures/batch.ts'
import { resizeWindow } from './fixtures/window-size.ts'
import { ask, expect, test, usePractice } from './fixtures/workspace.ts'
import { goTo } from './pages/go.ts'

/** For each drawn row, which cells are cut, and which columns are wider than all of their texts. */
const cellsOf = (page: Page): Promise<{ readonly cut: readonly string[]; readonly loose: readonly string[] }> =>
  page
    .getByRole('main')
    .getByRole('grid')
    .evaluate((grid) => {
      const cells = [...grid.querySelectorAll<HTMLElement>('[role="row"] [data-column]')]
      const drawn = cells.map((cell) => cell.getBoundingClientRect().width)
      grid.classList.add('measuring')
      const needed = cells.map((cell) => cell.getBoundingClientRect().width)
      grid.classList.remove('measuring')
      const names = [...new Set(cells.map((cell) => cell.dataset['column'] ?? ''))]
      const of = (name: string): number[] =>
        cells.flatMap((cell, at) => (cell.dataset['column'] === name ? (drawn[at] ?? 0) - (needed[at] ?? 0) : []))
      return {
        cut: names.filter((name) => of(name).some((spare) => spare < -1)),
        loose: names.filter((name) => of(name).every((spare) => spare > 2))
      }
    })

const ids = ['ABCDEFGH-2026-11-27-WXYZ', 'AP-1', 'KLMNOPQR-2026-11-27-0002']

test('no applicant ID of 24 characters is cut while another column is wider than its text', async ({ workspace }) => {
  test.setTimeout(120_000)
  const page = await workspace.open()
  await usePractice(page, { lastOperation: 'get-applicant-details' })
  const form = await newBatch(page, ['applicant_id,branch', ...ids.map((id) => `${id},Vienna`)].join('\n'))
  await form.run()
  const newest = async () => (await ask(page, 'batches.list', { limit: 1 }))[0]
  await expect.poll(async () => (await newest())?.counts.answered).toBe(ids.length)
  const views = [
    ['/queue', 'subject'],
    ['/applicants', 'applicant'],
    ['/history', 'subject'],
    [`/batches/${(await newest())?.id}`, 'c0']
  ] as const
  for (const [path, id] of views) {
    await goTo(page, path)
    await expect(
      page
        .getByRole('main')
        .getByRole('grid')
        .getByText(ids[0] ?? '')
        .first()
    ).toBeVisible()
    for (const [width, height] of [
      [900, 600],
      [1024, 700],
      [1440, 900],
      [2560, 1440]
    ] as const) {
      await resizeWindow(page, { width, height })
      await expect
        .poll(async () => {
          const { cut, loose } = await cellsOf(page)
          return cut.includes(id) ? { path, width, loose } : { path, width, loose: [] }
        })
        .toEqual({ path, width, loose: [] })
      if (width > 1024) expect((await cellsOf(page)).cut, `${path} at ${width}`).not.toContain(id)
    }
  }
})
