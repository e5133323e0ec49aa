/** Nothing jumps: what a view shows first is still in its place when all of its answers have arrived. */
import type { Page } from '@playwright/test'
import { operationOf } from '#contract/verification/operations.ts'
import { ask, expect, test, usePractice } from './fixtures/workspace.ts'
import { furnish, makeBatch, people, runCheck } from './fixtures/scene.ts'
import { placesOf } from './fixtures/places.ts'
import { resizeWindow } from './fixtures/window-size.ts'
import { QueuePage } from './pages/applicants.ts'
import { goTo } from './pages/go.ts'

/** As reported by the browser (Layout Instability). */
interface Shift {
  readonly startTime: number
  readonly sources: readonly {
    readonly node: Node | null
    readonly previousRect: DOMRect
    readonly currentRect: DOMRect
  }[]
}
interface Moved {
  readonly at: number
  readonly what: string
}
type Watched = Window & { shifts?: Moved[] }

/** Records each element in the page that moves without user input. */
const watchShifts = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const shifts: Moved[] = []
    ;(window as Watched).shifts = shifts
    const place = ({ x, y }: DOMRect): string => `${x.toFixed(0)}, ${y.toFixed(0)}`
    new PerformanceObserver((list) => {
      for (const { startTime, sources } of list.getEntries() as unknown as Shift[])
        for (const { node, previousRect, currentRect } of sources)
          shifts.push({
            at: startTime,
            what: `“${(node?.textContent ?? '').trim().slice(0, 60)}” from ${place(previousRect)} to ${place(currentRect)}`
          })
    }).observe({ type: 'layout-shift' })
  })

test('no view moves its content while answers arrive', async ({ workspace }) => {
  test.setTimeout(240_000)
  const page = await workspace.open()
  // The whole view is visible, since movement beyond the window's edge affects users who scroll.
  await resizeWindow(page, { width: 1280, height: 2600 })
  const { photoRecord, batches } = await furnish(page, (await usePractice(page)).id)
  // The erasure among the furnishings is told below the content, which takes that space back.
  await expect(page.getByTestId('toast')).toHaveCount(0)
  await watchShifts(page)
  const running = `/batches/${batches.running}`
  const paths = [
    running,
    '/verify/get-applicant-details',
    '/overview',
    '/history',
    `/history/${photoRecord}`,
    '/batches',
    '/batches/new',
    ...[batches.finished, batches.paused, batches.made].map((id) => `/batches/${id}`),
    '/applicants',
    `/applicants/${people.approved}`,
    `/applicants/${people.escalated}`,
    '/queue',
    '/catalogue',
    '/audit',
    '/evidence',
    '/evidence/trust',
    '/administration/data-management',
    '/administration/connections',
    '/administration/settings',
    '/administration/team'
  ]
  for (const path of paths) {
    // From another view each time: from one batch to the next the same lines get other text. An operation is reached from the
    // list of operations, which is open then.
    await (path.startsWith('/verify/')
      ? goTo(page, '/verify/validate-passport', operationOf('validate-passport').title)
      : goTo(page, '/about', 'About'))
    // What opens or closes by leaving the view before belongs to that, however late it is reported.
    const since = await page.evaluate(
      () =>
        new Promise<number>((resolve) =>
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now())))
        )
    )
    await goTo(page, path)
    await expect(page.getByRole('main').locator('[aria-busy="true"]')).toHaveCount(0)
    await page.waitForTimeout(450)
    const shifts = await page.evaluate(() => (window as Watched).shifts ?? [])
    expect
      .soft(
        shifts.filter(({ at }) => at >= since).map(({ what }) => what),
        path
      )
      .toEqual([])
    // From here on nothing is added: a new row at the top of a list moves the others, as it should.
    if (path === running) await ask(page, 'batches.pause', { id: batches.running })
  }
  // A list that needs a scrollbar leaves its columns where they are.
  await goTo(page, '/applicants')
  const grid = page.getByRole('main').getByRole('grid')
  await expect(grid.getByRole('row').nth(8)).toBeVisible()
  const sizes = (): Promise<{ columns: number; scrolls: boolean }> =>
    grid.evaluate(({ clientWidth, clientHeight, scrollHeight }) => ({
      columns: clientWidth,
      scrolls: scrollHeight > clientHeight
    }))
  const { columns, scrolls } = await sizes()
  expect(scrolls).toBe(false)
  await resizeWindow(page, { width: 1280, height: 600 })
  await expect.poll(sizes).toEqual({ columns, scrolls: true })
})

test('the head of a running batch stays in its place while its figures and its time get longer', async ({
  workspace
}) => {
  const page = await workspace.open()
  await resizeWindow(page, { width: 1280, height: 860 })
  const { id: connection } = await usePractice(page)
  const rows = Array.from({ length: 120 }, (_, at) => `APP-${at}`)
  const { id } = await makeBatch(page, connection, 'get-applicant-details', 'Slow', ['applicant_id', ...rows], 60)
  await ask(page, 'batches.start', { id })
  await goTo(page, `/batches/${id}`)
  const answered = page.getByTestId('count-answered')
  await expect(answered).toHaveText(/^\d$/)
  // They come with the first answer, above the rows.
  await expect(page.getByRole('heading', { name: '1 message' })).toBeVisible()
  await page.waitForTimeout(450)
  await watchShifts(page)
  await expect(answered).toHaveText(/^1[2-9]$/, { timeout: 20_000 })
  expect((await page.evaluate(() => (window as Watched).shifts ?? [])).map(({ what }) => what)).toEqual([])
})

test('no filter moves when a value is chosen, wide or narrow', async ({ workspace }) => {
  const page = await workspace.open()
  const { id } = await usePractice(page)
  for (const applicant_id of ['APP-1', 'APP-2']) await runCheck(page, id, 'get-applicant-details', { applicant_id })
  const details = operationOf('get-applicant-details').title
  const views = {
    '/applicants': {
      State: 'Pending decision',
      Due: 'No due date',
      Assignee: 'Unassigned',
      Country: '',
      Tag: '',
      Connection: ''
    },
    '/history': {
      ...{
        Operation: details,
        Outcome: 'Answered',
        Interpretation: 'Unreviewed',
        Status: '200',
        Connection: '',
        Message: ''
      },
      ...{ Batch: '', Operator: '', Period: '' }
    },
    '/catalogue': { Interpretation: 'Unreviewed', Operation: details, HTTP: '200' }
  }
  const filters = new QueuePage(page)
  const main = page.getByRole('main')
  for (const width of [1280, 840]) {
    await resizeWindow(page, { width, height: 800 })
    for (const [path, values] of Object.entries(views)) {
      await goTo(page, path)
      const labels = Object.keys(values)
      const places = () =>
        placesOf([main.getByRole('grid'), main.getByRole('textbox').first(), ...labels.map(filters.filter)])
      await expect(main.locator('[aria-busy="true"]')).toHaveCount(0)
      await expect(main.getByRole('grid')).toBeVisible()
      const before = await places()
      for (const [label, value] of Object.entries(values).filter(([, each]) => each !== '')) {
        await filters.choose(label, value)
        await expect(filters.filter(label)).toHaveAccessibleName(new RegExp(value))
        expect(await places(), `${path} ${label}`).toEqual(before)
      }
    }
  }
})
