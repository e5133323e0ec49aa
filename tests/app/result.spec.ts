/** What stands in the place of an answer, and how an answer is read: beside the form and on the record's page, by keyboard. */
import type { Page } from '@playwright/test'
import { operationOf } from '#contract/verification/operations.ts'
import { ask, expect, test, useService } from './fixtures/workspace.ts'
import { triggerValue } from './fixtures/inputs.ts'
import { placesOf } from './fixtures/places.ts'
import { resizeWindow } from './fixtures/window-size.ts'
import { goTo } from './pages/go.ts'
import { HistoryPage } from './pages/history.ts'
import { Shell } from './pages/shell.ts'
import { VerifyPage } from './pages/verify.ts'

const lookup = operationOf('get-applicant-details')
const id = lookup.fields[0]?.name ?? ''
const input = (trigger: string) => ({ [id]: triggerValue({ kind: 'applicant-id' }, trigger) })

/** The newest record, on its page. */
async function newest(page: Page): Promise<HistoryPage> {
  const { records } = await ask(page, 'history.page', { filter: {}, limit: 1 })
  await goTo(page, `/history/${records[0]?.id}`)
  const history = new HistoryPage(page)
  await expect(history.record.root).toBeVisible()
  return history
}

const rows = [
  { trigger: '401', title: 'Credentials not accepted', first: 'Replace credentials' },
  { trigger: '403', title: 'Access refused', first: 'Connection settings' },
  { trigger: '500', title: 'The service could not answer', first: 'Resend' },
  { trigger: 'html', title: 'Invalid response', first: 'Raw response' }
] as const

