/** The console by keyboard only: the whole main task, the palette, and a focus that is never lost. */
import type { Page } from '@playwright/test'
import { detailsOperation, firstOperation, operationOf, operations } from '#contract/verification/operations.ts'
import { ask, expect, test, usePractice, useService } from './fixtures/workspace.ts'
import { furnish, people, runCheck } from './fixtures/scene.ts'
import { stops } from './fixtures/stops.ts'
import { CataloguePage, QueuePage } from './pages/applicants.ts'
import { HistoryPage } from './pages/history.ts'
import { Shell, WelcomePage } from './pages/shell.ts'
import { VerifyPage } from './pages/verify.ts'

/** Presses Tab until the element with this name has the focus; fails if it is never reached. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let press = 0; press < 60; press += 1) {
    await page.keyboard.press('Tab')
    const here = await page.evaluate(() => {
      const at = document.activeElement
      return `${at?.getAttribute('aria-label') ?? ''} ${at?.textContent ?? ''} ${at?.getAttribute('name') ?? ''}`
        .replace(/\s+/g, ' ')
        .trim()
    })
    if (name.test(here)) return
  }
  throw new Error(`Tab never reached ${name}`)
}

test('from the first start to a found record without a mouse', async ({ workspace }) => {
  const page = await workspace.open()
  const shell = new Shell(page)
  await expect(new WelcomePage(page).heading).toBeVisible()
  await tabTo(page, /^Practise sending without an account/)
  await page.keyboard.press('Enter')
  await expect(new WelcomePage(page).presentStep).toContainText('Run a first verification')
  await tabTo(page, /^Open the first verification/)
  await page.keyboard.press('Enter')
  await expect(shell.heading).toHaveText(operationOf(firstOperation).title)

  await page.keyboard.press('ControlOrMeta+3')
  const verify = new VerifyPage(page)
  const details = operationOf(detailsOperation)
  await expect(verify.field(details.fields[0]!.label)).toBeFocused()
  await page.keyboard.type('APP-0042')
  await page.keyboard.press('Enter')
  await expect(verify.record.status).toHaveText('200')
  // The focus stays where the user typed.
  await expect(verify.field(details.fields[0]!.label)).toBeFocused()

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

test('the palette finds views, checks and connections, and gives the focus back', async ({ workspace, practice }) => {
  const page = await workspace.open()
  await useService(page, practice, { name: 'Production', mode: 'live' })
  const sandbox = await usePractice(page)
  const shell = new Shell(page)
  const verify = new VerifyPage(page)
  await verify.open('validate-passport')
  await verify.field('Passport URL').focus()
  await shell.openPalette()
  for (const name of [
    ...operations.map(({ title }) => title),
    'History',
    'Settings',
    'Use Production',
    `Use ${sandbox.name}`
  ]) {
    await shell.palette.getByRole('combobox').fill(name)
    await expect(shell.palette.getByRole('option', { name: new RegExp(`^${name} `) }).first()).toBeVisible()
  }
  await shell.palette.getByRole('combobox').fill('nothing like this')
  await expect(shell.palette).toContainText('No matches.')
  await page.keyboard.press('Escape')
  await expect(shell.palette).toHaveCount(0)
  await expect(verify.field('Passport URL')).toBeFocused()

  for (const [words, heading, tab] of [
    ['settings', 'Administration', 'Settings'],
    ['help diag', 'About'],
    ['kyc photo', 'Validate KYC photo'],
    ['connections', 'Administration', 'Connections']
  ] as const) {
    await shell.paletteGo(words)
    await expect(shell.heading).toHaveText(heading)
    if (tab) await expect(page.getByRole('region', { name: tab, exact: true })).toBeVisible()
  }
  await shell.paletteGo('use production')
  await expect(shell.liveMark).toBeVisible()
  // From the last one around to the first, and back.
  await shell.openPalette()
  await page.keyboard.type(`use ${sandbox.name}`)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(shell.currentConnection).toContainText(sandbox.name)
})

test(
  'shortcuts: numbers open checks, “?” shows the list, “/” the search; none fires while typing',
  { tag: '@electron-instead' },
  async ({ workspace }) => {
    const page = await workspace.open()
    await usePractice(page)
    const shell = new Shell(page)
    await expect(shell.heading).toBeVisible()
    for (const [index, operation] of operations.entries()) {
      await page.keyboard.press(`ControlOrMeta+${index + 1}`)
      await expect(shell.heading).toHaveText(operation.title)
    }
    const [field] = operations.at(-1)!.fields
    const verify = new VerifyPage(page)
    await expect(verify.field(field.label)).toBeFocused()
    await page.keyboard.type('/?k')
    await expect(verify.field(field.label)).toHaveValue('/?k')
    await expect(shell.shortcuts).toHaveCount(0)

    await shell.open('Settings')
    await expect(shell.heading).toHaveText('Administration')
    await page.keyboard.press('?')
    await expect(shell.shortcuts).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(shell.shortcuts).toHaveCount(0)
    await page.keyboard.press('/')
    await expect(new HistoryPage(page).search).toBeFocused()
    await page.keyboard.type('abc')
    await expect(new HistoryPage(page).search).toHaveValue('abc')
  }
)

/** A key as a layout without Latin letters gives it. */
const pressAs = (
  page: Page,
  key: string,
  code: string,
  more: Partial<Record<'ctrlKey' | 'shiftKey' | 'isComposing', boolean>> = {}
): Promise<void> =>
  page.evaluate(
    (init) =>
      void document.activeElement?.dispatchEvent(
        new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true })
      ),
    { key, code, ...more }
  )

