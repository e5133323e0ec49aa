/** A record as a whole: under the form and in the history. */
import type { Locator, Page } from '@playwright/test'
import { outcomeOf, type Outcome } from '#contract/outcomes.ts'

export interface RecordPanel {
  readonly panel: Locator
  readonly status: Locator
  readonly message: Locator
  readonly failure: Locator
  readonly tree: Locator
  readonly treeLines: Locator
  readonly raw: Locator
  readonly headers: Locator
  readonly changes: Locator
  readonly settle: Locator
  readonly settled: Locator
  outcome(id: Outcome): Locator
  fact(label: string): Locator
  sent(field: string): Locator
  action(name: 'Run again' | 'Copy message' | 'Copy body' | 'Copy as curl'): Locator
  show(tab: 'Tree' | 'Raw' | 'Headers'): Promise<void>
}

export function recordPanel(page: Page): RecordPanel {
  const panel = page.getByTestId('record')
  const reply = panel.getByRole('region', { name: 'The whole reply' })
  const fact = (label: string): Locator =>
    panel.locator('dt').filter({ hasText: new RegExp(`^${label}$`) }).locator('xpath=following-sibling::dd[1]')
  return {
    panel,
    status: panel.getByTestId('status'),
    message: panel.getByTestId('message'),
    failure: panel.getByRole('group', { name: 'What went wrong' }),
    tree: reply.getByRole('tree'),
    treeLines: reply.getByRole('treeitem'),
    raw: reply.getByTestId('raw'),
    headers: reply.getByRole('table'),
    changes: panel.getByTestId('changes'),
    settle: panel.getByRole('form', { name: 'Settle this outcome' }),
    settled: panel.getByRole('region', { name: 'Settled' }),
    outcome: (id) => panel.getByText(outcomeOf(id).label, { exact: true }).first(),
    fact,
    sent: (field) => panel.getByRole('region', { name: 'What was sent' }).locator('dt').filter({ hasText: field }).locator('xpath=following-sibling::dd[1]'),
    action: (name) => panel.getByRole('button', { name }),
    async show(tab) {
      await reply.getByRole('tab', { name: tab }).click()
    }
  }
}
