/** Erased data leaves the window, too: forms, results, lists, addresses, messages, drafts and the clipboard. */
import type { Page } from '@playwright/test'
import { operations } from '#contract/verification/operations.ts'
import { inspect } from './fixtures/axe.ts'
import { copiedBy } from './fixtures/clipboard.ts'
import { ask, expect, test, usePractice } from './fixtures/workspace.ts'
import { begin, newBatch } from './fixtures/batch.ts'
import { ApplicantPage } from './pages/applicants.ts'
import { goTo } from './pages/go.ts'
import { AuditPage, DataManagementPage } from './pages/records.ts'
import { Shell } from './pages/shell.ts'
import { VerifyPage } from './pages/verify.ts'

const canary = 'CANARY-7Q'
const found = (texts: readonly string[]): string[] =>
  texts.filter((text) => /canary-7q/i.test(text)).map((text) => text.replace(/\s+/g, ' ').slice(0, 160))

/** Every text in the window where a person or a program could find it: drawn, typed, stored and in addresses. */
async function heldBy(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const texts: string[] = [
      document.title,
      location.href,
      JSON.stringify(history.state),
      JSON.stringify({ ...sessionStorage }),
      JSON.stringify({ ...localStorage })
    ]
    for (const node of document.querySelectorAll('*')) {
      for (const { value } of node.attributes) texts.push(value)
      if (node instanceof HTMLInputElement || node instanceof HTMLTextAreaElement || node instanceof HTMLSelectElement)
        texts.push(node.value)
    }
    texts.push(document.documentElement.textContent ?? '')
    // What stores keep besides what is drawn: Vue attaches the app to its root element.
    const root = document.querySelector('#app') as unknown as {
      __vue_app__: { config: { globalProperties: { $pinia: { state: { value: object } } } } }
    }
    const seen = new WeakSet<object>()
    const walk = (value: unknown): void => {
      if (typeof value === 'string') texts.push(value)
      if (typeof value !== 'object' || value === null || seen.has(value)) return
      seen.add(value)
      const inner = value instanceof Map ? [...value.keys(), ...value.values()] : Object.values(value)
      inner.forEach(walk)
    }
    walk(root.__vue_app__.config.globalProperties.$pinia.state.value)
    return texts
  })
}
/** Pages of the side bar, and every form. */
const places = [
  ...operations.map(({ id }) => `/verify/${id}`),
  '/overview',
  '/history',
  '/batches',
  '/batches/new',
  '/applicants',
  '/queue',
  '/catalogue',
  '/audit',
  '/evidence',
  '/administration/connections',
  '/administration/settings',
  '/administration/team',
  '/about',
  '/administration/data-management'
]
async function expectNowhere(page: Page): Promise<void> {
  expect(found(await heldBy(page)), 'at once').toEqual([])
  for (const place of places) {
    await goTo(page, place)
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    expect(found(await heldBy(page)), place).toEqual([])
  }
}
/** The entries for “back”, as the browser keeps them. */
async function backLeads(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  const { entries } = await session.send('Page.getNavigationHistory')
  await session.detach()
  return entries.map(({ url }) => url)
}
async function confirmErasure(page: Page): Promise<void> {
  await goTo(page, `/applicants/${canary}`)
  await new ApplicantPage(page).more('Legal hold or erasure')
  const dataManagement = new DataManagementPage(page)
  await expect(dataManagement.applicantId).toHaveValue(canary)
  await dataManagement.button('Erase').click()
  const dialog = dataManagement.dialog('Permanently erase this applicant?')
  await dialog.getByLabel('Reason').fill(`${canary} asked for it`)
  await dialog.getByLabel(/^Type/).fill(canary)
  await dialog.getByRole('button', { name: 'Permanently erase' }).click()
}
/** A window whose clipboard has an answer about the applicant. */
async function withCopiedAnswer(...started: Parameters<typeof begin>): Promise<Page> {
  const page = await begin(...started)
  const verify = new VerifyPage(page)
  await verify.open('get-applicant-details')
  await verify.run('get-applicant-details', { applicant_id: canary })
  await copiedBy(page, () => verify.record.copyBody.click(), 'Copied')
  return page
}
async function eraseInWindow(page: Page): Promise<void> {
  await confirmErasure(page)
  await expect(new Shell(page).message).toContainText('Erased. It is event')
}

