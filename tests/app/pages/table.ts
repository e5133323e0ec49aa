/** A table: headings, columns, rows and their selection. */
import type { Locator, Page } from '@playwright/test'

export class TablePage {
  readonly page: Page
  readonly grid: Locator
  readonly headings: Locator
  readonly selected: Locator
  readonly selection: Locator

  constructor(page: Page) {
    const main = page.getByRole('main')
    this.page = page
    this.grid = main.getByRole('grid')
    this.headings = this.grid.locator('[role="columnheader"][data-column]')
    this.selection = main.getByRole('region', { name: 'Selection' })
    this.selected = this.selection.getByTestId('selected')
  }
  heading(name: string): Locator {
    return this.grid.getByRole('columnheader', { name, exact: true })
  }
  /** The row at a position, 1 being the first. */
  row(position: number): Locator {
    return this.grid.locator(`[role="row"][aria-rowindex="${position + 1}"]`)
  }
  cell(position: number, column: string): Locator {
    return this.row(position).locator(`[role="gridcell"][data-column="${column}"]`)
  }
  async sortBy(name: string): Promise<void> {
    await this.heading(name).getByRole('button').click()
  }
  async openColumns(): Promise<Locator> {
    await this.page.getByRole('main').getByRole('button', { name: 'Columns', exact: true }).click()
    return this.page.getByRole('dialog', { name: 'Columns' })
  }
}
