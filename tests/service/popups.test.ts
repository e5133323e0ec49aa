/** What happens in a real browser to the windows that its page opens. */
import type { Readable, Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { findBrowser, startBrowser, type RunningBrowser } from '../../electron/hosts/node/chromium/browser.ts'
import { devToolsOver } from '../../electron/hosts/node/chromium/devtools.ts'
import { attachToPage } from '../../electron/hosts/node/chromium/targets.ts'

const windowsOpened = 50

/** Opens windows one after another, and counts those that are closed again. */
async function openWindows(browser: RunningBrowser): Promise<number> {
  const devTools = devToolsOver(browser.process.stdio[3] as Writable, browser.process.stdio[4] as Readable)
  const { sessionId } = await attachToPage(devTools, () => undefined)
  await devTools.send('Page.enable', {}, sessionId)
  const loaded = new Promise<void>((resolve) => devTools.on('Page.loadEventFired', () => resolve()))
  await devTools.send('Page.navigate', { url: 'data:text/html,<h1>Page</h1>' }, sessionId)
  await loaded
  let closed = 0
  let onClosed = (): void => undefined
  devTools.on('Target.detachedFromTarget', () => {
    closed += 1
    onClosed()
  })
  for (let opened = 0; opened < windowsOpened; opened += 1) {
    const gone = new Promise<void>((resolve) => (onClosed = resolve))
    await devTools.send(
      'Runtime.evaluate',
      { expression: `void window.open('https://elsewhere.invalid/')`, userGesture: true },
      sessionId
    )
    await gone
  }
  return closed
}

test('a window that the page opens is closed, and the page does not hang', async () => {
  const path = findBrowser()
  if (path === undefined) throw new Error('there is no browser')
  // Two browsers compete for the processor, so that a window closes at any moment of its start.
  const browsers = await Promise.all(
    [1, 2].map(() => startBrowser({ path, headless: true, width: 800, height: 600, testPort: false }))
  )
  try {
    expect(await Promise.all(browsers.map(openWindows))).toEqual([windowsOpened, windowsOpened])
  } finally {
    for (const browser of browsers) {
      browser.process.kill()
      await browser.dispose()
    }
  }
}, 60_000)
