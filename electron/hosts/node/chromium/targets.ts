/**
 * The browser shows one page, Veridesk's, with the workers that it allows. Any other target (popups, other workers,
 * extensions) is closed.
 */
import type { DevTools, Params } from './devtools.ts'

export interface PageTarget {
  readonly targetId: string
  readonly sessionId: string
}

interface TargetInfo {
  readonly targetId: string
  readonly type: string
  readonly url: string
}

const autoAttach: Params = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }

/**
 * Attaches to the browser's first page and closes every other target, now and later. `onGone` is called when the page
 * ends.
 *
 * @param isOwnWorker whether a worker of the page at this address may run; none by default.
 */
export function attachToPage(
  devTools: DevTools,
  onGone: () => void,
  isOwnWorker: (url: string) => boolean = () => false
): Promise<PageTarget> {
  return new Promise((resolve, reject) => {
    let own: PageTarget | undefined
    devTools.onEnd(() => reject(new Error('the browser ended before it showed a page')))
    devTools.on('Target.attachedToTarget', (params) => {
      const { targetId, type, url } = params['targetInfo'] as TargetInfo
      const sessionId = params['sessionId'] as string
      if (!own && type === 'page') {
        own = { targetId, sessionId }
        // Frames and workers of the page wait as well: but for one worker, they are closed.
        devTools.notify('Target.setAutoAttach', autoAttach, sessionId)
        resolve(own)
      } else if (own && type === 'worker' && isOwnWorker(url)) {
        devTools.notify('Target.setAutoAttach', autoAttach, sessionId)
        devTools.notify('Runtime.runIfWaitingForDebugger', {}, sessionId)
      } else if (targetId === own?.targetId) {
        // Attached a second time.
      } else if (type === 'page') {
        // A popup waits on the thread of the page that opened it. Closed before it has answered, it would never
        // release that thread: the page would hang. Until it is closed it has no bridge, and its requests are
        // intercepted with those of the whole browser.
        const close = (): void => devTools.notify('Target.closeTarget', { targetId })
        devTools.send('Runtime.runIfWaitingForDebugger', {}, sessionId).then(close, close)
      } else {
        devTools.notify('Target.closeTarget', { targetId })
      }
    })
    devTools.on('Target.detachedFromTarget', (params) => {
      if (own && params['sessionId'] === own.sessionId) onGone()
    })
    devTools.send('Target.setAutoAttach', autoAttach).catch(reject)
  })
}
