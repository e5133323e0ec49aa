/** The audit trail, data management, and evidence. */
import { expect, type Locator, type Page } from '@playwright/test'
import { ApplicantPage } from './applicants.ts'
import { goTo } from './go.ts'

/** Reads the key that a dialog shows, and confirms it by its last characters, which are asked for. */
export async function confirmedKey(dialog: Locator): Promise<string> {
  // Reading all items does not wait for them: the key comes from another process, and the fields after a paint.
  const parts = dialog.getByTestId('recovery-key').getByRole('listitem')
  await expect(parts).toHaveCount(14)
  const lines = await parts.allInnerTexts()
  const groups = lines.map((line) => /([0-9A-Z]{4})\s*$/.exec(line)?.[1] ?? '')
  const stored = dialog.getByRole('button', { name: 'I have stored it' })
  const last = dialog.getByLabel('Last four characters of the key')
  await stored.press('Enter')
  await expect(last).toBeFocused()
  await expect(last).toHaveAccessibleDescription('Type the last four characters of the key first.')
  await last.fill(groups.at(0) ?? '')
  await stored.press('Enter')
  await expect(last).toBeFocused()
  await last.fill(groups.at(-1)?.toLowerCase() ?? '')
  await last.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  return groups.join('-')
}

export class AuditPage {
  readonly page: Page
  readonly events: Locator
  readonly list: Locator
  readonly verify: Locator
  readonly result: Locator
  readonly about: Locator
  readonly views: Locator

  constructor(page: Page) {
    const main = page.getByRole('main')
    this.page = page
    this.events = main.getByTestId('events')
    this.list = main.getByRole('grid', { name: 'Events, newest first' })
    this.verify = main.getByRole('button', { name: 'Verify audit trail' })
    this.result = main.getByRole('region', { name: 'Verification result' })
    this.about = main.getByRole('combobox', { name: 'Category' })
    this.views = main.getByRole('switch', { name: 'Views of data' })
  }
  open = (): Promise<void> => goTo(this.page, '/audit', 'Audit trail')
  /** The descriptions of the listed events. */
  words = (): Promise<string[]> =>
    this.page.getByRole('main').getByRole('grid').locator('[role="gridcell"][data-column="words"]').allInnerTexts()
  /** The row at a position, 1 being the newest. */
  row(position: number): Locator {
    return this.list.locator(`[role="row"][aria-rowindex="${position + 1}"]`)
  }
  event(number: number): Locator {
    return this.page.getByRole('dialog', { name: `Event ${number}` })
  }
}

export class DataManagementPage {
  readonly page: Page
  readonly main: Locator
  readonly makeBackup: Locator
  readonly backups: Locator
  readonly recovery: Locator
  readonly recoveryDialog: Locator
  readonly applicantId: Locator
  readonly holds: Locator
  readonly receipts: Locator
  readonly failure: Locator
  readonly dryRun: Locator
  /** What a run would erase now, with its lines. */
  readonly plan: Locator
  readonly planned: Locator
  readonly eraseNow: Locator

  constructor(page: Page) {
    this.page = page
    this.main = page.getByRole('main')
    this.makeBackup = this.main.getByRole('button', { name: 'Back up now' })
    this.backups = this.main.getByRole('list', { name: 'Backups, newest first' }).getByRole('listitem')
    this.recovery = this.main.getByRole('region', { name: 'Recovery key' })
    this.recoveryDialog = page.getByRole('dialog', { name: 'Your recovery key' })
    this.applicantId = this.main.getByRole('textbox', { name: 'Applicant ID' })
    this.holds = this.main.getByRole('list', { name: 'Legal holds' }).getByRole('listitem')
    this.receipts = this.main.getByRole('list', { name: 'Receipts, newest first' }).getByRole('listitem')
    this.failure = this.main.getByRole('group', { name: 'What went wrong' })
    this.dryRun = this.main.getByRole('button', { name: 'Preview deletions' })
    this.plan = this.main.getByRole('group', { name: 'Preview of deletions' })
    this.planned = this.plan.getByRole('list', { name: 'Past retention, oldest first' }).getByRole('listitem')
    this.eraseNow = this.plan.getByRole('button', { name: 'Erase these now' })
  }
  open = (): Promise<void> => goTo(this.page, '/administration/data-management', 'Data management')
  button(name: string | RegExp): Locator {
    return this.main.getByRole('button', { name, exact: typeof name === 'string' })
  }
  dialog(title: string): Locator {
    return this.page.getByRole('dialog', { name: title })
  }
  /** Creates the key, reads it, and confirms it by its last characters, which are asked for. */
  async createRecoveryKey(): Promise<string> {
    await this.recovery.getByRole('button', { name: 'Create recovery key' }).click()
    return confirmedKey(this.recoveryDialog)
  }
}

