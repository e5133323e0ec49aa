/** What the window must not do: navigate away, open windows, embed, download, request permissions, or use a network. */
import { app, type Session, type WebContents } from 'electron'
import { windowAddress } from './protocol.ts'

// A reload preserves the page within the window, which is the part after “#”.
const isWindow = (url: string): boolean => url === windowAddress || url.startsWith(`${windowAddress}#`)

/** Guards for every page of the process, whatever creates it. */
export function guardApp(): void {
  // Otherwise a page’s WebRTC joins the network’s group for local names before any rule of a page applies.
  app.commandLine.appendSwitch('disable-features', 'WebRtcHideLocalIpsWithMdns')
  // A page can name hosts to look up in advance, which asks a name server whatever the proxy is.
  app.commandLine.appendSwitch('blink-settings', 'dnsPrefetchingEnabled=false')
  app.on('web-contents-created', (_event, contents) => guardContents(contents))
  app.on('session-created', (created) => {
    // Before a page uses it: Chromium would request dictionaries of the system's languages from its maker, even if no
    // spelling is checked.
    created.setSpellCheckerEnabled(false)
    created.setSpellCheckerLanguages([])
  })
  // Never overridden: an invalid certificate is a failure.
  app.on('certificate-error', (event, _contents, _url, _error, _certificate, callback) => {
    event.preventDefault()
    callback(false)
  })
  app.on('select-client-certificate', (event, _contents, _url, _list, callback) => {
    event.preventDefault()
    callback()
  })
  app.on('login', (event) => event.preventDefault())
}

function guardContents(contents: WebContents): void {
  // WebRTC heeds neither the policy of a page, nor the filter below, nor a proxy: it could send to any address.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp')
  contents.on('will-navigate', (event) => {
    if (!isWindow(event.url)) event.preventDefault()
  })
  contents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame || !isWindow(event.url)) event.preventDefault()
  })
  contents.on('will-redirect', (event) => event.preventDefault())
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
}

/**
 * Loads the window again if its page has left its address. Chromium lets a page replace itself by an empty one
 * (`about:blank`) without any event that could refuse it.
 */
export function keepAtAddress(contents: WebContents): void {
  contents.on('did-navigate', (_event, url) => {
    if (!isWindow(url)) void contents.loadURL(windowAddress)
  })
}

/** Guards of the window's session: no permissions, devices, downloads or network access. */
export function guardSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, callback) => callback(false))
  session.setPermissionCheckHandler(() => false)
  session.setDevicePermissionHandler(() => false)
  session.on('will-download', (event) => event.preventDefault())
  session.webRequest.onBeforeRequest((details, callback) => {
    callback({ cancel: !details.url.startsWith(windowAddress) && !details.url.startsWith(`blob:${windowAddress}`) })
  })
  // Files are served only by the app's own scheme.
  session.protocol.handle('file', () => new Response(null, { status: 404 }))
  void leadNowhere(session)
}

/** Directs every request of a session that is not blocked otherwise to a proxy that does not exist. */
export const leadNowhere = (session: Session): Promise<void> =>
  session.setProxy({ mode: 'fixed_servers', proxyRules: 'http://127.0.0.1:9', proxyBypassRules: '<-loopback>' })
