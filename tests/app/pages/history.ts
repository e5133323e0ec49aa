/** The history: search, filters, the list and the record next to it. */
import type { Locator, Page } from '@playwright/test'
import { RecordPart } from './record.ts'
import { DateField } from './fields.ts'
import { goTo } from './go.ts'

type Filter = 'Operation' | 'Outcome' | 'Status' | 'Connection'

export class HistoryPage {
  readonly page: Page
  readonly search: Locator
  readonly total: Locator
  readonly list: Locator
  readonly rows: Locator
  readonly unresolved: Locator
  readonly clearFilters: Locator
  readonly empty: Locator
  readonly noMatch: Locator
  readonly pane: Locator
  readonly record: RecordPart
  readonly closeRecord: Locator
  /** The history did not open. */
  readonly failure: Locator
  readonly tryAgain: Locator
  readonly setAside: Locator
  readonly forSession: Locator

  constructor(page: Page) {
    const main = page.getByRole('main')
    this.page = page
    this.search = main.getByRole('textbox', { name: 'Search IDs, names, answers and notes' })
    this.total = page.getByTestId('total')
    this.list = main.getByRole('grid', { name: 'Records, newest first' })
    this.rows = this.list.getByRole('row').filter({ has: page.getByRole('gridcell') })
    this.unresolved = main.getByRole('button', { name: /^Needs resolution/ })
    this.clearFilters = main.getByRole('button', { name: 'Clear filters' }).first()
    this.empty = main.getByText('No records yet')
    this.noMatch = main.getByText('No results')
    this.pane = main.getByRole('region', { name: 'Record', exact: true })
    this.record = new RecordPart(this.pane)
    this.closeRecord = main.getByRole('button', { name: 'Close the record' })
    this.failure = main.getByRole('group', { name: 'What went wrong' })
    this.tryAgain = main.getByRole('button', { name: 'Try again' })
    this.forSession = main.getByRole('button', { name: 'Work in memory for this session' })
    this.setAside = main.getByRole('button', { name: 'Set file aside' })
  }

  async open(): Promise<void> {
    await goTo(this.page, '/history', 'History')
  }
  /** The row at a position, 1 being the newest. */
  row(position: number): Locator {
    return this.list.locator(`[role="row"][aria-rowindex="${position + 1}"]`)
  }
  /** A cell by its row's position and its column. */
  cell(position: number, column: string): Locator {
    return this.row(position).locator(`[role="gridcell"][data-column="${column}"]`)
  }
  /** A choice in an open filter, with its count. */
  choice(name: Filter, choice: string): Locator {
    const label = this.page.getByText(choice, { exact: true })
    return this.page
      .getByRole('dialog', { name: `${name} filter` })
      .locator('label')
      .filter({ has: label })
  }
  async filter(name: Filter, choice: string): Promise<void> {
    await this.page.getByRole('button', { name: new RegExp(`^${name} filter`) }).click()
    await this.choice(name, choice).click()
    await this.page.keyboard.press('Escape')
  }
  /** The number of records that a filter's choice would leave. */
  async countOf(name: Filter, choice: string): Promise<number> {
    await this.page.getByRole('button', { name: new RegExp(`^${name} filter`) }).click()
    const words = await this.choice(name, choice).innerText()
    await this.page.keyboard.press('Escape')
    return Number(/([\d,]+)\s*$/.exec(words)?.[1]?.replaceAll(',', ''))
  }
  async period(preset: 'Today' | 'Last 7 days' | 'Last 30 days' | 'Last 12 months'): Promise<void> {
    await this.page.getByRole('button', { name: /^Period filter/ }).click()
    await this.page.getByRole('dialog', { name: 'Period filter' }).getByRole('button', { name: preset }).click()
  }
  async openViews(): Promise<Locator> {
    await this.page.getByRole('button', { name: /^Views/ }).click()
    return this.page.getByRole('dialog', { name: 'Views' })
  }
  /** Saves the current filters under a name. */
  async keepView(name: string): Promise<void> {
    const views = await this.openViews()
    await views.getByLabel('Save current filters as').fill(name)
    await views.getByRole('button', { name: /^(?:Save|Replace)$/ }).click()
    await views.waitFor({ state: 'hidden' })
  }
  /** Types the first day of a period key by key, in the order of its parts. */
  async typeFrom(keys: string): Promise<void> {
    await this.page.getByRole('button', { name: /^Period filter/ }).click()
    await this.page
      .getByRole('dialog', { name: 'Period filter' })
      .getByRole('group', { name: 'From', exact: true })
      .getByRole('spinbutton')
      .first()
      .focus()
    await this.page.keyboard.type(keys, { delay: 100 })
  }
  /** Goes to a local date, such as 2026-11-21. */
  async jumpTo(day: string): Promise<void> {
    await this.page.getByRole('button', { name: /^Period filter/ }).click()
    const dialog = this.page.getByRole('dialog', { name: 'Period filter' })
    await new DateField(dialog, 'Go to date').set(day)
    await dialog.getByRole('button', { name: 'Go', exact: true }).click()
  }
}
