/**
 * The preview host: the same core and window as the product, in an installed Chromium, Chrome or Edge, for machines
 * where Electron's binary is not available. Built with the product, but never packaged.
 *
 * This file contains only what must run before the browser; the browser starts while Node loads the rest.
 */
import { sentencesOf } from '#contract/failures/sentences.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { askToRaise } from '../node/data-lock.ts'
import { keepUsedVariables, refusedVariable } from '../node/environment.ts'
import { findBrowser, hasDisplay, startBrowser } from '../node/chromium/browser.ts'
import { createOpenings } from '../node/openings.ts'
import { dataFolderOfStart, sampleRefusal } from '../node/policies/at-start.ts'
import { claimDataFolder } from '../node/prepare-folder.ts'
import { previewOptions } from './options.ts'
import { stop } from './stop.ts'

const refused = keepUsedVariables(process.env, { installed: false, proxies: true })
if (refused) stop(refusedVariable(refused), 2)

const options = previewOptions(process.argv.slice(2))
if (typeof options === 'string') stop(options, 2)

const beside = (path: string): URL => new URL(path, import.meta.url)
const folder = fileURLToPath(beside('../renderer'))
if (!existsSync(join(folder, 'index.html'))) stop('The window is not built yet. Run “npm start”, which builds it.', 3)

const browserPath = findBrowser()
if (!browserPath)
  stop(
    'No Chromium, Chrome or Edge was found. Install one, or name its program in the environment variable VERIDESK_BROWSER.',
    3
  )

let raise = (): void => undefined
const refusedSample = options.sample ? await sampleRefusal() : undefined
if (refusedSample) stop(Object.values(sentencesOf(refusedSample)).join('\n'), 69)
const sample = options.sample
  ? await (await import('../node/sample-folder.ts')).openSampleFolder(() => raise())
  : undefined
const chosen = sample ?? (await dataFolderOfStart(options.dataFolder))
if (!chosen.ok) stop(Object.values(sentencesOf(chosen.failure)).join('\n'), 69)
const claimed =
  typeof chosen.value === 'string'
    ? await claimDataFolder(chosen.value, () => raise())
    : { ok: true as const, value: chosen.value }
if (!claimed.ok) stop(Object.values(sentencesOf(claimed.failure)).join('\n'), 69)
const { path: dataFolder, lock, notices } = claimed.value
if (!lock) {
  const raised = await askToRaise(dataFolder)
  const next = raised ? 'Its window was asked to come to the front.' : 'Close it, then start again.'
  stop(`Veridesk is already running with the data in ${dataFolder}. Nothing was changed. ${next}`, 4)
}

// A closed terminal, or a window that opened this one and has closed, is no reason to end.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

// A signal that arrives before there is anything to close takes effect later.
let asked = false
let end = (): void => void (asked = true)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end())

const headless = options.headless || !hasDisplay()
const size = { width: options.width, height: options.height }
const testPort = process.env['VERIDESK_TEST_PORT'] === '1'
const browser = await startBrowser({ path: browserPath, headless, ...size, testPort })
const openings = createOpenings()
openings.ask(options.toOpen, process.cwd())
const { openConsole } = await import('./console.ts')
await openConsole({
  dataFolder,
  lock,
  notices,
  browserPath,
  browser,
  headless,
  size,
  folder,
  testPort,
  openings,
  ...(sample?.ok && { deleteSample: sample.value.remove }),
  own: {
    program: process.execPath,
    args: [
      fileURLToPath(import.meta.url),
      ...(headless ? ['--headless'] : []),
      '--size',
      `${size.width}x${size.height}`
    ]
  },
  workers: {
    history: beside('./history-worker.js'),
    keychain: beside('./keychain-worker.js'),
    team: beside('./team-worker.js'),
    workbook: beside('./workbook-worker.js')
  },
  onRaise: (show) => (raise = show),
  onEnd: (close) => {
    end = close
    if (asked) close()
  }
})
process.exit(0)
