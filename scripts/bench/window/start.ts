/** From the start of the process to the usable form, compared with the same browser or Electron with an empty page. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Page } from '@playwright/test'
import { useService } from '../../../tests/app/fixtures/workspace.ts'
import { startHost, type HostName, type Place } from '../../../tests/app/fixtures/hosts.ts'
import { electronRuntime, repository } from '../../../tests/app/fixtures/runtime.ts'
import { rowOf } from '../../figures/row.ts'
import type { Measured } from '../../figures/section.ts'
import type { BenchRun } from '../bench-run.ts'
import { inTurn } from '../side-by-side.ts'
import { bareElectronStart } from './bare-electron.ts'
import { inPlace } from './place.ts'
import { chromiumOf } from './versions.ts'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

/**
 * Kilobytes, each file compressed separately with gzip at its best level; only documents, scripts and styles count as
 * code.
 */
async function codeLoaded(page: Page): Promise<number> {
  const paths = await page.evaluate(() => {
    const until = performance.getEntriesByName('form')[0]?.startTime ?? Infinity
    const loaded = performance
      .getEntriesByType('resource')
      .filter((entry) => entry.startTime <= until)
      .map((entry) => new URL(entry.name).pathname)
    return ['/index.html', ...loaded.filter((path) => /\.(?:m?js|css)$/.test(path))]
  })
  const bytes = [...new Set(paths)].map(
    (path) => gzipSync(readFileSync(join(repository, 'out', 'renderer', path)), { level: 9 }).length
  )
  if (bytes.length < 3) throw new Error('the page loaded no code that can be counted')
  return bytes.reduce((sum, each) => sum + each, 0) / 1000
}

/** Once the form is there that a start without records leads to. */
const usable = (page: Page): Promise<void> => page.getByRole('form', { name: 'Check an applicant' }).waitFor()

/** Ratio to a bare window's start; kilobytes. */
const aims = { ratio: 1.5, code: 200 }

/** Unix milliseconds of a moment that the page measures from its own time origin. */
const epochOf = (page: Page, moment: string): Promise<number> =>
  page.evaluate(`performance.timeOrigin + (${moment})`) as Promise<number>

/** Unix milliseconds at which an empty page had loaded. */
const loadedAt = (page: Page): Promise<number> =>
  epochOf(page, `performance.getEntriesByType('navigation')[0]?.loadEventEnd ?? performance.now()`)

/** From the start of the process until the empty page has loaded. */
async function bareStart(): Promise<number> {
  const from = Date.now()
  const child = spawn(process.execPath, [fileURLToPath(new URL('./bare-window.ts', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const [output] = (await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => Promise.reject(new Error('the bare window did not open')))
  ])) as [Buffer]
  const browser = await chromium.connectOverCDP(/http:\S+/.exec(output.toString())?.[0] ?? '')
  const page = browser.contexts()[0]?.pages()[0]
  if (!page) throw new Error('the bare window shows no page')
  await page.waitForLoadState('load')
  const loaded = await loadedAt(page)
  child.kill()
  await once(child, 'exit')
  await browser.close()
  return loaded - from
}

/** Milliseconds of a start with existing data. */
async function consoleStart(host: HostName, place: Place): Promise<number> {
  const from = Date.now()
  const started = await startHost(host, place)
  await usable(started.page)
  const took = (await epochOf(started.page, `performance.getEntriesByName('form')[0].startTime`)) - from
  await started.close()
  return took
}

/** Starts the preview and, if its runtime exists, Electron; counts the code that the first form needs. */
export const measureStart = ({ sized, progress }: BenchRun): Promise<Measured> =>
  inPlace({}, async ({ place, service }) => {
    const first = await startHost('preview', place)
    await useService(first.page, service, {}, { backupHours: 0 })
    const versions = chromiumOf(first.page)
    await first.close()
    const again = await startHost('preview', place)
    await usable(again.page)
    const code = await codeLoaded(again.page)
    await again.close()

    const runtime = electronRuntime()
    const hosts: readonly HostName[] = 'missing' in runtime ? ['preview'] : ['preview', 'electron']
    const rows = []
    for (const host of hosts) {
      const bare = (): Promise<number> =>
        host === 'electron' ? bareElectronStart(join(place.home, 'bare'), loadedAt) : bareStart()
      const { ours, beside } = await inTurn(sized(15, 2), () => consoleStart(host, place), bare)
      const name = host === 'preview' ? 'preview' : 'Electron'
      rows.push(
        rowOf({
          name: `start to usable form, ${name}`,
          unit: 'ms',
          samples: ours,
          beside: { what: `bare window, ${name}`, samples: beside },
          aims: { ratio: aims.ratio }
        })
      )
      progress(name)
    }
    rows.push(
      rowOf({
        name: 'code loaded at start, compressed by gzip',
        unit: 'kB',
        samples: [code],
        aims: { single: aims.code }
      })
    )
    return {
      rows,
      versions: { ...versions, ...('version' in runtime && { electron: runtime.version }) },
      notes: 'missing' in runtime ? ['Electron’s start was not measured: its runtime or a display is missing.'] : []
    }
  })
