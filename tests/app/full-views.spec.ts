/**
 * Every view of the records, full of data: WCAG 2.2 AA by axe in both themes, nothing to scroll sideways, and at 200 % and
 * in a small window nothing beyond the edge. Each view is opened once and looked at in every size of the window.
 */
import type { Page } from '@playwright/test'
import { bothThemes, inspect } from './fixtures/axe.ts'
import { furnish } from './fixtures/scene.ts'
import { stops, type Stop } from './fixtures/stops.ts'
import { resizeWindow } from './fixtures/window-size.ts'
import { expect, test, usePractice } from './fixtures/workspace.ts'
import { goTo } from './pages/go.ts'

/** What is read by scrolling sideways only, and controls beyond the right edge. */
const sideways = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('main, main *, [role="dialog"], [role="dialog"] *')]
      .filter((element) => {
        const { overflowX } = getComputedStyle(element)
        // A file's columns are others': how many, nobody knows beforehand.
        const foreign = element.closest('.sample, [aria-label="Rows of the batch"], [aria-label="Lines of the file"]')
        const scrolls =
          (overflowX === 'auto' || overflowX === 'scroll') && element.scrollWidth > element.clientWidth + 1 && !foreign
        const beside =
          element.matches('button, a, input, select, textarea') &&
          !foreign &&
          element.getBoundingClientRect().right > innerWidth + 1
        return element.checkVisibility() && (scrolls || beside)
      })
      .map((element) => element.outerHTML.slice(0, 120))
  )

/** What lies beyond the right edge of a small window. Tables may: headings and rows belong together. */
const beyond = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('header, header *, main, main *, [role="dialog"] *')]
      .filter((element) => {
        if (!element.checkVisibility() || element.closest('[role="grid"], .sample, .sr-only')) return false
        const { overflowX } = getComputedStyle(element)
        const scrolls =
          (overflowX === 'auto' || overflowX === 'scroll') && element.scrollWidth > element.clientWidth + 1
        const { right, width } = element.getBoundingClientRect()
        return (
          scrolls ||
          (width > 1 &&
            right > innerWidth + 1 &&
            element.matches('button, a, input, select, textarea, h1, h2, h3, p, dd, dt, label'))
        )
      })
      .map((element) => element.outerHTML.slice(0, 120))
  )

/**
 * Dates and times of tables that would be cut if they were the longest ones: the hour has two digits in the evening only,
 * and what would be cut then is AM or PM.
 */
const cutDates = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('main [role="row"] > [data-column][role="gridcell"]')]
      .flatMap((cell) => {
        const text = [...cell.querySelectorAll('time, span')]
          .flatMap((part) => [...part.childNodes])
          .find(
            (node) =>
              node.nodeType === Node.TEXT_NODE &&
              /^\s*(?:[A-Z][a-z]{2} \d{1,2}, \d{4}|\d{1,2}\/\d{1,2}, )/.test(node.nodeValue ?? '') &&
              node.parentElement?.checkVisibility()
          )
        if (!text) return []
        const before = text.nodeValue ?? ''
        const time = !before.includes(':') ? ', overdue' : /:\d\d:/.test(before) ? ', 10:58:58 PM' : ', 10:58 PM'
        text.nodeValue = before.includes('/') ? '12/28, 10:58 PM' : `Aug 28, 2028${time}`
        const inner = cell.firstElementChild
        const cut = [cell, inner].some(
          (part) => part && part.scrollWidth > part.clientWidth && getComputedStyle(part).display !== 'inline'
        )
        text.nodeValue = before
        return cut ? [`${cell.getAttribute('data-column') ?? ''}: ${before}`] : []
      })
      .filter((text, at, all) => all.indexOf(text) === at)
  )

const usual = { width: 1440, height: 900 }
const narrower = [
  { width: 1024, height: 700 },
  { width: 900, height: 600 }
]
// The least window at 200 %, a window of 600 pixels, and 400 % of 1280.
const small = [
  { width: 320, height: 640 },
  { width: 600, height: 700 },
  { width: 450, height: 300 }
]

async function lookAtAllSizes(page: Page, name: string): Promise<void> {
  await inspect(page, `${name} at 1440 x 900`, bothThemes)
  expect.soft(await cutDates(page), `${name}: dates cut at 1440 x 900`).toEqual([])
  for (const size of narrower) {
    await resizeWindow(page, size)
    expect.soft(await sideways(page), `${name}: sideways at ${size.width} x ${size.height}`).toEqual([])
    expect.soft(await cutDates(page), `${name}: dates cut at ${size.width} x ${size.height}`).toEqual([])
  }
  await lookAtSmallSizes(page, name)
}

async function lookAtSmallSizes(page: Page, name: string): Promise<void> {
  for (const size of small) {
    await resizeWindow(page, size)
    expect.soft(await beyond(page), `${name}: beyond the edge at ${size.width} x ${size.height}`).toEqual([])
    const lists = await page
      .getByRole('main')
      .getByRole('grid')
      .evaluateAll((grids) => grids.map((grid) => grid.clientHeight))
    for (const height of lists)
      expect.soft(height, `${name}: height of a list at ${size.width} x ${size.height}`).toBeGreaterThanOrEqual(190)
  }
}

// In two halves: both workers have one.
for (const half of [0, 1])
  test(`every view of the records is accessible and fits a window of any size (half ${half + 1})`, async ({
    workspace
  }) => {
    test.setTimeout(600_000)
    const page = await workspace.open()
    const scene = await furnish(page, (await usePractice(page)).id)
    const views: readonly Stop[] = stops.filter((_stop, at) => at % 2 === half)
    for (const { name, reach, leave } of views) {
      await resizeWindow(page, usual)
      await reach(page, scene)
      await lookAtAllSizes(page, name)
      await resizeWindow(page, usual)
      await leave?.(page)
    }
  })

test('the other views fit a small window, in which the page has most of the width and signs have names', async ({
  workspace
}) => {
  const page = await workspace.open()
  const scene = await furnish(page, (await usePractice(page)).id)
  for (const size of small.slice(1)) {
    await resizeWindow(page, size)
    expect(
      await page.getByRole('main').evaluate((main) => main.clientWidth / innerWidth),
      'the page has most of the width'
    ).toBeGreaterThan(0.8)
    await expect(
      page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Audit trail' }),
      'signs have names'
    ).toBeVisible()
  }
  for (const path of [
    'verify/get-applicant-details',
    'history',
    'administration/connections',
    'administration/settings',
    'about',
    `history/${scene.photoRecord}`
  ]) {
    await resizeWindow(page, usual)
    await goTo(page, `/${path}`)
    await lookAtSmallSizes(page, path)
  }
})
