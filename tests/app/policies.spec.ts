/** Policies in the window: managed settings and connections say so, and a changed file applies while it is open. */
import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { ask, expect, test as base, usePractice, useService } from './fixtures/workspace.ts'
import { inspect } from './fixtures/axe.ts'
import { seedDecisions } from './fixtures/decisions.ts'
import { runCheck } from './fixtures/scene.ts'
import { ApplicantPage } from './pages/applicants.ts'
import { goTo } from './pages/go.ts'
import { HistoryPage } from './pages/history.ts'
import { DataManagementPage } from './pages/records.ts'
import { SettingsPage } from './pages/settings.ts'
import { Shell } from './pages/shell.ts'
import { VerifyPage } from './pages/verify.ts'

const test = base.extend<{ policies: (values: object | string) => void }>({
  hostEnvironment: async ({ folder }, use) => use({ VERIDESK_TEST_POLICIES: join(folder, 'etc', 'policies.json') }),
  policies: async ({ folder }, use) => {
    mkdirSync(join(folder, 'etc'), { mode: 0o755, recursive: true })
    const file = join(folder, 'etc', 'policies.json')
    await use((values) => {
      writeFileSync(
        `${file}.new`,
        typeof values === 'string'
          ? values
          : JSON.stringify({ format: 'veridesk-policies', version: 1, policies: values }),
        { mode: 0o644 }
      )
      renameSync(`${file}.new`, file)
    })
  }
})

const note = (page: Page, setting: string) =>
  page.locator(`[data-setting="${setting}"]`).getByRole('button', { name: /^Managed by/ })

test('managed settings are disabled with their reason, and follow a changed file', async ({ workspace, policies }) => {
  policies({
    OrganisationName: 'Example Bank',
    SpendGuardMinutes: 60,
    ProxyMode: 'none',
    Connections: [{ name: 'Bank KYC', baseUrl: 'https://kyc.example.com', mode: 'sandbox' }]
  })
  const page = await workspace.open()
  const settings = new SettingsPage(page)
  await settings.open()
  await expect(settings.list('Offer the earlier answer')).toBeDisabled()
  await expect(settings.list('Offer the earlier answer')).toContainText('1 hour')
  for (const choice of await page.locator('[data-setting="Proxy"]').getByRole('radio').all())
    await expect(choice).toBeDisabled()
  await expect(settings.field('Response timeout')).toBeEnabled()
  // The reason is reached by keyboard, and leads to the list of policies.
  await note(page, 'Offer the earlier answer').focus()
  await expect(note(page, 'Offer the earlier answer')).toHaveAccessibleName(
    /^Managed by Example Bank\. Set in .*policies\.json\./
  )
  await page.keyboard.press('Enter')
  const list = page.getByRole('region', { name: 'Policies' })
  await expect(list.getByRole('button', { name: 'Copy policies' })).toBeFocused()
  await expect(list).toContainText('SpendGuardMinutes')
  await inspect(page, 'settings with policies')

  await goTo(page, '/administration/connections', 'Connections')
  const card = page.getByRole('article', { name: 'Bank KYC' })
  await expect(card.getByRole('button', { name: /^Managed by Example Bank/ })).toBeVisible()
  await expect(card.getByRole('button', { name: /the connection$/ })).toHaveCount(0)
  await settings.open()

  // An administrator deploys another file, then a damaged one.
  policies({ OrganisationName: 'Example Bank', TotalTimeout: 90, ClipboardAllowed: false })
  await expect(settings.field('Response timeout')).toBeDisabled()
  await expect(settings.field('Response timeout')).toHaveValue('90')
  await expect(settings.list('Offer the earlier answer')).toBeEnabled()
  await page.getByRole('button', { name: 'Copy policies' }).press('Enter')
  await expect(page.getByText('Copying from Veridesk is turned off by Example Bank.').first()).toBeVisible()
  policies('{"format":"veridesk-pol')
  const notices = page.getByRole('region', { name: 'Notices' })
  await expect(notices).toContainText('cannot be used: it is not valid JSON')
  await expect(notices).toContainText('The last valid policies stay in force.')
  await expect(settings.field('Response timeout')).toBeDisabled()
  expect((await ask(page, 'app.state')).settings.totalTimeout).toBe(90)
})

