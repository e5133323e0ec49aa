/** The fields for choices and dates: by keyboard, by pointer, in dialogs, in narrow windows and within the policy. */
import type { Locator } from '@playwright/test'
import { inspect, violationsOf } from './fixtures/axe.ts'
import { runCheck } from './fixtures/scene.ts'
import { ask, expect, test, usePractice } from './fixtures/workspace.ts'
import { ApplicantPage, QueuePage } from './pages/applicants.ts'
import { DateField } from './pages/fields.ts'
import { AuditPage } from './pages/records.ts'
import { SettingsPage } from './pages/settings.ts'
import { Shell } from './pages/shell.ts'

test('a choice is made by keyboard: by letters, arrow keys and Enter; Escape leaves it as it was', async ({
  workspace
}) => {
  const page = await workspace.open()
  await usePractice(page)
  const audit = new AuditPage(page)
  await audit.open()
  await audit.about.focus()
  await page.keyboard.press('ArrowDown')
  const list = page.getByRole('listbox')
  await expect(list.getByRole('option', { name: 'All categories' })).toBeFocused()
  const { violations } = await (await violationsOf(page)).include('.select-list').disableRules(['region']).analyze()
  expect(violations.map(({ id }) => id)).toEqual([])
  // Letters find a choice, and are no shortcuts.
  await page.keyboard.type('sett')
  await expect(list.getByRole('option', { name: 'Settings' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(audit.about).toHaveText('Settings')
  await expect(audit.about).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Home')
  await page.keyboard.press('Escape')
  await expect(list).toHaveCount(0)
  await expect(audit.about).toHaveText('Settings')
  await expect(audit.about).toBeFocused()
  // The next page replaces this one, with everything that its fields have opened.
  await new Shell(page).open('Connections')
  await expect(new Shell(page).heading).toHaveText('Administration')
})

test('in a dialog, Escape closes the list or the calendar first, and then the dialog', async ({ workspace }) => {
  const page = await workspace.open()
  await runCheck(page, (await usePractice(page)).id, 'get-applicant-details', { applicant_id: 'APP-1' })
  await new Shell(page).open('Overview')
  await page.getByRole('button', { name: 'Monthly report' }).click()
  const dialog = page.getByRole('dialog', { name: 'Monthly report' })
  const field = dialog.getByRole('combobox').first()
  await field.press('Enter')
  await expect(page.getByRole('option').first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('listbox')).toHaveCount(0)
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)

  const queue = new QueuePage(page)
  await queue.open()
  await queue.grid.focus()
  await page.keyboard.press('u')
  const due = page.getByRole('dialog', { name: 'Due date', exact: true })
  const date = new DateField(due, 'Due date of APP-1')
  await date.opener.click()
  await expect(date.calendar).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(date.calendar).toHaveCount(0)
  await expect(due).toBeVisible()
  await expect(date.opener).toBeFocused()
  // The parts of a date take keys for themselves, but not this one.
  await date.first.focus()
  await page.keyboard.press('Escape')
  await expect(due).toHaveCount(0)
})

test('a date is chosen from the calendar by keyboard, typed, pasted, and cleared', async ({ workspace }) => {
  const page = await workspace.open()
  await runCheck(page, (await usePractice(page)).id, 'get-applicant-details', { applicant_id: 'APP-1' })
  const applicant = new ApplicantPage(page)
  await applicant.open('APP-1')
  await ask(page, 'queue.due', { applicantId: 'APP-1', due: Date.UTC(2031, 0, 31) })
  const { due } = applicant
  await due.has('2031-01-31')
  await due.opener.focus()
  await page.keyboard.press('Enter')
  await expect(due.calendar.getByRole('button', { name: 'Friday, January 31, 2031' })).toBeFocused()
  await inspect(page, 'an open calendar')
  // Into the next month, a week further, and a month further.
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('PageDown')
  await expect(due.calendar.getByRole('button', { name: 'Saturday, March 8, 2031' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(due.calendar).toHaveCount(0)
  await expect(due.opener).toBeFocused()
  await due.has('2031-03-08')
  await due.set('2032-02-29')
  await due.has('2032-02-29')
  await due.first.evaluate((part) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', ' 2033-05-06 ')
    part.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  await due.has('2033-05-06')
  await due.opener.click()
  await due.calendar.getByRole('button', { name: 'Clear date' }).click()
  await due.has('')
  await expect(applicant.entries.filter({ hasText: 'Due date removed' })).toHaveCount(1)
})

test('lists and calendars stay inside a narrow window', async ({ workspace }) => {
  const page = await workspace.open()
  await workspace.session().resize(900, 600)
  await usePractice(page)
  const audit = new AuditPage(page)
  await audit.open()
  const inside = async (opened: Locator): Promise<void> => {
    await expect(opened).toBeVisible()
    const box = await opened.boundingBox()
    const { width, height } = await page.evaluate(() => ({ width: innerWidth, height: innerHeight }))
    expect(box && box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height).toBe(true)
  }
  await audit.about.click()
  await inside(page.getByRole('listbox'))
  await page.keyboard.press('Escape')
  const date = new DateField(page.getByRole('main'), 'Go to date')
  await date.opener.click()
  await inside(date.calendar)
  await page.keyboard.press('Escape')
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
})

test('dates and times are those of the locale, or ISO 8601, in the system’s time zone or in UTC', async ({
  workspace
}) => {
  const page = await workspace.open()
  await runCheck(page, (await usePractice(page)).id, 'get-applicant-details', { applicant_id: 'APP-1' })
  const applicant = new ApplicantPage(page)
  await applicant.open('APP-1')
  const settings = new SettingsPage(page)
  const time = applicant.timeline.locator('time').first()
  const shown = (): Promise<{ readonly at: string; readonly text: string }> =>
    time.evaluate((element) => ({ at: element.getAttribute('datetime') ?? '', text: element.textContent ?? '' }))
  const inLocale = (at: string, timeZone?: string): Promise<string> =>
    page.evaluate(
      ([moment, zone]) =>
        new Intl.DateTimeFormat(navigator.language, {
          dateStyle: 'medium',
          timeStyle: 'medium',
          calendar: 'gregory',
          ...(zone && { timeZone: zone })
        }).format(new Date(moment ?? '')),
      [at, timeZone] as const
    )
  const usual = await shown()
  expect(usual.text).toBe(await inLocale(usual.at))
  await settings.open()
  await settings.choose('Time zone', 'UTC')
  await applicant.open('APP-1')
  // The newest entry is the look at the case itself.
  const inUtc = await shown()
  expect(inUtc.text).toBe(await inLocale(inUtc.at, 'UTC'))
  await settings.open()
  await settings.choose('Dates and times', 'ISO 8601')
  await applicant.open('APP-1')
  const inIso = await shown()
  expect(inIso.text).toBe(inIso.at.slice(0, 19).replace('T', ' '))
  // The parts of a date are in the same order.
  const parts = await applicant.due.parts
    .getByRole('spinbutton')
    .evaluateAll((all) => all.map((part) => part.getAttribute('aria-label')))
  expect(parts).toEqual(['Year', 'Month', 'Day'])
})
