/** verify.html, opened from disk in an installed browser: it verifies and refuses packs without any network request. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { inOwnNetwork, noOwnNetwork } from '../app/fixtures/own-network.ts'
import { fileText } from './evidence-builder.ts'
import { genuinePacks, recordId } from './evidence-genuine.ts'
import { inVerifierPage, verifierPage } from './support/verifier-page.ts'
import type { VerifierAsked, VerifierOut } from './support/verifier-outside.ts'

test('a pack is verified in the page, and a touched one refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'veridesk-verifier-'))
  const { file } = genuinePacks.record
  const text = fileText(file)
  const { payload } = genuinePacks.applicant.file.envelope
  const changed = fileText({ ...file, envelope: { ...file.envelope, payload } })
  writeFileSync(join(folder, 'good.json'), text)
  writeFileSync(join(folder, 'bad.json'), changed)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  await inVerifierPage(async (tab, { asked, faults }) => {
    await tab.setInputFiles('#file', join(folder, 'good.json'))
    await tab.locator('#verdict', { hasText: 'INTACT, SIGNER UNKNOWN.' }).waitFor({ timeout: 10_000 })
    expect(await tab.locator('#details').textContent()).toContain(`record ${recordId(1)}`)
    await tab.setInputFiles('#file', join(folder, 'bad.json'))
    await tab.locator('#verdict', { hasText: 'REFUSED. The signature does not match' }).waitFor({ timeout: 10_000 })
    await tab.setInputFiles('#file', join(folder, 'good.json'))
    await tab.fill('#key', '0'.repeat(64))
    await tab.locator('#key').press('Tab')
    await tab.locator('#verdict', { hasText: 'signed by another key' }).waitFor({ timeout: 10_000 })
    expect(asked).toEqual([pathToFileURL(verifierPage).href])
    expect(faults).toEqual([])
  })
  expect(readFileSync(verifierPage, 'utf8')).toContain("default-src 'none'")
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
      { page: verifierPage, pack: join(folder, 'good.json') } satisfies VerifierAsked,
      folder
    )
    expect(out.packets).toBe(0)
    expect(out.control).toBeGreaterThan(0)
  }
)
