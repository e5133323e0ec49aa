/** The lock page, and the passphrase in the settings. */
import type { Locator, Page } from '@playwright/test'

export class LockPage {
  readonly page: Page
  readonly root: Locator
  readonly heading: Locator
  readonly passphrase: Locator
  readonly unlock: Locator
  readonly forgotten: Locator
  readonly recovery: Locator

  constructor(page: Page) {
    this.page = page
    this.root = page.getByTestId('lock-page')
    this.heading = this.root.getByRole('heading', { name: 'Veridesk is locked' })
    this.passphrase = this.root.getByLabel('Passphrase', { exact: true })
    this.unlock = this.root.getByRole('button', { name: 'Unlock' })
    this.forgotten = this.root.getByRole('button', { name: 'Forgotten?' })
    this.recovery = this.root.getByRole('form', { name: 'New passphrase by recovery key' })
  }
  /** Locks, and waits for the new page: an answer to the old one could be lost with it. */
  async now(): Promise<void> {
    const loaded = this.page.waitForEvent('domcontentloaded')
    await this.page.evaluate(
      () => void (window as unknown as { veridesk: Record<string, () => Promise<unknown>> }).veridesk['lock.now']?.()
    )
    await loaded
    await this.heading.waitFor()
  }
}
