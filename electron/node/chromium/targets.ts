/**
 * The browser shows one page, Veridesk's, with the workers that it allows. Any other target (popups, other workers,
 * extensions) is closed before it runs.
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
export function attachToPage(devTools: DevTools, onGone: () => void, isOwnWorker: (url: string) => boolean = () => false): Promise<PageTarget> {
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
      } else if (targetId !== own?.targetId) {
        devTools.notify('Target.closeTarget', { targetId })
        // A popup shares the thread of the page that opened it: left waiting, it would block that page.
        devTools.notify('Runtime.runIfWaitingForDebugger', {}, sessionId)
      }
    })
    devTools.on('Target.detachedFromTarget', (params) => {
      if (own && params['sessionId'] === own.sessionId) onGone()
    })
    devTools.send('Target.setAutoAttach', autoAttach).catch(reject)
  })
}
