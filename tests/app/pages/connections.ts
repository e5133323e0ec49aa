/** The connections with their credentials, and the keychain's state. */
import type { Locator, Page } from '@playwright/test'
import { goTo } from './go.ts'

export class ConnectionsPage {
  readonly page: Page
  readonly add: Locator
  readonly empty: Locator
  readonly keychain: Locator
  readonly keychainTryAgain: Locator
  readonly startPractice: Locator

  constructor(page: Page) {
    const main = page.getByRole('main')
    this.page = page
    this.add = main.getByRole('button', { name: 'Add connection' })
    this.empty = main.getByText('No connection yet')
    this.keychain = main.getByRole('group', { name: 'Keychain' })
    this.keychainTryAgain = this.keychain.getByRole('button', { name: 'Try again' })
    this.startPractice = main.getByRole('button', { name: 'Start practice service' })
  }

  async open(): Promise<void> {
    await goTo(this.page, '/administration/connections', 'Connections')
  }
  card(name: string): ConnectionCard {
    return new ConnectionCard(this.page, name)
  }
  get form(): ConnectionForm {
    return new ConnectionForm(this.page.getByRole('form', { name: /connection$/ }))
  }
}

class ConnectionForm {
  readonly root: Locator
  readonly name: Locator
  readonly baseUrl: Locator
  readonly mark: Locator
  readonly save: Locator

  constructor(root: Locator) {
    this.root = root
    this.name = root.getByRole('textbox', { name: 'Name' })
    this.baseUrl = root.getByRole('textbox', { name: 'Base URL' })
    this.mark = root.getByRole('textbox', { name: 'Mark' })
    this.save = root.getByRole('button', { name: 'Save' })
  }
  credential(label: string): Locator {
    return this.root.getByLabel(new RegExp(`^${label}`))
  }
  async mode(mode: 'Sandbox' | 'Live'): Promise<void> {
    await this.root.getByRole('radio', { name: new RegExp(`^${mode}`) }).check()
  }
  async colour(colour: string): Promise<void> {
    await this.root.getByRole('radio', { name: new RegExp(`^${colour}$`, 'i') }).check()
  }
}

class ConnectionCard {
  readonly page: Page
  readonly root: Locator
  readonly use: Locator
  readonly edit: Locator
  readonly remove: Locator
  readonly reach: Locator
  readonly steps: Locator
  readonly sessionOnly: Locator

  constructor(page: Page, name: string) {
    this.page = page
    this.root = page.getByRole('article', { name, exact: true })
    this.use = this.root.getByRole('button', { name: 'Use', exact: true })
    this.edit = this.root.getByRole('button', { name: 'Edit the connection' })
    this.remove = this.root.getByRole('button', { name: 'Remove the connection' })
    this.reach = this.root.getByRole('button', { name: 'Test connection' })
    this.steps = this.root.getByRole('list', { name: 'Connection test steps' }).getByRole('listitem')
    this.sessionOnly = this.root.getByText(/Stored for this session only/)
  }
  /** The row of one credential, by its label in the table; contains “Set” or “Not set”. */
  credential(label: string): Locator {
    return this.root.getByRole('group', { name: label, exact: true })
  }
  async set(label: string, value: string): Promise<void> {
    const row = this.credential(label)
    await row.getByRole('button', { name: /^(Set|Replace) / }).click()
    await row.getByLabel(label, { exact: true }).fill(value)
    await row.getByRole('button', { name: 'Save' }).click()
  }
  async clear(label: string): Promise<void> {
    await this.credential(label)
      .getByRole('button', { name: /^Clear / })
      .click()
  }
  /** Removes the connection; a live one asks for its name. */
  async removeFor(name: string, live = false): Promise<void> {
    await this.remove.click()
    const dialog = this.page.getByRole('dialog')
    if (live) await dialog.getByRole('textbox').fill(name)
    await dialog.getByRole('button', { name: 'Remove' }).click()
  }
}
