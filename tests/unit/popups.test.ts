/** The order of commands for what a browser shows beside its one page. The real browser: `service/popups.test.ts`. */
import { expect, test } from 'vitest'
import type { DevTools, EventListener } from '../../electron/hosts/node/chromium/devtools.ts'
import { attachToPage } from '../../electron/hosts/node/chromium/targets.ts'

/** Records commands; an answer comes when `answer` is called with the command's name and session. */
function recorder() {
  const sent: string[] = []
  const waiting = new Map<string, () => void>()
  const listeners = new Map<string, EventListener>()
  const devTools: DevTools = {
    send: (method, params = {}, session) => {
      sent.push([method, params['targetId'] ?? session].join(' ').trim())
      return new Promise((resolve) => waiting.set(`${method} ${session}`, () => resolve({})))
    },
    notify: (method, params, session) => void devTools.send(method, params, session),
    on: (method, listener) => void listeners.set(method, listener),
    onEnd: () => undefined
  }
  return {
    devTools,
    sent,
    attach: (type: string, targetId: string) =>
      listeners.get('Target.attachedToTarget')?.(
        { sessionId: `of ${targetId}`, targetInfo: { targetId, type, url: '' } },
        undefined
      ),
    answer: (command: string) => waiting.get(command)?.()
  }
}

test('a popup is closed once it has released the thread of the page that opened it', async () => {
  const { devTools, sent, attach, answer } = recorder()
  const own = attachToPage(devTools, () => undefined)
  attach('page', 'own')
  await own
  sent.length = 0
  attach('page', 'popup')
  await Promise.resolve()
  expect(sent).toEqual(['Runtime.runIfWaitingForDebugger of popup'])
  answer('Runtime.runIfWaitingForDebugger of popup')
  await Promise.resolve()
  expect(sent).toEqual(['Runtime.runIfWaitingForDebugger of popup', 'Target.closeTarget popup'])
})

test('the page itself is not closed, and a worker or a frame is closed before it runs', async () => {
  const { devTools, sent, attach } = recorder()
  const own = attachToPage(devTools, () => undefined)
  attach('page', 'own')
  await own
  sent.length = 0
  attach('page', 'own')
  for (const type of ['worker', 'service_worker', 'iframe']) attach(type, type)
  expect(sent).toEqual(['Target.closeTarget worker', 'Target.closeTarget service_worker', 'Target.closeTarget iframe'])
})
