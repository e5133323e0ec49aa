/** The browser version of a window. */
import type { Page } from '@playwright/test'
import type { Measured } from '../../figures/section.ts'

/** The version of the browser that shows a page; the page itself sees only a shortened one. */
export function chromiumOf(page: Page): NonNullable<Measured['versions']> {
  const chromium = page.context().browser()?.version()
  return chromium === undefined ? {} : { chromium }
}
