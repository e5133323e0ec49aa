/** verify.html, opened from disk in an installed browser: it verifies and refuses packs without any network request. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from '@playwright/test'
import { expect, onTestFinished, test } from 'vitest'
import { findBrowser } from '../../electron/hosts/node/chromium/browser.ts'
import { inOwnNetwork, noOwnNetwork } from '../app/fixtures/own-network.ts'
import { fileText } from './evidence-builder.ts'
import { genuinePacks, recordId } from './evidence-genuine.ts'
import type { VerifierAsked, VerifierOut } from './support/verifier-outside.ts'

const page = resolve(import.meta.dirname, '..', '..', 'out', 'verifier', 'verify.html')

test('a pack is verified in the page, and a touched one refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'veridesk-verifier-'))
  const { file } = genuinePacks.record
  const text = fileText(file)
  const { payload } = genuinePacks.applicant.file.envelope
  const changed = fileText({ ...file, envelope: { ...file.envelope, payload } })
  writeFileSync(join(folder, 'good.json'), text)
  writeFileSync(join(folder, 'bad.json'), changed)
  const executablePath = findBrowser()
  if (!executablePath) throw new Error('no browser on this machine: nothing was proven')
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
  try {
    const tab = await browser.newPage()
    const asked: string[] = []
    const faults: string[] = []
    tab.on('request', (request) => asked.push(request.url()))
    tab.on('pageerror', (error) => faults.push(error.message))
    await tab.goto(pathToFileURL(page).href)
    await tab.setInputFiles('#file', join(folder, 'good.json'))
    await tab.locator('#verdict', { hasText: 'INTACT, SIGNER UNKNOWN.' }).waitFor({ timeout: 10_000 })
    expect(await tab.locator('#details').textContent()).toContain(`record ${recordId(1)}`)
    await tab.setInputFiles('#file', join(folder, 'bad.json'))
    await tab.locator('#verdict', { hasText: 'REFUSED. The signature does not match' }).waitFor({ timeout: 10_000 })
    await tab.setInputFiles('#file', join(folder, 'good.json'))
    await tab.fill('#key', '0'.repeat(64))
    await tab.locator('#key').press('Tab')
    await tab.locator('#verdict', { hasText: 'signed by another key' }).waitFor({ timeout: 10_000 })
    expect(asked).toEqual([pathToFileURL(page).href])
    expect(faults).toEqual([])
  } finally {
    await browser.close()
    rmSync(folder, { recursive: true, force: true })
  }
  expect(readFileSync(page, 'utf8')).toContain("default-src 'none'")
})

const why = noOwnNetwork()
test.skipIf(why !== undefined)(
  `no packet leaves while a pack is verified${why === undefined ? '' : ` (not run: ${why})`}`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'veridesk-verifier-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    writeFileSync(join(folder, 'good.json'), fileText(genuinePacks.record.file))
    const out = await inOwnNetwork<VerifierOut>(
      join(import.meta.dirname, 'support', 'verifier-outside.ts'),
      { page, pack: join(folder, 'good.json') } satisfies VerifierAsked,
      folder
    )
    expect(out.packets).toBe(0)
    expect(out.control).toBeGreaterThan(0)
  }
)
