/** The settings, and the page of help and diagnostics. */
import type { Locator, Page } from '@playwright/test'
import { goTo } from './go.ts'

export class SettingsPage {
  readonly page: Page
  readonly main: Locator
  readonly chooseCaFile: Locator
  readonly removeCaFile: Locator
  /** The confirmation next to a control. */
  readonly saved: Locator

  constructor(page: Page) {
    this.page = page
    this.main = page.getByRole('main')
    this.chooseCaFile = this.main.getByRole('button', { name: /^(Choose|Replace) file$/ })
    this.removeCaFile = this.main.getByRole('button', { name: 'Remove' })
    this.saved = this.main.getByText('Saved', { exact: true })
  }

  async open(): Promise<void> {
    await goTo(this.page, '/administration/settings', 'Settings')
  }
  async choose(
    setting: 'Theme' | 'Density' | 'Dates and times' | 'Time zone' | 'Proxy' | 'Side bar',
    choice: string
  ): Promise<void> {
    const group = this.main.getByRole('group', { name: setting, exact: true })
    await group.getByRole('radio', { name: choice, exact: true }).check()
  }
  /** A setting that is on or off. */
  toggle(label: string): Locator {
    return this.main.getByRole('switch', { name: label, exact: true })
  }
  /** A time or another choice from a list. */
  list(label: string): Locator {
    return this.main.getByRole('combobox', { name: label })
  }
  field(label: string): Locator {
    return this.main.getByRole('textbox', { name: label, exact: true })
  }
  async set(label: string, value: string): Promise<void> {
    await this.field(label).fill(value)
    await this.field(label).press('Tab')
  }
}

/** The reasons for decisions, in the settings. */
export class ReasonList {
  readonly page: Page
  readonly group: Locator
  readonly rows: Locator
  readonly names: Locator
  readonly form: Locator
  readonly removed: Locator

  constructor(page: Page) {
    this.page = page
    this.group = page.getByRole('main').getByRole('group', { name: 'Reasons for decisions' })
    this.rows = this.group.getByRole('list', { name: 'Reasons, in order' }).getByRole('listitem')
    this.names = this.rows.getByRole('textbox', { name: /^Name of reason/ })
    this.form = this.group.getByRole('form', { name: 'Add a reason' })
    this.removed = this.group.getByRole('list', { name: 'Removed reasons' }).getByRole('listitem')
  }
  row(code: string): Locator {
    return this.rows.and(this.group.locator(`[data-code="${code}"]`))
  }
  async add(name: string, decisions: readonly string[], code = ''): Promise<void> {
    await this.form.getByLabel('New reason').fill(name)
    await this.form.getByLabel('Code', { exact: true }).fill(code)
    for (const decision of decisions) await this.form.getByRole('checkbox', { name: decision }).check()
    await this.form.getByRole('button', { name: 'Add reason' }).click()
  }
  /** Drags a row by its handle onto another. */
  async drag(code: string, onto: string): Promise<void> {
    await this.row(onto).scrollIntoViewIfNeeded()
    await this.grip(code)
    await this.dropOn(onto)
  }
  /** Presses on a row's handle without releasing it. */
  async grip(code: string): Promise<void> {
    await this.row(code).locator('[title="Drag to reorder"]').hover()
    await this.page.mouse.down()
  }
  async dropOn(onto: string): Promise<void> {
    const target = await this.row(onto).boundingBox()
    if (!target) throw new Error(`${onto} is not to be seen`)
    await this.page.mouse.move(target.x + 40, target.y + target.height / 2, { steps: 4 })
    await this.page.mouse.up()
  }
}

export class AboutPage {
  readonly page: Page
  readonly diagnosis: Locator
  readonly copyDiagnosis: Locator

  constructor(page: Page) {
    const main = page.getByRole('main')
    this.page = page
    this.diagnosis = main.getByRole('region', { name: 'Diagnostics' })
    this.copyDiagnosis = main.getByRole('button', { name: 'Copy diagnostics' })
  }

  async open(): Promise<void> {
    await goTo(this.page, '/about', 'About')
  }
}
