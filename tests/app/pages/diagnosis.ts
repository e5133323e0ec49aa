/** The network diagnosis. */
import type { Locator, Page } from '@playwright/test'
import { goTo } from './go.ts'

export class DiagnosisPage {
  readonly page: Page
  readonly heading: Locator
  readonly address: Locator
  /** *Diagnose*, and *Cancel* while one is running. */
  readonly button: Locator
  readonly result: Locator
  readonly copy: Locator
  readonly steps: Locator

  constructor(page: Page) {
    const main = page.getByRole('main')
    this.page = page
    this.heading = main.getByRole('heading', { name: 'Network diagnosis' })
    this.address = main.getByRole('textbox', { name: 'Address' })
    this.button = main.getByRole('button', { name: /^(Diagnose|Cancel)$/ })
    this.result = main.getByRole('region', { name: 'Result' })
    this.copy = main.getByRole('button', { name: 'Copy report' })
    this.steps = main.getByRole('list', { name: 'Diagnosis steps' }).locator(':scope > li')
  }

  async open(): Promise<void> {
    await goTo(this.page, '/diagnosis', 'Network diagnosis')
  }
}
