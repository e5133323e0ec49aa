/**
 * Hostile texts wherever a service, an ID or a user can put them, shown in every view: nothing runs, nothing is requested.
 * Not a test: it opens every view for each of 500 texts, for minutes; `tests/app/security-texts.spec.ts` opens some.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { operations } from '#contract/verification/operations.ts'
import { savesInto } from '../../../tests/app/fixtures/files.ts'
import { startHost, type Session } from '../../../tests/app/fixtures/hosts.ts'
import { hostilePaths, hostileTexts } from '../../../tests/app/fixtures/hostile.ts'
import {
  recordTexts,
  startHostileService,
  watchPage,
  type HostileRecord,
  type HostileWindow
} from '../../../tests/app/fixtures/hostile-records.ts'
import { ask } from '../../../tests/app/fixtures/workspace.ts'
import { goTo } from '../../../tests/app/pages/go.ts'
import { inPlace } from '../../bench/window/place.ts'
import type { Measured, SectionRun } from '../../figures/section.ts'
import { hostsHere } from './electron-here.ts'

/** Each prints what its applicant has in a window of its own. */
const mostPdfs = 50

const lists = [
  '/history',
  '/applicants',
  '/queue',
  '/catalogue',
  '/audit',
  '/batches',
  '/batches/new',
  '/connections',
  '/data-management',
  '/evidence',
  '/settings',
  '/team',
  '/about',
  ...operations.map(({ id }) => `/verify/${id}`)
]

/** Writes the texts as notes, tags, decisions and interpretations; returns how many were accepted. */
async function writeNotes(page: Page, records: readonly HostileRecord[], texts: readonly string[]): Promise<number> {
  let written = 0
  const accepted = (work: Promise<unknown>): Promise<void> =>
    work.then(
      () => void (written += 1),
      () => undefined
    )
  for (const [at, { applicantId }] of records.entries()) {
    const text = texts[at] ?? ''
    await accepted(ask(page, 'applicants.note', { applicantId, text }))
    await accepted(ask(page, 'applicants.tag', { applicantId, tags: [text.slice(0, 60)] }))
    const detail = await ask(page, 'applicants.show', { applicantId })
    await accepted(
      ask(page, 'decisions.make', {
        applicantId,
        decision: 'escalate',
        reasons: ['second-opinion'],
        note: text,
        evidence: detail.evidence
      })
    )
  }
  return written
}

/** A batch whose name, headings and cells are hostile. */
async function hostileBatch(page: Page, connectionId: string, all: readonly string[]): Promise<string> {
  // A file with unpaired surrogates is refused as a whole.
  const texts = all.filter((text) => text.isWellFormed())
  const quoted = (text: string): string => `"${text.replaceAll('"', '""').replace(/[\0\r\n]/g, ' ')}"`
  const rows = [
    `applicant_id,${quoted(texts[0] ?? '')}`,
    ...texts.slice(0, 50).map((text, at) => `BATCH-${at},${quoted(text)}`)
  ]
  const { checkId } = await ask(page, 'batches.checkText', {
    name: `${texts[1]?.slice(0, 40)}.csv`,
    text: rows.join('\n'),
    reading: { operation: 'get-applicant-details' }
  })
  const { id } = await ask(page, 'batches.create', {
    checkId,
    connectionId,
    name: (texts[0] ?? '').slice(0, 60),
    atOnce: 4,
    pace: 0,
    skipDuplicates: true,
    skipRecent: false
  })
  return id
}

/** Goes to an address and waits until something of it is drawn. */
async function look(page: Page, path: string): Promise<void> {
  await goTo(page, path)
  await page.waitForTimeout(80)
}

/** Prints evidence packs of some applicants, evenly from all, and one of the batch; returns how many PDFs were written. */
async function printed(page: Page, records: readonly HostileRecord[], batch: string): Promise<number> {
  let written = 0
  const chosen = records.filter((_, at) => at % Math.ceil(records.length / mostPdfs) === 0)
  for (const about of [
    ...chosen.map(({ applicantId }) => ({ kind: 'applicant' as const, id: applicantId })),
    { kind: 'batch' as const, id: batch }
  ]) {
    const made = await ask(page, 'evidence.create', { about, profile: 'full', pdf: true })
    if (made?.pdfPath !== undefined) written += 1
  }
  return written
}

