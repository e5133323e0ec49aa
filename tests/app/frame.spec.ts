/** The frame of the window: ten entries in one order, the operations by name and key, badges, the person, and what is hidden or locked. */
import { operations } from '#contract/verification/operations.ts'
import { inspect } from './fixtures/axe.ts'
import { resizeWindow } from './fixtures/window-size.ts'
import { runCheck } from './fixtures/scene.ts'
import { ask, expect, test, usePractice } from './fixtures/workspace.ts'
import { goTo } from './pages/go.ts'
import { SettingsPage } from './pages/settings.ts'
import { Shell } from './pages/shell.ts'

const entries = [
  'Queue',
  'Applicants',
  'Batches',
  'History',
  'New verification',
  'Overview',
  'Catalogue',
  'Evidence',
  'Audit trail',
  'Administration'
]

test('the side bar has ten entries, work first, and Ctrl 1 to 6 open the six operations', async ({ workspace }) => {
  const page = await workspace.open()
  const connection = await usePractice(page)
  const shell = new Shell(page)
  const names = shell.navigation.locator('[data-places] > li > :is(a, button)')
  await expect(names).toHaveCount(entries.length)
  for (const [at, name] of entries.entries()) await expect(names.nth(at)).toHaveAccessibleName(new RegExp(`^${name}`))
  await expect(shell.newVerification).toHaveAttribute('aria-expanded', 'false')
  await page.keyboard.press('ControlOrMeta+n')
  await expect(shell.newVerification).toHaveAttribute('aria-expanded', 'true')
  await expect(shell.heading).toHaveText('Check an applicant')
  for (const [at, { title, shortTitle }] of operations.entries()) {
    await page.keyboard.press(`ControlOrMeta+${at + 1}`)
    await expect(shell.heading).toHaveText(title)
    await expect(shell.navigation.getByRole('link', { name: shortTitle, exact: true })).toHaveAttribute(
      'aria-current',
      'page'
    )
  }
  // Without anything to count there is no badge; a message that nobody has reviewed is one.
  await expect(shell.navigation.getByRole('link', { name: /unreviewed/ })).toHaveCount(0)
  await runCheck(page, connection.id, 'get-applicant-details', { applicant_id: 'APP-1' })
  await expect(shell.navigation.getByRole('link', { name: 'Catalogue, 1 unreviewed message' })).toBeVisible()
  await expect(shell.navigation.getByRole('link', { name: /^Queue, 1 item of yours or unassigned/ })).toBeVisible()
  await ask(page, 'queue.assign', { applicantId: 'APP-1', assignee: 'Jonas Berg' })
  await expect(shell.navigation.getByRole('link', { name: 'Queue', exact: true })).toBeVisible()
  await inspect(page, 'the frame')

  // A service that refuses the credentials is a matter of administration, until there are others.
  await runCheck(page, connection.id, 'get-applicant-details', { applicant_id: 'PRACTICE-401' })
  const refused = shell.navigation.getByRole('link', {
    name: 'Administration, Credentials refused for 1 connection'
  })
  await expect(refused).toBeVisible()
  await runCheck(page, connection.id, 'get-applicant-details', { applicant_id: 'APP-2' })
  await expect(refused).toHaveCount(0)
})

