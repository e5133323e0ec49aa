/** One record with all its data: below a form and in the history. */
import type { Locator } from '@playwright/test'

export class RecordPart {
  readonly root: Locator
  readonly status: Locator
  readonly message: Locator
  readonly failure: Locator
  readonly runAgain: Locator
  readonly copyMessage: Locator
  readonly copyBody: Locator
  readonly copyCurl: Locator
  readonly openInHistory: Locator
  readonly changes: Locator
  /** What is shown in the place of an answer. */
  readonly nextStep: Locator
  readonly more: Locator
  readonly tree: Locator
  readonly treeLines: Locator
  readonly raw: Locator
  readonly headers: Locator
  readonly sent: Locator
  readonly facts: Locator
  readonly resolveForm: Locator
  readonly resolved: Locator

  constructor(place: Locator) {
    this.root = place.getByTestId('record')
    this.status = this.root.getByTestId('status')
    this.message = this.root.getByTestId('message')
    this.failure = this.root.getByRole('group', { name: 'What went wrong' })
    this.runAgain = this.root.getByRole('button', { name: 'Resend', exact: true })
    this.copyMessage = this.root.getByRole('button', { name: 'Copy message' })
    this.copyBody = this.root.getByRole('button', { name: 'Copy body' })
    this.more = this.root.getByRole('button', { name: 'More actions' })
    this.copyCurl = this.root.getByRole('menuitem', { name: 'Copy as curl' })
    this.openInHistory = this.root.getByRole('menuitem', { name: 'Open in history' })
    this.changes = this.root.getByRole('region', { name: 'Compared with the last answer' })
    this.nextStep = this.root.getByTestId('next-step')
    this.tree = this.root.getByRole('tree', { name: 'Body as a tree' })
    this.treeLines = this.tree.getByRole('treeitem')
    this.raw = this.root.getByTestId('raw')
    this.headers = this.root.getByRole('table')
    this.sent = this.root.getByRole('region', { name: 'Request' })
    this.facts = this.root.getByRole('region', { name: 'Record details' })
    this.resolveForm = this.root.getByRole('form', { name: 'Resolve this outcome' })
    this.resolved = this.root.getByRole('region', { name: 'Resolved' })
  }

  /** The outcome's label, as shown at the top. */
  outcome(label: string): Locator {
    return this.root.getByText(label, { exact: true }).first()
  }
  /** A value by its label: “Record”, “Duration”. */
  fact(label: string): Locator {
    return this.facts
      .locator('dt')
      .filter({ hasText: new RegExp(`^${label}$`) })
      .locator('xpath=following-sibling::dd[1]')
  }
  /** The value sent in a field, by the field's name in the request. */
  sentIn(field: string): Locator {
    return this.sent.locator('dt').filter({ hasText: field }).locator('xpath=following-sibling::dd[1]')
  }
  /** Opens a closed part: “Request”, “Record”. */
  async open(part: 'Request' | 'Record'): Promise<void> {
    await this.root.locator('summary').filter({ hasText: part }).first().click()
  }
  async show(tab: 'Tree' | 'Raw' | 'Headers'): Promise<void> {
    await this.root.getByRole('tab', { name: new RegExp(`^${tab}`) }).click()
  }
  async resolve(
    choice: 'It was processed' | 'It was not processed' | 'Cannot be determined',
    note: string
  ): Promise<void> {
    await this.resolveForm.getByRole('radio', { name: choice }).check()
    await this.resolveForm.getByRole('textbox', { name: 'Note' }).fill(note)
    await this.resolveForm.getByRole('button', { name: 'Save resolution' }).click()
  }
}