export class EvidencePage {
  readonly page: Page
  readonly check: Locator
  readonly answer: Locator
  readonly takeBack: Locator
  readonly verdict: Locator
  /** The field for a fingerprint received through another channel. */
  readonly ownerFingerprint: Locator
  readonly findings: Locator
  readonly contents: Locator
  readonly form: Locator
  readonly failure: Locator
  readonly dialog: Locator

  constructor(page: Page) {
    const main = page.getByRole('main')
    this.page = page
    this.check = main.getByRole('button', { name: 'Verify pack' })
    this.answer = main.getByRole('button', { name: 'Answer a request' })
    this.takeBack = main.getByRole('button', { name: 'Import answer' })
    this.verdict = main.getByRole('region', { name: 'Verification result' })
    this.ownerFingerprint = this.verdict.getByRole('textbox', { name: /^Fingerprint from the owner/ })
    this.findings = this.verdict.getByRole('list', { name: 'Verification steps' }).getByRole('listitem')
    this.contents = main.getByRole('list', { name: 'Contents of the case' }).getByRole('listitem')
    this.form = main.getByRole('form', { name: 'Your answer' })
    this.failure = main.getByRole('group', { name: 'What went wrong' })
    this.dialog = page.getByRole('dialog', { name: 'Evidence pack' })
  }
  open = (): Promise<void> => goTo(this.page, '/evidence', 'Evidence')
  /** This installation's own key, as grouped on the page. Reading a text does not wait until the view is shown. */
  async fingerprint(): Promise<string> {
    await goTo(this.page, '/administration/keys', 'Keys and evidence')
    const shown = this.page.getByTestId('fingerprint')
    await expect(shown).toBeVisible()
    await expect(shown).toHaveText(/^[0-9a-f]{4} /i)
    return shown.innerText()
  }
  /** Creates a pack with the profile of this label; returns the paths shown in the window. */
  async make(profile: string): Promise<{ readonly pack: string; readonly pdf: string }> {
    // Of a case and a record, it is among the actions that are not in sight.
    if (/#\/(applicants|history)\//.test(this.page.url())) await new ApplicantPage(this.page).more('Evidence pack')
    else await this.page.getByRole('main').getByRole('button', { name: 'Evidence pack' }).first().click()
    await this.dialog.getByRole('radio', { name: profile }).check()
    await this.dialog.getByRole('button', { name: 'Create pack' }).click()
    const saved = this.dialog.getByRole('region', { name: 'Saved' })
    await saved.waitFor({ timeout: 30_000 })
    const paths = await saved.locator('p > bdi').allInnerTexts()
    return { pack: paths[0] ?? '', pdf: paths[1] ?? '' }
  }
  /** Asks for approval of the decision about the applicant in view, by keyboard alone. */
  async ask(note: string): Promise<void> {
    await new ApplicantPage(this.page).more('Ask for approval')
    const dialog = this.page.getByRole('dialog', { name: 'Request for approval' })
    await dialog.getByRole('textbox', { name: /^Note for your colleague/ }).focus()
    await this.page.keyboard.type(note)
    await dialog.getByRole('button', { name: 'Save request' }).focus()
    await this.page.keyboard.press('Enter')
    await dialog.getByRole('region', { name: 'Saved' }).waitFor({ timeout: 30_000 })
    await this.page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  }
  /** Closes the dialog of a created pack. */
  async close(): Promise<void> {
    await this.page.keyboard.press('Escape')
    await this.dialog.waitFor({ state: 'detached' })
  }
}
