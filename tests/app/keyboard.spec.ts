/** The console by keyboard alone: the whole main job, the palette, and the focus that never gets lost. */
import type { Page } from '@playwright/test'
import { operations } from '#contract/operations.ts'
import { ask, expect, test, usePractice, useService } from './fixtures/desk.ts'
import { HistoryPage } from './pages/history.ts'
import { Shell, WelcomePage } from './pages/shell.ts'
import { VerifyPage } from './pages/verify.ts'

/** Presses Tab until the thing of this name has the focus; fails where it is never reached. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let press = 0; press < 60; press += 1) {
    await page.keyboard.press('Tab')
    const here = await page.evaluate(() => {
      const at = document.activeElement
      return `${at?.getAttribute('aria-label') ?? ''} ${at?.textContent ?? ''} ${at?.getAttribute('name') ?? ''}`.replace(/\s+/g, ' ').trim()
    })
    if (name.test(here)) return
  }
  throw new Error(`Tab never reached ${name}`)
}

test('from the first start to a found record without a mouse', async ({ desk }) => {
  const page = await desk.open()
  const shell = new Shell(page)
  await expect(new WelcomePage(page).heading).toBeVisible()
  await tabTo(page, /^Start practice service/)
  await page.keyboard.press('Enter')
  await expect(new WelcomePage(page).presentStep).toContainText('Run a first check')
  await tabTo(page, /^Open the first check/)
  await page.keyboard.press('Enter')
  await expect(shell.heading).toHaveText(operations[0].title)

  await page.keyboard.press('ControlOrMeta+3')
  const verify = new VerifyPage(page)
  const details = operations[2]
  await expect(verify.field(details.fields[0].label)).toBeFocused()
  await page.keyboard.type('APP-0042')
  await page.keyboard.press('Enter')
  await expect(verify.record.status).toHaveText('200')
  // The person goes on where they typed.
  await expect(verify.field(details.fields[0].label)).toBeFocused()

  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('history')
  await page.keyboard.press('Enter')
  await expect(shell.heading).toHaveText('History')
  await tabTo(page, /^Records, newest first/)
  await page.keyboard.press('Enter')
  await expect(new HistoryPage(page).record.sentIn('applicant_id')).toHaveText('APP-0042')
  await page.keyboard.press('Escape')
  await expect(new HistoryPage(page).pane).toHaveCount(0)
})

test('the palette finds views, checks and connections, and gives the focus back', async ({ desk, practice }) => {
  const page = await desk.open()
  await useService(page, practice, { name: 'Production', mode: 'live' })
  const sandbox = await usePractice(page)
  const shell = new Shell(page)
  const verify = new VerifyPage(page)
  await verify.open('validate-passport')
  await verify.field('Passport URL').focus()
  await shell.openPalette()
  for (const name of [...operations.map(({ title }) => title), 'History', 'Settings', 'Use Production', `Use ${sandbox.name}`])
    await expect(shell.palette.getByRole('option', { name: new RegExp(`^${name} `) })).toHaveCount(1)
  await page.keyboard.type('nothing like this')
  await expect(shell.palette).toContainText('Nothing is called that.')
  await page.keyboard.press('Escape')
  await expect(shell.palette).toHaveCount(0)
  await expect(verify.field('Passport URL')).toBeFocused()

  for (const [words, heading] of [['settings', 'Settings'], ['help diag', 'Help and diagnosis'], ['kyc photo', 'Validate KYC photo'], ['connections views', 'Connections']] as const) {
    await shell.paletteGo(words)
    await expect(shell.heading).toHaveText(heading)
  }
  await shell.paletteGo('use production')
  await expect(shell.liveMark).toBeVisible()
  await shell.openPalette()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(shell.presentConnection).toContainText(sandbox.name)
})

test('shortcuts: numbers open checks, “?” shows the list, “/” the search; none fires while typing', async ({ desk }) => {
  const page = await desk.open()
  await usePractice(page)
  const shell = new Shell(page)
  await expect(shell.heading).toBeVisible()
  for (const [index, operation] of operations.entries()) {
    await page.keyboard.press(`ControlOrMeta+${index + 1}`)
    await expect(shell.heading).toHaveText(operation.title)
  }
  const [field] = operations[5].fields
  const verify = new VerifyPage(page)
  await expect(verify.field(field.label)).toBeFocused()
  await page.keyboard.type('/?k')
  await expect(verify.field(field.label)).toHaveValue('/?k')
  await expect(shell.shortcuts).toHaveCount(0)

  await shell.link('Settings').click()
  await expect(shell.heading).toHaveText('Settings')
  await page.keyboard.press('?')
  await expect(shell.shortcuts).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(shell.shortcuts).toHaveCount(0)
  await page.keyboard.press('/')
  await expect(new HistoryPage(page).search).toBeFocused()
  await page.keyboard.type('abc')
  await expect(new HistoryPage(page).search).toHaveValue('abc')
})

test('every stop of the Tab key is visible and named', async ({ desk }) => {
  const page = await desk.open()
  await usePractice(page)
  await ask(page, 'settings.change', { lastOperation: operations[0].id })
  for (const view of ['History', 'Connections', 'Settings', 'Help', operations[0].shortTitle]) {
    await new Shell(page).open(view)
    const faults = new Set<string>()
    for (let press = 0; press < 45; press += 1) {
      await page.keyboard.press('Tab')
      const fault = await page.evaluate(() => {
        const at = document.activeElement
        if (!at || at === document.body) return ''
        const box = at.getBoundingClientRect()
        const label = at.getAttribute('aria-label') ?? at.getAttribute('aria-labelledby') ?? (at as HTMLInputElement).labels?.[0]?.textContent ?? at.textContent
        const named = (label ?? '').trim() !== ''
        const target = at.matches('input[type=radio]') ? at.parentElement?.getBoundingClientRect() ?? box : box
        const seen = target.width > 0 && target.height > 0 && target.bottom > 0 && target.top < innerHeight && at.checkVisibility()
        return named && seen ? '' : at.outerHTML.slice(0, 160)
      })
      if (fault) faults.add(fault)
    }
    expect([...faults], view).toEqual([])
  }
})
