/** Applicants, the work queue and the message catalogue. */
import type { Locator, Page } from '@playwright/test'
import { DateField } from './fields.ts'
import { goTo } from './go.ts'

export class ApplicantsPage {
  readonly page: Page
  readonly search: Locator
  readonly list: Locator
  readonly noMatch: Locator

  constructor(page: Page) {
    const main = page.getByRole('main')
    this.page = page
    this.search = main.getByRole('textbox', { name: 'Search IDs, names, dates of birth, tags' })
    this.list = main.getByRole('grid', { name: 'Applicants, latest activity first' })
    this.noMatch = main.getByText('No results')
  }
  open = (): Promise<void> => goTo(this.page, '/applicants', 'Applicants')
  row(id: string): Locator {
    return this.list.getByRole('row').filter({ has: this.page.getByText(id, { exact: true }) })
  }
  counts = (label: string): Promise<Record<string, number>> => new QueuePage(this.page).counts(label)
  choose = (label: string, value: string): Promise<void> => new QueuePage(this.page).choose(label, value)
  view = (name: string): Locator =>
    this.page.getByRole('group', { name: 'Views' }).getByRole('button', { name: new RegExp(`^${name}`) })
}

export class ApplicantPage {
  readonly page: Page
  readonly panel: Locator
  readonly decided: Locator
  readonly decideAgain: Locator
  readonly record: Locator
  readonly note: Locator
  readonly due: DateField
  readonly timeline: Locator
  readonly entries: Locator
  readonly checks: Locator

  constructor(page: Page) {
    const main = page.getByRole('main')
    this.page = page
    this.panel = main.getByRole('region', { name: 'Decision', exact: true })
    this.decided = this.panel.getByTestId('decision')
    this.decideAgain = this.panel.getByRole('button', { name: 'Change decision' })
    this.record = this.panel.getByRole('button', { name: /^Record/ })
    this.note = this.panel.getByRole('textbox', { name: /^Note/ })
    this.due = new DateField(main, 'Due date')
    this.timeline = main.getByRole('list', { name: 'Timeline, newest first' })
    this.entries = this.timeline.locator(':scope > li:not([data-kind="view"])')
    this.checks = main.getByRole('list', { name: 'Answers of the service, newest first' }).locator(':scope > li')
  }
  /** The heading has the person's name too, where an answer says it. */
  open = async (id: string): Promise<void> => {
    await goTo(this.page, `/applicants/${encodeURIComponent(id)}`)
    await this.page.getByRole('heading', { level: 1 }).getByText(id, { exact: true }).waitFor()
  }
  choice = (decision: 'Approve' | 'Decline' | 'Escalate'): Locator =>
    this.panel.getByRole('button', { name: new RegExp(`^${decision}, key`) })
  /** Chooses from the actions that are not in sight. */
  async more(action: string): Promise<void> {
    await this.page.getByRole('main').getByRole('button', { name: 'More actions' }).click()
    await this.page.getByRole('menuitem', { name: action }).click()
  }
  async choose(decision: 'Approve' | 'Decline' | 'Escalate'): Promise<void> {
    await this.choice(decision).click()
  }
  reason(label: string): Locator {
    return this.panel.getByRole('checkbox', { name: label })
  }
  async addNote(text: string): Promise<void> {
    const form = this.page.getByRole('form', { name: 'Add a note' })
    await form.getByRole('textbox', { name: 'New note' }).fill(text)
    await form.getByRole('button', { name: 'Add note' }).click()
  }
  async addTag(text: string): Promise<void> {
    await this.page.getByRole('combobox', { name: 'New tag' }).fill(text)
    await this.page.keyboard.press('Enter')
  }
}

export class QueuePage {
  readonly page: Page
  readonly grid: Locator
  readonly rows: Locator
  readonly total: Locator
  readonly badge: Locator
  readonly search: Locator
  readonly order: Locator
  readonly noMatch: Locator
  /** The applicant beside the list. */
  readonly pane: Locator
  readonly opened: Locator
  readonly heading: Locator
  readonly applicant: ApplicantPage

  constructor(page: Page) {
    const main = page.getByRole('main')
    this.page = page
    this.grid = main.getByRole('grid', { name: 'Queue' })
    this.rows = this.grid.locator('.row')
    this.total = main.getByTestId('queue-total')
    this.badge = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Queue/ })
    this.search = main.getByRole('textbox', { name: 'Search IDs, names, messages, tags' })
    this.order = main.getByRole('combobox', { name: 'Order' })
    this.noMatch = main.getByText('No results')
    this.pane = main.getByRole('region', { name: 'Case', exact: true })
    /** The ID of the open case. */
    this.opened = this.pane.getByTestId('case-id')
    this.heading = this.pane.getByRole('heading', { level: 2 }).first()
    this.applicant = new ApplicantPage(page)
  }
  open = (): Promise<void> => goTo(this.page, '/queue', 'Queue')
  row(words: string): Locator {
    return this.rows.filter({ hasText: words })
  }
  /** The subjects that are drawn, in order. */
  subjects = (): Promise<string[]> =>
    this.rows
      .locator('[role="gridcell"][data-column="subject"] [data-whole]')
      .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('data-whole') ?? ''))
  filter = (label: string): Locator => {
    return this.page.getByRole('button', { name: new RegExp(`^${label} filter`) })
  }
  /** The counts of a filter's values; opens and closes its menu. */
  async counts(label: string): Promise<Record<string, number>> {
    await this.filter(label).click()
    const choices = this.page.getByRole('group', { name: label, exact: true }).locator('label')
    await choices.first().waitFor()
    const found = await choices.evaluateAll((each) =>
      each.map(
        (choice) =>
          [
            choice.querySelector('bdi')?.textContent ?? '',
            Number(choice.lastElementChild?.textContent?.replaceAll(',', ''))
          ] as const
      )
    )
    await this.page.keyboard.press('Escape')
    await choices.first().waitFor({ state: 'detached' })
    return Object.fromEntries(found)
  }
  /** Selects or clears a value of a filter. */
  async choose(label: string, value: string): Promise<void> {
    await this.filter(label).click()
    await this.page
      .getByRole('group', { name: label, exact: true })
      .getByRole('checkbox', { name: new RegExp(`^${value}`) })
      .click()
    await this.page.keyboard.press('Escape')
  }
}

export class CataloguePage {
  readonly page: Page
  readonly list: Locator
  readonly rows: Locator
  readonly views: Locator
  readonly unseen: Locator
  readonly dialog: Locator

  constructor(page: Page) {
    this.page = page
    this.list = page.getByRole('grid', { name: /^Messages, / })
    this.rows = this.list.locator('.row')
    this.views = page.getByRole('group', { name: 'Views' })
    this.unseen = this.views.getByRole('button', { name: /^Unreviewed/ })
    this.dialog = page.getByRole('dialog', { name: 'Interpretation', exact: true })
  }
  open = (): Promise<void> => goTo(this.page, '/catalogue', 'Catalogue')
  message(words: string): Locator {
    return this.rows.filter({ hasText: words })
  }
  /** The organisation's interpretation of a message. */
  reading(words: string): Locator {
    return this.message(words).locator('[role="gridcell"][data-column="reading"]')
  }
  async read(words: string, means: 'Favourable' | 'Unfavourable' | 'Unclear'): Promise<void> {
    await this.message(words).click()
    await this.dialog.getByRole('radio', { name: new RegExp(`^${means}`) }).check()
    await this.dialog.getByRole('button', { name: 'Save interpretation' }).click()
    await this.dialog.waitFor({ state: 'detached' })
  }
}