async function inHost(
  session: Session,
  count: number,
  rows: (string | number)[][],
  faults: string[],
  label: string
): Promise<void> {
  const { page } = session
  const service = await startHostileService()
  const all = hostileTexts(service.address)
  // Evenly from all, so that a small trial has each kind.
  const texts = Array.from({ length: count }, (_, at) => all[Math.floor((at * all.length) / count)] ?? '')
  service.texts = texts
  watchPage(page, service.visits)
  try {
    const records = await recordTexts(page, service.address, texts)
    const [connection] = await ask(page, 'connections.list')
    const notes = await writeNotes(page, records, texts)
    const batch = connection ? await hostileBatch(page, connection.id, texts) : ''
    let views = 0
    for (const path of [...lists, `/batches/${batch}`]) {
      await look(page, path)
      for (let step = 0; step < 10; step += 1) await page.mouse.wheel(0, 1200)
      views += 1
    }
    for (const { id, applicantId } of records) {
      await look(page, `/history/${id}`)
      for (const tab of ['Raw', 'Headers'])
        await page
          .getByRole('tab', { name: tab })
          .first()
          .click({ timeout: 2000 })
          .catch(() => undefined)
      await look(page, `/applicants/${encodeURIComponent(applicantId)}`)
      views += 2
    }
    const pdfs = await printed(page, records, batch)
    if (pdfs === 0) faults.push(`${label}: no PDF was written`)
    const executed = await page.evaluate(() => ((window as unknown as HostileWindow).__executed === undefined ? 0 : 1))
    if (records.length !== count) faults.push(`${label}: ${records.length} of ${count} texts were recorded`)
    if (executed > 0) faults.push(`${label}: a text was executed`)
    faults.push(...service.visits.map((visit) => `${label}: ${visit}`))
    rows.push([label, records.length, notes, views, pdfs, executed, service.visits.length])
  } finally {
    service.end()
  }
}

/** Paths outside of the window's folder, requested in the window's own session. */
async function paths(session: Session, faults: string[]): Promise<number> {
  const statuses = await session.electron?.evaluate(
    async ({ BrowserWindow }, all) => {
      const own = BrowserWindow.getAllWindows()[0]?.webContents.session
      return Promise.all(
        all.map(
          async (path) =>
            (await own?.fetch(`app://console/${path}`).then(
              (reply) => reply.status,
              () => 'refused'
            )) ?? 'no session'
        )
      )
    },
    [...hostilePaths]
  )
  for (const [at, status] of (statuses ?? []).entries())
    if (status !== 404 && status !== 'refused') faults.push(`app://console/${hostilePaths[at]} answers ${status}`)
  return statuses?.length ?? 0
}

/** Shows the texts in both hosts. Errors: anything that runs, is requested or asks, and files that are served. */
export async function proveMarkup({ sized, progress }: SectionRun): Promise<Measured> {
  const { hosts, notRun, versions } = hostsHere('the window of Electron')
  const [rows, faults, notes]: [(string | number)[][], string[], string[]] = [[], [], []]
  for (const host of hosts)
    await inPlace({}, async ({ place }) => {
      const session = await startHost(host, place)
      const folder = join(place.home, 'Downloads')
      mkdirSync(folder, { recursive: true })
      await savesInto(session, folder)
      try {
        const label = host === 'electron' ? 'Electron' : 'preview'
        await inHost(session, sized(500, 10), rows, faults, label)
        const asked = await paths(session, faults)
        if (asked > 0)
          notes.push(`${asked} paths that lead out of the window’s folder were requested by \`app://\` as well.`)
        progress(label)
      } finally {
        await session.close()
      }
    })
  return {
    notes,
    table: {
      columns: [
        'host',
        'messages and IDs',
        'notes, tags and decisions',
        'views',
        'PDFs',
        'executed',
        'requests and dialogs'
      ],
      rows
    },
    notRun,
    faults,
    versions
  }
}
