/**
 * The preview's window: one page in an installed browser, served from the built window and connected to core's
 * router.
 */
import type { ConsoleEvent } from '#contract/ipc/ipc.ts'
import { installBridge, type Router } from './bridge.ts'
import type { RunningBrowser } from '../node/chromium/browser.ts'
import { devToolsOver, type DevTools } from '../node/chromium/devtools.ts'
import { interceptAll, isDocumentWorker, windowAddress, windowOrigin } from './intercept.ts'
import { chooseFile, copyText, readText } from './person.ts'
import { attachToPage, type PageTarget } from '../node/chromium/targets.ts'
import type { Readable, Writable } from 'node:stream'

// All others are denied by the switch that denies all prompts.
const grantedByDefault = [
  'accelerometer',
  'ambient-light-sensor',
  'background-fetch',
  'background-sync',
  'clipboard-write',
  'gyroscope',
  'keyboard-lock',
  'magnetometer',
  'midi',
  'payment-handler',
  'periodic-background-sync',
  'persistent-storage',
  'pointer-lock',
  'screen-wake-lock',
  'storage-access',
  'window-management'
]

/** Denies them for the window's origin; a browser that does not know a name cannot grant it. */
function denyPermissions(devTools: DevTools): void {
  for (const name of grantedByDefault)
    devTools.notify('Browser.setPermission', { permission: { name }, setting: 'denied', origin: windowOrigin })
}

export interface PreviewWindow {
  announce(event: ConsoleEvent): void
  copyText(text: string): Promise<void>
  /** The clipboard's text; rejects if the browser does not allow reading it. */
  readText(): Promise<string>
  /** Clears the navigation history except for the current address. */
  forgetAddresses(): Promise<void>
  chooseFile(title: string, extensions: readonly string[]): Promise<string | undefined>
  /** Brings the window to the front. */
  raise(): void
  /** Resolves when the window or the whole browser is gone. */
  readonly closed: Promise<void>
  close(): Promise<void>
}

export interface WindowOptions {
  /** Folder of the built window. */
  readonly folder: string
  readonly router: Router
  /** Without a display a window has no frame, so its content takes the whole size. */
  readonly contentSize?: { readonly width: number; readonly height: number }
  /** The page's process has crashed; it is reloaded once. */
  readonly onCrash: (reloads: boolean) => void
}

/** Opens the window in a started browser. Rejects if the browser ends before it shows the page. */
export async function openWindow(browser: RunningBrowser, options: WindowOptions): Promise<PreviewWindow> {
  const devTools = devToolsOver(browser.process.stdio[3] as Writable, browser.process.stdio[4] as Readable)
  let gone = (): void => undefined
  const closed = new Promise<void>((resolve) => {
    gone = resolve
  })
  devTools.onEnd(gone)

  const [target] = await Promise.all([
    attachToPage(devTools, gone, isDocumentWorker),
    interceptAll(devTools, options.folder)
  ])
  const { sessionId } = target
  denyPermissions(devTools)
  // Concurrently: the page's process is still starting, and each call would wait for it.
  const [bridge] = await Promise.all([
    installBridge(devTools, target, options.router),
    devTools.send('Page.enable', {}, sessionId),
    devTools.send('Browser.setDownloadBehavior', { behavior: 'deny' }),
    options.contentSize && sizeContent(devTools, target, options.contentSize)
  ])
  returnToWindow(devTools, target)
  reloadAfterCrash(devTools, target, options.onCrash)
  await devTools.send('Page.navigate', { url: windowAddress }, sessionId)

  return {
    announce: (event) => bridge.announce(event),
    copyText: (text) => copyText(devTools, target, text),
    readText: () => readText(devTools, target),
    forgetAddresses: async () => void (await devTools.send('Page.resetNavigationHistory', {}, sessionId)),
    chooseFile: (_title, extensions) => chooseFile(devTools, target, extensions),
    raise: () => devTools.notify('Page.bringToFront', {}, sessionId),
    closed,
    close: async () => {
      await devTools.send('Browser.close').catch(() => undefined)
      await browser.dispose()
    }
  }
}

/** Browsers that do not support this show a slightly smaller content instead. */
async function sizeContent(
  devTools: DevTools,
  target: PageTarget,
  size: { readonly width: number; readonly height: number }
): Promise<void> {
  const { windowId } = await devTools.send('Browser.getWindowForTarget', { targetId: target.targetId })
  await devTools.send('Browser.setContentsSize', { windowId, ...size }).catch(() => undefined)
}

/** Addresses that need no request (about:blank, blob:) are not intercepted: the window navigates back from them. */
function returnToWindow(devTools: DevTools, target: PageTarget): void {
  devTools.on('Page.frameNavigated', (params, sessionId) => {
    const frame = params['frame'] as { readonly parentId?: string; readonly url: string }
    if (sessionId !== target.sessionId || frame.parentId !== undefined) return
    const isHome =
      URL.canParse(frame.url) && frame.url.startsWith(windowAddress) && new URL(frame.url).origin === windowOrigin
    if (!isHome) devTools.notify('Page.navigate', { url: windowAddress }, target.sessionId)
  })
}

/** Reloads a page that crashed; a second crash within a minute would only repeat. */
function reloadAfterCrash(devTools: DevTools, target: PageTarget, onCrash: (reloads: boolean) => void): void {
  let last = -Infinity
  devTools.on('Inspector.targetCrashed', (_params, sessionId) => {
    if (sessionId !== target.sessionId) return
    const reloads = performance.now() - last > 60_000
    last = performance.now()
    onCrash(reloads)
    if (reloads) devTools.notify('Page.navigate', { url: windowAddress }, target.sessionId)
  })
}
