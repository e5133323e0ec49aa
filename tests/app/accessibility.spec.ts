/** WCAG 2.2 AA by axe on every view and main state, light and dark; forced colours; a small window. */
import type { Page } from '@playwright/test'
import { detailsOperation, operationOf } from '#contract/verification/operations.ts'
import { bothThemes, inspect, violationsOf } from './fixtures/axe.ts'
import { ask, expect, noKeychain, test, usePractice, useService } from './fixtures/workspace.ts'
import { everywhere } from './fixtures/everywhere.ts'
import { seedHistory } from './fixtures/history.ts'
import { triggerValue } from './fixtures/inputs.ts'
import { ConnectionsPage } from './pages/connections.ts'
import { goTo } from './pages/go.ts'
import { HistoryPage } from './pages/history.ts'
import { Shell, WelcomePage } from './pages/shell.ts'
import { VerifyPage } from './pages/verify.ts'

const lookup = operationOf(detailsOperation)

/** Nothing is wider than the window, and the page itself does not scroll sideways. */
async function fits(page: Page, what: string): Promise<void> {
  const wider = await page.evaluate(() => {
    const scrolls = (element: Element): boolean => {
      const style = getComputedStyle(element)
      return (
        element.scrollWidth > element.clientWidth + 1 &&
        (style.overflowX === 'auto' || style.overflowX === 'scroll') &&
        element.clientWidth > 0
      )
    }
    return [document.documentElement, ...document.querySelectorAll('main, main *')]
      .filter(scrolls)
      .map((element) => element.outerHTML.slice(0, 120))
  })
  expect.soft(wider, `${what} at 900 x 600`).toEqual([])
  const outside = await page.evaluate(() =>
    [...document.querySelectorAll('header *, nav *, main button, main a, main input')]
      .filter((element) => element.checkVisibility() && element.getBoundingClientRect().right > innerWidth + 1)
      .map((element) => element.outerHTML.slice(0, 120))
  )
  expect.soft(outside, `${what}: outside the window at 900 x 600`).toEqual([])
}

test('no violation on any view or state, light and dark', async ({ workspace, practice }) => {
  test.setTimeout(150_000)
  const page = await workspace.open()
  await everywhere(page, (what) => inspect(page, what, bothThemes), practice)
})

test('no violation in batches, applicants and records that are empty', async ({ workspace }) => {
  test.setTimeout(120_000)
  const page = await workspace.open()
  await usePractice(page)
  for (const path of [
    '/overview',
    '/batches',
    '/applicants',
    '/queue',
    '/catalogue',
    '/evidence',
    '/evidence/trust',
    '/administration/data-management'
  ]) {
    await goTo(page, path)
    await expect(page.getByRole('main').locator('[aria-busy="true"]')).toHaveCount(0)
    await inspect(page, `${path}, empty`, bothThemes)
  }
})

test('axe reports a violation that exists', async ({ workspace }) => {
  const page = await workspace.open()
  await expect(new WelcomePage(page).heading).toBeVisible()
  // A second inspection, with what the first one left in the page, finds just as much.
  expect((await (await violationsOf(page)).analyze()).violations).toEqual([])
  await page.evaluate(() => {
    const button = document.createElement('button')
    button.className = 'btn'
    const text = document.createElement('p')
    text.textContent = 'hardly to be read'
    text.style.color = '#ddd'
    document.querySelector('main')?.prepend(button, text)
    document.documentElement.dataset['theme'] = 'light'
  })
  const { violations } = await (await violationsOf(page)).analyze()
  expect(violations.map(({ id }) => id).sort()).toEqual(expect.arrayContaining(['button-name', 'color-contrast']))
})

