/** Verifies a pack in the page for verifiers, opened from disk in a browser as it is, in a network of its own; prints how many packets left. */
import { pathToFileURL } from 'node:url'
import { chromium } from '@playwright/test'
import { findBrowser } from '../../../electron/hosts/node/chromium/browser.ts'
import { outside, packetsOut } from '../../app/fixtures/own-network.ts'

export interface VerifierAsked {
  readonly page: string
  readonly pack: string
}

export interface VerifierOut {
  readonly packets: number
  /** Of a packet that a page without its policy sends on purpose, which shows that what leaves this browser is seen. */
  readonly control: number
}

const { page, pack } = JSON.parse(process.argv[2] ?? '') as VerifierAsked
const browser = await chromium.launch({
  executablePath: findBrowser(),
  // The browser looks up its maker's services by itself, at a time of its own: those names alone lead nowhere.
  args: [
    `--host-resolver-rules=${['google.com', 'googleapis.com', 'gstatic.com'].map((name) => `MAP *.${name} ~NOTFOUND`).join(', ')}`,
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])
  ]
})
const tab = await browser.newPage()
const before = packetsOut()
await tab.goto(pathToFileURL(page).href)
await tab.setInputFiles('#file', pack)
await tab.locator('#verdict', { hasText: 'INTACT' }).waitFor()
const packets = packetsOut() - before
const other = await browser.newPage()
await other.goto(pathToFileURL(pack).href)
await other.evaluate(
  (address) =>
    fetch(`http://${address}:8080/`, { mode: 'no-cors', signal: AbortSignal.timeout(500) }).catch(() => undefined),
  outside.address
)
const control = packetsOut() - before - packets
await browser.close()
process.stdout.write(`${JSON.stringify({ packets, control } satisfies VerifierOut)}\n`)
process.exit(0)
