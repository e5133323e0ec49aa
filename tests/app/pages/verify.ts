/** The form of any operation, and its result. */
import type { Locator, Page } from '@playwright/test'
import { operationOf, type OperationId } from '#contract/verification/operations.ts'
import { RecordPart } from './record.ts'
import { goTo } from './go.ts'

export class VerifyPage {
  readonly page: Page
  readonly form: Locator
  readonly send: Locator
  readonly clear: Locator
  readonly cancel: Locator
  /** Unfolds the form. */
  readonly edit: Locator
  /** The running request with its phase and elapsed time. */
  readonly running: Locator
  readonly elapsed: Locator
  readonly result: Locator
  readonly record: RecordPart
  /** The spend guard's earlier answer. */
  readonly recentlyAnswered: Locator
  readonly showEarlier: Locator
  readonly sendAnyway: Locator
  /** Why nothing was recorded at all. */
  readonly failure: Locator

  constructor(page: Page) {
    const main = page.getByRole('main')
    this.page = page
    this.form = main.getByRole('form')
    this.send = main.getByRole('button', { name: /^Send( to LIVE)?$/ })
    this.clear = main.getByRole('button', { name: 'Clear', exact: true })
    this.edit = main.getByTestId('folded').getByRole('button', { name: 'Edit the request' })
    this.cancel = main.getByRole('button', { name: /^Cancel/ })
    this.running = main.getByRole('group', { name: 'Running verification' })
    this.elapsed = this.running.getByRole('timer')
    this.result = main.getByRole('region', { name: 'Result', exact: true })
    this.record = new RecordPart(this.result)
    this.recentlyAnswered = this.result.getByRole('region', { name: 'Recently answered' })
    this.showEarlier = this.recentlyAnswered.getByRole('link', { name: 'View earlier answer' })
    this.sendAnyway = this.recentlyAnswered.getByRole('button', { name: /anyway$/ })
    this.failure = this.result.getByRole('group', { name: 'What went wrong' })
  }

  async open(operation: OperationId): Promise<void> {
    await goTo(this.page, `/verify/${operation}`, operationOf(operation).title)
  }
  field(label: string): Locator {
    return this.form.getByRole('textbox', { name: label, exact: true })
  }
  /** Fills fields by their names in the request. */
  async fill(operation: OperationId, input: Readonly<Record<string, string>>): Promise<void> {
    // In one column the form is folded once it has its answer.
    if (await this.edit.isVisible()) await this.edit.click()
    for (const field of operationOf(operation).fields) {
      const value = input[field.name]
      if (value !== undefined) await this.field(field.label).fill(value)
    }
  }
  /** Fills the fields and presses Enter in the last one. */
  async run(operation: OperationId, input: Readonly<Record<string, string>>): Promise<void> {
    await this.fill(operation, input)
    const last = operationOf(operation).fields.at(-1)
    if (last) await this.field(last.label).press('Enter')
  }
  /** The error at a field that cannot be sent. */
  async faultOf(label: string): Promise<string> {
    const described = await this.field(label).getAttribute('aria-describedby')
    const id = described?.split(' ').find((part) => part.endsWith('-fault'))
    return id ? (await this.page.locator(`[id="${id}"]`).innerText()).trim() : ''
  }
  /**
   * Pastes text as the clipboard would: what the form does not handle is inserted by the browser.
   *
   * @param times So often, repeated in the page: to pass megabytes there takes the test tool 20 seconds.
   */
  async paste(label: string, text: string, times = 1): Promise<void> {
    await this.field(label).evaluate(
      (input, [piece, often]) => {
        const pasted = piece.repeat(often)
        const data = new DataTransfer()
        data.setData('text/plain', pasted)
        input.focus()
        const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
        if (input.dispatchEvent(event)) document.execCommand('insertText', false, pasted)
      },
      [text, times] as const
    )
  }
  /** The form's message about the expiry of a signed link. */
  hint(words: RegExp): Locator {
    return this.form.getByText(words)
  }
}
