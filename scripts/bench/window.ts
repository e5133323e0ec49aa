/** What the person at the window waits for: one check from the click to the painted answer, and the start. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Page } from '@playwright/test'
import { operationOf } from '#contract/operations.ts'
import { startPracticeService } from '#practice/service.ts'
import { inKeyring, useService } from '../../tests/app/fixtures/desk.ts'
import { clickToPaint, statistics } from '../../tests/app/fixtures/felt.ts'
import { startHost, type HostName, type Place } from '../../tests/app/fixtures/hosts.ts'
import { watchMachine } from '../../tests/app/fixtures/machine.ts'
import { electronRuntime } from '../../tests/app/fixtures/runtime.ts'
import setup from '../../tests/app/fixtures/setup.ts'
import { VerifyPage } from '../../tests/app/pages/verify.ts'
import { startKeyring } from '../../tests/service/support/keyring.ts'
import { bareElectronStart } from './bare-electron.ts'

const operation = 'get-applicant-details'
const checks = 60
/** Aims: milliseconds at the 95th percentile, and the most that a start may take of a bare window's. */
const aim = { check: 50, start: 1.5 }

const verdict = (met: boolean): string => (met ? 'met' : '**not met**')

/** Unix milliseconds at which the page reached a moment that it counts from its own origin. */
const epochOf = (page: Page, moment: string): Promise<number> =>
  page.evaluate(`performance.timeOrigin + (${moment})`) as Promise<number>

/** Unix milliseconds at which an empty page had been loaded. */
const loadedAt = (page: Page): Promise<number> => epochOf(page, `performance.getEntriesByType('navigation')[0]?.loadEventEnd ?? performance.now()`)

/** From the start of the process to the end of the empty page's loading. */
async function bareStart(): Promise<number> {
  const from = Date.now()
  const child = spawn(process.execPath, [fileURLToPath(new URL('./bare-window.ts', import.meta.url))], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [told] = (await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => Promise.reject(new Error('the bare window did not open')))
  ])) as [Buffer]
  const browser = await chromium.connectOverCDP(/http:\S+/.exec(told.toString())?.[0] ?? '')
  const page = browser.contexts()[0]?.pages()[0]
  if (!page) throw new Error('the bare window shows no page')
  await page.waitForLoadState('load')
  const loaded = await loadedAt(page)
  child.kill()
  await once(child, 'exit')
  await browser.close()
  return loaded - from
}

/** Starts of a host on data that is there, each beside a bare window's; milliseconds. The first ones fill the system's caches. */
async function startsOf(host: HostName, place: Place, rounds: number): Promise<{ readonly ours: number; readonly bare: number }> {
  const ours: number[] = []
  const bare: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await (host === 'electron' ? bareElectronStart(join(place.home, 'bare'), loadedAt) : bareStart()))
    const from = Date.now()
    const sitting = await startHost(host, place)
    await new VerifyPage(sitting.page).field(operationOf(operation).fields[0]?.label ?? '').waitFor()
    ours.push((await epochOf(sitting.page, `performance.getEntriesByName('form')[0].startTime`)) - from)
    await sitting.close()
  }
  return { ours: statistics(ours.slice(1)).median, bare: statistics(bare.slice(1)).median }
}

/** The window's rows of the benchmarks' page, in the preview host, with a keychain and a history on the disk. */
export async function windowSection({ rounds }: { readonly rounds: number }): Promise<string> {
  setup()
  const folder = mkdtempSync(join(tmpdir(), 'veridesk-bench-window-'))
  const home = join(folder, 'home')
  mkdirSync(home)
  const keyring = await startKeyring()
  const service = await startPracticeService({})
  const place = { dataFolder: join(folder, 'data'), home, environment: inKeyring(keyring) }
  const watch = await watchMachine()
  try {
    const first = await startHost('preview', place)
    await useService(first.page, service, {}, { lastOperation: operation, backupHours: 0 })
    const verify = new VerifyPage(first.page)
    await verify.open(operation)
    const times: number[] = []
    for (let check = 0; check < checks; check += 1) {
      if (check > 0) await verify.clear.click()
      await verify.fill(operation, { applicant_id: `APP-${check}` })
      times.push(await clickToPaint(verify.send, 'section[aria-label="Result"] [data-testid="record"]'))
    }
    await first.close()

    const runtime = electronRuntime()
    const hosts: readonly HostName[] = 'missing' in runtime ? ['preview'] : ['preview', 'electron']
    const starts: string[] = []
    for (const host of hosts) {
      const { ours, bare } = await startsOf(host, place, rounds)
      starts.push(`| start to usable form, ${host === 'preview' ? 'preview' : 'Electron'} (${rounds - 1}) | ${ours.toFixed(0)} ms | | ${bare.toFixed(0)} ms | ${(ours / bare).toFixed(2)} | ${aim.start} | ${verdict(ours <= aim.start * bare)} |`)
    }
    // The first ones fill the system's caches.
    const check = statistics(times.slice(5))
    return [
      '## The window',
      '',
      `In the preview host, with a keychain and the history on the disk; ${(await watch()).words}. A check goes to a practice service that answers at once, so that nearly all of its time is the console’s own: from the click, through the keychain and two syncs of the disk, to the painted answer. A start goes from the process to the form that can be filled, beside the same browser or the same Electron, started the same way, with an empty page.`,
      '',
      '| work | median | p95 | beside | ratio | aim | |',
      '|---|--:|--:|--:|--:|--:|---|',
      `| one check, click to painted answer (${times.length - 5}) | ${check.median.toFixed(1)} ms | ${check.p95.toFixed(1)} ms | | | 50 ms p95 | ${verdict(check.p95 <= aim.check)} |`,
      ...starts,
      ''
    ].join('\n')
  } finally {
    await service.close()
    await keyring.end()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}