test.describe('the clipboard', () => {
  // Electron's windows share the clipboard of their display: tests run one after another, and no others copy in
  // Electron.
  test.describe.configure({ mode: 'default' })

  test(
    'an erasure empties forms, results, lists, drafts, addresses and the clipboard',
    { tag: '@electron-instead' },
    async ({ workspace, practice }) => {
      test.setTimeout(120_000)
      const page = await begin(workspace, practice)
      const verify = new VerifyPage(page)
      await verify.open('get-applicant-details')
      await verify.run('get-applicant-details', { applicant_id: canary })
      await expect(verify.record.root).toBeVisible()
      expect(await copiedBy(page, () => verify.record.copyBody.click(), 'Copied')).toMatch(/\S/)
      await verify.record.more.click()
      await copiedBy(page, () => verify.record.copyCurl.click(), 'Copied')
      // Text typed and not sent in another operation's form; visible rows; a search in the address.
      await verify.open('validate-kyc-photo')
      await verify.fill('validate-kyc-photo', { photo_url: `https://files.example.com/${canary}.jpg` })
      await newBatch(page, `applicant_id\n${canary}\n`)
      await goTo(page, `/history?q=${canary}`)
      await expect(page.getByRole('grid')).toContainText(canary)
      await goTo(page, '/audit')
      await new AuditPage(page).verify.click()
      await expect(new AuditPage(page).result).toBeVisible()
      await eraseInWindow(page)
      await expect(new DataManagementPage(page).receipts).toHaveCount(1)
      await expect(new DataManagementPage(page).receipts.first()).toBeInViewport()
      expect(found(await backLeads(page))).toEqual([])
      const pasted = await copiedBy(page, undefined, 'Erased')
      expect(pasted, 'the clipboard').toBe('')
      await expectNowhere(page)
    }
  )

  test(
    'text copied by another program stays in the clipboard',
    { tag: '@electron-instead' },
    async ({ workspace, practice }) => {
      const page = await withCopiedAnswer(workspace, practice)
      // Does not use the window's own copy function, as if the text came from elsewhere.
      await page.evaluate(() => {
        const other = (event: ClipboardEvent): void => {
          event.stopImmediatePropagation()
          event.preventDefault()
          event.clipboardData?.setData('text/plain', 'from elsewhere')
        }
        window.addEventListener('copy', other, { capture: true, once: true })
        document.execCommand('copy')
      })
      await eraseInWindow(page)
      expect(await copiedBy(page, undefined, 'Erased')).toBe('from elsewhere')
    }
  )

  // Only the preview reads the clipboard by pasting.
  test('what the user pastes during an erasure is not lost', async ({ workspace, practice }) => {
    const page = await withCopiedAnswer(workspace, practice)
    await page.evaluate(() => {
      const counted = { keys: 0, pastes: 0 }
      Object.assign(window, { counted })
      addEventListener('keydown', (event) => void (counted.keys += event.ctrlKey && event.key === 'v' ? 1 : 0), {
        capture: true
      })
      document.addEventListener('paste', () => void (counted.pastes += 1), { capture: true })
    })
    await confirmErasure(page)
    for (let press = 0; press < 60; press += 1) await page.keyboard.press('ControlOrMeta+v')
    await expect(new Shell(page).message).toContainText('Erased. It is event')
    await expect
      .poll(() => page.evaluate(() => (window as unknown as { counted: object }).counted))
      .toEqual({ keys: 60, pastes: 60 })
  })
})

test('a restore clears every result and draft of the previous history', async ({ workspace }) => {
  test.skip(!workspace.keyring, 'needs a keyring for tests')
  test.setTimeout(120_000)
  const page = await workspace.open()
  await usePractice(page, { backupHours: 0 })
  await expect.poll(async () => (await ask(page, 'app.state')).history.state).toBe('ready')
  await ask(page, 'backups.create')
  const verify = new VerifyPage(page)
  await verify.open('get-applicant-details')
  await verify.run('get-applicant-details', { applicant_id: canary })
  await expect(verify.record.root).toBeVisible()
  await goTo(page, '/audit')
  const audit = new AuditPage(page)
  await audit.verify.click()
  await expect(audit.result).toContainText('Audit trail intact')
  const dataManagement = new DataManagementPage(page)
  await dataManagement.open()
  await dataManagement.backups.getByRole('button', { name: /^Restore/ }).click()
  await dataManagement
    .dialog('Restore this backup?')
    .getByLabel(/Type restore/)
    .fill('restore')
  await dataManagement.dialog('Restore this backup?').getByRole('button', { name: 'Restore' }).click()
  await expect(new Shell(page).message).toContainText('Restored.')
  await expect(dataManagement.backups).toHaveCount(1)
  await expectNowhere(page)
  await goTo(page, '/audit')
  await expect(audit.events).toBeVisible()
  await expect(audit.result).toHaveCount(0)
})

test('before an erasure the window lists the records that would remain, and linking includes them', async ({
  workspace,
  practice
}) => {
  const page = await begin(workspace, practice)
  const verify = new VerifyPage(page)
  await verify.open('get-applicant-details')
  await verify.run('get-applicant-details', { applicant_id: canary })
  await expect(verify.record.root).toBeVisible()
  await verify.open('validate-kyc-photo')
  await verify.run('validate-kyc-photo', { photo_url: `https://files.example.com/${canary}.jpg` })
  await expect(verify.record.root).toBeVisible()
  await goTo(page, `/administration/data-management?applicant=${canary}`)
  const dataManagement = new DataManagementPage(page)
  await dataManagement.button('Erase').click()
  const dialog = dataManagement.dialog('Permanently erase this applicant?')
  const stays = dialog.getByRole('region', { name: 'Data that would remain' })
  await expect(stays).toContainText('1 other record contains this ID in the request or the response, and would remain.')
  await expect(dialog).toContainText(/1 record, [A-Z][a-z]{2} \d/)
  await inspect(page, 'what an erasure would leave')
  await stays.getByRole('button', { name: 'Link 1 record to this applicant' }).click()
  await expect(stays).toHaveCount(0)
  await expect(dialog).toContainText('1 of them is linked in Veridesk only.')
  await dialog.getByLabel('Reason').fill('asked for')
  await dialog.getByLabel(/^Type/).fill(canary)
  await dialog.getByRole('button', { name: 'Permanently erase' }).click()
  await expect(new Shell(page).message).toContainText('Erased. It is event')
  await expectNowhere(page)
})
