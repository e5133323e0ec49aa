/** verify.html, opened from disk in an installed browser. */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium, type Page } from '@playwright/test'
import { findBrowser } from '../../../electron/hosts/node/chromium/browser.ts'

export const verifierPage = resolve(import.meta.dirname, '..', '..', '..', 'out', 'verifier', 'verify.html')

/** Uses the page in a browser of its own. `seen` has every address that it asked for, and every fault of its script. */
export async function inVerifierPage(
  use: (tab: Page, seen: { readonly asked: readonly string[]; readonly faults: readonly string[] }) => Promise<void>
): Promise<void> {
  const executablePath = findBrowser()
  if (!executablePath) throw new Error('no browser on this machine: nothing was proven')
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
  try {
    const tab = await browser.newPage()
    const asked: string[] = []
    const faults: string[] = []
    tab.on('request', (request) => asked.push(request.url()))
    tab.on('pageerror', (error) => faults.push(error.message))
    await tab.goto(pathToFileURL(verifierPage).href)
    await use(tab, { asked, faults })
  } finally {
    await browser.close()
  }
}
