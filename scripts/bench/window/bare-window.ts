/** A window of the preview host with an empty page, as the baseline for starting. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findBrowser, startBrowser } from '../../../electron/hosts/node/chromium/browser.ts'

const path = findBrowser()
if (!path) throw new Error('no browser')
const browser = await startBrowser({ path, headless: true, width: 1280, height: 800, testPort: true })
const port = join(browser.profile, 'DevToolsActivePort')
while (!existsSync(port) || !readFileSync(port, 'utf8').includes('\n')) await sleep(5)
process.stdout.write(`DevTools for tests: http://127.0.0.1:${readFileSync(port, 'utf8').split('\n')[0]}\n`)
process.once('SIGTERM', () => browser.process.kill())
await browser.ended
await browser.dispose()
