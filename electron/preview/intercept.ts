/** Answers every request of the browser from the built window, and fails all others: nothing reaches a network. */
import { serveWindowFile } from '../node/renderer-files.ts'
import type { DevTools } from '../node/chromium/devtools.ts'

/** A made-up address: the reserved top-level name `invalid` exists nowhere. */
export const windowOrigin = 'https://console.veridesk.invalid'
export const windowAddress = `${windowOrigin}/`

/** Begins to intercept in the whole browser. Settles before any page of ours is asked for. */
export async function interceptAll(devTools: DevTools, folder: string): Promise<void> {
  devTools.on('Fetch.requestPaused', (params, sessionId) => {
    const requestId = params['requestId'] as string
    const request = params['request'] as { readonly url: string; readonly method: string }
    // Aborted, where any other reason would put an error page in the window's place.
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
