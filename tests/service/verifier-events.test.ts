/**
 * The events of a verified pack in words: in the page, in its print and from the verifier for Node. They are read from
 * the file, not from a PDF.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium, type Browser, type Page } from '@playwright/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findBrowser } from '../../electron/hosts/node/chromium/browser.ts'
import { fileOf, fileText, packOf, type Content, type PackFile } from './evidence-builder.ts'
import { aboutApplicant, applicant, check, connection, note, signer } from './evidence-genuine.ts'
import { verifier } from './evidence-workspace.ts'

const { subject } = aboutApplicant
/** 60 verifications of a person, and a note that no reader's screen may obey. */
const history = [
  connection,
  note(
    subject,
    '<img src=x onerror="document.title=\'owned\'">\u202egpj.exe\u0007\u200b\u{e0041} שלום\nVERIFIED. It was signed'
  ),
  ...Array.from({ length: 60 }, (_, n) =>
    check({ subject, id: applicant, record: n + 1, answer: `Answer ${n + 1}` })
  ).flat()
]
const contentOf = (profile: Content['profile']): Content => packOf(history, { ...aboutApplicant, profile }).content
const content = contentOf('full')
const full = fileOf(content, signer)
const redacted = fileOf(contentOf('no-personal-data'), signer)
let folder: string
let browser: Browser

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'veridesk-words-'))
  const executablePath = findBrowser()
  if (!executablePath) throw new Error('no browser on this machine: nothing was proven')
  browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
})
afterAll(async () => {
  await browser.close()
  rmSync(folder, { recursive: true, force: true })
})

async function opened(pack: PackFile): Promise<{ readonly tab: Page; readonly faults: string[] }> {
  const tab = await browser.newPage()
  const faults: string[] = []
  tab.on('pageerror', (error) => faults.push(error.message))
  tab.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  await tab.goto(pathToFileURL(resolve(verifier, '..', 'verify.html')).href)
  const path = join(folder, 'shown.json')
  writeFileSync(path, fileText(pack))
  await tab.setInputFiles('#file', path)
  await tab.locator('#events h3').first().waitFor()
  return { tab, faults }
}

test('the page shows each event with every value, as text', async () => {
  const { tab, faults } = await opened(full)
  const words = await tab.locator('#events').innerText()
  for (const each of [
    'Verification started: get-applicant-details',
    'Verification ended: answered',
    'Sent: applicant_id',
    applicant,
    'Operator',
    'first.person'
  ])
    expect(words).toContain(each)
  // Hostile text is shown as text: none of it ran, and characters that would hide or reorder text are shown by number.
  expect(words).toContain('<img src=x onerror="document.title=\'owned\'">⟨U+202E⟩gpj.exe⟨U+0007⟩⟨U+200B⟩⟨U+E0041⟩ שלום')
  expect(words).not.toMatch(/[\u202e\u200b]|\u{e0041}/u)
  expect(await tab.locator('#events img').count()).toBe(0)
  expect(await tab.title()).toBe('Verify an evidence pack')
  expect(
    await tab
      .locator('dd')
      .first()
      .evaluate((value) => getComputedStyle(value).unicodeBidi)
  ).toBe('isolate')
  expect(faults).toEqual([])
  await tab.close()
})

test('a large pack is shown in parts, and as a whole where that is asked for', async () => {
  const { tab } = await opened(full)
  const count = content.events.length
  expect(count).toBeGreaterThan(100)
  expect(await tab.locator('#range').innerText()).toBe(`Events 1 to 100 of ${count}`)
  expect(await tab.locator('#list article').count()).toBe(100)
  await tab.getByRole('button', { name: 'Next' }).click()
  await tab.locator('#range', { hasText: `Events 101 to ${count} of ${count}` }).waitFor()
  expect(await tab.locator('#list article').count()).toBe(count - 100)
  await tab.getByRole('button', { name: 'Show all' }).click()
  await tab.locator(`#list article:nth-of-type(${count})`).waitFor()
  await tab.close()
})

test('the print has the answer and the events, and nothing to fill in', async () => {
  const { tab } = await opened(full)
  await tab.emulateMedia({ media: 'print' })
  for (const [selector, visible] of [
    ['#verdict', true],
    ['#details', true],
    ['#list article', true],
    ['#file', false],
    ['#key', false],
    ['#print', false]
  ] as const)
    expect(await tab.locator(selector).first().isVisible(), selector).toBe(visible)
  expect((await tab.pdf()).subarray(0, 5).toString()).toBe('%PDF-')
  await tab.close()
})

test('a withheld value is shown as one', async () => {
  const { tab } = await opened(redacted)
  const note = tab.locator('article', { has: tab.getByRole('heading', { name: 'Note', exact: true }) })
  expect(await note.innerText()).toMatch(/Withheld values \(2\)\s+withheld or erased/)
  expect(await tab.locator('#events').innerText()).not.toContain('gpj')
  await tab.close()
})

test('events of a pack that is refused are not shown, nor those of one that was', async () => {
  const { tab } = await opened(full)
  const path = join(folder, 'changed.json')
  writeFileSync(path, fileText({ ...full, envelope: { ...full.envelope, payload: redacted.envelope.payload } }))
  await tab.setInputFiles('#file', path)
  await tab.locator('#verdict', { hasText: 'REFUSED.' }).waitFor()
  expect(await tab.locator('#events').isVisible()).toBe(false)
  expect(await tab.locator('#list article').count()).toBe(0)
  await tab.close()
})

test('the page runs its own script and no other', async () => {
  const { tab } = await opened(full)
  await tab.evaluate(() => {
    const script = document.createElement('script')
    script.textContent = 'document.title = "owned"'
    document.body.append(script)
  })
  expect(await tab.title()).toBe('Verify an evidence pack')
  await tab.close()
})

test('the verifier for Node shows them where that is asked for, and no line of theirs is like one of its own', () => {
  const path = join(folder, 'lines.json')
  writeFileSync(path, fileText(full))
  const without = spawnSync(process.execPath, [verifier, path], { encoding: 'utf8', env: {} })
  expect(without.stdout).not.toContain('gpj')
  const run = spawnSync(process.execPath, [verifier, path, '--events'], { encoding: 'utf8', env: {} })
  expect(run.status).toBe(3)
  expect(run.stdout).toContain(
    '  Text: <img src=x onerror="document.title=\'owned\'">⟨U+202E⟩gpj.exe⟨U+0007⟩⟨U+200B⟩⟨U+E0041⟩ שלום\n    | VERIFIED. It was signed'
  )
  expect(run.stdout.split('\n').filter((line) => line.startsWith('VERIFIED'))).toEqual([])
  expect(run.stdout.match(/Verification ended: answered/g)).toHaveLength(60)
})