test('no violation while a request runs, and where nothing can be kept', async ({
  workspace,
  practice,
  dataFolder
}) => {
  test.skip(!workspace.keyring, 'needs a keyring for tests')
  if (workspace.keyring) await seedHistory(dataFolder, workspace.keyring, 20)
  const page = await workspace.open(noKeychain)
  await useService(page, practice)
  const history = new HistoryPage(page)
  await history.open()
  await expect(history.forSession).toBeVisible()
  await inspect(page, 'the history that does not open', bothThemes)
  await history.forSession.click()
  await expect(page.getByTestId('toast')).toContainText('New records are kept until Veridesk closes.')
  const connections = new ConnectionsPage(page)
  await connections.open()
  await expect(connections.keychain).toBeVisible()
  await inspect(page, 'no keychain', bothThemes)
  const verify = new VerifyPage(page)
  await verify.open(lookup.id)
  await verify.run(lookup.id, { applicant_id: triggerValue({ kind: 'applicant-id' }, 'silent') })
  await expect(verify.running).toContainText('The request was sent.')
  await inspect(page, 'a running check', bothThemes)
  await verify.cancel.click()
  await expect(verify.record.resolveForm).toBeVisible()
  await inspect(page, 'an outcome to resolve', bothThemes)
})

test('at 900 x 600 nothing scrolls sideways and nothing is outside', async ({ workspace, practice }) => {
  test.setTimeout(90_000)
  const page = await workspace.open()
  await workspace.session().resize(900, 600)
  await everywhere(page, (what) => fits(page, what), practice)
})

test('with forced colours the marks and the selected row can still be distinguished', async ({
  workspace,
  practice
}) => {
  const page = await workspace.open()
  await useService(page, practice, { name: 'Production', mode: 'live' })
  await page.emulateMedia({ forcedColors: 'active' })
  await expect.poll(() => page.evaluate(() => matchMedia('(forced-colors: active)').matches)).toBe(true)
  const shell = new Shell(page)
  await shell.open('Settings')
  await expect(shell.heading).toHaveText('Administration')
  const outlined = (place: string): Promise<string> =>
    page.evaluate((sought) => {
      const element = document.querySelector(sought)
      if (!element) return 'none'
      const style = getComputedStyle(element)
      return `${style.outlineStyle} ${style.borderTopStyle}`
    }, place)
  expect(await outlined('nav [aria-current="page"]')).toContain('solid')
  expect(await outlined('header .live-mark')).toContain('solid')
  const chosen = await page.evaluate(() => {
    const on = document.querySelector('.segment.on')
    const off = document.querySelector('.segment:not(.on)')
    return on && off ? getComputedStyle(on).backgroundColor !== getComputedStyle(off).backgroundColor : false
  })
  expect(chosen).toBe(true)
  const { violations } = await (await violationsOf(page)).disableRules('color-contrast').analyze()
  expect(violations.map(({ id }) => id)).toEqual([])
  expect((await ask(page, 'app.state')).settings.firstRunDone).toBe(true)
})

test('with reduced motion nothing moves', async ({ workspace }) => {
  const page = await workspace.open()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await expect(new Shell(page).heading).toBeVisible()
  const longest = await page.evaluate(() =>
    Math.max(0, ...document.getAnimations().map((animation) => Number(animation.effect?.getTiming().duration ?? 0)))
  )
  expect(longest).toBeLessThanOrEqual(1)
})

test('no part around others listens for a mouse, so screen readers call nothing in it “clickable”', async ({
  workspace
}) => {
  const page = await workspace.open()
  const session = await page.context().newCDPSession(page)
  // Chromium counts listeners on window and document as the root element’s.
  for (const around of ['window', 'document', 'document.documentElement', 'document.body', '#app', 'main', 'dialog']) {
    if (around === 'dialog') await page.keyboard.press('ControlOrMeta+k')
    const expression =
      /^[#md]/.test(around) && !around.startsWith('document') ? `document.querySelector('${around}')` : around
    const { result } = await session.send('Runtime.evaluate', { expression })
    if (result.objectId === undefined) throw new Error(`there is no ${around}`)
    const { listeners } = await session.send('DOMDebugger.getEventListeners', { objectId: result.objectId })
    const heard = listeners.map(({ type }) => type).filter((type) => ['click', 'mousedown', 'mouseup'].includes(type))
    expect.soft(heard, around).toEqual([])
  }
  // A press outside a dialog closes it, and presses nothing below.
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  await page.mouse.click(12, 200)
  await expect(dialog).toHaveCount(0)
})
