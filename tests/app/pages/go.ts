/** Navigation to a page by its address. */
import type { Page } from '@playwright/test'

/** Navigates to a path such as `/history` and waits for its heading, if one is given; for a page of administration, for its name. */
export async function goTo(page: Page, path: string, heading?: string | RegExp): Promise<void> {
  // The first page redirects by itself; only then may the test set the address.
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.evaluate((hash) => (window.location.hash = hash), `#${path}`)
  if (heading === undefined) return
  // The pages of administration are tabs under one heading.
  if (path.startsWith('/administration/')) await page.getByRole('region', { name: heading, exact: true }).waitFor()
  else await page.getByRole('heading', { level: 1, name: heading }).waitFor()
}