test('what is turned off is disabled, and says by whom', async ({ workspace, policies }) => {
  policies({
    OrganisationName: 'Example Bank',
    OwnConnectionsAllowed: false,
    PracticeAllowed: false,
    PassphraseRequired: true,
    TeamDatabases: []
  })
  const page = await workspace.open()
  const notices = page.getByRole('region', { name: 'Notices' })
  await expect(notices).toContainText('A passphrase for the lock is required by Example Bank.')
  const reasons = page.getByRole('main').getByRole('button', { name: /^Managed by Example Bank/ })
  await expect(page.getByRole('button', { name: 'Open sample data' })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Add a connection' })).toBeDisabled()
  await expect(reasons).toHaveCount(2)
  await goTo(page, '/administration/connections', 'Connections')
  await expect(page.getByRole('button', { name: 'Add connection' })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Start practice service' })).toBeDisabled()
  await expect(reasons).toHaveCount(2)
  await inspect(page, 'connections that are turned off')
  await goTo(page, '/administration/team', 'Team')
  await expect(page.getByRole('button', { name: 'Show SQL' })).toBeDisabled()
  await expect(reasons).toHaveCount(1)
})

test('a live verification waits for its confirmation, by keyboard', async ({ workspace, policies, practice }) => {
  policies({ OrganisationName: 'Example Bank', ConfirmLive: true })
  const page = await workspace.open()
  await useService(page, practice, { name: 'Production', mode: 'live' })
  const verify = new VerifyPage(page)
  await verify.open('get-applicant-details')
  await verify.run('get-applicant-details', { applicant_id: 'PRACTICE-pass' })
  const question = verify.result.getByRole('region', { name: 'Confirm live verification' })
  await expect(question).toContainText('Production is a live connection')
  await inspect(page, 'a live verification to confirm')
  expect(practice.ledger()).toEqual([])
  await question.getByRole('button', { name: 'Confirm and send' }).focus()
  await page.keyboard.press('Enter')
  await expect(verify.record.outcome('Answered')).toBeVisible()
  expect(practice.ledger()).toHaveLength(1)
})

test('a decision states the class of time in a focused window where a policy says so, by keyboard', async ({
  workspace,
  policies
}) => {
  policies({ ReviewProof: 'documents-and-time' })
  const page = await workspace.open()
  await page.clock.install()
  const { id } = await usePractice(page)
  await runCheck(page, id, 'get-applicant-details', { applicant_id: 'PRACTICE-pass' })
  await goTo(page, '/applicants/PRACTICE-pass')
  const applicant = new ApplicantPage(page)
  await expect(applicant.checks).toHaveCount(1)
  const decide = async (): Promise<void> => {
    await page.getByRole('region', { name: 'Case', exact: true }).focus()
    await page.keyboard.press('a')
    await applicant.reason('Documents in order').focus()
    await page.keyboard.press('Space')
    await applicant.note.focus()
    await page.keyboard.type('Seen')
    await page.keyboard.press('Control+Enter')
    await expect(applicant.decided).toHaveText('Approved')
  }
  // In the background nothing counts, however long it is.
  await page.evaluate(() => dispatchEvent(new FocusEvent('blur')))
  await page.clock.fastForward(240_000)
  await decide()
  const time = applicant.panel.getByTestId('time-shown')
  await expect(time).toHaveText('Time shown before, as the window says: 0 to 5 seconds.')
  await page.evaluate(() => dispatchEvent(new FocusEvent('focus')))
  await page.clock.fastForward(70_000)
  await decide()
  await expect(time).toHaveText('Time shown before, as the window says: 1 to 5 minutes.')
})

test('review quality has a row for each person with 30 decisions where a policy says so', async ({
  workspace,
  policies,
  dataFolder
}) => {
  test.setTimeout(120_000)
  test.skip(!workspace.keyring, 'needs a keyring for tests')
  if (workspace.keyring) await seedDecisions(dataFolder, workspace.keyring, 25)
  policies({ ReviewRatesPerPerson: true })
  const page = await workspace.open()
  await goTo(page, '/overview?days=30', 'Overview')
  const quality = page.getByRole('region', { name: 'Review quality' })
  const table = quality.getByRole('table')
  await expect(table.getByRole('row')).toHaveText([
    /Reviewer.*No document opened.*An answer not shown/,
    /^Jonas Berg(100\.0\s% \d\d\.\d\s% to 100\.0\s% \(95 % interval\), of \d\d decisions){2}$/,
    /^Mira Rahn.*100\.0\s%/
  ])
  // It scrolls by keyboard where it does not fit.
  await quality.getByRole('group', { name: 'By reviewer' }).focus()
  await inspect(page, 'review quality of each person', ['light'])
})

test('a recovery key is sealed for the organisation, and the page and the dialog say so', async ({
  workspace,
  policies
}) => {
  test.skip(!workspace.keyring, 'needs a keyring for tests')
  const { publicKey } = generateKeyPairSync('x25519')
  policies({ RecoveryKeyEscrow: publicKey.export({ type: 'spki', format: 'pem' }) })
  const page = await workspace.open()
  const dataManagement = new DataManagementPage(page)
  await dataManagement.open()
  await expect(dataManagement.recovery).toContainText('Your organisation requires a recovery key that is sealed for it')
  await dataManagement.recovery.getByRole('button', { name: 'Create recovery key' }).click()
  await expect(dataManagement.recoveryDialog).toContainText('It is sealed for your organisation as well')
  const groups = dataManagement.recoveryDialog.getByTestId('recovery-key').getByRole('listitem')
  const last = /([0-9A-Z]{4})\s*$/.exec(await groups.last().innerText())?.[1] ?? ''
  await dataManagement.recoveryDialog.getByLabel('Last four characters of the key').fill(last)
  await dataManagement.recoveryDialog.getByRole('button', { name: 'I have stored it' }).click()
  await expect(dataManagement.recoveryDialog).toHaveCount(0)
  await expect(dataManagement.recovery).toContainText('It is sealed for your organisation as well')
  await inspect(page, 'a sealed recovery key')
})

test('what writes a file with personal data is disabled where exports are turned off', async ({
  workspace,
  policies
}) => {
  policies({ OrganisationName: 'Example Bank', ExportsAllowed: false })
  const page = await workspace.open()
  await usePractice(page)
  const { settings } = await ask(page, 'app.state')
  await runCheck(page, settings.lastConnection, 'get-applicant-details', { applicant_id: 'PRACTICE-pass' })
  const says = (dialog: Locator) => dialog.getByRole('button', { name: /^Managed by Example Bank/ })
  await new HistoryPage(page).open()
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const dialog = new Shell(page).dialog('Export records')
  await expect(dialog.getByRole('button', { name: 'Export records' })).toBeDisabled()
  await expect(says(dialog)).toBeVisible()
  await inspect(page, 'an export that is turned off')
})

test('what copies or prints is disabled, says why, and follows a changed file', async ({ workspace, policies }) => {
  const organisation = { OrganisationName: 'Example Bank' }
  policies(organisation)
  const page = await workspace.open()
  await usePractice(page)
  const { settings } = await ask(page, 'app.state')
  await runCheck(page, settings.lastConnection, 'get-applicant-details', { applicant_id: 'PRACTICE-pass' })
  const history = new HistoryPage(page)
  await history.open()
  await history.row(1).click()
  const copy = page.getByRole('button', { name: 'Copy message' })
  await expect(copy).toBeEnabled()

  policies({ ...organisation, ClipboardAllowed: false, ExportsAllowed: false })
  const why = 'Copying from Veridesk is turned off by Example Bank.'
  await expect(copy).toHaveAttribute('aria-disabled', 'true')
  await expect(copy).toHaveAccessibleDescription(why)
  await copy.press('Enter')
  const shell = new Shell(page)
  await expect(shell.announced).toHaveText(why)
  await page.getByRole('button', { name: 'More actions' }).click()
  await expect(page.getByRole('menuitem', { name: 'Copy link' })).toHaveAccessibleDescription(why)
  await inspect(page, 'a record whose values may not be copied')
  await page.keyboard.press('Escape')
  for (const [place, name] of [
    ['/about', 'Copy diagnostics'],
    ['/administration/settings', 'Copy policies'],
    ['/overview', 'Print']
  ] as const) {
    await goTo(page, place)
    await expect(page.getByRole('button', { name })).toHaveAttribute('aria-disabled', 'true')
  }
  await goTo(page, '/applicants/PRACTICE-pass', /PRACTICE-pass/)
  await page.getByRole('button', { name: 'More actions' }).click()
  for (const name of ['Print', 'Copy ID', 'Copy link'])
    await expect(page.getByRole('menuitem', { name, exact: true })).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Escape')
  await goTo(page, '/overview')
  policies(organisation)
  await expect(page.getByRole('button', { name: 'Print' })).not.toHaveAttribute('aria-disabled')
})
