/** Hostile documents opened in the window of a host: what runs, what is requested, and the memory of core's process. */
import type { Page } from '@playwright/test'
import type { Row } from '../../figures/format.ts'
import { rowOf } from '../../figures/row.ts'
import type { Session } from '../../../tests/app/fixtures/hosts.ts'
import { watchPage } from '../../../tests/app/fixtures/hostile-records.ts'
import { usePractice } from '../../../tests/app/fixtures/workspace.ts'
import { VerifyPage } from '../../../tests/app/pages/verify.ts'
import { card } from '../../../tests/service/support/document-files.ts'
import {
  activePdfs,
  bomb,
  encrypted,
  hugePage,
  manyPages,
  onePage,
  tangledPdfs
} from '../../../tests/service/support/document-pdfs.ts'
import { peakOf } from '../../../tests/service/support/document-reader.ts'
import { serveDocuments, setTrap } from '../../../tests/service/support/document-server.ts'
import { memoryAim } from './memory.ts'

export interface WindowReport {
  /** Host, documents, executed, requests and dialogs. */
  readonly line: readonly (string | number)[]
  readonly rows: readonly Row[]
  readonly faults: readonly string[]
}

/** Opens a document, waits until it or a sentence is shown, and closes it. True if something of it ran. */
async function look(page: Page, verify: VerifyPage, url: string): Promise<boolean> {
  await verify.fill('validate-kyc-photo', { photo_url: url })
  await page.getByRole('button', { name: 'Show: Photo' }).click()
  const viewer = page.getByRole('region', { name: 'Documents', exact: true })
  await viewer
    .locator('[data-testid=not-shown], [data-testid=document]:visible, .fault:not([aria-busy])')
    .first()
    .waitFor({ timeout: 60_000 })
  const ran =
    (await page
      .workers()[0]
      ?.evaluate(() => '__executed' in globalThis)
      .catch(() => false)) ?? false
  await page.keyboard.press('Escape')
  await viewer.waitFor({ state: 'detached' })
  return ran
}

/** Goes through all hostile documents in one window. */
export async function documentsInWindow(label: string, session: Session): Promise<WindowReport> {
  const { page, process: host } = session
  const [server, trap] = await Promise.all([serveDocuments(), setTrap()])
  const all: string[] = []
  watchPage(page, all)
  // An image is shown from the window's own memory.
  const requests = (): string[] =>
    all.filter((visit) => !visit.startsWith(`blob:${new URL(page.url()).protocol}//${new URL(page.url()).host}/`))
  try {
    await usePractice(page)
    const verify = new VerifyPage(page)
    await verify.open('validate-kyc-photo')
    for (const ordinary of [card, onePage()]) await look(page, verify, server.at(ordinary))
    const peak = peakOf(host.pid ?? 0)
    peak.begin()
    const baseline = peak.bytes()
    const documents = [
      ...Object.values(activePdfs(`http://127.0.0.1:${trap.port}/`)),
      ...Object.values(tangledPdfs),
      bomb('steps'),
      bomb('stream'),
      hugePage,
      encrypted,
      Buffer.concat([
        manyPages(1),
        Buffer.from('<script>globalThis.__executed=1</script>'),
        Buffer.alloc(20 * 1024 * 1024 - 2000, ' ')
      ]),
      Buffer.concat([card], 20 * 1024 * 1024)
    ]
    let executed = 0
    for (const bytes of documents) if (await look(page, verify, server.at(bytes, 'photo.pdf'))) executed += 1
    if (await page.evaluate(() => '__executed' in globalThis)) executed += 1
    const most = peak.bytes()
    const visits = requests()
    return {
      line: [label, documents.length, executed, visits.length + trap.connections()],
      rows:
        baseline === undefined || most === undefined
          ? []
          : [
              rowOf({
                name: `${label}: all in a window, the host’s process`,
                unit: 'MB',
                samples: [Math.max(0, most - baseline) / 1e6],
                ...(session.electron && { aims: { single: memoryAim } })
              })
            ],
      faults: [
        ...(executed > 0 ? [`${label}: ${executed} documents ran something`] : []),
        ...visits.map((visit) => `${label}: ${visit}`),
        ...(trap.connections() > 0 ? [`${label}: ${trap.connections()} connections that a document asked for`] : [])
      ]
    }
  } finally {
    await Promise.all([server.close(), trap.close()])
  }
}