test('on a Cyrillic, Greek or Hebrew layout keys count by their position, and none while a word is composed', async ({
  workspace
}) => {
  const page = await workspace.open()
  await furnish(page, (await usePractice(page)).id)
  const shell = new Shell(page)
  for (const [key, code] of [
    ['л', 'KeyK'],
    ['κ', 'KeyK'],
    ['ל', 'KeyK']
  ] as const) {
    await pressAs(page, key, code, { ctrlKey: true })
    await expect(shell.palette).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(shell.palette).toHaveCount(0)
  }
  await pressAs(page, 'Ь', 'KeyM', { ctrlKey: true, shiftKey: true })
  await expect.poll(async () => (await ask(page, 'app.state')).screenShare.on).toBe(true)
  await pressAs(page, 'Ь', 'KeyM', { ctrlKey: true, shiftKey: true })
  const queue = new QueuePage(page)
  await queue.open()
  await pressAs(page, 'о', 'KeyJ')
  await expect(page.locator('.queue .row.active')).toHaveCount(1)

  await shell.openPalette()
  await page.keyboard.type('settings')
  await pressAs(page, 'Enter', 'Enter', { isComposing: true })
  await expect(shell.palette).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(shell.heading).toHaveText('Administration')
})

test('single letters act only in their list or case, and not when they are switched off', async ({ workspace }) => {
  const page = await workspace.open()
  await usePractice(page)
  const shell = new Shell(page)
  const queue = new QueuePage(page)
  await queue.open()
  await queue.badge.focus()
  await page.keyboard.press('a')
  await page.keyboard.press('?')
  await page.keyboard.press('/')
  await expect(shell.shortcuts).toHaveCount(0)
  await expect(queue.badge).toBeFocused()
  await shell.heading.focus()
  await page.keyboard.press('?')
  await expect(shell.shortcuts).toBeVisible()
  await page.keyboard.press('Escape')

  await shell.paletteGo('single-letter keys')
  await page.getByRole('main').getByRole('switch', { name: 'Single-letter keys' }).click()
  await expect.poll(async () => (await ask(page, 'app.state')).settings.letterKeys).toBe(false)
  await shell.heading.focus()
  await page.keyboard.press('?')
  await page.keyboard.press('/')
  await expect(shell.shortcuts).toHaveCount(0)
  await expect(shell.heading).toHaveText('Administration')
  await shell.openPalette()
})

/** Describes what is wrong with the focused element: no name, out of view, or no visible focus. */
const faultOfFocus = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const at = document.activeElement
    if (!at || at === document.body) return ''
    const label =
      at.getAttribute('aria-label') ??
      at.getAttribute('aria-labelledby') ??
      (at as HTMLInputElement).labels?.[0]?.textContent ??
      at.textContent
    const named = (label ?? '').trim() !== ''
    const target = at.matches('input[type=radio]') ? (at.parentElement ?? at) : at
    const box = target.getBoundingClientRect()
    const seen = box.width > 0 && box.height > 0 && box.bottom > 0 && box.top < innerHeight && at.checkVisibility()
    // A list shows its focus on the active row.
    const outlined = (element: Element, part?: string): boolean => {
      const { outlineStyle, outlineWidth } = getComputedStyle(element, part)
      return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1
    }
    const marked =
      at.matches('[tabindex="-1"]') ||
      outlined(at) ||
      outlined(target) ||
      [...at.querySelectorAll('.row.active')].some((row) => outlined(row, '::after'))
    const faults = [named ? '' : 'no name', seen ? '' : 'out of sight', marked ? '' : 'no mark'].filter(
      (fault) => fault
    )
    return faults.length > 0 ? `${faults.join(', ')}: ${at.outerHTML.slice(0, 160)}` : ''
  })

async function walkByTab(page: Page, presses: number): Promise<string[]> {
  const faults = new Set<string>()
  for (let press = 0; press < presses; press += 1) {
    await page.keyboard.press('Tab')
    const fault = await faultOfFocus(page)
    if (fault) faults.add(fault)
  }
  return [...faults]
}

