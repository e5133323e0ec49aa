/** The settings, and the page of help and diagnosis. */
import type { Locator, Page } from '@playwright/test'
import { goTo } from './go.ts'

export class SettingsPage {
  readonly page: Page
  readonly main: Locator
  readonly chooseCaFile: Locator
  readonly removeCaFile: Locator
  /** The quiet confirmation beside a control. */
  readonly saved: Locator

  constructor(page: Page) {
    this.page = page
    this.main = page.getByRole('main')
    this.chooseCaFile = this.main.getByRole('button', { name: /^(Choose|Replace) file$/ })
    this.removeCaFile = this.main.getByRole('button', { name: 'Remove' })
    this.saved = this.main.getByText('Saved', { exact: true })
  }

  async open(): Promise<void> {
    await goTo(this.page, '/settings', 'Settings')
  }
  async choose(setting: 'Theme' | 'Density' | 'Proxy', choice: string): Promise<void> {
    const group = this.main.getByRole('group', { name: setting, exact: true })
    await group.getByRole('radio', { name: choice, exact: true }).check({ force: true })
  }
  field(label: string): Locator {
    return this.main.getByRole('textbox', { name: label, exact: true })
  }
  async set(label: string, value: string): Promise<void> {
    await this.field(label).fill(value)
    await this.field(label).press('Tab')
  }
}

export class AboutPage {
  readonly page: Page
  readonly diagnosis: Locator
  readonly copyDiagnosis: Locator

  constructor(page: Page) {
    const main = page.getByRole('main')
    this.page = page
    this.diagnosis = main.getByRole('region', { name: 'Diagnosis' })
    this.copyDiagnosis = main.getByRole('button', { name: 'Copy diagnosis' })
  }

  async open(): Promise<void> {
    await goTo(this.page, '/about', 'Help and diagnosis')
  }
}
