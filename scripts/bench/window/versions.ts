/** Which browser a window runs in. */
import type { Page } from '@playwright/test'
import type { Measured } from '../../figures/section.ts'

/** The version of Chromium, as its own page says it. */
export async function chromiumOf(page: Page): Promise<NonNullable<Measured['versions']>> {
  const chromium = /Chrome\/(\S+)/.exec(await page.evaluate(() => navigator.userAgent))?.[1]
  return chromium === undefined ? {} : { chromium }
}