test('words or icons follow the width, unless the person pins one of them; F6 goes through the parts', async ({
  workspace
}) => {
  const page = await workspace.open()
  await usePractice(page)
  const shell = new Shell(page)
  await goTo(page, '/history', 'History')
  const width = async (): Promise<number> => (await shell.navigation.boundingBox())?.width ?? 0
  for (const [size, expected] of [
    [{ width: 900, height: 600 }, 56],
    [{ width: 1024, height: 700 }, 56],
    [{ width: 1440, height: 900 }, 208]
  ] as const) {
    await resizeWindow(page, size)
    await expect.poll(width).toBe(expected)
  }
  await page.getByTestId('operator').click()
  await page.getByRole('menuitem', { name: 'Side bar with icons only' }).click()
  await expect.poll(width).toBe(56)
  await expect(shell.link('Audit trail')).toHaveAccessibleName('Audit trail')

  await shell.heading.focus()
  await page.keyboard.press('F6')
  await expect(page.getByRole('banner').locator(':focus')).toHaveCount(1)
  await page.keyboard.press('F6')
  await expect(shell.navigation.locator(':focus')).toHaveCount(1)
  await page.keyboard.press('F6')
  await expect(page.getByRole('main')).toBeFocused()
  await page.keyboard.press('Shift+F6')
  await expect(shell.navigation.locator(':focus')).toHaveCount(1)
})

test('the name in decisions is shown instead of the account, settings are found by words, and hidden data is said in the title', async ({
  workspace
}) => {
  const page = await workspace.open()
  await usePractice(page)
  const settings = new SettingsPage(page)
  await settings.open()
  await settings.set('Your name in decisions', 'Mira Rahn')
  await expect(page.getByTestId('operator')).toContainText('Mira Rahn')
  await expect(page.getByTestId('operator')).toContainText('MR')
  const { events } = await ask(page, 'audit.page', { limit: 10, groups: ['settings'] })
  expect(events.map(({ words }) => words).join()).toContain('displayName')

  await settings.field('Search settings').fill('clipboard')
  await expect(settings.list('Clear the clipboard after')).toBeVisible()
  await expect(settings.toggle('Single-letter keys')).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Keyboard' })).toBeHidden()
  await expect(page.locator('mark').first()).toHaveText('clipboard')
  await settings.field('Search settings').fill('nothing like this')
  await expect(page.getByText('No setting matches.')).toBeVisible()
  await settings.field('Search settings').fill('')

  await page.keyboard.press('ControlOrMeta+Shift+m')
  await expect(page).toHaveTitle('(data hidden) Settings – Veridesk')
  await expect(page.getByTestId('screen-share')).toContainText('Personal data hidden')
  await page.getByTestId('screen-share').click()
  await expect(page).toHaveTitle('Settings – Veridesk')
})

test('the name is asked for with the first decision, signs it beside the account, and is not asked for again', async ({
  workspace
}) => {
  const page = await workspace.open()
  const connection = await usePractice(page)
  for (const applicant_id of ['APP-1', 'APP-2'])
    await runCheck(page, connection.id, 'get-applicant-details', { applicant_id })
  await goTo(page, '/applicants/APP-1')
  const decision = page.getByRole('region', { name: 'Decision', exact: true })
  const name = decision.getByRole('textbox', { name: 'Your name in decisions' })
  await decision.getByRole('button', { name: 'Approve, key A' }).click()
  await expect(name).toHaveAccessibleDescription(/^Asked once\. Shown beside what you decide, with your account /)
  await name.fill('Mira Rahn')
  await decision.getByRole('checkbox').first().check()
  await decision.getByRole('textbox', { name: /^Note/ }).fill('Seen.')
  await inspect(page, 'a decision that asks for the name')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(decision.getByText('Mira Rahn', { exact: true })).toBeVisible()
  const made = (await ask(page, 'applicants.show', { applicantId: 'APP-1' })).decision
  expect(made?.operator).toMatch(/^Mira Rahn \(.+\)$/)
  await expect(decision.getByText('Mira Rahn', { exact: true })).toHaveAttribute(
    'title',
    /\((.+)\)$/.exec(made?.operator ?? '')?.[1] ?? ''
  )
  await goTo(page, '/applicants/APP-2')
  await expect(new Shell(page).heading).toContainText('APP-2')
  await decision.getByRole('button', { name: 'Approve, key A' }).click()
  await expect(decision.getByRole('textbox', { name: /^Note/ })).toBeVisible()
  await expect(name).toHaveCount(0)
})
