/**
 * Prints a page to PDF in a hidden window: no scripts, no network, and a session of its own that is discarded
 * afterwards.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { BrowserWindow, session } from 'electron'
import { leadNowhere } from './guards.ts'
import { printFooter, printHeader, printLimit, printPolicy } from '../node/printing.ts'

const scheme = 'veridesk-print'

/** Rejects if the page cannot be printed in time. */
export async function printPdf(html: string): Promise<Uint8Array> {
  const own = session.fromPartition(`print-${randomUUID()}`)
  const address = `${scheme}://page/`
  own.setPermissionRequestHandler((_contents, _permission, callback) => callback(false))
  own.webRequest.onBeforeRequest((details, callback) => callback({ cancel: details.url !== address }))
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': printPolicy }
  await leadNowhere(own)
  own.protocol.handle(scheme, () => new Response(html, { headers }))
  const window = new BrowserWindow({
    show: false,
    webPreferences: {
      session: own,
      javascript: false,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      spellcheck: false
    }
  })
  try {
    const print = async (): Promise<Uint8Array> => {
      await window.loadURL(address)
      return window.webContents.printToPDF({
        printBackground: true,
        preferCSSPageSize: true,
        displayHeaderFooter: true,
        headerTemplate: printHeader,
        footerTemplate: printFooter
      })
    }
    const late = delay(printLimit, undefined, { ref: false }).then(() => {
      throw new Error('printing took too long')
    })
    return await Promise.race([print(), late])
  } finally {
    window.destroy()
    own.protocol.unhandle(scheme)
  }
}
