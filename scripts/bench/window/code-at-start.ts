/** Amount of code that the window loads before its first form can be filled in. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { repository } from '../../../tests/app/fixtures/runtime.ts'

/**
 * Kilobytes, each file compressed separately with gzip at its best level; only documents, scripts and styles count as
 * code.
 */
export async function codeLoaded(page: Page): Promise<number> {
  const paths = await page.evaluate(() => {
    const until = performance.getEntriesByName('form')[0]?.startTime ?? Infinity
    const loaded = performance
      .getEntriesByType('resource')
      .filter((entry) => entry.startTime <= until)
      .map((entry) => new URL(entry.name).pathname)
    return ['/index.html', ...loaded.filter((path) => /\.(?:m?js|css)$/.test(path))]
  })
  const bytes = [...new Set(paths)].map(
    (path) => gzipSync(readFileSync(join(repository, 'out', 'renderer', path)), { level: 9 }).length
  )
  if (bytes.length < 3) throw new Error('the page loaded no code that can be counted')
  return bytes.reduce((sum, each) => sum + each, 0) / 1000
}