test('every tab stop is visible, named and shows its focus', async ({ workspace }) => {
  const page = await workspace.open()
  await usePractice(page)
  await ask(page, 'settings.change', { lastOperation: firstOperation })
  for (const view of ['History', 'Connections', 'Settings', 'Help', operationOf(firstOperation).shortTitle]) {
    await new Shell(page).open(view)
    expect(await walkByTab(page, 45), view).toEqual([])
  }
})

test('in batches and records too; a dialog traps the focus and restores it', async ({ workspace }) => {
  // About two hundred keys in sequence: fast, but not on a busy machine.
  test.setTimeout(900_000)
  const page = await workspace.open()
  const scene = await furnish(page, (await usePractice(page)).id)
  // States of a page with the same tab stops as another.
  const same = ['batch-paused', 'batch-made', 'applicant-outdated', 'applicant-unknown']
  for (const stop of stops.filter(({ name }) => !same.includes(name))) {
    await stop.reach(page, scene)
    const over = page.getByRole('dialog')
    // The side bar before it is the same on every page.
    if ((await over.count()) === 0) await new Shell(page).heading.focus()
    expect.soft(await walkByTab(page, 12), stop.name).toEqual([])
    if ((await over.count()) === 1) {
      // However often Tab is pressed, the focus stays inside, except for the browser's own toolbar.
      expect(
        await page.evaluate(
          () => document.activeElement === document.body || document.activeElement?.closest('dialog') !== null
        ),
        stop.name
      ).toBe(true)
      await page.keyboard.press('Escape')
      await expect(over).toHaveCount(0)
      // A menu gives its button the focus back a frame after the dialog that it opened has gone.
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.matches('button, [role="grid"]')), {
          message: `${stop.name}: where the focus is after Escape`
        })
        .toBe(true)
    } else await stop.leave?.(page)
  }
})

test('an applicant in the queue is decided, and a message interpreted, without a mouse', async ({ workspace }) => {
  test.setTimeout(90_000)
  const page = await workspace.open()
  const connection = await usePractice(page)
  await runCheck(page, connection.id, 'get-applicant-details', { applicant_id: people.approved })
  const shell = new Shell(page)
  await shell.paletteGo('queue')
  await expect(shell.heading).toHaveText('Queue')
  await expect(shell.heading).toBeFocused()
  const queue = new QueuePage(page)
  await expect(queue.rows).toHaveCount(1)
  await tabTo(page, /^Queue/)
  await page.keyboard.press('Enter')
  await expect(queue.opened).toHaveText(people.approved)
  const { applicant } = queue
  await expect(applicant.checks).toHaveCount(1)
  await tabTo(page, /^1 message unreviewed/)
  await page.keyboard.press('Enter')
  const catalogue = new CataloguePage(page)
  await expect(catalogue.rows).toHaveCount(1)
  await tabTo(page, /^Messages, last seen first/)
  await page.keyboard.press('Enter')
  await expect(catalogue.dialog).toBeVisible()
  await catalogue.dialog.getByRole('radio', { name: /^Favourable/ }).focus()
  await page.keyboard.press('Space')
  await tabTo(page, /^Save interpretation/)
  await page.keyboard.press('Enter')
  await expect(catalogue.dialog).toHaveCount(0)
  // Nothing is left in this view.
  await expect(shell.heading).toBeFocused()

  await shell.paletteGo('queue')
  // Tab begins at the page, once it has arrived.
  await expect(shell.heading).toBeFocused()
  await expect(queue.rows).toHaveCount(1)
  await tabTo(page, /^Queue/)
  await page.keyboard.press('Enter')
  await expect(queue.opened).toHaveText(people.approved)
  await expect(applicant.checks).toHaveCount(1)
  await tabTo(page, /^Approve/)
  await page.keyboard.press('Space')
  for (const _ of ['Decline', 'Escalate', 'the first reason']) await page.keyboard.press('Tab')
  await expect(applicant.reason('Documents in order')).toBeFocused()
  await page.keyboard.press('Space')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(applicant.note).toBeFocused()
  await page.keyboard.type('In order.')
  await tabTo(page, /^Record and next/)
  await page.keyboard.press('Enter')
  // It was the last one.
  await expect(page.getByText('The queue is empty')).toBeVisible()
  expect((await ask(page, 'applicants.show', { applicantId: people.approved })).decision?.decision).toBe('approve')
  // What was decided today leads to exactly that.
  await expect(page.getByTestId('decided-today')).toHaveText('You made 1 decision today.')
  await expect(page.getByRole('group', { name: 'Views' }).getByRole('link', { name: 'Decided today 1' })).toBeVisible()
  await tabTo(page, /^Decided today/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main').getByRole('row').filter({ hasText: people.approved })).toHaveCount(1)
})
