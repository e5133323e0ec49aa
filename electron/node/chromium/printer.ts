/**
 * Prints a page to PDF in a browser of its own: no window, no scripts, no network, and gone afterwards.
 * The console's own browser shows one page alone, and with a window it cannot print to a file.
 */
import type { Readable, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { printFooter, printHeader, printLimit } from '../printing.ts'
import { startBrowser } from './browser.ts'
import { devToolsOver } from './devtools.ts'
import { attachToPage } from './targets.ts'

/** Rejects where the browser cannot be started or does not print in time. */
export async function printPdf(browserPath: string, html: string): Promise<Uint8Array> {
  const browser = await startBrowser({ path: browserPath, headless: true, width: 800, height: 1100, testPort: false })
  const devTools = devToolsOver(browser.process.stdio[3] as Writable, browser.process.stdio[4] as Readable)
  const print = async (): Promise<Uint8Array> => {
    devTools.on('Fetch.requestPaused', (params, session) =>
      devTools.tell('Fetch.failRequest', { requestId: params['requestId'] as string, errorReason: 'BlockedByClient' }, session)
    )
    const [{ sessionId }] = await Promise.all([
      attachToPage(devTools, () => undefined),
      devTools.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] })
    ])
    await Promise.all([
      devTools.send('Page.enable', {}, sessionId),
      devTools.send('Emulation.setScriptExecutionDisabled', { value: true }, sessionId)
    ])
    const tree = (await devTools.send('Page.getFrameTree', {}, sessionId))['frameTree'] as { readonly frame: { readonly id: string } }
    await devTools.send('Page.setDocumentContent', { frameId: tree.frame.id, html }, sessionId)
    const printed = await devTools.send(
      'Page.printToPDF',
      { printBackground: true, preferCSSPageSize: true, displayHeaderFooter: true, headerTemplate: printHeader, footerTemplate: printFooter },
      sessionId
    )
    return Buffer.from(printed['data'] as string, 'base64')
  }
  try {
    const late = delay(printLimit, undefined, { ref: false }).then(() => {
      throw new Error('printing took too long')
    })
    return await Promise.race([print(), late])
  } finally {
    devTools.tell('Browser.close')
    await browser.dispose()
  }
}
