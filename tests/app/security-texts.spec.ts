/**
 * Hostile text in every place that a service, an applicant ID or a note can fill: shown as text, never run, never
 * fetched.
 */
import { chromium } from '@playwright/test'
import { findBrowser } from '../../electron/hosts/node/chromium/browser.ts'
import { hostileTexts } from './fixtures/hostile.ts'
import { recordTexts, startHostileService, watchPage, type HostileWindow } from './fixtures/hostile-records.ts'
import { expect, test } from './fixtures/test.ts'
import { startTrap } from './fixtures/trap.ts'
import { goTo } from './pages/go.ts'

test(
  '500 hostile texts in messages and ids: nothing runs, nothing is fetched',
  { tag: '@electron' },
  async ({ consolePage }) => {
    test.setTimeout(120_000)
    const service = await startHostileService()
    service.texts = hostileTexts(service.address)
    expect(service.texts).toHaveLength(500)
    watchPage(consolePage, service.visits)

    const records = await recordTexts(consolePage, service.address, service.texts)
    expect(records).toHaveLength(500)
    // Every place that shows them: the list while it is scrolled, and details of each kind of text.
    await goTo(consolePage, '/history')
    await expect(consolePage.getByText('APP-', { exact: false }).first()).toBeVisible()
    for (let step = 0; step < 20; step += 1) await consolePage.mouse.wheel(0, 1200)
    for (const { id } of records.filter((_, at) => at % 20 === 0)) {
      await consolePage.evaluate((to) => (location.hash = `#/history/${to}`), id)
      await consolePage.waitForTimeout(60)
    }
    await consolePage.evaluate(() => (location.hash = '#/connections'))
    await consolePage.waitForTimeout(200)

    expect(await consolePage.evaluate(() => (window as unknown as HostileWindow).__executed)).toBeUndefined()
    expect(service.visits).toEqual([])
    service.end()
  }
)

test('in a page that takes them as markup, the texts run and fetch', async ({ host }) => {
  test.skip(host !== 'preview', 'needs the browser alone')
  const [service, home] = await Promise.all([startHostileService(), startTrap()])
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : []
  })
  try {
    const page = await browser.newPage()
    await page.goto(home.address)
    // Some of the texts lead away, which would end the page before it is looked at: no content keeps it.
    const leaves: string[] = []
    await page.route('**', (route) => {
      if (!route.request().isNavigationRequest() || route.request().frame() !== page.mainFrame())
        return route.continue()
      leaves.push(new URL(route.request().url()).pathname)
      return route.fulfill({ status: 204 })
    })
    await page.evaluate((texts) => {
      for (const text of texts) document.body.insertAdjacentHTML('beforeend', text)
    }, hostileTexts(service.address))
    await expect.poll(() => page.evaluate(() => (window as unknown as HostileWindow).__executed)).toBe(1)
    await expect.poll(() => service.visits).toEqual(expect.arrayContaining(['GET /image', 'GET /style']))
    await expect.poll(() => leaves.length).toBeGreaterThan(0)
  } finally {
    await browser.close()
    service.end()
    home.end()
  }
})
