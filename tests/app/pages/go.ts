/** The way to a page by its address. */
import type { Page } from '@playwright/test'

/** Leads to a path such as `/history` and waits for its heading, where one is named. */
export async function goTo(page: Page, path: string, heading?: string | RegExp): Promise<void> {
  // The first page leads on by itself; only then is the address the test's to set.
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.evaluate((hash) => (window.location.hash = hash), `#${path}`)
  if (heading !== undefined) await page.getByRole('heading', { level: 1, name: heading }).waitFor()
}
