/** Answers every request of the browser from the built window, and fails all others: nothing reaches a network. */
import { documentWorkerFile, serveWindowFile } from '../node/renderer-files.ts'
import type { DevTools } from '../node/chromium/devtools.ts'

/** A made-up address: the top-level domain `invalid` is reserved and never exists. */
export const windowOrigin = 'https://console.veridesk.invalid'
export const windowAddress = `${windowOrigin}/`

/** Whether an address is that of the worker which reads PDF documents. */
export const isDocumentWorker = (url: string): boolean =>
  url.startsWith(windowAddress) && documentWorkerFile.test(url.slice(windowAddress.length))

/** Intercepts requests in the whole browser. Resolves before any page is requested. */
export async function interceptAll(devTools: DevTools, folder: string): Promise<void> {
  devTools.on('Fetch.requestPaused', (params, sessionId) => {
    const requestId = params['requestId'] as string
    const request = params['request'] as { readonly url: string; readonly method: string }
    // Aborted, because any other reason would show an error page instead of the window.
    const refuse = (): void => devTools.notify('Fetch.failRequest', { requestId, errorReason: 'Aborted' }, sessionId)
    const url = URL.canParse(request.url) ? new URL(request.url) : undefined
    if (url?.origin !== windowOrigin) return refuse()
    serveWindowFile(folder, request.method, url.pathname).then((file) => {
      devTools.notify(
        'Fetch.fulfillRequest',
        {
          requestId,
          responseCode: file.status,
          responseHeaders: Object.entries(file.headers).map(([name, value]) => ({ name, value })),
          body: Buffer.from(file.body).toString('base64')
        },
        sessionId
      )
    }, refuse)
  })
  await devTools.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] })
}
