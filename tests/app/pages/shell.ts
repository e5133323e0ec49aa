/** The frame around every view: side bar, top strip, palette, messages. */
import type { Locator, Page } from '@playwright/test'
import { operations } from '#contract/verification/operations.ts'
import { goTo } from './go.ts'

/** The pages of administration. */
const administration = ['Connections', 'Data management', 'Team', 'Settings']

export class Shell {
  readonly page: Page
  readonly navigation: Locator
  readonly main: Locator
  readonly heading: Locator
  /** The current connection in the top strip. */
  readonly currentConnection: Locator
  readonly liveMark: Locator
  readonly sandboxMark: Locator
  readonly stateChips: Locator
  readonly notices: Locator
  /** The toast at the bottom of the window. */
  readonly message: Locator
  /** What screen readers announce. */
  readonly announced: Locator
  readonly unresolvedBadge: Locator

  constructor(page: Page) {
    this.page = page
    this.navigation = page.getByRole('navigation', { name: 'Main' })
    this.main = page.getByRole('main')
    this.heading = page.getByRole('heading', { level: 1 })
    const strip = page.getByRole('banner')
    this.currentConnection = strip.getByRole('button', { name: /^Current connection:/ })
    this.liveMark = strip.getByText('LIVE', { exact: true })
    this.sandboxMark = strip.getByText('SANDBOX', { exact: true })
    this.stateChips = strip.getByRole('group', { name: 'Status' })
    this.notices = page.getByRole('region', { name: 'Notices' })
    this.message = page.getByTestId('toast')
    this.announced = page.getByTestId('announcer')
    this.unresolvedBadge = this.navigation.getByRole('link', { name: /^History/ })
  }

  /** Opens a view or, by its short title, an operation. */
  async open(label: string): Promise<void> {
    const tab = administration.find((each) => each === label)
    if (tab) await goTo(this.page, `/administration/${tab.toLowerCase().replace(' ', '-')}`, tab)
    else if (label === 'Help') await this.page.getByRole('banner').getByRole('button', { name: label }).click()
    else if (operations.some(({ shortTitle }) => shortTitle === label)) await this.operation(label)
    else await this.link(label).click()
  }
  /** An entry of the side bar, by its label; what its badge says follows a comma. */
  link(label: string): Locator {
    return this.navigation.getByRole('link', { name: new RegExp(`^${label}(,|$)`) })
  }
  /** The entry that opens and closes the list of operations. */
  get newVerification(): Locator {
    return this.navigation.getByRole('button', { name: 'New verification' })
  }
  /** Opens an operation from the side bar, by its short title. */
  async operation(shortTitle: string): Promise<void> {
    // Where the start leads may close the list again.
    await this.page.getByRole('heading', { level: 1 }).first().waitFor()
    if ((await this.newVerification.getAttribute('aria-expanded')) === 'false') await this.newVerification.click()
    await this.navigation.getByRole('link', { name: shortTitle, exact: true }).click()
  }
  async choose(connection: string): Promise<void> {
    await this.currentConnection.click()
    await this.page.getByRole('menuitemradio', { name: connection }).click()
  }
  async undo(): Promise<void> {
    await this.message.getByRole('button', { name: 'Undo' }).click()
  }

  get palette(): Locator {
    return this.page.getByRole('dialog', { name: 'Command palette' })
  }
  async openPalette(): Promise<void> {
    await this.page.keyboard.press('ControlOrMeta+k')
  }
  async paletteGo(words: string): Promise<void> {
    await this.openPalette()
    await this.palette.getByRole('combobox').fill(words)
    await this.page.keyboard.press('Enter')
  }
  get help(): Locator {
    return this.page.getByRole('complementary', { name: 'Help' })
  }
  get shortcuts(): Locator {
    return this.page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  }
  dialog(title: string | RegExp): Locator {
    return this.page.getByRole('dialog', { name: title })
  }
}

/** The first start's three steps. */
export class WelcomePage {
  readonly page: Page
  readonly heading: Locator
  readonly startPractice: Locator
  readonly ownConnection: Locator
  readonly skip: Locator
  readonly firstCheck: Locator
  readonly presentStep: Locator

  constructor(page: Page) {
    const main = page.getByRole('main')
    this.page = page
    this.heading = main.getByRole('heading', { name: 'Welcome to Veridesk' })
    this.startPractice = main.getByRole('button', { name: 'Practise sending without an account' })
    this.ownConnection = main.getByRole('button', { name: 'Add a connection' })
    this.skip = main.getByRole('button', { name: 'Skip' })
    this.firstCheck = main.getByRole('button', { name: 'Open the first verification' })
    this.presentStep = main.locator('[aria-current="step"]')
  }
}
