/** The form of a check and what stands beside it. */
import type { Locator, Page } from '@playwright/test'
import type { FieldDeclaration } from '#contract/operations.ts'
import { recordPanel, type RecordPanel } from './record.ts'

export interface CheckPage {
  readonly form: Locator
  readonly result: Locator
  readonly send: Locator
  readonly clear: Locator
  readonly cancel: Locator
  readonly running: Locator
  readonly elapsed: Locator
  readonly answeredLately: Locator
  readonly showEarlier: Locator
  readonly sendAnyway: Locator
  readonly missingCredentials: Locator
  readonly failure: Locator
  readonly record: RecordPanel
  field(name: string): Locator
  /** The sentences that belong to a field: help, fault, hint. */
  about(name: string): Locator
  fill(values: Readonly<Record<string, string>>): Promise<void>
  /** Fills and presses Enter in the last field. */
  run(values: Readonly<Record<string, string>>): Promise<void>
  paste(name: string, text: string): Promise<void>
}

export function checkPage(page: Page): CheckPage {
  const form = page.locator('main form')
  const result = page.getByRole('region', { name: 'Result' })
  const field = (name: string): Locator => form.locator(`input[name="${name}"]`)
  const fill = async (values: Readonly<Record<string, string>>): Promise<void> => {
    for (const [name, value] of Object.entries(values)) await field(name).fill(value)
  }
  return {
    form,
    result,
    send: form.getByRole('button', { name: /^Send/ }),
    clear: form.getByRole('button', { name: 'Clear' }),
    cancel: form.getByRole('button', { name: 'Cancel' }),
    running: page.getByTestId('running'),
    elapsed: page.getByRole('timer'),
    answeredLately: result.getByRole('region', { name: 'Answered lately' }),
    showEarlier: result.getByRole('link', { name: 'Show it' }),
    sendAnyway: result.getByRole('button', { name: /anyway$/ }),
    missingCredentials: form.getByText('Not set yet:'),
    failure: result.getByRole('group', { name: 'What went wrong' }),
    record: recordPanel(page),
    field,
    about: (name) => field(name).locator('xpath=..'),
    fill,
    async run(values) {
      await fill(values)
      const last = Object.keys(values).at(-1)
      if (last) await field(last).press('Enter')
    },
    async paste(name, text) {
      await field(name).focus()
      // What a clipboard would bring: the same event that the browser makes from one.
      await field(name).evaluate((input, pasted) => {
        const data = new DataTransfer()
        data.setData('text/plain', pasted)
        const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
        if (input.dispatchEvent(event)) document.execCommand('insertText', false, pasted)
      }, text)
    }
  }
}

/** The examples of a table row's fields as values. */
export const examples = (fields: readonly FieldDeclaration[]): Record<string, string> =>
  Object.fromEntries(fields.map((field) => [field.name, field.example]))

/** A value that makes the practice service play a trigger, in whichever field it is read from. */
export function triggerValue(field: Pick<FieldDeclaration, 'kind'>, trigger: string): string {
  return field.kind === 'applicant-id' ? `PRACTICE-${trigger}` : `https://files.example.com/trigger/${trigger}`
}

