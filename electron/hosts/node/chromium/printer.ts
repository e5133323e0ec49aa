/**
 * Prints a page to PDF in a separate browser: no window, no scripts, no network, and discarded afterwards. The
 * console's browser shows a single page, and with a window it cannot print to a file.
 */
import type { Readable, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { printFooter, printHeader, printLimit, printPolicy } from '../printing.ts'
import { startBrowser } from './browser.ts'
import { devToolsOver, type DevTools } from './devtools.ts'
import { attachToPage } from './targets.ts'

/** Rejects if the browser cannot be started or does not print in time. */
export async function printPdf(browserPath: string, html: string): Promise<Uint8Array> {
  const browser = await startBrowser({ path: browserPath, headless: true, width: 800, height: 1100, testPort: false })
  const devTools = devToolsOver(browser.process.stdio[3] as Writable, browser.process.stdio[4] as Readable)
  const print = async (): Promise<Uint8Array> => {
    serveOnce(devTools, html)
    const [{ sessionId }] = await Promise.all([
      attachToPage(devTools, () => undefined),
      devTools.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] })
    ])
    const loaded = loadOf(devTools, sessionId)
    await Promise.all([
      devTools.send('Page.enable', {}, sessionId),
      devTools.send('Page.setLifecycleEventsEnabled', { enabled: true }, sessionId),
      devTools.send('Emulation.setScriptExecutionDisabled', { value: true }, sessionId)
    ])
    const { loaderId } = await devTools.send('Page.navigate', { url: printAddress }, sessionId)
    await loaded(loaderId as string)
    const printed = await devTools.send(
      'Page.printToPDF',
      {
        printBackground: true,
        preferCSSPageSize: true,
        displayHeaderFooter: true,
        headerTemplate: printHeader,
        footerTemplate: printFooter
      },
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
    devTools.notify('Browser.close')
    await browser.dispose()
  }
}

/** A made-up address: the top-level domain `invalid` is reserved and never exists. */
const printAddress = 'https://print.veridesk.invalid/'

/** Answers the first request for the page, and fails all others. */
function serveOnce(devTools: DevTools, html: string): void {
  let served = false
  devTools.on('Fetch.requestPaused', (params, session) => {
    const requestId = params['requestId'] as string
    const { url } = params['request'] as { readonly url: string }
    // Aborted, because any other reason would print an error page instead.
    if (served || url !== printAddress)
      return devTools.notify('Fetch.failRequest', { requestId, errorReason: 'Aborted' }, session)
    served = true
    const responseHeaders = [
      { name: 'Content-Type', value: 'text/html; charset=utf-8' },
      { name: 'Content-Security-Policy', value: printPolicy }
    ]
    devTools.notify(
      'Fetch.fulfillRequest',
      { requestId, responseCode: 200, responseHeaders, body: Buffer.from(html).toString('base64') },
      session
    )
  })
}

/** Resolves when the document of a navigation has loaded; listens from now on. */
function loadOf(devTools: DevTools, session: string): (loaderId: string) => Promise<void> {
  const loaded = new Set<string>()
  let awaited: { readonly loaderId: string; readonly resolve: () => void } | undefined
  devTools.on('Page.lifecycleEvent', (params, from) => {
    if (from !== session || params['name'] !== 'load') return
    loaded.add(params['loaderId'] as string)
    if (awaited && loaded.has(awaited.loaderId)) awaited.resolve()
  })
  return (loaderId) =>
    new Promise((resolve) => {
      awaited = { loaderId, resolve }
      if (loaded.has(loaderId)) resolve()
    })
}
