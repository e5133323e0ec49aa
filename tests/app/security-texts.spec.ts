/**
 * Hostile text in every place that a service, an applicant ID or a note can fill: shown as text, never run, never
 * fetched.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { operations } from '#contract/verification/operations.ts'
import { findBrowser } from '../../electron/hosts/node/chromium/browser.ts'
import { counted, times } from './fixtures/counts.ts'
import { savesInto } from './fixtures/files.ts'
import { hostileTexts } from './fixtures/hostile.ts'
import {
  recordTexts,
  startHostileService,
  watchPage,
  type HostileRecord,
  type HostileWindow
} from './fixtures/hostile-records.ts'
import { expect, test } from './fixtures/test.ts'
import { startTrap } from './fixtures/trap.ts'
import { ask } from './fixtures/workspace.ts'
import { goTo } from './pages/go.ts'

/** Of the texts, evenly, so that each kind is among them. */
const some = <T>(all: readonly T[], count: number): T[] =>
  Array.from({ length: Math.min(count, all.length) }, (_, at) => all[Math.floor((at * all.length) / count)] as T)

const lists = [
  '/history',
  '/applicants',
  '/queue',
  '/catalogue',
  '/audit',
  '/batches',
  '/batches/new',
  '/administration/connections',
  '/administration/data-management',
  '/evidence',
  '/administration/settings',
  '/administration/team',
  '/about',
  ...operations.map(({ id }) => `/verify/${id}`)
]

/** Writes each text as a note, a tag and the note of a decision; returns how many were accepted. */
async function writeNotes(page: Page, records: readonly HostileRecord[], texts: readonly string[]): Promise<number> {
  let written = 0
  const accepted = (work: Promise<unknown>): Promise<void> =>
    work.then(
      () => void (written += 1),
      () => undefined
    )
  for (const { applicantId, text: at } of records) {
    const text = texts[at] ?? ''
    await accepted(ask(page, 'applicants.note', { applicantId, text }))
    await accepted(ask(page, 'applicants.tag', { applicantId, tags: [text.slice(0, 60)] }))
    const { evidence } = await ask(page, 'applicants.show', { applicantId })
    await accepted(
      ask(page, 'decisions.make', {
        applicantId,
        decision: 'escalate',
        reasons: ['second-opinion'],
        note: text,
        evidence
      })
    )
  }
  return written
}

/** A batch whose name, headings and cells are hostile. */
async function hostileBatch(page: Page, all: readonly string[]): Promise<string> {
  const [connection] = await ask(page, 'connections.list')
  // A file with unpaired surrogates is refused as a whole.
  const texts = all.filter((text) => text.isWellFormed())
  const quoted = (text: string): string => `"${text.replaceAll('"', '""').replace(/[\0\r\n]/g, ' ')}"`
  const rows = texts.slice(0, 50).map((text, at) => `BATCH-${at},${quoted(text)}`)
  const { checkId } = await ask(page, 'batches.checkText', {
    name: `${texts[1]?.slice(0, 40)}.csv`,
    text: [`applicant_id,${quoted(texts[0] ?? '')}`, ...rows].join('\n'),
    reading: { operations: ['get-applicant-details'] }
  })
  const { id } = await ask(page, 'batches.create', {
    checkId,
    connectionId: connection?.id ?? '',
    name: (texts[0] ?? '').slice(0, 60),
    atOnce: 4,
    pace: 0,
    skipDuplicates: true,
    skipRecent: false
  })
  return id
}

/** Goes to an address, and waits until what it shows is drawn. */
async function look(page: Page, path: string): Promise<void> {
  await goTo(page, path)
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
}

test(
  'hostile texts in messages, ids, notes and a batch: nothing runs, nothing is fetched',
  { tag: '@electron-instead' },
  async ({ consolePage: page, session, home }) => {
    test.setTimeout(120_000 + 30_000 * times)
    const service = await startHostileService()
    const texts = hostileTexts(service.address)
    service.texts = texts
    expect(texts).toHaveLength(500)
    watchPage(page, service.visits)
    const downloads = join(home, 'Downloads')
    await mkdir(downloads, { recursive: true })
    await savesInto(session(), downloads)

    const records = await recordTexts(page, service.address, texts)
    expect(records).toHaveLength(500)
    const chosen = some(records, 10 * times)
    const notes = await writeNotes(page, chosen, texts)
    expect(notes).toBeGreaterThan(chosen.length)
    const batch = await hostileBatch(page, texts)
    for (const path of [...lists, `/batches/${batch}`]) {
      await look(page, path)
      for (let step = 0; step < 10; step += 1) await page.mouse.wheel(0, 1200)
    }
    for (const { id, applicantId } of chosen) {
      await look(page, `/history/${id}`)
      for (const tab of ['Raw', 'Headers']) await page.getByRole('tab', { name: tab }).first().click()
      await look(page, `/applicants/${encodeURIComponent(applicantId)}`)
    }
    // Each prints what its applicant has in a window of its own.
    for (const about of [
      ...some(chosen, times).map(({ applicantId }) => ({ kind: 'applicant' as const, id: applicantId })),
      { kind: 'batch' as const, id: batch }
    ])
      expect(await ask(page, 'evidence.create', { about, profile: 'full', pdf: true })).toHaveProperty('pdfPath')

    const executed = await page.evaluate(() => (window as unknown as HostileWindow).__executed)
    counted({
      'messages and IDs': records.length,
      'notes, tags and decisions': notes,
      'executed': executed === undefined ? 0 : 1,
      'requests and dialogs': service.visits.length
    })
    expect(executed).toBeUndefined()
    expect(service.visits).toEqual([])
    service.end()
  }
)

test('in a page that takes them as markup, the texts run and fetch', async ({ host }) => {
  test.skip(host !== 'preview', 'needs the browser alone')
  const [service, home] = await Promise.all([startHostileService(), startTrap()])
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : []
  })
  try {
    const page = await browser.newPage()
    await page.goto(home.address)
    // Some of the texts lead away, which would end the page before it is looked at: no content keeps it.
    const leaves: string[] = []
    await page.route('**', (route) => {
      if (!route.request().isNavigationRequest() || route.request().frame() !== page.mainFrame())
        return route.continue()
      leaves.push(new URL(route.request().url()).pathname)
      return route.fulfill({ status: 204 })
    })
    await page.evaluate((texts) => {
      for (const text of texts) document.body.insertAdjacentHTML('beforeend', text)
    }, hostileTexts(service.address))
    await expect.poll(() => page.evaluate(() => (window as unknown as HostileWindow).__executed)).toBe(1)
    await expect.poll(() => service.visits).toEqual(expect.arrayContaining(['GET /image', 'GET /style']))
    await expect.poll(() => leaves.length).toBeGreaterThan(0)
  } finally {
    await browser.close()
    service.end()
    home.end()
  }
})