test('401, 403, 429 and 5xx say what happened and what to do, beside the form, on the record’s page and in the list', async ({
  workspace,
  practice
}) => {
  const page = await workspace.open()
  await useService(page, practice, { mode: 'live', name: 'Production' }, { confirmLive: false, spendGuardMinutes: 0 })
  const verify = new VerifyPage(page)
  for (const { trigger, title, first } of rows) {
    await verify.open(lookup.id)
    await verify.run(lookup.id, input(trigger))
    const beside = verify.record.nextStep
    await expect(beside.getByRole('heading', { name: title })).toBeVisible()
    await expect(beside.locator('.btn').first()).toHaveText(first)
    await expect(verify.record.root.getByText('Interpretation')).toHaveCount(0)
    const history = await newest(page)
    await expect(history.record.nextStep.getByRole('heading', { name: title })).toBeVisible()
    await expect(history.record.nextStep.locator('.btn').first()).toHaveText(first)
    await expect(history.rows.first()).toContainText(title)
  }

  await verify.open(lookup.id)
  await verify.run(lookup.id, input('429-30'))
  const wait = verify.record.nextStep
  await expect(wait).toContainText('The service asks to wait 30.0 s (Retry-After).')
  const waiting = wait.getByRole('button', { name: /^Resend \(wait 0:\d\d\)$/ })
  await expect(waiting).toHaveAttribute('aria-disabled', 'true')
  const sent = practice.ledger().length
  await waiting.press('Enter')
  await wait.getByRole('button', { name: 'Resend now' }).press('Enter')
  await expect.poll(() => practice.ledger().length).toBe(sent + 1)

  // The first button leads to the place where it is mended.
  await verify.run(lookup.id, input('401'))
  await verify.record.nextStep.getByRole('link', { name: 'Replace credentials' }).press('Enter')
  await expect(page).toHaveURL(/administration\/connections/)
  await expect(page.getByRole('button', { name: 'Replace API key', exact: true })).toBeFocused()
  await verify.open(lookup.id)
  await verify.run(lookup.id, input('401'))
  await verify.record.nextStep.getByRole('link', { name: 'Test connection' }).press('Enter')
  await expect(page.getByText(/^Reachable/).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Test connection' }).first()).toBeFocused()
})

test('what follows a wait is a button in the same place, and no other moves', async ({ workspace, practice }) => {
  const page = await workspace.open()
  await useService(page, practice, {}, { spendGuardMinutes: 0 })
  const verify = new VerifyPage(page)
  await verify.open(lookup.id)
  await verify.run(lookup.id, input('429-5'))
  const { nextStep } = verify.record
  const waiting = nextStep.getByRole('button', { name: /^Resend \(wait 0:0\d\)$/ })
  const others = [nextStep.getByRole('button', { name: 'Copy as curl' })]
  await waiting.focus()
  const before = await placesOf([waiting, ...others])
  const again = nextStep.getByRole('button', { name: 'Resend', exact: true })
  await expect(again).toBeVisible()
  await expect(again).toBeFocused()
  await expect(nextStep.getByRole('button', { name: 'Resend now' })).toHaveCount(0)
  expect(await placesOf([again, ...others])).toEqual(before)
  const sent = practice.ledger().length
  await page.keyboard.press('Enter')
  await expect.poll(() => practice.ledger().length).toBe(sent + 1)
})

test('an answer that faults the request stays an answer, and its field is a key away', async ({
  workspace,
  practice
}) => {
  const page = await workspace.open()
  await useService(page, practice)
  const verify = new VerifyPage(page)
  await verify.open(lookup.id)
  await verify.run(lookup.id, input('422'))
  await expect(verify.record.root).toContainText('The service found the request faulty')
  await expect(verify.record.message).toHaveText('Unprocessable: no face was found in the image.')
  await verify.record.root.getByRole('button', { name: 'Edit the request' }).press('Enter')
  await expect(verify.field('Applicant ID')).toBeFocused()
  await verify.run(lookup.id, input('404'))
  await expect(verify.record.message).toHaveText('Applicant not found.')
  await expect(verify.record.nextStep).toHaveCount(0)
})

test('a response is searched with the keyboard, and letters act on the result', async ({ workspace, practice }) => {
  const page = await workspace.open()
  await useService(page, practice)
  const verify = new VerifyPage(page)
  await verify.open(lookup.id)
  await verify.run(lookup.id, input('extra'))
  const { root, treeLines } = verify.record
  await expect(treeLines.first()).toBeVisible()
  await root.getByRole('tab', { name: 'Tree' }).focus()
  await page.keyboard.press('ControlOrMeta+f')
  const search = root.getByRole('textbox', { name: 'Search the response' })
  await expect(search).toBeFocused()
  await page.keyboard.type('message')
  await expect(root.getByRole('status')).toHaveText(/^1 of \d+$/)
  await expect(root.locator('mark').first()).toHaveText('message')
  await page.keyboard.press('Escape')
  await expect(search).toHaveValue('')
  await root.getByRole('button', { name: 'Copy message' }).focus()
  await page.keyboard.press('i')
  await expect(page.getByRole('dialog', { name: 'Interpretation' })).toBeVisible()
  await page.keyboard.press('Escape')
  await root.getByRole('button', { name: 'Copy message' }).focus()
  await page.keyboard.press('o')
  await expect(new Shell(page).heading).toContainText('PRACTICE-extra')
})

test('in one column the form folds to a line once it was answered; at 2560 pixels the response has its own column', async ({
  workspace,
  practice
}) => {
  const page = await workspace.open()
  await useService(page, practice)
  const verify = new VerifyPage(page)
  const result = page.getByRole('region', { name: 'Result', exact: true })
  await resizeWindow(page, { width: 1024, height: 700 })
  await verify.open(lookup.id)
  await verify.run(lookup.id, input('422'))
  await expect(page.getByTestId('folded')).toContainText(input('422')[id] ?? '')
  await expect(verify.field('Applicant ID')).toBeHidden()
  await expect(result).toBeFocused()
  await expect(verify.record.message).toBeInViewport({ ratio: 1 })
  await page.getByTestId('folded').getByRole('button', { name: 'Edit the request' }).press('Enter')
  await expect(verify.field('Applicant ID')).toBeFocused()

  await resizeWindow(page, { width: 2560, height: 1440 })
  const [answer, response] = await Promise.all([
    verify.record.root.getByRole('region', { name: 'Answer', exact: true }).boundingBox(),
    verify.record.root.getByRole('region', { name: 'Response', exact: true }).boundingBox()
  ])
  expect(response?.y).toBe(answer?.y)
  expect(response?.x).toBeGreaterThan((answer?.x ?? 0) + (answer?.width ?? 0))
})
