/** At 900 x 600 every entry of the side bar is in sight, and no page of the records scrolls sideways. */
import { randomUUID } from 'node:crypto'
import { ask, expect, test, usePractice } from './fixtures/desk.ts'
import { ApplicantPage, ApplicantsPage, CataloguePage, QueuePage } from './pages/applicants.ts'
import { AuditPage, EvidencePage, KeepingPage } from './pages/records.ts'
import { Shell } from './pages/shell.ts'

test('the side bar shows all and the pages fit', async ({ desk }) => {
  const page = await desk.open()
  await desk.sitting().resize(900, 600)
  const connection = await usePractice(page)
  const id = `a-long-id-of-a-foreign-system-${'x'.repeat(60)}`
  await ask(page, 'verification.run', { runId: randomUUID(), connectionId: connection.id, operation: 'get-applicant-details', input: { applicant_id: id } })
  const { navigation, heading } = new Shell(page)
  await expect(heading).toBeVisible()
  const hidden = await navigation.evaluate((bar) => ({
    scrolls: bar.scrollHeight > bar.clientHeight,
    outside: [...bar.querySelectorAll('a')].filter((link) => link.getBoundingClientRect().bottom > innerHeight).map((link) => link.textContent),
    low: [...bar.querySelectorAll('a')].filter((link) => link.getBoundingClientRect().height < 24).map((link) => link.textContent)
  }))
  expect(hidden).toEqual({ scrolls: false, outside: [], low: [] })
  const views = [new ApplicantsPage(page), new QueuePage(page), new CataloguePage(page), new AuditPage(page), new EvidencePage(page), new KeepingPage(page)]
  for (const open of [...views.map((view) => view.open), () => new ApplicantPage(page).open(id)]) {
    await open()
    const what = await heading.innerText()
    await expect(page.getByRole('main').locator('[aria-busy="true"]')).toHaveCount(0)
    const wide = await page.getByRole('main').evaluate((main) => [main, ...main.querySelectorAll('*')]
      .filter((element) => {
        const { overflowX } = getComputedStyle(element)
        const scrolls = (overflowX === 'auto' || overflowX === 'scroll') && element.scrollWidth > element.clientWidth + 1
        return element.checkVisibility() && (scrolls || (element.matches('button, a, input, select') && element.getBoundingClientRect().right > innerWidth + 1))
      })
      .map((element) => element.outerHTML.slice(0, 120)))
    expect.soft(wide, what).toEqual([])
  }
})
