/** A large history in the window: an applicant of 1,000 checks opens at once, and 100,000 events are verified in sight. */
import { busyApplicant, busyChecks } from '../../scripts/seed-busy.ts'
import { expect, useService } from './fixtures/desk.ts'
import { clickToPaint, statistics, words } from './fixtures/felt.ts'
import { events, test } from './fixtures/large.ts'
import { watchMachine } from './fixtures/machine.ts'
import { ApplicantPage, ApplicantsPage } from './pages/applicants.ts'
import { AuditPage } from './pages/records.ts'

// Recording what the window shows would take the time that is measured here.
test.use({ alone: true, trace: 'off', screenshot: 'off' })
// One worker makes the history for both.
test.describe.configure({ mode: 'default' })

test('an applicant of 1,000 checks opens within 200 ms of the click', async ({ desk, practice, largeHistory: _ }) => {
  test.setTimeout(90_000)
  const watch = await watchMachine()
  const page = await desk.open()
  // The day's backup begins half a minute after the start; it has tests of its own.
  await useService(page, practice, {}, { backupHours: 0 })
  const applicants = new ApplicantsPage(page)
  const times: number[] = []
  // The first time is that of a console which has just been started; each later one is an opening anew.
  for (let time = 0; time < 10; time += 1) {
    await applicants.open()
    await applicants.search.fill(busyApplicant)
    await expect(applicants.list.getByRole('row')).toHaveCount(2)
    times.push(await clickToPaint(applicants.row(busyApplicant), 'ol[aria-label^="Timeline"] > li:nth-child(20)'))
  }
  const applicant = new ApplicantPage(page)
  await expect(page.getByText(`${busyChecks.toLocaleString('en')} checks`)).toBeVisible()
  await expect(applicant.checks.first()).toBeInViewport()
  const machine = await watch()
  console.log(`${words('click to painted timeline', times)}, the first ${times[0]?.toFixed(0)} ms; ${machine.words}`)
  const { median, worst } = statistics(times)
  expect(median).toBeLessThan(machine.bound(200))
  if (machine.quiet) expect(worst).toBeLessThan(machine.bound(200))
})

// Two threads share the work (electron/core/history/audit/openings.ts): half the bound on two processors of its own.
// `npm run prove -- --only walk` times them apart from the window.
test('100,000 events are verified within 3 seconds, and the bar shows how far', async ({ desk, practice, largeHistory: _ }) => {
  test.setTimeout(90_000)
  const watch = await watchMachine()
  const page = await desk.open()
  await useService(page, practice, {}, { backupHours: 0 })
  const audit = new AuditPage(page)
  await audit.open()
  await expect(audit.events).toContainText('event')
  expect(Number(/[\d,]+/.exec(await audit.events.innerText())?.[0].replaceAll(',', ''))).toBeGreaterThan(events)
  await page.evaluate(() => {
    const seen: number[] = []
    Object.assign(window, { seen })
    new MutationObserver(() => {
      const bar = document.querySelector<HTMLProgressElement>('progress[aria-label="Events verified"]')
      // Without a value it says only that something goes on.
      if (bar && bar.position >= 0 && bar.value !== seen.at(-1)) seen.push(bar.value)
    }).observe(document.body, { subtree: true, childList: true, attributes: true })
  })
  const took = await clickToPaint(audit.verify, 'section[aria-label="Result of the verification"]')
  const machine = await watch()
  console.log(`click to painted verdict: ${took.toFixed(0)} ms; ${machine.words}`)
  expect(took).toBeLessThan(machine.bound(3000))
  await expect(audit.result).toContainText('The chain is whole')
  const shown = await page.evaluate(() => (window as unknown as { seen: number[] }).seen)
  expect(shown.length, 'the bar stood at several places').toBeGreaterThanOrEqual(5)
  expect(shown, 'the bar only ever goes on').toEqual([...shown].sort((a, b) => a - b))
  expect(shown[0], 'it did not begin at its end').toBeLessThan(50)
})
