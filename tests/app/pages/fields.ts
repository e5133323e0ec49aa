/** The window's own fields for choices and dates. */
import { expect, type Locator, type Page } from '@playwright/test'

/** Chooses an option, by its label. */
export async function choose(field: Locator, label: string): Promise<void> {
  await field.click()
  const option = field.page().getByRole('option', { name: label, exact: true })
  await option.click()
  // The field itself may go away with the choice.
  await expect(option).toHaveCount(0)
}

/** A day, such as 2026-11-21, as the window shows it in its locale. */
export const shownDate = (page: Page, day: string): Promise<string> =>
  page.evaluate((text) => {
    const [year = 0, month = 1, of = 1] = text.split('-').map(Number)
    return new Intl.DateTimeFormat(navigator.language, { dateStyle: 'medium', calendar: 'gregory' }).format(
      new Date(year, month - 1, of)
    )
  }, day)

/** A date field, whose parts are typed in the order that the locale asks for. */
export class DateField {
  readonly parts: Locator
  readonly root: Locator
  readonly opener: Locator
  readonly calendar: Locator

  constructor(scope: Page | Locator, label: string) {
    const page = 'page' in scope ? scope.page() : scope
    this.parts = scope.getByRole('group', { name: label, exact: true })
    // The value is on the box around the parts.
    this.root = scope.locator('.date-field').filter({ has: page.getByRole('group', { name: label, exact: true }) })
    this.opener = scope.getByRole('button', { name: `${label}: calendar` })
    this.calendar = page.getByRole('dialog', { name: `${label}: calendar` })
  }
  part(name: 'Day' | 'Month' | 'Year'): Locator {
    return this.parts.getByRole('spinbutton', { name, exact: true })
  }
  /** The first part. */
  get first(): Locator {
    return this.parts.getByRole('spinbutton').first()
  }
  /** Types a day, such as 2026-11-21. */
  async set(day: string): Promise<void> {
    const [year = '', month = '', of = ''] = day.split('-')
    // The year first: it decides whether there is a 29 February.
    for (const [name, digits] of [
      ['Year', year],
      ['Month', month],
      ['Day', of]
    ] as const) {
      await this.part(name).focus()
      await this.part(name).pressSequentially(digits)
    }
  }
  async has(day: string): Promise<void> {
    await expect(this.root).toHaveAttribute('data-value', day)
  }
}
