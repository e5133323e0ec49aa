/** The history: list, search, filters, and its states. */
import type { Locator, Page } from '@playwright/test'
import { recordPanel, type RecordPanel } from './record.ts'

export interface HistoryPage {
  readonly total: Locator
  readonly search: Locator
  readonly clearSearch: Locator
  readonly grid: Locator
  readonly rows: Locator
  readonly clearFilters: Locator
  readonly toSettle: Locator
  readonly failure: Locator
  readonly tryAgain: Locator
  readonly setAside: Locator
  readonly forSitting: Locator
  readonly detail: Locator
  readonly closeDetail: Locator
  readonly record: RecordPanel
  filter(name: FilterName): Locator
  /** The choice of an open filter, its count within. */
  choice(label: string): Locator
  tick(name: FilterName, label: string): Promise<void>
}

export type FilterName = 'Operation' | 'Outcome' | 'Status' | 'Connection' | 'Period'

export function historyPage(page: Page): HistoryPage {
  const main = page.getByRole('main')
  const filter = (name: FilterName): Locator => main.getByRole('button', { name: new RegExp(`^${name} filter`) })
  const choice = (label: string): Locator => page.getByRole('dialog').locator('label').filter({ hasText: label })
  const grid = main.getByRole('grid', { name: 'Records, newest first' })
  const failure = main.getByRole('group', { name: 'What went wrong' })
  return {
    total: main.getByTestId('total'),
    search: main.getByRole('textbox', { name: 'Search ids, links, messages and replies' }),
    clearSearch: main.getByRole('button', { name: 'Clear the search' }),
    grid,
    rows: grid.getByRole('row'),
    clearFilters: main.getByRole('button', { name: 'Clear filters' }).first(),
    toSettle: main.getByRole('button', { name: /^To settle/ }),
    failure,
    tryAgain: failure.getByRole('button', { name: 'Try again' }),
    setAside: failure.getByRole('button', { name: 'Set the file aside' }),
    forSitting: failure.getByRole('button', { name: /sitting/i }),
    detail: main.getByRole('region', { name: 'Record', exact: true }),
    closeDetail: main.getByRole('button', { name: 'Close the record' }),
    record: recordPanel(page),
    filter,
    choice,
    async tick(name, label) {
      await filter(name).click()
      await choice(label).click()
      await page.keyboard.press('Escape')
    }
  }
}
